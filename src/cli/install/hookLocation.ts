// The folder of the hooks that settings name. It must exist as long as the settings do, however memctl was started.
import fs from 'node:fs'
import path from 'node:path'
import type { HookRegistration } from '../../model/hookEvents.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { HookEntry } from './hookSettings.ts'
import { runtimeFolder } from './runtimeFolder.ts'

/** The settings of the user, of the project for everyone, or of the project for this user. */
export type Scope = 'user' | 'project' | 'local'

export interface HookLocation {
  /** The project is memctl itself, the project has memctl in its node_modules, or neither. */
  readonly kind: 'own' | 'project' | 'runtime'
  /** The folder of the hooks as settings name it; the client fills in CLAUDE_PROJECT_DIR. */
  readonly folder: string
  /** The reason, as a sentence for a person. */
  readonly reason: string
}

/**
 * Chooses the location, and the settings if no `scope` is named. Writes nothing.
 *
 * User settings apply to every project, so they never name a folder of one. The project's shared settings are for
 * everyone, so they never name a folder of this machine: the exec form of a hook expands neither `~` nor `$HOME`.
 * Throws USAGE if they are named and the project has no memctl of its own.
 */
export function chooseHookLocation(from: {
  readonly projectRoot: string
  readonly packageRoot: string
  readonly home: string
  readonly version: string
  readonly scope?: Scope | undefined
}): HookLocation & { readonly scope: Scope } {
  const { scope, home, version } = from
  if (scope === 'user') {
    const reason = "User settings apply to every project, so the hooks are in memctl's home."
    return { kind: 'runtime', folder: runtimeFolder(home, version), reason, scope }
  }
  if (isSameFolder(from.projectRoot, from.packageRoot)) {
    // Those of the plugin are in git: a fresh clone has them without a build.
    const folder = `\${CLAUDE_PROJECT_DIR}/plugin/dist/hooks`
    return { kind: 'own', folder, reason: 'This project is memctl itself.', scope: scope ?? 'project' }
  }
  if (fs.existsSync(path.join(from.projectRoot, IN_PROJECT, 'session-start.cjs'))) {
    return {
      kind: 'project',
      folder: `\${CLAUDE_PROJECT_DIR}/${IN_PROJECT}`,
      reason: 'This project has memctl in its node_modules, so everyone who installs it has the hooks too.',
      scope: scope ?? 'project',
    }
  }
  if (scope === 'project') {
    throw new MemoryError('USAGE', 'The shared settings of a project must not name a folder of this machine', {
      hint:
        'Install memctl in the project (`npm install --save-dev` and the package), or leave --shared out: then ' +
        '.claude/settings.local.json is used. A team can also enable the plugin; docs/install.md says how.',
    })
  }
  const reason = "The hooks are in memctl's home, on this machine, so they are in settings.local.json and not in git."
  return { kind: 'runtime', folder: runtimeFolder(home, version), reason, scope: 'local' }
}

/** Creates the settings entry of an event; its script is in `folder`. */
export function hookCommandFactory(folder: string): (event: HookRegistration) => HookEntry {
  return ({ script, timeoutSeconds }) => ({
    type: 'command',
    command: 'node',
    args: [`${folder}/${script}.cjs`],
    timeout: timeoutSeconds,
  })
}

// With slashes on every system, because settings in git are shared between systems.
const IN_PROJECT = 'node_modules/memctl/dist/hooks'

function isSameFolder(folder: string, other: string): boolean {
  try {
    return fs.realpathSync(folder) === fs.realpathSync(other)
  } catch {
    return false // One of them does not exist.
  }
}
