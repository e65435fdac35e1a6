// Syncs entry files into memories. The file is the source of truth of an entry, whether a tool, a person or git wrote
// it. Only files that changed since the last sync are read. A second sync commits no events. The memory of an entry is
// recalled, searched and shown like any other, without secrets and private parts. Syncs and changes of entries have a
// writer: a live store, and the caller that it commits for.
import {
  type Entry,
  type EntryLayer,
  entryForLog,
  entryMemoryContent,
  entrySourceOf,
  type InvalidEntry,
} from '../../entries/entry.ts'
import {
  type EntryFile,
  entryFileAt,
  listEntryRoots,
  type MtimeCache,
  readMtimeCache,
  scanEntryFiles,
} from '../../entries/entryDirs.ts'
import { isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { EntrySource, Memory, MemoryChange } from '../../model/memory.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import { type FileFault, isFileFault } from '../../store/disk/untrustedFiles.ts'
import { isProjectTrusted } from '../../store/project/contentTrust.ts'
import { entryMemoryId } from '../../text/hash.ts'
import { memoryFromInput, sanitize } from '../commands/newMemory.ts'
import { type Caller, inBatches } from '../commit/commitEvents.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import {
  ArchiveNames,
  archiveFolder,
  entryLabel,
  entryPath,
  listArchive,
  readEntryFile,
  splitPath,
} from './entryFiles.ts'

export interface EntryWriter {
  readonly liveStore: LiveStore
  /** Milliseconds since 1970. */
  readonly now: number
  commit(body: EventBody): void
}

/** `nonce` must return a new text each time. */
export const createEntryWriter = (
  liveStore: LiveStore,
  caller: Omit<Caller, 'nonce'> & { readonly nonce: () => string },
): EntryWriter => ({
  liveStore,
  now: caller.now,
  commit: (body) => liveStore.commit(body, { ...caller, nonce: caller.nonce() }),
})

/** A file may be written again within this time with the same modification time, in milliseconds. */
const TICK_MS = 2_000

/**
 * Syncs every entry file that has changed, and in any case those that a tool of the person has just written. Returns
 * whether a memory has changed.
 */
export function syncEntries(writer: EntryWriter, ...written: readonly string[]): boolean {
  const pass = new SyncPass(writer.liveStore, writer.now, new Set(written))
  for (const file of pass.files) pass.checkFile(file)
  pass.findMissing()
  commitChanges(writer, pass)
  const { store } = writer.liveStore
  if (JSON.stringify(pass.stamps) !== JSON.stringify(pass.previousStamps)) {
    writeJsonFile(store.files, store.layout.entries, pass.stamps)
  }
  return pass.stored.length + pass.changes.length + pass.statuses.length + pass.deleted.length > 0
}

export function listInvalidEntries(liveStore: LiveStore, now: number, layer: EntryLayer): readonly InvalidEntry[] {
  const pass = new SyncPass(liveStore, now, new Set())
  for (const file of pass.files) if (file.dir.layer === layer) pass.checkFile(file)
  const folders = layer === 'project' ? pass.faults.map((fault) => ({ ...fault, line: 1 })) : []
  return [...folders, ...pass.invalid]
}

function commitChanges(writer: EntryWriter, { stored, changes, statuses, deleted }: SyncPass): void {
  for (const batch of inBatches(stored))
    writer.commit({ kind: 'memory.batch', stored: batch.map(entryForLog), changes: [] })
  for (const batch of inBatches(changes)) writer.commit({ kind: 'memory.batch', stored: [], changes: batch })
  if (statuses.length > 0) writer.commit({ kind: 'memory.strengthened', changes: statuses })
  if (deleted.length > 0) deleteEntryMemories(writer, deleted)
}

/**
 * Deletes the memories of entries without a file. Another process may have saved one of them meanwhile: it wrote the
 * file first and its event may come before this one, so the file decides.
 */
export function deleteEntryMemories(writer: EntryWriter, deleted: readonly Memory[]): void {
  writer.commit({ kind: 'memory.deleted', memories: deleted.map(({ id }) => id) })
  const { store } = writer.liveStore
  const saved = deleted.flatMap((memory) => {
    const { own, file, key } = entrySourceOf(memory)
    const read = own === true ? readEntryFile(store, entryPath(store, file)) : undefined
    const entry = Buffer.isBuffer(read) ? parseEntry(read.toString('utf8'), file, '') : undefined
    return entry && !isInvalidEntry(entry) && entry.key === key ? [entryPath(store, file)] : []
  })
  if (saved.length > 0) syncEntries(writer, ...saved)
}

class SyncPass {
  readonly files: readonly EntryFile[]
  /** Folders that cannot be used. */
  readonly faults: readonly FileFault[]
  readonly previousStamps: MtimeCache
  readonly stamps: Record<string, MtimeCache[string]> = {}
  readonly invalid: InvalidEntry[] = []
  readonly stored: Memory[] = []
  readonly changes: MemoryChange[] = []
  readonly statuses: { memory: MemoryId; status: 'active' | 'archived' }[] = []
  readonly deleted: Memory[] = []

  readonly #store: Store
  readonly #knownMemories: ReadonlyMap<MemoryId, Memory>
  readonly #now: number
  readonly #written: ReadonlySet<string>
  readonly #isTrusted: boolean
  readonly #isCut: boolean
  /** The file of each memory; of several the first. memctl's own folders come before those of other programs. */
  readonly #fileByMemory = new Map<MemoryId, EntryFile>()
  readonly #labels: ReadonlySet<string>
  readonly #memoryByLabel: ReadonlyMap<string, MemoryId>
  /** Labels of invalid files: their memories stay as they were. */
  readonly #invalidLabels = new Set<string>()

  /** The archive beside each folder, listed at the first look at it. */
  readonly #archives = new Map<string, ArchiveNames>()
  readonly #otherTreeStamps: readonly [string, MtimeCache[string]][]

  constructor(liveStore: LiveStore, now: number, written: ReadonlySet<string>) {
    this.#store = liveStore.store
    const entries = liveStore.memories().select(({ kind }) => kind === 'entry')
    this.#knownMemories = new Map(entries.flatMap((memory) => (memory.entrySource ? [[memory.id, memory]] : [])))
    this.#memoryByLabel = new Map([...this.#knownMemories].map(([id, memory]) => [entrySourceOf(memory).file, id]))
    this.#now = now
    this.#written = written
    this.#isTrusted = isProjectTrusted(liveStore.store)
    const { files, faults, isCut } = scanEntryFiles(liveStore.store)
    const paths = new Set(files.map(({ path }) => path))
    const added = [...new Set([...written, ...this.#listOwnPaths()])].filter((path) => !paths.has(path))
    this.files = [...files, ...added.flatMap((path) => entryFileAt(liveStore.store.project.root, path) ?? [])]
    this.faults = faults
    this.#isCut = isCut
    this.previousStamps = readMtimeCache(liveStore.store)
    this.#labels = new Set(this.files.map(entryLabel))
    const roots = listEntryRoots(liveStore.store)
    this.#otherTreeStamps = Object.entries(this.previousStamps).filter(
      ([path]) => !roots.some((root) => path.startsWith(root)),
    )
  }

  checkFile(file: EntryFile): void {
    if (!this.#mayRead(file)) return
    const stamp = this.previousStamps[file.path]
    const [written, id] = stamp?.[2] === 'invalid' ? [] : (stamp ?? [])
    if (id && written === file.mtimeMs && !this.#written.has(file.path) && this.#isUnchanged(id, file)) {
      this.#assignFile(id, file)
      return
    }
    const entry = this.#parseFile(file)
    if (isInvalidEntry(entry)) {
      this.#invalidLabels.add(entryLabel(file))
      this.#reportInvalid(entry, file)
      return
    }
    const read = memoryFromEntry(entry, file, this.#now)
    const known = this.#knownMemories.get(read.id)
    const isOwn = this.#written.has(file.path) || known?.entrySource?.own === true
    const fresh = isOwn ? { ...read, entrySource: { ...entrySourceOf(read), own: true as const } } : read
    const earlier = this.#fileByMemory.get(fresh.id) ?? this.#findOriginal(known, file)
    if (earlier?.dir.folder === file.dir.folder) {
      const what = `it has the same key as ${earlier.name}`
      const hint = 'Give one of them another key, or merge them.'
      this.#reportInvalid({ file: file.path, line: 1, what, hint }, file)
      return
    }
    this.#assignFile(fresh.id, file)
    if (earlier) return
    if (!known) this.stored.push(fresh)
    else this.#recordChange(known, fresh)
  }

  /** Finds memories without a file: it was archived, is in another work tree of the project, or was deleted. */
  findMissing(): void {
    // If the project's folder is missing, its entries were not deleted.
    const { files, project } = this.#store
    const projectExists = files.mtimeMs(project.root) !== undefined
    for (const [id, memory] of this.#knownMemories) {
      const source = entrySourceOf(memory)
      if (this.#fileByMemory.has(id) || this.#invalidLabels.has(source.file)) continue
      if (source.layer === 'project' && !projectExists) continue
      if (this.#isCut && files.mtimeMs(entryPath(this.#store, source.file)) !== undefined) continue
      const mayRead = this.#isTrusted || source.layer === 'global' || source.own === true
      if (mayRead && this.#isArchived(source)) {
        if (memory.status === 'active') this.statuses.push({ memory: id, status: 'archived' })
      } else if (!this.#isInOtherTree(id)) this.deleted.push(memory)
    }
    this.#keepOtherTreeStamps()
  }

  /** Whether the entry's file was moved to the archive beside it: by memctl, by hand or by git. */
  #isArchived({ file }: EntrySource): boolean {
    const { folder, name } = splitPath(entryPath(this.#store, file))
    const names = this.#archives.get(folder) ?? new ArchiveNames(listArchive(this.#store, archiveFolder(folder)).names)
    this.#archives.set(folder, names)
    return names.versionsOf(name).length > 0
  }

  #isUnchanged(id: MemoryId, file: EntryFile): boolean {
    if (this.#fileByMemory.has(id)) return true
    const known = this.#knownMemories.get(id)
    return known?.status === 'active' && entrySourceOf(known).file === entryLabel(file)
  }

  /**
   * Whether the file's content counts. In a project that the person does not trust, only what the person's own tools
   * write; if something else has changed such a file since, its last content still counts. The log says which files
   * these are: every process writes its own cache over that of the others.
   */
  #mayRead(file: EntryFile): boolean {
    if (this.#isTrusted || file.dir.layer === 'global' || this.#written.has(file.path)) return true
    const known = this.#knownMemories.get(this.#memoryByLabel.get(entryLabel(file)) ?? ('' as MemoryId))
    if (known?.entrySource?.own) {
      this.#assignFile(known.id, file)
      if (known.status === 'archived') this.statuses.push({ memory: known.id, status: 'active' })
    }
    return false
  }

  /** The files of the person's own tools in a project that is not trusted: its folders are not listed. */
  #listOwnPaths(): string[] {
    if (this.#isTrusted) return []
    const sources = [...this.#knownMemories.values()].map(entrySourceOf)
    return sources.filter(({ own }) => own).map(({ file }) => entryPath(this.#store, file))
  }

  #assignFile(id: MemoryId, file: EntryFile): void {
    if (!this.#fileByMemory.has(id)) this.#fileByMemory.set(id, file)
    this.stamps[file.path] = [this.#stampTime(file), id]
  }

  /** An invalid file is in the cache, too: when it is deleted, its memory must not be shown any more. */
  #reportInvalid(invalid: InvalidEntry, file: EntryFile): void {
    this.invalid.push(invalid)
    this.stamps[file.path] = [this.#stampTime(file), this.#memoryByLabel.get(entryLabel(file)) ?? '', 'invalid']
  }

  #stampTime({ mtimeMs }: EntryFile): number {
    const isRacy = Math.abs(this.#now - mtimeMs) <= TICK_MS
    return isRacy ? -mtimeMs : mtimeMs
  }

  #parseFile(file: EntryFile): ReturnType<typeof parseEntry> {
    const read = file.fault ?? readEntryFile(this.#store, file.path)
    if (isFileFault(read)) return { ...read, line: 1 }
    return parseEntry(read?.toString('utf8') ?? '', file.path, file.name.slice(0, -'.md'.length))
  }

  /** The memory's file in the same folder, if it still exists: a copy of a file does not replace it. */
  #findOriginal(known: Memory | undefined, file: EntryFile): EntryFile | undefined {
    const source = known?.status === 'active' ? known.entrySource : undefined
    if (!source || source.file === entryLabel(file) || !this.#labels.has(source.file)) return undefined
    return this.files.find((other) => entryLabel(other) === source.file && other.dir.folder === file.dir.folder)
  }

  #recordChange(known: Memory, fresh: Memory): void {
    const change = diffEntryMemory(known, fresh)
    if (change) this.changes.push(change)
    if (known.status === 'archived') this.statuses.push({ memory: known.id, status: 'active' })
  }

  #isInOtherTree(id: MemoryId): boolean {
    return this.#otherTreeStamps.some(
      ([path, stamp]) => stamp[1] === id && this.#store.files.mtimeMs(path) !== undefined,
    )
  }

  /** If the file of an entry went away in this tree, or its memory is not active, other trees read theirs again. */
  #keepOtherTreeStamps(): void {
    const others = new Map(this.#otherTreeStamps)
    const before = new Set(Object.entries(this.previousStamps).map(([path, [, id]]) => (others.has(path) ? '' : id)))
    for (const [path, [written, id, ...state]] of others) {
      if (this.#store.files.mtimeMs(path) === undefined) continue
      const known = id === '' ? undefined : this.#knownMemories.get(id)
      const isKept = known?.status === 'active' && (this.#fileByMemory.has(known.id) || !before.has(known.id))
      this.stamps[path] = [isKept ? written : -Math.abs(written), id, ...state]
    }
  }
}

export const entryFilePath = (store: Store, memory: Memory): string => entryPath(store, entrySourceOf(memory).file)

/** The memory of an entry in a file. `now` is the time of the sync, in milliseconds since 1970. */
export function memoryFromEntry(entry: Entry, file: EntryFile, now: number): Memory {
  const { layer, session } = file.dir
  const { key, content, tags } = sanitize({ key: entry.key, content: entry.content, tags: entry.tags })
  const since = new Date(now).toISOString()
  const entrySource: EntrySource = {
    layer,
    ...(session !== undefined && { session }),
    key,
    file: entryLabel(file),
    ...(entry.createdAt !== undefined && { created_at: entry.createdAt }),
    ...(entry.updatedAt !== undefined && { updated_at: entry.updatedAt }),
    since,
  }
  const memory = memoryFromInput({
    id: entryMemoryId(layer, session, key),
    content: entryMemoryContent(key, content),
    tags,
    contentType: 'text',
    retention: 'long_term',
    metadata: {},
    now: Date.parse(entry.createdAt ?? since),
  })
  return { ...memory, scope: layer === 'global' ? 'universal' : 'project', entrySource }
}

function diffEntryMemory(known: Memory, fresh: Memory): MemoryChange | undefined {
  const before = entrySourceOf(known)
  const entry = { ...entrySourceOf(fresh), since: before.since }
  const isSame =
    known.content === fresh.content &&
    JSON.stringify(known.tags) === JSON.stringify(fresh.tags) &&
    JSON.stringify(before) === JSON.stringify(entry)
  return isSame ? undefined : { memory: known.id, content: fresh.content, tags: fresh.tags, metadata: { entry } }
}
