// Starts a detached Node by node:child_process. A file of its own, so that a hook loads that module only if needed: the
// hooks run as scripts in which `import()` of a module of Node is not possible, but the bundler can load a file lazily.
import { spawn } from 'node:child_process'

/** Runs this Node with these arguments, in the root folder, without stdio. */
export function spawnDetached(args: readonly string[], env?: Readonly<Record<string, string | undefined>>): void {
  spawn(process.execPath, args, { detached: true, stdio: 'ignore', cwd: '/', windowsHide: true, env }).unref()
}
