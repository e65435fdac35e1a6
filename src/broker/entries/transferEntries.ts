// Moves entries of a project to the global layer, and copies entries of other programs into memctl's own folders.
import {
  ENTRY_FILE_BYTES_MAX,
  ENTRY_LIMITS,
  type EntryLayer,
  entryFromMemory,
  entrySourceOf,
  type InvalidEntry,
} from '../../entries/entry.ts'
import { type EntryDir, listEntryDirs } from '../../entries/entryDirs.ts'
import { formatEntry, isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { entryFileName } from '../../entries/entryNames.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isFileFault, listUntrusted, readUntrusted } from '../../store/disk/untrustedFiles.ts'
import { trustOwnContent } from '../../store/project/contentTrust.ts'
import { entryMemoryId } from '../../text/hash.ts'
import { sanitize } from '../commands/newMemory.ts'
import type { Store } from '../open/openStore.ts'
import { ArchiveNames, archiveFolder, entryAccess, listArchive, readEntryBytes, readEntryFile } from './entryFiles.ts'
import {
  assertInsideProject,
  deleteEntry,
  type EntryScope,
  findEntry,
  saveEntry,
  writableEntryDir,
} from './entryRepository.ts'
import type { EntryWriter } from './entryWriter.ts'
import { entryFilePath, syncEntries } from './syncEntries.ts'

/**
 * Moves a project's entry to the global layer. Throws NOT_FOUND, and INPUT_INVALID if another global one has its key.
 */
export function promoteEntry(
  writers: { readonly project: EntryWriter; readonly global: EntryWriter },
  scope: EntryScope,
  key: string,
): Memory {
  const { project, global } = writers
  const { store } = project.liveStore
  const path = entryFilePath(store, requireEntry(project, scope, key))
  const bytes = readEntryBytes(store, path)
  // The file is read first: if it is newer than the memory, the memory becomes as new, and what is copied is at least
  // what is deleted.
  syncEntries(project, path)
  const memory = requireEntry(project, scope, key)
  const entry = entryFromMemory(memory)
  const existing = findEntry(global.liveStore, { layer: 'global' }, entry.key)
  // An equal one is there if a process was killed between the two steps: then the second step follows.
  if (existing && (existing.content !== memory.content || existing.tags.join() !== memory.tags.join())) {
    throw new MemoryError('INPUT_INVALID', `There is a different global entry ${entry.key}`, {
      hint: 'Delete it, or save one of them under another key.',
    })
  }
  const frontMatterFrom = bytes?.toString('utf8')
  const moved = existing ?? saveEntry(global, { layer: 'global' }, { ...entry, frontMatterFrom })
  const { session } = entrySourceOf(memory)
  if (!deleteEntry(project, { layer: 'project', session }, entry.key, bytes) && bytes) {
    throw new MemoryError('INPUT_INVALID', `${path} was changed while it was promoted`, {
      hint: 'There is a global entry now. Delete one of both, after a look at their texts.',
    })
  }
  return moved
}

function requireEntry({ liveStore }: EntryWriter, scope: EntryScope, key: string): Memory {
  const memory = findEntry(liveStore, scope, key)
  if (memory) return memory
  throw new MemoryError('NOT_FOUND', `There is no entry ${key}`, {
    hint: 'Look for its key with `memctl entry list`.',
  })
}

interface ImportResult {
  readonly imported: readonly string[]
  /** Keys that exist already; they are not changed. */
  readonly present: readonly string[]
  readonly invalid: readonly InvalidEntry[]
}

/**
 * Copies entries into memctl's folders of a layer, and archived ones into the archive: from `folder`, or by default
 * from the folders of the entries spec. A second import changes nothing.
 */
export function importEntries(writer: EntryWriter, layer: EntryLayer, folder?: string): ImportResult {
  const { store } = writer.liveStore
  const dirs = folder === undefined ? listOtherDirs(store, layer) : [findEntryDir(store, layer, folder)]
  if (layer === 'project' && dirs.length > 0) trustOwnContent(store, writer.now)
  const imported: string[] = []
  const written: string[] = []
  const present: string[] = []
  const invalid: InvalidEntry[] = []
  for (const dir of dirs) {
    const own = writableEntryDir(store, { layer, session: dir.session })
    assertInsideProject(store, own, archiveFolder(own.folder))
    const importFrom = (from: string, copy: typeof copyActive): void => {
      for (const file of readEntries(store, dir, from)) {
        if (isInvalidEntry(file)) invalid.push(file)
        else {
          const path = copy(writer, own, file)
          if (path === undefined) present.push(file.key)
          else imported.push(file.key)
          if (path !== undefined && copy === copyActive) written.push(path)
        }
      }
    }
    importFrom(dir.folder, copyActive)
    importFrom(archiveFolder(dir.folder), copyArchived)
  }
  if (imported.length > 0) syncEntries(writer, ...written)
  return { imported, present, invalid }
}

/** Copies an entry, unless one of its key is active. Returns the new file, if there is one. */
function copyActive({ liveStore }: EntryWriter, own: EntryDir, { text, ...file }: ReadEntry): string | undefined {
  const { files } = liveStore.store
  const entry = { ...file, ...sanitize({ key: file.key, content: file.content, tags: file.tags }) }
  const known = liveStore.memories().get(entryMemoryId(own.layer, own.session, entry.key))
  if (known?.status === 'active' && entryFilePath(liveStore.store, known).startsWith(`${own.folder}/`)) return undefined
  for (const isHashed of [false, true]) {
    const path = `${own.folder}/${entryFileName(entry.key, isHashed)}`
    const existing = readEntryFile(liveStore.store, path)
    if (isFileFault(existing)) continue
    if (existing === undefined) {
      const bytes = Buffer.from(formatEntry(entry, text, sanitize))
      if (files.create(path, bytes, entryAccess(liveStore.store, path))) return path
      continue
    }
    const other = parseEntry(existing.toString('utf8'), path, entry.key)
    // Copied by a process that was killed before the sync; an invalid file is not overwritten.
    if (isInvalidEntry(other) || other.key === entry.key) return undefined
  }
  return undefined
}

/** Copies an archived entry, unless the same one is in the archive or active. Returns the new file, if there is one. */
function copyArchived({ liveStore }: EntryWriter, own: EntryDir, { text, ...file }: ReadEntry): string | undefined {
  const { store } = liveStore
  const entry = { ...file, ...sanitize({ key: file.key, content: file.content, tags: file.tags }) }
  const bytes = Buffer.from(formatEntry(entry, text, sanitize))
  const known = liveStore.memories().get(entryMemoryId(own.layer, own.session, entry.key))
  // Restored from the archive since an earlier import.
  if (known?.status === 'active' && readEntryBytes(store, entryFilePath(store, known))?.equals(bytes)) return undefined
  const archive = archiveFolder(own.folder)
  const name = entryFileName(entry.key)
  const names = new ArchiveNames(listArchive(store, archive).names)
  if (names.versionsOf(name).some((version) => readEntryBytes(store, `${archive}/${version}`)?.equals(bytes)))
    return undefined
  const access = entryAccess(store, archive)
  for (;;) {
    const path = `${archive}/${names.takeNext(name)}`
    if (store.files.create(path, bytes, access)) return path
  }
}

type ReadEntry = Exclude<ReturnType<typeof parseEntry>, InvalidEntry> & { readonly text: string }

function readEntries(store: Store, dir: EntryDir, folder: string): (ReadEntry | InvalidEntry)[] {
  // A folder that the user names is trusted, so its links are followed.
  const root = dir.label === dir.folder || dir.layer === 'global' ? undefined : store.project.root
  const { names, fault } = listUntrusted(root, folder, ENTRY_LIMITS.filesMax)
  const read = names.flatMap((name): (ReadEntry | InvalidEntry)[] => {
    if (!name.endsWith('.md') || name[0] === '.') return []
    const file = `${folder}/${name}`
    const bytes = readUntrusted(root, file, ENTRY_FILE_BYTES_MAX)
    if (bytes === undefined) return []
    if (isFileFault(bytes)) return [{ ...bytes, line: 1 }]
    const text = bytes.toString('utf8')
    const entry = parseEntry(text, file, name.slice(0, -'.md'.length))
    return [isInvalidEntry(entry) ? entry : { ...entry, text }]
  })
  return fault ? [{ ...fault, line: 1 }, ...read] : read
}

const listOtherDirs = (store: Store, layer: EntryLayer): EntryDir[] =>
  listEntryDirs(store).filter((dir) => !dir.isOwn && dir.layer === layer)

/** The folder of entries that the user names, or `memory` in it. Throws NOT_FOUND. */
function findEntryDir({ files }: Store, layer: EntryLayer, folder: string): EntryDir {
  const found = [`${folder}/memory`, folder].find((candidate) => files.mtimeMs(candidate) !== undefined)
  if (found !== undefined) return { layer, folder: found, label: found, isOwn: false }
  throw new MemoryError('NOT_FOUND', `There is no folder ${folder}`, { hint: 'Give a folder of entries.' })
}
