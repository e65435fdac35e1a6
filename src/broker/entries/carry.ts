// Carrying entries from one place to another: a project's to the global layer, another program's into ours.
import type { Broken, Layer } from '../../entries/entry.ts'
import { entryOfMemory, sourceOf } from '../../entries/entrySource.ts'
import { entryText, isBroken, readEntry } from '../../entries/entryText.ts'
import { fileNameOf } from '../../entries/fileName.ts'
import { ownPlace, type Place, placesOf } from '../../entries/places.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import { entryId } from '../../text/entryId.ts'
import { clean } from '../given.ts'
import type { Store } from '../store.ts'
import { archivedNames, archiveOf, freeName, staysInside } from './entryPath.ts'
import { assertInside, deleteEntry, entryNamed, type Shelf, saveEntry } from './keep.ts'
import type { Scribe } from './scribe.ts'
import { fileOf, takeUp } from './takeUp.ts'

/** Moves a project's entry to the global layer. Throws NOT_FOUND, and INPUT_INVALID where there is another one of its key. */
export function promote(
  scribes: { readonly project: Scribe; readonly global: Scribe },
  shelf: Shelf,
  key: string,
): Memory {
  const { project, global } = scribes
  const memory = entryNamed(project.desk, shelf, key)
  if (!memory)
    throw new MemoryError('NOT_FOUND', `There is no entry ${key}`, { mend: 'Look with `memctl entry list`.' })
  const entry = entryOfMemory(memory)
  const there = entryNamed(global.desk, { layer: 'global' }, entry.key)
  // Who was killed between the two goes on here.
  if (there && (there.content !== memory.content || there.tags.join() !== memory.tags.join())) {
    throw new MemoryError('INPUT_INVALID', `There is a global entry ${entry.key} that says something else`, {
      mend: 'Delete it, or save one of them under another key.',
    })
  }
  if (!there) {
    const { files } = project.desk.store
    const like = files.read(fileOf(project.desk.store, memory))?.toString('utf8')
    saveEntry(global, { layer: 'global' }, { ...entry, like })
  }
  const { session } = sourceOf(memory)
  deleteEntry(project, { layer: 'project', session }, entry.key)
  return entryNamed(global.desk, { layer: 'global' }, entry.key)!
}

interface Imported {
  readonly imported: readonly string[]
  /** There already; what is there is kept, also where it says something else. */
  readonly present: readonly string[]
  readonly broken: readonly Broken[]
}

/**
 * Copies entries into a layer of ours, the archived ones into the archive: those of `folder`, or of the document's own folders of
 * that layer. Twice is as good as once.
 */
export function importEntries(scribe: Scribe, layer: Layer, folder?: string): Imported {
  const { store } = scribe.desk
  const places = folder === undefined ? otherPlaces(store, layer) : [placeAt(store, layer, folder)]
  const imported: string[] = []
  const present: string[] = []
  const broken: Broken[] = []
  for (const place of places) {
    const own = ownPlace(store, layer, place.session)
    assertInside(store, own, archiveOf(own.folder))
    const kept = (read: Read | Broken, keep: (scribe: Scribe, own: Place, read: Read) => boolean): void => {
      if (isBroken(read)) broken.push(read)
      else if (keep(scribe, own, read)) imported.push(read.key)
      else present.push(read.key)
    }
    for (const read of readIn(store, place, place.folder)) kept(read, keptActive)
    for (const read of readIn(store, place, archiveOf(place.folder))) kept(read, keptArchived)
  }
  if (imported.length > 0) takeUp(scribe)
  return { imported, present, broken }
}

/** Copies an entry, unless one of its key is active there. Says whether it did. */
function keptActive({ desk }: Scribe, own: Place, { text, ...read }: Read): boolean {
  const { files } = desk.store
  const entry = { ...read, ...clean({ key: read.key, content: read.content, tags: read.tags }) }
  const known = desk.memories().get(entryId(own.layer, own.session, entry.key))
  if (known?.status === 'active' && fileOf(desk.store, known).startsWith(`${own.folder}/`)) return false
  for (const apart of [false, true]) {
    const path = `${own.folder}/${fileNameOf(entry.key, apart)}`
    const there = files.read(path)?.toString('utf8')
    if (there === undefined) {
      files.replace(path, Buffer.from(entryText(entry, text, clean)))
      return true
    }
    const other = readEntry(there, path, entry.key)
    // Copied a moment ago by who was killed then, or left alone for it cannot be read.
    if (isBroken(other) || other.key === entry.key) return false
  }
  return false
}

/** Copies an archived entry beside those of its key that say something else. Says whether it did. */
function keptArchived({ desk }: Scribe, own: Place, { text, ...read }: Read): boolean {
  const { store } = desk
  const entry = { ...read, ...clean({ key: read.key, content: read.content, tags: read.tags }) }
  const bytes = Buffer.from(entryText(entry, text, clean))
  const known = desk.memories().get(entryId(own.layer, own.session, entry.key))
  // Brought back from the archive since.
  if (known?.status === 'active' && store.files.read(fileOf(store, known))?.equals(bytes)) return false
  const name = fileNameOf(entry.key)
  const archive = archiveOf(own.folder)
  if (archivedNames(store, own.folder, name).some((one) => store.files.read(`${archive}/${one}`)?.equals(bytes)))
    return false
  store.files.replace(`${archive}/${freeName(store, own.folder, name)}`, bytes)
  return true
}

type Read = Exclude<ReturnType<typeof readEntry>, Broken> & { readonly text: string }

function readIn(store: Store, place: Place, folder: string): (Read | Broken)[] {
  const { files } = store
  const names = files.list(folder).filter((name) => {
    // A folder that a person names is one they trust.
    const isSafe = place.label === place.folder || staysInside(store, place, `${folder}/${name}`)
    return name.endsWith('.md') && name[0] !== '.' && isSafe
  })
  return names.map((name) => {
    const text = files.read(`${folder}/${name}`)?.toString('utf8') ?? ''
    const read = readEntry(text, `${folder}/${name}`, name.slice(0, -'.md'.length))
    return isBroken(read) ? read : { ...read, text }
  })
}

const otherPlaces = (store: Store, layer: Layer): Place[] =>
  placesOf(store).filter((place) => !place.own && place.layer === layer)

/** A folder a person names: one of entries, or one that has them in `memory`. Throws NOT_FOUND. */
function placeAt({ files }: Store, layer: Layer, folder: string): Place {
  const at = [`${folder}/memory`, folder].find((one) => files.written(one) !== undefined)
  if (at !== undefined) return { layer, folder: at, label: at, own: false }
  throw new MemoryError('NOT_FOUND', `There is no folder ${folder}`, { mend: 'Give a folder of entries.' })
}
