// The code caches of the built hooks, made once in a test run. A new home has none, so `memctl init` and the first worker
// would build them, which takes longer than most of what is tested with them.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { installCodeCaches } from '../src/cli/install/runtimeFolder.ts'

const DIST = path.resolve(import.meta.dirname, '../dist')

/** Puts the caches into a home of memctl, and creates it if needed. Without a build there are none. */
export function copyCodeCaches(home: string): void {
  // Under the folder of the run, so that all test files share them.
  const made = path.join(os.tmpdir(), 'code-caches')
  installCodeCaches(DIST, made)
  fs.mkdirSync(home, { recursive: true, mode: 0o700 })
  if (!fs.existsSync(made)) return
  const cache = path.join(home, 'cache')
  fs.cpSync(path.join(made, 'cache'), cache, { recursive: true })
  // Node 22 gives a copied folder the mode of a new one.
  for (const folder of ['', ...fs.readdirSync(cache)]) fs.chmodSync(path.join(cache, folder), 0o700)
}
