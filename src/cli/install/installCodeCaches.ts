// Builds the code caches of the hooks when they are installed, so that the first session is as fast as the next one.
//
// In a process of its own, as after a session: V8 rejects a cache from a process with other flags.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { hasCodeCache } from '../../hook/codeCache.ts'
import { CACHES } from '../../hook/workerTasks.ts'
import { realDisk } from '../../store/disk/files.ts'

/** After this it goes on without: the first worker builds them. In milliseconds. */
const BUILDING_MAX_MS = 30_000

/** Builds the missing caches for the built hooks in `dist`, and returns how many it built. Never throws. */
export function installCodeCaches(
  dist: string,
  home: string,
  env: Readonly<Record<string, string | undefined>> = {},
): number {
  const missing = listMissingCaches(dist, home)
  const worker = path.join(dist, 'worker.cjs')
  if (missing.length === 0 || !fs.existsSync(worker)) return 0
  spawnSync(process.execPath, [worker, home, CACHES], {
    env: { ...env, MEMCTL_HOME: home },
    stdio: 'ignore',
    timeout: BUILDING_MAX_MS,
    windowsHide: true,
  })
  return missing.length - listMissingCaches(dist, home).length
}

/** The code of hooks in `dist` that has no cache for this Node. */
export function listMissingCaches(dist: string, home: string): readonly string[] {
  const folder = path.join(dist, 'hooks', 'code')
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).map((name) => path.basename(name, '.js')) : []
  return names.filter((name) => !hasCodeCache(realDisk, { MEMCTL_HOME: home }, name))
}
