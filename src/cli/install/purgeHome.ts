// memctl uninstall --purge: deletes memctl's home, with everything that it has stored for all projects.
import fs from 'node:fs'
import path from 'node:path'
import { MemoryError } from '../../model/memoryError.ts'
import { formatBytes, formatCount } from '../../report/formatNumber.ts'
import { realDisk } from '../../store/disk/files.ts'
import { storeBusyError, withLockWaiting } from '../../store/disk/lock.ts'
import { storeLayout } from '../../store/disk/paths.ts'
import type { InstallOptions } from './installation.ts'
import { planUninstall } from './installHooks.ts'
import { mcpConfigFile } from './ourSettings.ts'
import { listRuntimeUsers } from './runtimeFolder.ts'

type PurgePreview = ReturnType<typeof previewPurge>

/** What would be deleted. */
export function previewPurge(options: InstallOptions) {
  const { home } = options
  const own = [planUninstall(options).change.file, mcpConfigFile(options.project)]
  return {
    home,
    projects: realDisk.list(path.join(home, 'projects')),
    entries: realDisk.list(home).map((name) => ({ name, bytes: countBytes(path.join(home, name)) })),
    usedBy: listRuntimeUsers(home).filter((file) => !own.includes(file)),
  }
}

/** How long to wait for the worker of a project, in milliseconds. */
const LOCK_WAIT_MS = 20_000

/**
 * Deletes the home, once no worker writes to it. Renamed first, with the locks in it: a worker that comes later finds
 * no log, and ends. Throws STORE_BUSY.
 */
export function deleteHome(options: InstallOptions, waitMs = LOCK_WAIT_MS): void {
  checkHome(options)
  const { home } = options
  if (!fs.existsSync(home)) return
  const moved = `${home}.deleted-${process.pid}`
  withLocks(
    realDisk.list(path.join(home, 'projects')).map((name) => storeLayout(path.join(home, 'projects', name)).lock),
    waitMs,
    () => fs.renameSync(home, moved),
  )
  fs.rmSync(moved, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

function withLocks([first, ...others]: readonly string[], waitMs: number, work: () => void): void {
  if (first === undefined) return void work()
  const next = (): true => {
    withLocks(others, waitMs, work)
    return true
  }
  if (!withLockWaiting(realDisk, first, waitMs, next)) throw storeBusyError()
}

export function formatPurge({ home, projects, entries, usedBy }: PurgePreview): string[] {
  if (entries.length === 0) return [`${home} is empty or does not exist.`]
  return [
    `${home} is deleted, with the memories of ${formatCount(projects.length, 'project')}:`,
    ...projects.map((name) => `  ${name}`),
    `and everything else there: ${entries.map(({ name, bytes }) => `${name} (${formatBytes(bytes)})`).join(', ')}.`,
    ...(usedBy.length > 0 ? ['These settings still start hooks there. Run `memctl uninstall` there first:'] : []),
    ...usedBy.map((file) => `  ${file}`),
  ]
}

/** Throws USAGE if other things than those of memctl may be in the home, or behind a link to it or to its projects. */
export function checkHome({ home, project, userHome }: InstallOptions): void {
  const link = [home, path.join(home, 'projects')].find(isLink)
  if (link !== undefined) {
    throw new MemoryError('USAGE', `${link} is a link, and other things may be behind it, so it is not deleted`, {
      hint: 'Run `memctl uninstall`, then delete the link, and what memctl has made behind it, yourself.',
    })
  }
  const isAround = (folder: string | undefined): boolean => {
    const below = folder === undefined ? '..' : path.relative(realOf(home), realOf(folder))
    return !below.startsWith('..') && !path.isAbsolute(below) // Absolute: on another drive.
  }
  if (!isAround(project) && !isAround(userHome)) return
  throw new MemoryError('USAGE', `${home} contains your project or your own folder, so it is not deleted`, {
    hint: 'Set MEMCTL_HOME to a folder that only memctl uses, or delete its files yourself.',
  })
}

const isLink = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

const realOf = (file: string): string => (fs.existsSync(file) ? fs.realpathSync(file) : file)

function countBytes(file: string): number {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.size ?? 0
  return realDisk.list(file).reduce((sum, name) => sum + countBytes(path.join(file, name)), 0)
}
