// The archive of entries: files beside the folder they were in. Nothing here is ever deleted; restoring moves one back as it is.
import type { Entry, Layer } from '../../entries/entry.ts'
import { sourceOf } from '../../entries/entrySource.ts'
import { isBroken, readEntry } from '../../entries/entryText.ts'
import { fileNameOf } from '../../entries/fileName.ts'
import { ownPlace, type Place, placesOf } from '../../entries/places.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import { entryId } from '../../text/entryId.ts'
import { clean } from '../given.ts'
import type { Store } from '../store.ts'
import { archivedNames, archiveOf, freeName, staysInside } from './entryPath.ts'
import { assertInside, assertShelf, type Shelf } from './keep.ts'
import type { Scribe } from './scribe.ts'
import { fileOf, takeUp } from './takeUp.ts'

interface Archived {
  /** Without secrets and private parts, as every entry is shown. */
  readonly entry: Entry
  readonly place: Place
  readonly path: string
  readonly name: string
}

/** Every entry in a layer's archives that can be read, by key, of one key the latest first. */
export function archivedIn(store: Store, { layer, session }: Shelf): Archived[] {
  const places = placesOf(store).filter(
    (place) => place.layer === layer && (session === undefined || place.session === session),
  )
  const found = places.flatMap((place) => {
    const folder = archiveOf(place.folder)
    const names = store.files.list(folder).filter((name) => name.endsWith('.md') && name[0] !== '.')
    return names.flatMap((name) => archivedAt(store, place, `${folder}/${name}`, name))
  })
  return found.sort((a, b) => compare(a.entry.key, b.entry.key) || compare(lastOf(b), lastOf(a)))
}

function archivedAt(store: Store, place: Place, path: string, name: string): Archived[] {
  if (!staysInside(store, place, path)) return []
  const read = readEntry(store.files.read(path)?.toString('utf8') ?? '', path, name.replace(/(?:~\d+)?\.md$/, ''))
  if (isBroken(read)) return []
  const { key, content, tags, ...times } = read
  return [{ entry: { ...clean({ key, content, tags }), ...times }, place, path, name }]
}

/** The moment that tells of two of one key which is later: as the file says, then by its count among its name. */
const lastOf = ({ entry, name }: Archived): string =>
  `${entry.updatedAt ?? entry.createdAt ?? ''} ${(/~(\d+)\.md$/.exec(name)?.[1] ?? '1').padStart(9, '0')}`

/** Moves active entries to the archive, their files as they are. */
export function archiveEntries(scribe: Scribe, memories: readonly Memory[]): void {
  const { store } = scribe.desk
  const { files } = store
  for (const memory of memories) {
    const path = fileOf(store, memory)
    const bytes = files.read(path)
    if (!bytes) continue
    const [folder, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)]
    // Who was killed between the two has left it in both.
    if (!staysInside(store, { layer: sourceOf(memory).layer }, `${archiveOf(folder)}/${name}`)) continue
    const isThere = archivedNames(store, folder, name).some((one) =>
      files.read(`${archiveOf(folder)}/${one}`)?.equals(bytes),
    )
    if (!isThere) files.replace(`${archiveOf(folder)}/${freeName(store, folder, name)}`, bytes)
    files.remove(path)
  }
  if (memories.length > 0) takeUp(scribe)
}

/** Moves an entry back from the archive. Throws NOT_FOUND, and INPUT_INVALID where one of its key is active. */
export function restoreEntry(scribe: Scribe, shelf: Shelf, key: string): Memory {
  assertShelf(shelf)
  const { desk } = scribe
  const { files } = desk.store
  const wanted = key.normalize('NFC')
  const all = archivedIn(desk.store, shelf).filter(({ entry }) => entry.key === wanted)
  const found = all.find(({ place }) => place.session === shelf.session) ?? all[0]
  if (!found) throw notArchived(wanted, shelf.layer)
  const { place, name, path } = found
  const id = entryId(place.layer, place.session, wanted)
  const active = desk.memories().get(id)
  if (active?.status === 'active' && active.entrySource) {
    // Who was killed between the two has left it in both.
    const isSame = files.read(fileOf(desk.store, active))?.equals(files.read(path)!) ?? false
    if (!isSame) throw takenBy(wanted)
    if (place.own) files.remove(path)
    return active
  }
  const own = ownPlace(desk.store, place.layer, place.session)
  const plain = `${own.folder}/${name.replace(/~\d{1,6}\.md$/, '.md')}`
  const to = files.size(plain) === undefined ? plain : `${own.folder}/${fileNameOf(wanted, true)}`
  assertInside(desk.store, own, to)
  files.replace(to, files.read(path)!)
  // Another program's archive is read as it is.
  if (place.own) files.remove(path)
  takeUp(scribe, to)
  // Who brings it back wants to read it: its days begin anew.
  scribe.tell({ kind: 'memory.accessed', memories: [id] })
  return desk.memories().get(id)!
}

const takenBy = (key: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `There is an active entry ${key}: the archived one would take its place`, {
    mend: 'Delete the active one first, or save it under another key.',
  })

function notArchived(key: string, layer: Layer): MemoryError {
  const tool = layer === 'global' ? 'list_global_memory_archive' : 'list_memory_archive'
  return new MemoryError('NOT_FOUND', `Nothing of the key ${key} is in the archive`, { mend: `Look with ${tool}.` })
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
