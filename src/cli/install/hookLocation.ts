// The folder of the hooks that settings name. It must exist as long as the settings do, however memctl was started.
import fs from 'node:fs'
import path from 'node:path'
import type { HookRegistration } from '../../model/hookEvents.ts'
import type { HookEntry } from './hookSettings.ts'
import { runtimeFolder } from './runtimeFolder.ts'

export interface HookLocation {
  /** The project is memctl itself, the project has memctl in its node_modules, or neither. */
  readonly kind: 'own' | 'project' | 'runtime'
  /** The folder of the hooks as settings name it; the client fills in CLAUDE_PROJECT_DIR. */
  readonly folder: string
  /** The reason, as a sentence for a person. */
  readonly reason: string
}

/** Chooses the location. `user` settings apply to every project, so they never name a folder of one. Writes nothing. */
export function chooseHookLocation(from: {
  readonly projectRoot: string
  readonly packageRoot: string
  readonly home: string
  readonly version: string
  readonly user?: boolean
}): HookLocation {
  if (!from.user && isSameFolder(from.projectRoot, from.packageRoot)) {
    return { kind: 'own', folder: `\${CLAUDE_PROJECT_DIR}/dist/hooks`, reason: 'This project is memctl itself.' }
  }
  if (!from.user && fs.existsSync(path.join(from.projectRoot, IN_PROJECT, 'session-start.cjs'))) {
    return {
      kind: 'project',
      folder: `\${CLAUDE_PROJECT_DIR}/${IN_PROJECT}`,
      reason: 'This project has memctl in its node_modules, so everyone who installs it has the hooks too.',
    }
  }
  return {
    kind: 'runtime',
    folder: runtimeFolder(from.home, from.version),
    reason: from.user
      ? "User settings apply to every project, so the hooks are in memctl's home folder."
      : "This project has no memctl in its node_modules, so the hooks are in memctl's home folder, on this machine only.",
  }
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
