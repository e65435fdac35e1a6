// Carrying entries from one place to another: a project's to the global layer, another program's into ours.
import type { EntryLayer, InvalidEntry } from '../../entries/entry.ts'
import { type EntryDir, listEntryDirs, ownEntryDir } from '../../entries/entryDirs.ts'
import { entryFileName } from '../../entries/entryFileName.ts'
import { formatEntry, isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { entryFromMemory, entrySourceOf } from '../../entries/entrySource.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { entryMemoryId } from '../../text/entryMemoryId.ts'
import { sanitize } from '../commands/newMemory.ts'
import type { Store } from '../open/openStore.ts'
import { archiveFolder, findFreeName, isInsideProject, listArchivedNames } from './entryPaths.ts'
import { assertInsideProject, deleteEntry, type EntryScope, findEntry, saveEntry } from './entryRepository.ts'
import type { EntryWriter } from './entryWriter.ts'
import { entryFilePath, syncEntries } from './syncEntries.ts'

/** Moves a project's entry to the global layer. Throws NOT_FOUND, and INPUT_INVALID where there is another one of its key. */
export function promoteEntry(
  scribes: { readonly project: EntryWriter; readonly global: EntryWriter },
  scope: EntryScope,
  key: string,
): Memory {
  const { project, global } = scribes
  const memory = findEntry(project.liveStore, scope, key)
  if (!memory)
    throw new MemoryError('NOT_FOUND', `There is no entry ${key}`, { hint: 'Look with `memctl entry list`.' })
  const entry = entryFromMemory(memory)
  const there = findEntry(global.liveStore, { layer: 'global' }, entry.key)
  // Who was killed between the two goes on here.
  if (there && (there.content !== memory.content || there.tags.join() !== memory.tags.join())) {
    throw new MemoryError('INPUT_INVALID', `There is a global entry ${entry.key} that says something else`, {
      hint: 'Delete it, or save one of them under another key.',
    })
  }
  if (!there) {
    const { files } = project.liveStore.store
    const like = files.read(entryFilePath(project.liveStore.store, memory))?.toString('utf8')
    saveEntry(global, { layer: 'global' }, { ...entry, frontMatterFrom: like })
  }
  const { session } = entrySourceOf(memory)
  deleteEntry(project, { layer: 'project', session }, entry.key)
  return findEntry(global.liveStore, { layer: 'global' }, entry.key)!
}

interface ImportResult {
  readonly imported: readonly string[]
  /** There already; what is there is kept, also where it says something else. */
  readonly present: readonly string[]
  readonly invalid: readonly InvalidEntry[]
}

/**
 * Copies entries into a layer of ours, the archived ones into the archive: those of `folder`, or of the document's own folders of
 * that layer. Twice is as good as once.
 */
export function importEntries(writer: EntryWriter, layer: EntryLayer, folder?: string): ImportResult {
  const { store } = writer.liveStore
  const places = folder === undefined ? otherPlaces(store, layer) : [placeAt(store, layer, folder)]
  const imported: string[] = []
  const present: string[] = []
  const broken: InvalidEntry[] = []
  for (const place of places) {
    const own = ownEntryDir(store, layer, place.session)
    assertInsideProject(store, own, archiveFolder(own.folder))
    const kept = (
      read: Read | InvalidEntry,
      keep: (writer: EntryWriter, own: EntryDir, read: Read) => boolean,
    ): void => {
      if (isInvalidEntry(read)) broken.push(read)
      else if (keep(writer, own, read)) imported.push(read.key)
      else present.push(read.key)
    }
    for (const read of readIn(store, place, place.folder)) kept(read, keptActive)
    for (const read of readIn(store, place, archiveFolder(place.folder))) kept(read, keptArchived)
  }
  if (imported.length > 0) syncEntries(writer)
  return { imported, present, invalid: broken }
}

/** Copies an entry, unless one of its key is active there. Says whether it did. */
function keptActive({ liveStore }: EntryWriter, own: EntryDir, { text, ...read }: Read): boolean {
  const { files } = liveStore.store
  const entry = { ...read, ...sanitize({ key: read.key, content: read.content, tags: read.tags }) }
  const known = liveStore.memories().get(entryMemoryId(own.layer, own.session, entry.key))
  if (known?.status === 'active' && entryFilePath(liveStore.store, known).startsWith(`${own.folder}/`)) return false
  for (const apart of [false, true]) {
    const path = `${own.folder}/${entryFileName(entry.key, apart)}`
    const there = files.read(path)?.toString('utf8')
    if (there === undefined) {
      files.replace(path, Buffer.from(formatEntry(entry, text, sanitize)))
      return true
    }
    const other = parseEntry(there, path, entry.key)
    // Copied a moment ago by who was killed then, or left alone for it cannot be read.
    if (isInvalidEntry(other) || other.key === entry.key) return false
  }
  return false
}

/** Copies an archived entry beside those of its key that say something else. Says whether it did. */
function keptArchived({ liveStore }: EntryWriter, own: EntryDir, { text, ...read }: Read): boolean {
  const { store } = liveStore
  const entry = { ...read, ...sanitize({ key: read.key, content: read.content, tags: read.tags }) }
  const bytes = Buffer.from(formatEntry(entry, text, sanitize))
  const known = liveStore.memories().get(entryMemoryId(own.layer, own.session, entry.key))
  // Brought back from the archive since.
  if (known?.status === 'active' && store.files.read(entryFilePath(store, known))?.equals(bytes)) return false
  const name = entryFileName(entry.key)
  const archive = archiveFolder(own.folder)
  if (listArchivedNames(store, own.folder, name).some((one) => store.files.read(`${archive}/${one}`)?.equals(bytes)))
    return false
  store.files.replace(`${archive}/${findFreeName(store, own.folder, name)}`, bytes)
  return true
}

type Read = Exclude<ReturnType<typeof parseEntry>, InvalidEntry> & { readonly text: string }

function readIn(store: Store, dir: EntryDir, folder: string): (Read | InvalidEntry)[] {
  const { files } = store
  const names = files.list(folder).filter((name) => {
    // A folder that a person names is one they trust.
    const isSafe = dir.label === dir.folder || isInsideProject(store, dir, `${folder}/${name}`)
    return name.endsWith('.md') && name[0] !== '.' && isSafe
  })
  return names.map((name) => {
    const text = files.read(`${folder}/${name}`)?.toString('utf8') ?? ''
    const read = parseEntry(text, `${folder}/${name}`, name.slice(0, -'.md'.length))
    return isInvalidEntry(read) ? read : { ...read, text }
  })
}

const otherPlaces = (store: Store, layer: EntryLayer): EntryDir[] =>
  listEntryDirs(store).filter((place) => !place.isOwn && place.layer === layer)

/** A folder a person names: one of entries, or one that has them in `memory`. Throws NOT_FOUND. */
function placeAt({ files }: Store, layer: EntryLayer, folder: string): EntryDir {
  const at = [`${folder}/memory`, folder].find((one) => files.mtimeMs(one) !== undefined)
  if (at !== undefined) return { layer, folder: at, label: at, isOwn: false }
  throw new MemoryError('NOT_FOUND', `There is no folder ${folder}`, { hint: 'Give a folder of entries.' })
}
