// Makes the package `pg` of this installation known to memctl's home. Hooks start the worker from a copy of its scripts
// in the home, or from a plugin: from there the packages beside the command are not found.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Links `pg` into the home's node_modules, unless it is there or is not beside the command. Replaces a stale link. */
export function linkDriver(home: string): void {
  const link = path.join(home, 'node_modules', 'pg')
  const folder = findDriver()
  if (folder === undefined || fs.existsSync(link)) return
  fs.mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 })
  fs.rmSync(link, { force: true })
  fs.symlinkSync(folder, link, 'junction')
}

function findDriver(): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve('pg/package.json'))
  } catch {
    return undefined // Then it was found in the home.
  }
}
