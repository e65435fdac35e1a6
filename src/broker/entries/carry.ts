// Carrying entries from one place to another: a project's to the global layer, another program's into ours.
import type { Broken, Layer } from '../../entries/entry.ts'
import { entryText, isBroken, readEntry } from '../../entries/entryText.ts'
import { fileNameOf } from '../../entries/fileName.ts'
import { entryId, entryOfMemory, markOf } from '../../entries/mark.ts'
import { ownPlace, type Place, placesOf } from '../../entries/places.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import { clean } from '../given.ts'
import type { Store } from '../store.ts'
import { archiveOf, staysInside } from './entryPath.ts'
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
  const { session } = markOf(memory)!
  deleteEntry(project, { layer: 'project', session }, entry.key)
  return entryNamed(global.desk, { layer: 'global' }, entry.key)!
}

export interface Imported {
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
    for (const [from, to] of [
      [place.folder, own.folder],
      [archiveOf(place.folder), archiveOf(own.folder)],
    ] as const) {
      assertInside(store, own, to)
      for (const read of readIn(store, place, from)) {
        if (isBroken(read)) broken.push(read)
        else if (copied(scribe, read, { to, own })) imported.push(read.key)
        else present.push(read.key)
      }
    }
  }
  if (imported.length > 0) takeUp(scribe)
  return { imported, present, broken }
}

function copied({ desk }: Scribe, read: Read, { to, own }: { readonly to: string; readonly own: Place }): boolean {
  const { files } = desk.store
  const { text, ...entry } = read
  const { key, content, tags } = clean({ key: entry.key, content: entry.content, tags: entry.tags })
  const known = desk.memories().get(entryId(own.layer, own.session, key))
  if (to === own.folder && known?.status === 'active' && fileOf(desk.store, known).startsWith(`${to}/`)) return false
  const path = `${to}/${fileNameOf(key)}`
  if (files.size(path) !== undefined) return false
  files.replace(path, Buffer.from(entryText({ ...entry, key, content, tags }, text, clean)))
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
