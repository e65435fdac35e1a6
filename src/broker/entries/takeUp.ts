// Taking up: what entries' files say becomes what their memories say. Files are the truth of an entry, whoever wrote them: a tool, a
// hand, git. Only files written since they were last taken up are read. Law: a second time nothing is told.
import { type Broken, ENTRY_CHARS_MAX, type Layer } from '../../entries/entry.ts'
import { loggedEntry, sourceOf } from '../../entries/entrySource.ts'
import { isBroken, readEntry } from '../../entries/entryText.ts'
import { basesOf } from '../../entries/places.ts'
import { type EntryFile, entryFiles, type Stamps, stampsOf, UNSURE } from '../../entries/stamps.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory, MemoryChange } from '../../model/memory.ts'
import { writeJsonFile } from '../../store/json.ts'
import type { Desk } from '../desk.ts'
import type { Store } from '../store.ts'
import { labelOf, pathOf, staysInside, wasArchived } from './entryPath.ts'
import { changeBetween, memoryOfEntry } from './memoryOfEntry.ts'
import type { Scribe } from './scribe.ts'

/** A file larger than this is not read as an entry, in bytes: its front matter and a body of four-byte characters fit. */
const FILE_BYTES_MAX = 5 * ENTRY_CHARS_MAX

/** Memories told in one line of the log. */
const TOLD_AT_ONCE = 20

/** A file written so shortly before it was read may be written again in the same tick of the disk's clock, in milliseconds. */
const TICK_MS = 2_000

/** Takes up every entry's file that has changed, `touched` in any case. Says whether a memory has changed by it. */
export function takeUp(scribe: Scribe, touched?: string): boolean {
  const look = new Look(scribe.desk, scribe.now, touched)
  for (const file of look.files) look.at(file)
  look.missing()
  tell(scribe, look)
  const { store } = scribe.desk
  if (JSON.stringify(look.stamps) !== JSON.stringify(look.before)) {
    writeJsonFile(store.files, store.layout.entries, look.stamps)
  }
  return look.stored.length + look.changes.length + look.statuses.length + look.gone.length > 0
}

/** The layer's files that cannot be read as entries now. */
export function brokenEntries(desk: Desk, now: number, layer: Layer): readonly Broken[] {
  const look = new Look(desk, now, undefined)
  for (const file of look.files) if (file.place.layer === layer) look.at(file)
  return look.broken
}

function tell(scribe: Scribe, { stored, changes, statuses, gone }: Look): void {
  for (let from = 0; from < stored.length; from += TOLD_AT_ONCE)
    scribe.tell({ kind: 'memory.batch', stored: stored.slice(from, from + TOLD_AT_ONCE).map(loggedEntry), changes: [] })
  for (let from = 0; from < changes.length; from += TOLD_AT_ONCE)
    scribe.tell({ kind: 'memory.batch', stored: [], changes: changes.slice(from, from + TOLD_AT_ONCE) })
  if (statuses.length > 0) scribe.tell({ kind: 'memory.strengthened', changes: statuses })
  if (gone.length > 0) scribe.tell({ kind: 'memory.deleted', memories: gone })
}

/** Every entry's memory of a desk, in the archive or not. */
function entriesKnown(desk: Desk): Map<MemoryId, Memory> {
  return new Map([...desk.memories()].filter(([, memory]) => memory.entrySource))
}

/** One look at all files: what of it is new. */
class Look {
  readonly files: readonly EntryFile[]
  readonly before: Stamps
  readonly stamps: Record<string, Stamps[string]> = {}
  readonly broken: Broken[] = []
  readonly stored: Memory[] = []
  readonly changes: MemoryChange[] = []
  readonly statuses: { memory: MemoryId; status: 'active' | 'archived' }[] = []
  readonly gone: MemoryId[] = []

  readonly #store: Store
  readonly #known: ReadonlyMap<MemoryId, Memory>
  readonly #now: number
  readonly #touched: string | undefined
  /** By memory, the file that says it: of several the first, which is ours before others'. */
  readonly #sayers = new Map<MemoryId, EntryFile>()
  readonly #labels: ReadonlySet<string>
  /** Files that cannot be read: what they last said still holds. */
  readonly #unread = new Set<string>()

  constructor(desk: Desk, now: number, touched: string | undefined) {
    this.#store = desk.store
    this.#known = entriesKnown(desk)
    this.#now = now
    this.#touched = touched
    this.files = entryFiles(desk.store)
    this.before = stampsOf(desk.store)
    this.#labels = new Set(this.files.map(labelOf))
  }

  at(file: EntryFile): void {
    const stamp = this.before[file.path]
    if (stamp?.[0] === file.written && file.path !== this.#touched && this.#isAsKnown(stamp[1], file)) {
      this.#said(stamp[1], file)
      return
    }
    const read = this.#read(file)
    if (isBroken(read)) {
      this.broken.push(read)
      this.#unread.add(labelOf(file))
      return
    }
    const fresh = memoryOfEntry(read, file, this.#now)
    const known = this.#known.get(fresh.id)
    const sayer = this.#sayers.get(fresh.id) ?? this.#elderOf(known, file)
    if (sayer !== undefined && sayer.place.folder === file.place.folder) {
      const what = `it has the key of ${sayer.name}`
      this.broken.push({ file: file.path, line: 1, what, mend: 'Give one of them another key, or put them into one.' })
      return
    }
    this.#said(fresh.id, file)
    if (sayer !== undefined) return
    if (!known) this.stored.push(fresh)
    else this.#became(known, fresh)
  }

  /** What no file says any more: in the archive, in another work tree of the project, or gone. */
  missing(): void {
    // A project whose folder is not there has not deleted its entries.
    const { files, project } = this.#store
    const isHere = files.written(project.root) !== undefined
    for (const [id, memory] of this.#known) {
      const mark = sourceOf(memory)
      if (this.#sayers.has(id) || this.#unread.has(mark.file)) continue
      if (mark.layer === 'project' && !isHere) continue
      if (wasArchived(this.#store, mark)) {
        if (memory.status === 'active') this.statuses.push({ memory: id, status: 'archived' })
      } else if (!this.#isElsewhere(id)) this.gone.push(id)
    }
    this.#keepElsewhere()
  }

  #isAsKnown(id: MemoryId, file: EntryFile): boolean {
    if (this.#sayers.has(id)) return true
    const known = this.#known.get(id)
    return known?.status === 'active' && sourceOf(known).file === labelOf(file)
  }

  #said(id: MemoryId, file: EntryFile): void {
    if (!this.#sayers.has(id)) this.#sayers.set(id, file)
    const isSure = Math.abs(this.#now - file.written) > TICK_MS
    this.stamps[file.path] = [isSure ? file.written : UNSURE, id]
  }

  #read(file: EntryFile) {
    const { files } = this.#store
    if (!staysInside(this.#store, file.place, file.path)) {
      return {
        file: file.path,
        line: 1,
        what: 'it is a link that leads out of the project',
        mend: 'Put the file itself there.',
      }
    }
    const bytes = files.read(file.path) ?? Buffer.alloc(0)
    if (bytes.length > FILE_BYTES_MAX) {
      const what = `it has ${bytes.length} bytes`
      return { file: file.path, line: 1, what, mend: `Use at most ${FILE_BYTES_MAX}, or several entries.` }
    }
    return readEntry(bytes.toString('utf8'), file.path, file.name.slice(0, -'.md'.length))
  }

  /** The file that said it before, where that one is still there beside this one: a copy of it does not take its place. */
  #elderOf(known: Memory | undefined, file: EntryFile): EntryFile | undefined {
    const mark = known?.status === 'active' ? known.entrySource : undefined
    if (!mark || mark.file === labelOf(file) || !this.#labels.has(mark.file)) return undefined
    return this.files.find((one) => labelOf(one) === mark.file && one.place.folder === file.place.folder)
  }

  #became(known: Memory, fresh: Memory): void {
    const change = changeBetween(known, fresh)
    if (change) this.changes.push(change)
    if (known.status === 'archived') this.statuses.push({ memory: known.id, status: 'active' })
  }

  #elsewhere(): [string, Stamps[string]][] {
    const bases = basesOf(this.#store)
    return Object.entries(this.before).filter(([path]) => !bases.some((base) => path.startsWith(base)))
  }

  #isElsewhere(id: MemoryId): boolean {
    return this.#elsewhere().some(([path, stamp]) => stamp[1] === id && this.#store.files.written(path) !== undefined)
  }

  #keepElsewhere(): void {
    for (const [path, stamp] of this.#elsewhere()) {
      if (this.#store.files.written(path) !== undefined) this.stamps[path] = stamp
    }
  }
}

/** Where the file of an entry's memory lies on this machine. */
export const fileOf = (store: Store, memory: Memory): string => pathOf(store, sourceOf(memory).file)
