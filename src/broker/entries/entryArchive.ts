// The archive of entries: a folder beside their files. Nothing here is ever deleted; to restore an entry moves its file
// back.
import type { Entry } from '../../entries/entry.ts'
import { type EntryDir, type EntryFile, listEntryDirs } from '../../entries/entryDirs.ts'
import { isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { entryFileName } from '../../entries/entryNames.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { compareValues } from '../../model/sorting.ts'
import { entryMemoryId } from '../../text/hash.ts'
import { sanitize } from '../commands/newMemory.ts'
import type { Store } from '../open/openStore.ts'
import {
  ArchiveNames,
  archiveFolder,
  entryAccess,
  findEntryLink,
  linkIntoArchive,
  listArchive,
  readEntryBytes,
  removeIfCopied,
  splitPath,
} from './entryFiles.ts'
import { assertEntryScope, assertInsideProject, type EntryScope, writableEntryDir } from './entryRepository.ts'
import { type EntryWriter, entryFilePath, memoryFromEntry, syncEntries } from './syncEntries.ts'

export interface ArchivedEntry extends Pick<EntryFile, 'dir' | 'path' | 'name'> {
  /** Without secrets and private parts. */
  readonly entry: Entry
  /** When the file was written, in milliseconds since 1970. */
  readonly writtenMs: number
}

/** Every valid entry in a layer's archives, by key; of the same key the latest first. */
export function listArchivedEntries(store: Store, { layer, session }: EntryScope): ArchivedEntry[] {
  const dirs = listEntryDirs(store).filter(
    (dir) => dir.layer === layer && (session === undefined || dir.session === session),
  )
  const archived = dirs.flatMap((dir) => {
    const folder = archiveFolder(dir.folder)
    const names = listArchive(store, folder).names.filter((name) => name.endsWith('.md') && name[0] !== '.')
    return names.flatMap((name) => readArchived(store, dir, `${folder}/${name}`, name))
  })
  return archived.sort((a, b) => compareValues(a.entry.key, b.entry.key) || compareValues(ageKey(b), ageKey(a)))
}

function readArchived(store: Store, dir: EntryDir, path: string, name: string): ArchivedEntry[] {
  const bytes = readEntryBytes(store, path)
  if (bytes === undefined) return []
  const parsed = parseEntry(bytes.toString('utf8'), path, name.replace(/(?:~\d+)?\.md$/, ''))
  if (isInvalidEntry(parsed)) return []
  const { key, content, tags, ...times } = parsed
  return [
    {
      entry: { ...sanitize({ key, content, tags }), ...times },
      dir,
      path,
      name,
      writtenMs: store.files.mtimeMs(path) ?? 0,
    },
  ]
}

/** Orders files of the same key by time: in the file, else of the file; then by the number in the name. */
const ageKey = ({ entry, name, writtenMs }: ArchivedEntry): string =>
  `${entry.updatedAt ?? new Date(writtenMs).toISOString()} ${(/~(\d+)\.md$/.exec(name)?.[1] ?? '1').padStart(9, '0')}`

export function archiveEntries(writer: EntryWriter, memories: readonly Memory[]): void {
  const { store } = writer.liveStore
  const { files } = store
  const archives = new Map<string, ArchiveNames>()
  const copies = memories.flatMap((memory) => {
    const path = entryFilePath(store, memory)
    const archive = archiveFolder(splitPath(path).folder)
    if (findEntryLink(store, archive) !== undefined) return []
    const names = archives.get(archive) ?? new ArchiveNames(files.list(archive))
    archives.set(archive, names)
    return linkIntoArchive(files, path, names, entryAccess(store, path)) ?? []
  })
  // The new names must be on the disk before the old ones are removed.
  for (const archive of new Set(copies.map(({ copy }) => splitPath(copy).folder))) files.sync(archive)
  for (const { path, copy } of copies) removeIfCopied(files, path, copy)
  if (memories.length > 0) syncEntries(writer)
}

/** Moves an entry back from the archive. Throws NOT_FOUND, and INPUT_INVALID if an entry of its key is active. */
export function restoreEntry(writer: EntryWriter, scope: EntryScope, key: string): Memory {
  assertEntryScope(scope)
  const { liveStore, now } = writer
  const { files } = liveStore.store
  const wanted = key.normalize('NFC')
  const all = listArchivedEntries(liveStore.store, scope).filter(({ entry }) => entry.key === wanted)
  const archived = all.find(({ dir }) => dir.session === scope.session) ?? all[0]
  const bytes = archived && readEntryBytes(liveStore.store, archived.path)
  if (!bytes) throw notArchived(wanted)
  const { dir, path } = archived
  const id = entryMemoryId(dir.layer, dir.session, wanted)
  const active = liveStore.memories().get(id)
  if (active?.status === 'active' && active.entrySource) {
    const current = entryFilePath(liveStore.store, active)
    // A process that was killed between the two steps has left the file in both folders.
    if (!readEntryBytes(liveStore.store, current)?.equals(bytes)) throw activeExists(wanted)
    if (dir.isOwn) removeIfCopied(files, path, current)
    return active
  }
  const own = writableEntryDir(liveStore.store, dir)
  const to = linkBack(liveStore.store, own, archived, wanted)
  // The archives of other programs are only read.
  if (dir.isOwn) removeIfCopied(files, path, to)
  syncEntries(writer, to)
  // Counts as an access, so that it is not evicted again at once.
  writer.commit({ kind: 'memory.accessed', memories: [id] })
  // Another process may have archived or deleted it at once.
  return liveStore.memories().get(id) ?? memoryFromEntry(archived.entry, { ...archived, mtimeMs: now }, now)
}

/** Gives an archived file a name among the active ones that no other file has. Returns its path. */
function linkBack(store: Store, own: EntryDir, { name, path }: ArchivedEntry, key: string): string {
  const { files } = store
  for (const active of [name.replace(/~\d{1,6}\.md$/, '.md'), entryFileName(key, true)]) {
    const to = `${own.folder}/${active}`
    assertInsideProject(store, own, to)
    const isLinked = files.link(path, to, entryAccess(store, to))
    if (isLinked === undefined) throw notArchived(key)
    if (!isLinked) continue
    files.sync(own.folder)
    return to
  }
  throw activeExists(key)
}

const activeExists = (key: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `There is an active entry ${key}, which the archived one would replace`, {
    hint: 'Delete the active one first, or save it under another key.',
  })

const notArchived = (key: string): MemoryError =>
  new MemoryError('NOT_FOUND', `The archive has no entry ${key}`, {
    hint: 'Look for its key in the list of the archive.',
  })
