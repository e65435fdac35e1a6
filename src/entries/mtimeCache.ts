// The mtime cache: when each entry file was written, as of the last sync. A session's start compares it with the disk
// and reads no entry.
import type { MemoryId } from '../model/id.ts'
import { readJsonIfIntact } from '../store/disk/readJson.ts'
import {
  type FileFault,
  findLinkBelow,
  inspectUntrusted,
  isFileFault,
  listUntrusted,
} from '../store/disk/untrustedFiles.ts'
import { ENTRY_BYTES_MAX, ENTRY_FILE_BYTES_MAX, ENTRY_LIMITS, type EntryLimits } from './entry.ts'
import {
  type EntryContext,
  type EntryDir,
  hasEntryRoot,
  listEntryRoots,
  scanEntryDirs,
  splitEntryPath,
} from './entryDirs.ts'

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
  /** 0 if it cannot be read as a file. */
  readonly mtimeMs: number
  /** Why it cannot be read: it is no regular file, or too large. */
  readonly fault?: FileFault
}

/** All entry files that count, those of memctl first. */
export const listEntryFiles = (context: EntryContext): readonly EntryFile[] => scanEntryFiles(context).files

/**
 * Entry files up to the limits, and what cannot be used. Of a project that the person does not trust: only what the
 * person's own tools have written and synced. `isCut`: there are more. Reads names, sizes and times.
 */
export function scanEntryFiles(context: EntryContext, limits: EntryLimits = ENTRY_LIMITS) {
  const scan = scanEntryDirs(context, limits.sessionsMax)
  const files: EntryFile[] = []
  const faults = [...scan.faults]
  let { isCut } = scan
  let bytes = 0
  for (const dir of scan.dirs) {
    const root = dir.layer === 'project' ? context.project.root : undefined
    const listed = listUntrusted(root, dir.folder, 2 * limits.filesMax)
    if (listed.fault) faults.push(listed.fault)
    isCut ||= listed.isCut === true
    for (const name of listed.names) {
      if (!name.endsWith('.md') || name[0] === '.') continue
      const path = `${dir.folder}/${name}`
      const found = inspectUntrusted(root, path)
      if (found === undefined) continue
      if (isFileFault(found)) files.push({ dir, name, path, mtimeMs: 0, fault: found })
      else {
        bytes += found.size
        if (files.length === limits.filesMax || bytes > ENTRY_BYTES_MAX) {
          faults.push(limitFault(dir.folder, limits))
          return { files, faults, isCut: true }
        }
        const size = found.size > ENTRY_FILE_BYTES_MAX ? { fault: sizeFault(path, found.size) } : {}
        files.push({ dir, name, path, mtimeMs: found.mtimeMs, ...size })
      }
    }
  }
  if (scan.isUntrusted) files.push(...listOwnFiles(context))
  return { files, faults, isCut }
}

const limitFault = (file: string, { filesMax }: EntryLimits): FileFault => ({
  file,
  what: `from here on entries are ignored: there are more than ${filesMax} files or ${ENTRY_BYTES_MAX} bytes`,
  hint: 'Remove entries that are not needed.',
})

const sizeFault = (file: string, bytes: number): FileFault => ({
  file,
  what: `it has ${bytes} bytes`,
  hint: `Use at most ${ENTRY_FILE_BYTES_MAX}, or several entries.`,
})

/** The cached files of a project that is not trusted: the sync put only those there that the person's tools wrote. */
function listOwnFiles(context: EntryContext): EntryFile[] {
  const { root } = context.project
  const paths = Object.keys(readMtimeCache(context)).slice(0, ENTRY_LIMITS.filesMax)
  return paths.flatMap((path) => entryFileAt(root, path) ?? [])
}

/** The entry file at a path of the project; undefined if nothing is there. */
export function entryFileAt(root: string, path: string): EntryFile | undefined {
  const parts = splitEntryPath(root, path)
  if (parts === undefined || findLinkBelow(root, path) !== undefined) return undefined
  const found = inspectUntrusted(root, path)
  return found === undefined || isFileFault(found) ? undefined : { ...parts, path, mtimeMs: found.mtimeMs }
}

/** The stored cache; empty if there is none or it cannot be read: then every file is read again. */
export const readMtimeCache = ({ files, layout }: EntryContext): MtimeCache =>
  readJsonIfIntact(files, layout.entries) ?? {}

/**
 * Those of the memories whose file was changed or deleted. Memories without a file on this machine are not among
 * them.
 */
export function findOutdated(context: EntryContext, ids: ReadonlySet<MemoryId>): ReadonlySet<MemoryId> {
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
export const listKnownInvalid = (context: EntryContext): string[] =>
  Object.entries(readMtimeCache(context)).flatMap(([path, [written, , state]]) =>
    state === 'invalid' && (written === 0 || context.files.mtimeMs(path) === Math.abs(written)) ? [path] : [],
  )

/** Whether a file was added, deleted or changed since the last sync, as far as the limits allow to see. */
export function isMtimeCacheStale(context: EntryContext, limits: EntryLimits = ENTRY_LIMITS): boolean {
  if (!mayHaveEntries(context)) return false
  const { files, isCut } = scanEntryFiles(context, limits)
  const cache = readMtimeCache(context)
  if (files.some(({ path, mtimeMs, fault }) => fault === undefined && cache[path]?.[0] !== mtimeMs)) return true
  const cachedPaths = Object.keys(cache)
  // Of a part of the files it cannot say which are missing.
  if (cachedPaths.length === files.length || isCut) return false
  // The cache may have files of another work tree of the project.
  const roots = listEntryRoots(context)
  const paths = new Set(files.map(({ path }) => path))
  return cachedPaths.some((path) => !paths.has(path) && roots.some((root) => path.startsWith(root)))
}

/** Whether there is a cache or a folder for entries. Most projects have neither: this takes five reads of the disk. */
const mayHaveEntries = (context: EntryContext): boolean =>
  context.files.size(context.layout.entries) !== undefined || hasEntryRoot(context)

/** Whether there are entries, or were at the last sync. */
export const hasEntries = (context: EntryContext): boolean =>
  context.files.size(context.layout.entries) !== undefined ||
  (hasEntryRoot(context) && listEntryFiles(context).length > 0)
