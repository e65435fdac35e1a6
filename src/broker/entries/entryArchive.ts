// The archive of entries: files beside the folder they were in. Nothing here is ever deleted; restoring moves one back as it is.
import type { Entry, EntryLayer } from '../../entries/entry.ts'
import { type EntryDir, listEntryDirs, ownEntryDir } from '../../entries/entryDirs.ts'
import { entryFileName } from '../../entries/entryFileName.ts'
import { isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { entrySourceOf } from '../../entries/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { entryMemoryId } from '../../text/entryMemoryId.ts'
import { sanitize } from '../commands/newMemory.ts'
import type { Store } from '../open/openStore.ts'
import { archiveFolder, findFreeName, isInsideProject, listArchivedNames } from './entryPaths.ts'
import { assertEntryScope, assertInsideProject, type EntryScope } from './entryRepository.ts'
import type { EntryWriter } from './entryWriter.ts'
import { entryFilePath, syncEntries } from './syncEntries.ts'

export interface ArchivedEntry {
  /** Without secrets and private parts, as every entry is shown. */
  readonly entry: Entry
  readonly dir: EntryDir
  readonly path: string
  readonly name: string
}

/** Every entry in a layer's archives that can be read, by key, of one key the latest first. */
export function listArchivedEntries(store: Store, { layer, session }: EntryScope): ArchivedEntry[] {
  const places = listEntryDirs(store).filter(
    (place) => place.layer === layer && (session === undefined || place.session === session),
  )
  const found = places.flatMap((place) => {
    const folder = archiveFolder(place.folder)
    const names = store.files.list(folder).filter((name) => name.endsWith('.md') && name[0] !== '.')
    return names.flatMap((name) => archivedAt(store, place, `${folder}/${name}`, name))
  })
  return found.sort((a, b) => compare(a.entry.key, b.entry.key) || compare(lastOf(b), lastOf(a)))
}

function archivedAt(store: Store, dir: EntryDir, path: string, name: string): ArchivedEntry[] {
  if (!isInsideProject(store, dir, path)) return []
  const read = parseEntry(store.files.read(path)?.toString('utf8') ?? '', path, name.replace(/(?:~\d+)?\.md$/, ''))
  if (isInvalidEntry(read)) return []
  const { key, content, tags, ...times } = read
  return [{ entry: { ...sanitize({ key, content, tags }), ...times }, dir: dir, path, name }]
}

/** The moment that tells of two of one key which is later: as the file says, then by its count among its name. */
const lastOf = ({ entry, name }: ArchivedEntry): string =>
  `${entry.updatedAt ?? entry.createdAt ?? ''} ${(/~(\d+)\.md$/.exec(name)?.[1] ?? '1').padStart(9, '0')}`

/** Moves active entries to the archive, their files as they are. */
export function archiveEntries(writer: EntryWriter, memories: readonly Memory[]): void {
  const { store } = writer.liveStore
  const { files } = store
  for (const memory of memories) {
    const path = entryFilePath(store, memory)
    const bytes = files.read(path)
    if (!bytes) continue
    const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
    // Who was killed between the two has left it in both.
    if (!isInsideProject(store, { layer: entrySourceOf(memory).layer }, `${archiveFolder(folder)}/${name}`)) continue
    const isThere = listArchivedNames(store, folder, name).some((one) =>
      files.read(`${archiveFolder(folder)}/${one}`)?.equals(bytes),
    )
    if (!isThere) files.replace(`${archiveFolder(folder)}/${findFreeName(store, folder, name)}`, bytes)
    files.remove(path)
  }
  if (memories.length > 0) syncEntries(writer)
}

/** Moves an entry back from the archive. Throws NOT_FOUND, and INPUT_INVALID where one of its key is active. */
export function restoreEntry(writer: EntryWriter, scope: EntryScope, key: string): Memory {
  assertEntryScope(scope)
  const { liveStore } = writer
  const { files } = liveStore.store
  const wanted = key.normalize('NFC')
  const all = listArchivedEntries(liveStore.store, scope).filter(({ entry }) => entry.key === wanted)
  const found = all.find(({ dir }) => dir.session === scope.session) ?? all[0]
  if (!found) throw notArchived(wanted, scope.layer)
  const { dir, name, path } = found
  const id = entryMemoryId(dir.layer, dir.session, wanted)
  const active = liveStore.memories().get(id)
  if (active?.status === 'active' && active.entrySource) {
    // Who was killed between the two has left it in both.
    const isSame = files.read(entryFilePath(liveStore.store, active))?.equals(files.read(path)!) ?? false
    if (!isSame) throw takenBy(wanted)
    if (dir.isOwn) files.remove(path)
    return active
  }
  const own = ownEntryDir(liveStore.store, dir.layer, dir.session)
  const plain = `${own.folder}/${name.replace(/~\d{1,6}\.md$/, '.md')}`
  const to = files.size(plain) === undefined ? plain : `${own.folder}/${entryFileName(wanted, true)}`
  assertInsideProject(liveStore.store, own, to)
  files.replace(to, files.read(path)!)
  // Another program's archive is read as it is.
  if (dir.isOwn) files.remove(path)
  syncEntries(writer, to)
  // Who brings it back wants to read it: its days begin anew.
  writer.commit({ kind: 'memory.accessed', memories: [id] })
  return liveStore.memories().get(id)!
}

const takenBy = (key: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `There is an active entry ${key}: the archived one would take its place`, {
    hint: 'Delete the active one first, or save it under another key.',
  })

function notArchived(key: string, layer: EntryLayer): MemoryError {
  const tool = layer === 'global' ? 'list_global_memory_archive' : 'list_memory_archive'
  return new MemoryError('NOT_FOUND', `Nothing of the key ${key} is in the archive`, { hint: `Look with ${tool}.` })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
