// Where the settings point to: to hooks that are still there tomorrow, whichever way memctl was started today.
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

/** Chooses. `user` settings serve every project, so they never name a folder of one. Reads the disk, writes nothing. */
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
      ? 'User settings serve every project, so the hooks lie in the home of memctl.'
      : 'This project has no memctl in its node_modules, so the hooks lie in the home of memctl, on this machine only.',
  }
}

/** The entry for each event, its script being in `folder`. */
export function hookCommandFactory(folder: string): (event: HookRegistration) => HookEntry {
  return ({ script, timeoutSeconds }) => ({
    type: 'command',
    command: 'node',
    args: [`${folder}/${script}.cjs`],
    timeout: timeoutSeconds,
  })
}

// With slashes on every system: settings in git are read on several.
const IN_PROJECT = 'node_modules/memctl/dist/hooks'

function isSameFolder(one: string, other: string): boolean {
  try {
    return fs.realpathSync(one) === fs.realpathSync(other)
  } catch {
    // One of them is not there.
    return false
  }
}
