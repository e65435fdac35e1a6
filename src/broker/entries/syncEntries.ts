// Taking up: what entries' files say becomes what their memories say. Files are the truth of an entry, whoever wrote them: a tool, a
// hand, git. Only files written since they were last taken up are read. Law: a second time nothing is told.
import { ENTRY_CHARS_MAX, type EntryLayer, type InvalidEntry } from '../../entries/entry.ts'
import { listEntryRoots } from '../../entries/entryDirs.ts'
import { isInvalidEntry, parseEntry } from '../../entries/entryFormat.ts'
import { entryForLog, entrySourceOf } from '../../entries/entrySource.ts'
import {
  type EntryFile,
  listEntryFiles,
  type MtimeCache,
  RACY_MTIME,
  readMtimeCache,
} from '../../entries/mtimeCache.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory, MemoryChange } from '../../model/memory.ts'
import { writeJsonFile } from '../../store/disk/jsonFile.ts'
import type { LiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { diffEntryMemory, memoryFromEntry } from './entryMemory.ts'
import { entryLabel, entryPath, isFileArchived, isInsideProject } from './entryPaths.ts'
import type { EntryWriter } from './entryWriter.ts'

/** A file larger than this is not read as an entry, in bytes: its front matter and a body of four-byte characters fit. */
const FILE_BYTES_MAX = 5 * ENTRY_CHARS_MAX

/** Memories told in one line of the log. */
const TOLD_AT_ONCE = 20

/** A file written so shortly before it was read may be written again in the same tick of the disk's clock, in milliseconds. */
const TICK_MS = 2_000

/** Takes up every entry's file that has changed, `touched` in any case. Says whether a memory has changed by it. */
export function syncEntries(writer: EntryWriter, touched?: string): boolean {
  const look = new Look(writer.liveStore, writer.now, touched)
  for (const file of look.files) look.checkFile(file)
  look.findMissing()
  tell(writer, look)
  const { store } = writer.liveStore
  if (JSON.stringify(look.stamps) !== JSON.stringify(look.previousStamps)) {
    writeJsonFile(store.files, store.layout.entries, look.stamps)
  }
  return look.stored.length + look.changes.length + look.statuses.length + look.deleted.length > 0
}

/** The layer's files that cannot be read as entries now. */
export function listInvalidEntries(liveStore: LiveStore, now: number, layer: EntryLayer): readonly InvalidEntry[] {
  const look = new Look(liveStore, now, undefined)
  for (const file of look.files) if (file.dir.layer === layer) look.checkFile(file)
  return look.invalid
}

function tell(writer: EntryWriter, { stored, changes, statuses, deleted }: Look): void {
  for (let from = 0; from < stored.length; from += TOLD_AT_ONCE)
    writer.commit({
      kind: 'memory.batch',
      stored: stored.slice(from, from + TOLD_AT_ONCE).map(entryForLog),
      changes: [],
    })
  for (let from = 0; from < changes.length; from += TOLD_AT_ONCE)
    writer.commit({ kind: 'memory.batch', stored: [], changes: changes.slice(from, from + TOLD_AT_ONCE) })
  if (statuses.length > 0) writer.commit({ kind: 'memory.strengthened', changes: statuses })
  if (deleted.length > 0) writer.commit({ kind: 'memory.deleted', memories: deleted })
}

/** Every entry's memory of a desk, in the archive or not. */
function listKnownEntries(liveStore: LiveStore): Map<MemoryId, Memory> {
  return new Map([...liveStore.memories()].filter(([, memory]) => memory.entrySource))
}

/** One look at all files: what of it is new. */
class Look {
  readonly files: readonly EntryFile[]
  readonly previousStamps: MtimeCache
  readonly stamps: Record<string, MtimeCache[string]> = {}
  readonly invalid: InvalidEntry[] = []
  readonly stored: Memory[] = []
  readonly changes: MemoryChange[] = []
  readonly statuses: { memory: MemoryId; status: 'active' | 'archived' }[] = []
  readonly deleted: MemoryId[] = []

  readonly #store: Store
  readonly #knownMemories: ReadonlyMap<MemoryId, Memory>
  readonly #now: number
  readonly #touched: string | undefined
  /** By memory, the file that says it: of several the first, which is ours before others'. */
  readonly #fileByMemory = new Map<MemoryId, EntryFile>()
  readonly #labels: ReadonlySet<string>
  /** Files that cannot be read: what they last said still holds. */
  readonly #unreadable = new Set<string>()

  constructor(liveStore: LiveStore, now: number, touched: string | undefined) {
    this.#store = liveStore.store
    this.#knownMemories = listKnownEntries(liveStore)
    this.#now = now
    this.#touched = touched
    this.files = listEntryFiles(liveStore.store)
    this.previousStamps = readMtimeCache(liveStore.store)
    this.#labels = new Set(this.files.map(entryLabel))
  }

  checkFile(file: EntryFile): void {
    const stamp = this.previousStamps[file.path]
    if (stamp?.[0] === file.mtimeMs && file.path !== this.#touched && this.#isAsKnown(stamp[1], file)) {
      this.#assignFile(stamp[1], file)
      return
    }
    const read = this.#read(file)
    if (isInvalidEntry(read)) {
      this.invalid.push(read)
      this.#unreadable.add(entryLabel(file))
      return
    }
    const fresh = memoryFromEntry(read, file, this.#now)
    const known = this.#knownMemories.get(fresh.id)
    const sayer = this.#fileByMemory.get(fresh.id) ?? this.#findOriginal(known, file)
    if (sayer !== undefined && sayer.dir.folder === file.dir.folder) {
      const what = `it has the key of ${sayer.name}`
      this.invalid.push({ file: file.path, line: 1, what, hint: 'Give one of them another key, or put them into one.' })
      return
    }
    this.#assignFile(fresh.id, file)
    if (sayer !== undefined) return
    if (!known) this.stored.push(fresh)
    else this.#recordChange(known, fresh)
  }

  /** What no file says any more: in the archive, in another work tree of the project, or gone. */
  findMissing(): void {
    // A project whose folder is not there has not deleted its entries.
    const { files, project } = this.#store
    const isHere = files.mtimeMs(project.root) !== undefined
    for (const [id, memory] of this.#knownMemories) {
      const mark = entrySourceOf(memory)
      if (this.#fileByMemory.has(id) || this.#unreadable.has(mark.file)) continue
      if (mark.layer === 'project' && !isHere) continue
      if (isFileArchived(this.#store, mark)) {
        if (memory.status === 'active') this.statuses.push({ memory: id, status: 'archived' })
      } else if (!this.#isInOtherTree(id)) this.deleted.push(id)
    }
    this.#keepOtherTreeStamps()
  }

  #isAsKnown(id: MemoryId, file: EntryFile): boolean {
    if (this.#fileByMemory.has(id)) return true
    const known = this.#knownMemories.get(id)
    return known?.status === 'active' && entrySourceOf(known).file === entryLabel(file)
  }

  #assignFile(id: MemoryId, file: EntryFile): void {
    if (!this.#fileByMemory.has(id)) this.#fileByMemory.set(id, file)
    const isSure = Math.abs(this.#now - file.mtimeMs) > TICK_MS
    this.stamps[file.path] = [isSure ? file.mtimeMs : RACY_MTIME, id]
  }

  #read(file: EntryFile) {
    const { files } = this.#store
    if (!isInsideProject(this.#store, file.dir, file.path)) {
      return {
        file: file.path,
        line: 1,
        what: 'it is a link that leads out of the project',
        hint: 'Put the file itself there.',
      }
    }
    const bytes = files.read(file.path) ?? Buffer.alloc(0)
    if (bytes.length > FILE_BYTES_MAX) {
      const what = `it has ${bytes.length} bytes`
      return { file: file.path, line: 1, what, hint: `Use at most ${FILE_BYTES_MAX}, or several entries.` }
    }
    return parseEntry(bytes.toString('utf8'), file.path, file.name.slice(0, -'.md'.length))
  }

  /** The file that said it before, where that one is still there beside this one: a copy of it does not take its place. */
  #findOriginal(known: Memory | undefined, file: EntryFile): EntryFile | undefined {
    const mark = known?.status === 'active' ? known.entrySource : undefined
    if (!mark || mark.file === entryLabel(file) || !this.#labels.has(mark.file)) return undefined
    return this.files.find((one) => entryLabel(one) === mark.file && one.dir.folder === file.dir.folder)
  }

  #recordChange(known: Memory, fresh: Memory): void {
    const change = diffEntryMemory(known, fresh)
    if (change) this.changes.push(change)
    if (known.status === 'archived') this.statuses.push({ memory: known.id, status: 'active' })
  }

  #otherTreeStamps(): [string, MtimeCache[string]][] {
    const bases = listEntryRoots(this.#store)
    return Object.entries(this.previousStamps).filter(([path]) => !bases.some((base) => path.startsWith(base)))
  }

  #isInOtherTree(id: MemoryId): boolean {
    return this.#otherTreeStamps().some(
      ([path, stamp]) => stamp[1] === id && this.#store.files.mtimeMs(path) !== undefined,
    )
  }

  #keepOtherTreeStamps(): void {
    for (const [path, stamp] of this.#otherTreeStamps()) {
      if (this.#store.files.mtimeMs(path) !== undefined) this.stamps[path] = stamp
    }
  }
}

/** Where the file of an entry's memory lies on this machine. */
export const entryFilePath = (store: Store, memory: Memory): string => entryPath(store, entrySourceOf(memory).file)
