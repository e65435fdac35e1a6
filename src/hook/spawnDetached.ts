// Starts a detached Node by node:child_process. A file of its own, so that a hook loads that module only where it must.
import { spawn } from 'node:child_process'

/** Runs this Node with these words, in nobody's folder, with nobody listening. */
export function spawnDetached(words: readonly string[]): void {
  spawn(process.execPath, words, { detached: true, stdio: 'ignore', cwd: '/', windowsHide: true }).unref()
}
