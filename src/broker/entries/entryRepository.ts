// Saves, finds and deletes entries by their keys. To save an entry is to replace its file and to sync it.
import { type Entry, type EntryLayer, entrySourceOf } from '../../entries/entry.ts'
import { type EntryDir, type EntryFile, listEntryFiles, ownEntryDir } from '../../entries/entryDirs.ts'
import { findConflict, findKeyProblem, formatEntry, isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { chooseSessionDir, entryFileName, SESSION_DIR_BYTES_MAX, sessionDirName } from '../../entries/entryNames.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { compareValues } from '../../model/sorting.ts'
import { storeBusyError } from '../../store/disk/lock.ts'
import { isFileFault } from '../../store/disk/untrustedFiles.ts'
import { trustOwnContent } from '../../store/project/contentTrust.ts'
import { toWellFormed } from '../../text/excerpt.ts'
import { entryMemoryId } from '../../text/hash.ts'
import { sanitize } from '../commands/newMemory.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { entryAccess, entryLabel, findEntryLink, readEntryFile } from './entryFiles.ts'
import { deleteEntryMemories, type EntryWriter, entryFilePath, memoryFromEntry, syncEntries } from './syncEntries.ts'

/** The entries of a layer, or of one session of the project. */
export interface EntryScope {
  readonly layer: EntryLayer
  readonly session?: string | undefined
}

interface EntryInput {
  readonly key: string
  readonly content: string
  /** By default an existing entry keeps its tags, and a new one has none. */
  readonly tags?: readonly string[] | undefined
}

/** The active entries of a scope, by key. Without a session the project's include those of its sessions. */
export function listEntries(liveStore: LiveStore, { layer, session }: EntryScope): Memory[] {
  const memories = [...liveStore.memories().values()].filter((memory) => {
    const source = memory.status === 'active' ? memory.entrySource : undefined
    return source?.layer === layer && (session === undefined || source.session === session)
  })
  return memories.sort((a, b) => compareValues(entrySourceOf(a).key, entrySourceOf(b).key))
}

/** The active entry of a key. Without a session it is the project's own, else the first one of a session. */
export function findEntry(liveStore: LiveStore, { layer, session }: EntryScope, key: string): Memory | undefined {
  const wanted = key.normalize('NFC')
  const own = liveStore.memories().get(entryMemoryId(layer, session, wanted))
  if (own?.status === 'active' && own.entrySource) return own
  return session === undefined
    ? listEntries(liveStore, { layer }).find((memory) => entrySourceOf(memory).key === wanted)
    : undefined
}

/** Creates or replaces the entry of a key. Throws INPUT_INVALID. */
export function saveEntry(writer: EntryWriter, scope: EntryScope, input: EntryInput): Memory {
  const { liveStore, now } = writer
  const { key, ...given } = sanitize({ ...input, key: input.key.normalize('NFC') })
  // Lone surrogates cannot be written to a file.
  const { content, tags } = toWellFormed(given)
  assertEntryScope(scope)
  const problem = findKeyProblem(key)
  if (problem) throw new MemoryError('INPUT_INVALID', `The key ${problem}`, { hint: 'Use a short name of one line.' })
  if (findConflict(content) !== undefined) {
    throw new MemoryError('INPUT_INVALID', 'The content has the markers of an unfinished merge', {
      hint: 'Finish the merge, or indent the markers if they are an example.',
    })
  }
  const id = entryMemoryId(scope.layer, scope.session, key)
  const memory = liveStore.memories().get(id)
  const known = memory?.status === 'active' ? memory : undefined
  const dir = writableEntryDir(liveStore.store, scope)
  const updatedAt = new Date(now).toISOString()
  const entry: Entry = {
    key,
    content,
    tags: tags ?? known?.tags ?? [],
    createdAt: known?.entrySource?.created_at ?? known?.created ?? updatedAt,
    updatedAt,
  }
  const file = writeEntryFile(liveStore.store, dir, { entry, known, now })
  syncEntries(writer, file.path)
  const saved = liveStore.memories().get(id)
  // To save the same text again is an access, too.
  if (saved && saved === memory) writer.commit({ kind: 'memory.accessed', memories: [id] })
  // Another process may have archived it at once.
  return saved ?? memoryFromEntry(entry, file, now)
}

/** How often another process may take the name of a new file before this is an error. */
const ATTEMPTS_MAX = 10

/**
 * Replaces the entry's file, or creates it under a name that no other file has.
 *
 * Only a new file gets times. `updated_at` of an existing one is removed: it would be another one on each machine, and
 * git would report a conflict whenever two of them save the same key. The log knows when an entry was saved.
 */
function writeEntryFile(
  store: Store,
  dir: EntryDir,
  { entry, known, now }: { readonly entry: Entry; readonly known: Memory | undefined; readonly now: number },
): EntryFile {
  const { files } = store
  for (let attempt = 1; ; attempt++) {
    const { path, before } = chooseFile(store, dir, entry.key, known)
    assertInsideProject(store, dir, path)
    if (dir.layer === 'project') trustOwnContent(store, now)
    const text = before === undefined ? formatEntry(entry, undefined, sanitize) : formatAgain(entry, before, path)
    const bytes = Buffer.from(text)
    const access = entryAccess(store, path)
    if (before !== undefined) {
      if (text !== before) files.replace(path, bytes, access)
    } else if (files.create(path, bytes, access)) files.sync(path)
    else if (attempt < ATTEMPTS_MAX) continue
    else throw storeBusyError()
    return { dir, name: path.slice(dir.folder.length + 1), path, mtimeMs: 0 }
  }
}

/** An existing file with a new text, without `updated_at`; unchanged if the text and the tags are those of before. */
function formatAgain(entry: Entry, before: string, path: string): string {
  const read = parseEntry(before, path, stemOf(path))
  const { createdAt, updatedAt } = isInvalidEntry(read) ? entry : read
  const same = formatEntry({ ...entry, createdAt, updatedAt }, before, sanitize)
  return same === before ? before : formatEntry({ ...entry, createdAt, updatedAt: undefined }, before, sanitize)
}

/** The path for an entry, and the text of the file there. An invalid file is not overwritten. */
function chooseFile(store: Store, dir: EntryDir, key: string, known: Memory | undefined) {
  const current = known && entryFilePath(store, known)
  if (current?.startsWith(`${dir.folder}/`)) {
    const text = readText(store, current)
    const entry = text === undefined ? undefined : parseEntry(text, current, stemOf(current))
    if (entry && isInvalidEntry(entry)) throw invalidFile(current, entry)
    // By now the file may hold an entry of another key, which must not be overwritten.
    if (entry === undefined || entry.key === key) return { path: current, before: text }
  }
  for (const isHashed of [false, true]) {
    const path = `${dir.folder}/${entryFileName(key, isHashed)}`
    const before = readText(store, path)
    if (before === undefined) return { path }
    const entry = parseEntry(before, path, stemOf(path))
    if (isInvalidEntry(entry)) throw invalidFile(path, entry)
    if (entry.key === key) return { path, before }
  }
  throw new MemoryError('INPUT_INVALID', `The files of ${key} hold entries of other keys`, {
    hint: `Rename the files in ${dir.folder} to the keys of their entries.`,
  })
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length)

/** The text of an entry's file; undefined if there is none. Throws INPUT_INVALID for anything but a file. */
function readText(store: Store, path: string): string | undefined {
  const read = readEntryFile(store, path)
  if (isFileFault(read)) throw invalidFile(path, { ...read, line: 1 })
  return read?.toString('utf8')
}

const invalidFile = (path: string, { line, what, hint }: { line: number; what: string; hint: string }): MemoryError =>
  new MemoryError('INPUT_INVALID', `${path}, line ${line}: ${what}. The file is not changed`, { hint })

/** Deletes an entry's file and memory, without archiving them. Returns whether there was one. */
export function deleteEntry(writer: EntryWriter, scope: EntryScope, key: string): boolean {
  const { liveStore } = writer
  const wanted = key.normalize('NFC')
  const memory = liveStore.memories().get(entryMemoryId(scope.layer, scope.session, wanted))
  if (memory?.status !== 'active') return false
  const { files } = liveStore.store
  // Files of the same key in other programs' folders too: they would become the entry at the next sync.
  for (const file of listEntryFiles(liveStore.store)) {
    const { dir, path } = file
    if (dir.layer !== scope.layer || dir.session !== scope.session) continue
    const isSource = entryLabel(file) === entrySourceOf(memory).file
    if (!isSource && dir.isOwn) continue
    const read = file.fault ?? readEntryFile(liveStore.store, path)
    if (isFileFault(read)) continue
    const entry = parseEntry(read?.toString('utf8') ?? '', path, stemOf(path))
    // By now the file may hold an entry of another key.
    if (isInvalidEntry(entry) ? isSource : entry.key === wanted) files.remove(path)
  }
  deleteEntryMemories(writer, [memory])
  syncEntries(writer)
  return true
}

export const writableEntryDir = (store: Store, { layer, session }: EntryScope): EntryDir =>
  ownEntryDir(store, layer, session === undefined ? undefined : chooseSessionDir(store, session))

/** Throws INPUT_INVALID for a session whose folder would have a name that is too long, or none. */
export function assertEntryScope({ session }: EntryScope): void {
  if (session === undefined) return
  const bytes = Buffer.byteLength(sessionDirName(session))
  if (bytes > 0 && bytes <= SESSION_DIR_BYTES_MAX) return
  throw new MemoryError('INPUT_INVALID', `session_id cannot name a folder: it needs ${bytes} bytes`, {
    hint: `Use 1 to ${SESSION_DIR_BYTES_MAX} small letters or digits, or fewer other characters.`,
  })
}

/** Throws INPUT_INVALID if a link in the project leads to the path: it could lead out of the project. */
export function assertInsideProject(store: Store, dir: EntryDir, path: string): void {
  const link = findEntryLink(store, path)
  if (link === undefined) return
  throw new MemoryError('INPUT_INVALID', `${link} is a link, and links are not followed`, {
    hint: `Make ${dir.label} a folder of the project, without links.`,
  })
}
