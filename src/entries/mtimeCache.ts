// Stamps: when each entry's file was written, as it was last taken up. By them a session's start sees whether anything has changed,
// without reading any entry.
import type { MemoryId } from '../model/id.ts'
import { readJson } from '../store/disk/readJson.ts'
import { type EntryContext, type EntryDir, hasEntryRoot, listEntryDirs, listEntryRoots } from './entryDirs.ts'

/** Stands for when a file was written that may be written again in the same tick of the disk's clock: it is read anew. */
export const RACY_MTIME = -1

/** By a file's path: when it was written, in milliseconds since 1970, and the memory it is. */
export type MtimeCache = Readonly<Record<string, readonly [written: number, memory: MemoryId]>>

export interface EntryFile {
  readonly dir: EntryDir
  readonly name: string
  readonly path: string
  readonly mtimeMs: number
}

interface CachedEntryContext extends EntryContext {
  readonly layout: { readonly folder: string; readonly entries: string }
}

/** Every entry's file there is, ours before the others. */
export function listEntryFiles(owner: EntryContext): EntryFile[] {
  const { files } = owner
  return listEntryDirs(owner).flatMap((dir) =>
    files.list(dir.folder).flatMap((name) => {
      if (!name.endsWith('.md') || name[0] === '.') return []
      const path = `${dir.folder}/${name}`
      const mtimeMs = files.mtimeMs(path)
      return mtimeMs === undefined ? [] : [{ dir, name, path, mtimeMs }]
    }),
  )
}

/** The stamps kept; none where there are none, or where they cannot be read: then all is looked at anew. */
export function readMtimeCache({ files, layout }: CachedEntryContext): MtimeCache {
  if (files.size(layout.entries) === undefined) return {}
  try {
    return readJson<MtimeCache>(files, layout.entries) ?? {}
  } catch {
    return {}
  }
}

/** Which of these memories a file says no more, or says otherwise since. What was taken up from no file here is not among them. */
export function findOutdated(owner: CachedEntryContext, ids: ReadonlySet<MemoryId>): ReadonlySet<MemoryId> {
  const current = new Set<MemoryId>()
  const outdated = new Set<MemoryId>()
  const stamps = ids.size > 0 ? readMtimeCache(owner) : {}
  for (const path in stamps) {
    const [written, id] = stamps[path]!
    if (!ids.has(id)) continue
    const now = owner.files.mtimeMs(path)
    if (now !== undefined && (now === written || written === RACY_MTIME)) current.add(id)
    else outdated.add(id)
  }
  for (const id of current) outdated.delete(id)
  return outdated
}

/** Whether a file has come, gone or been written since all were taken up. */
export function isMtimeCacheStale(owner: CachedEntryContext): boolean {
  if (!mayHaveEntries(owner)) return false
  const files = listEntryFiles(owner)
  const stamps = readMtimeCache(owner)
  if (files.some(({ path, mtimeMs: written }) => stamps[path]?.[0] !== written)) return true
  const paths = Object.keys(stamps)
  if (paths.length === files.length) return false
  // A work tree's files are no matter of another one of the same project.
  const bases = listEntryRoots(owner)
  const there = new Set(files.map(({ path }) => path))
  return paths.some((path) => !there.has(path) && bases.some((base) => path.startsWith(base)))
}

/** Whether there is a folder that entries could lie in, or were some. Asked of most projects, where there is none: five questions to the disk. */
const mayHaveEntries = (owner: CachedEntryContext): boolean =>
  owner.files.size(owner.layout.entries) !== undefined || hasEntryRoot(owner)

/** Whether there are entries, or were when they were last taken up. */
export const hasEntries = (owner: CachedEntryContext): boolean =>
  owner.files.size(owner.layout.entries) !== undefined || (hasEntryRoot(owner) && listEntryFiles(owner).length > 0)
