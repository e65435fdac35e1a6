// The mtime cache: when each entry file was written, as of the last sync. A session's start compares it with the disk
// and reads no entry.
import type { MemoryId } from '../model/id.ts'
import { readJson } from '../store/disk/readJson.ts'
import { type EntryContext, type EntryDir, hasEntryRoot, listEntryDirs, listEntryRoots } from './entryDirs.ts'

/**
 * For each path of a file its mtime, in milliseconds since 1970, its memory (empty without one), and whether the file
 * is no valid entry. The mtime is negative if the file may be written again within the same tick of the disk's clock:
 * then it is read again.
 */
export type MtimeCache = Readonly<Record<string, readonly [written: number, memory: MemoryId | '', state?: 'invalid']>>

export interface EntryFile {
  readonly dir: EntryDir
  readonly name: string
  readonly path: string
  readonly mtimeMs: number
}

interface CachedEntryContext extends EntryContext {
  readonly layout: { readonly folder: string; readonly entries: string }
}

/** All entry files, those of memctl first. */
export function listEntryFiles(context: EntryContext): EntryFile[] {
  const { files } = context
  return listEntryDirs(context).flatMap((dir) =>
    files.list(dir.folder).flatMap((name) => {
      if (!name.endsWith('.md') || name[0] === '.') return []
      const path = `${dir.folder}/${name}`
      const mtimeMs = files.mtimeMs(path)
      return mtimeMs === undefined ? [] : [{ dir, name, path, mtimeMs }]
    }),
  )
}

/** The stored cache; empty if there is none or it cannot be read: then every file is read again. */
export function readMtimeCache({ files, layout }: CachedEntryContext): MtimeCache {
  if (files.size(layout.entries) === undefined) return {}
  try {
    return readJson<MtimeCache>(files, layout.entries) ?? {}
  } catch {
    return {}
  }
}

/**
 * Those of the memories whose file was changed or deleted. Memories without a file on this machine are not among
 * them.
 */
export function findOutdated(context: CachedEntryContext, ids: ReadonlySet<MemoryId>): ReadonlySet<MemoryId> {
  const current = new Set<MemoryId>()
  const outdated = new Set<MemoryId>()
  for (const [path, [cached, id]] of Object.entries(ids.size > 0 ? readMtimeCache(context) : {})) {
    if (id === '' || !ids.has(id)) continue
    if (context.files.mtimeMs(path) === Math.abs(cached)) current.add(id)
    else outdated.add(id)
  }
  for (const id of current) outdated.delete(id)
  return outdated
}

/** The files that were no valid entries at the last sync and have not changed since. It reads no entry. */
export const listKnownInvalid = (context: CachedEntryContext): string[] =>
  Object.entries(readMtimeCache(context)).flatMap(([path, [written, , state]]) =>
    state === 'invalid' && context.files.mtimeMs(path) === Math.abs(written) ? [path] : [],
  )

/** Whether a file was added, deleted or changed since the last sync. */
export function isMtimeCacheStale(context: CachedEntryContext): boolean {
  if (!mayHaveEntries(context)) return false
  const files = listEntryFiles(context)
  const cache = readMtimeCache(context)
  if (files.some(({ path, mtimeMs }) => cache[path]?.[0] !== mtimeMs)) return true
  const cachedPaths = Object.keys(cache)
  if (cachedPaths.length === files.length) return false
  // The cache may have files of another work tree of the project.
  const roots = listEntryRoots(context)
  const paths = new Set(files.map(({ path }) => path))
  return cachedPaths.some((path) => !paths.has(path) && roots.some((root) => path.startsWith(root)))
}

/** Whether there is a cache or a folder for entries. Most projects have neither: this takes five reads of the disk. */
const mayHaveEntries = (context: CachedEntryContext): boolean =>
  context.files.size(context.layout.entries) !== undefined || hasEntryRoot(context)

/** Whether there are entries, or were at the last sync. */
export const hasEntries = (context: CachedEntryContext): boolean =>
  context.files.size(context.layout.entries) !== undefined ||
  (hasEntryRoot(context) && listEntryFiles(context).length > 0)
