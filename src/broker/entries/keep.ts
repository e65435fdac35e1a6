// Keeping entries: saving, reading and deleting them by their keys. A save is a file written whole, then taken up.
import type { Entry, Layer } from '../../entries/entry.ts'
import { sourceOf } from '../../entries/entrySource.ts'
import { entryText, isBroken, keyFault, readEntry } from '../../entries/entryText.ts'
import { fileNameOf } from '../../entries/fileName.ts'
import { isSession, ownPlace, type Place } from '../../entries/places.ts'
import { entryFiles } from '../../entries/stamps.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import { entryId } from '../../text/entryId.ts'
import type { Desk } from '../desk.ts'
import { clean } from '../given.ts'
import type { Store } from '../store.ts'
import { labelOf, staysInside } from './entryPath.ts'
import type { Scribe } from './scribe.ts'
import { fileOf, takeUp } from './takeUp.ts'

/** Whose entries: a layer's, or one session's of the project. */
export interface Shelf {
  readonly layer: Layer
  readonly session?: string | undefined
}

interface Saving {
  readonly key: string
  readonly content: string
  /** Those it has stay where left out; a new one has none. */
  readonly tags?: readonly string[] | undefined
  /** When it was first made, where that was in another place. */
  readonly createdAt?: string | undefined
  /** The file it comes from: what of its front matter is not ours comes along. */
  readonly like?: string | undefined
}

/** The layer's active entries, by key; a project's with those of its sessions, unless one is named. */
export function entriesOf(desk: Desk, { layer, session }: Shelf): Memory[] {
  const found = [...desk.memories().values()].filter((memory) => {
    const mark = memory.status === 'active' ? memory.entrySource : undefined
    return mark?.layer === layer && (session === undefined || mark.session === session)
  })
  return found.sort((a, b) => compare(sourceOf(a).key, sourceOf(b).key))
}

/** The active entry of a key; without a session the project's own, else the one of a session that was made first. */
export function entryNamed(desk: Desk, { layer, session }: Shelf, key: string): Memory | undefined {
  const wanted = key.normalize('NFC')
  const own = desk.memories().get(entryId(layer, session, wanted))
  if (own?.status === 'active' && own.entrySource) return own
  return session === undefined ? entriesOf(desk, { layer }).find((one) => sourceOf(one).key === wanted) : undefined
}

/** Saves an entry under its key, a new one or in the place of the one there is. Throws INPUT_INVALID. */
export function saveEntry(scribe: Scribe, shelf: Shelf, saving: Saving): Memory {
  const { desk, now } = scribe
  const { createdAt, like, ...said } = saving
  const { key, content, tags } = wellFormed(clean({ ...said, key: said.key.normalize('NFC') }))
  assertShelf(shelf)
  const fault = keyFault(key)
  if (fault) throw new MemoryError('INPUT_INVALID', `The key ${fault}`, { mend: 'Use a short name of one line.' })
  const id = entryId(shelf.layer, shelf.session, key)
  const memory = desk.memories().get(id)
  const known = memory?.status === 'active' ? memory : undefined
  const place = ownPlace(desk.store, shelf.layer, shelf.session)
  const { path, before } = fileFor(desk.store, place, key, known)
  assertInside(desk.store, place, path)
  const mark = known?.entrySource
  const at = new Date(now).toISOString()
  const entry: Entry = {
    ...{ key, content, tags: tags ?? known?.tags ?? [] },
    ...{ createdAt: mark?.created_at ?? known?.created ?? createdAt ?? at, updatedAt: at },
  }
  desk.store.files.replace(path, Buffer.from(entryText(entry, before ?? like, clean)))
  takeUp(scribe, path)
  return desk.memories().get(id)!
}

/** Where an entry is written, and what stands there. A file that cannot be read is not written over. */
function fileFor(
  store: Store,
  place: Place,
  key: string,
  known: Memory | undefined,
): { path: string; before?: string } {
  const at = known && fileOf(store, known)
  if (at?.startsWith(`${place.folder}/`)) return { path: at, ...beforeIn(store, at) }
  for (const apart of [false, true]) {
    const path = `${place.folder}/${fileNameOf(key, apart)}`
    const before = store.files.read(path)?.toString('utf8')
    if (before === undefined) return { path }
    const read = readEntry(before, path, key)
    if (isBroken(read)) throw unreadable(path, read)
    if (read.key === key) return { path, before }
  }
  throw new MemoryError('INPUT_INVALID', `The files of ${key} hold entries of other keys`, {
    mend: `Look into ${place.folder}, and give them the names of their keys.`,
  })
}

function beforeIn(store: Store, path: string): { before?: string } {
  const before = store.files.read(path)?.toString('utf8')
  if (before === undefined) return {}
  const read = readEntry(before, path, '')
  if (isBroken(read)) throw unreadable(path, read)
  return { before }
}

const unreadable = (path: string, { line, what, mend }: { line: number; what: string; mend: string }): MemoryError =>
  new MemoryError('INPUT_INVALID', `${path}, line ${line}: ${what}. It is left as it is`, { mend })

/** Deletes an entry, not to the archive: its file and its memory. Says whether there was one. */
export function deleteEntry(scribe: Scribe, shelf: Shelf, key: string): boolean {
  const { desk } = scribe
  const wanted = key.normalize('NFC')
  const memory = desk.memories().get(entryId(shelf.layer, shelf.session, wanted))
  if (memory?.status !== 'active') return false
  const { files } = desk.store
  // Of the same key in another program's folder too: else that one would stand in its place at once.
  for (const file of entryFiles(desk.store)) {
    const { place, path, name } = file
    if (place.layer !== shelf.layer || place.session !== shelf.session) continue
    if (labelOf(file) !== sourceOf(memory).file) {
      if (place.own) continue
      const read = readEntry(files.read(path)?.toString('utf8') ?? '', path, name.slice(0, -'.md'.length))
      if (isBroken(read) || read.key !== wanted) continue
    }
    files.remove(path)
  }
  scribe.tell({ kind: 'memory.deleted', memories: [memory.id] })
  takeUp(scribe)
  return true
}

/** Throws INPUT_INVALID for a session whose name cannot be a folder's. */
export function assertShelf({ session }: Shelf): void {
  if (session === undefined || isSession(session)) return
  throw new MemoryError('INPUT_INVALID', `session_id cannot name a folder: ${JSON.stringify(session)}`, {
    mend: 'Use letters, digits, - and _.',
  })
}

/** Throws INPUT_INVALID where a link leads out of the project. */
export function assertInside(store: Store, place: Place, path: string): void {
  if (staysInside(store, place, path)) return
  throw new MemoryError('INPUT_INVALID', `${path} leads out of the project by a link`, {
    mend: `Make ${place.label} a folder of the project.`,
  })
}

/** Half a character of two units has no place in a file. */
function wellFormed(saving: Saving): Saving {
  const whole = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')
  return { ...saving, content: whole(saving.content), ...(saving.tags && { tags: saving.tags.map(whole) }) }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
