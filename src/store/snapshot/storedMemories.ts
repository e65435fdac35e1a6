// The memories of a snapshot, each read when it is needed. Opening them reads the rows; a text is read, and compared
// with its checksum, when its memory is used first.
//
// A place is the number of a row among those of all segments. What an earlier version wrote is read as a whole: its
// rows do not say enough of the texts. They do in memory then, and the next save writes them.
import type { MemoryId } from '../../model/id.ts'
import type { KnowledgeLine } from '../../model/knowledge.ts'
import { runToEnd } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import type { MemoryHead } from '../../model/memoryHead.ts'
import { hash64 } from '../../text/hash.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import { checksum } from '../disk/jsonFile.ts'
import { openIndexSegment } from '../index/indexSegment.ts'
import { assertSegmentUnchanged, changedFileError, type SegmentEntry } from './manifest.ts'
import {
  applyRow,
  describeText,
  idHashOfRow,
  idOfRow,
  LazyMemoryRow,
  NO_NAMES,
  ROW_BYTES,
  rankOfRow,
  TEXT_FLAGS,
  textFlagsOfRow,
  textOfRow,
} from './memoryRow.ts'
import { readSegmentRows, toDataView, type Upgrade } from './snapshotReader.ts'

/** Where a memory is stored: its place, and the row of a segment. `rank` is its position in the order of creation. */
export interface Placement {
  readonly place: number
  readonly segment: string
  readonly row: number
  readonly rank: number
}

export interface StoredSegment {
  readonly name: string
  readonly rows: DataView
  readonly bytes: Buffer
  /** Whether the rows on disk are those of an earlier version. */
  readonly isUpgraded: boolean
  /** Whether there is a memory, which is not out of date. */
  has(row: number): boolean
  load(row: number): Memory
  /** Its line as it is on disk, and the fields of its row. Throws STORE_INVALID if the line has changed. */
  read(row: number): { readonly line: Buffer; readonly fields: Buffer }
}

/** A segment with its rows, and its file of texts. */
interface OpenTexts {
  readonly entry: SegmentEntry
  /** The place of its first row. */
  readonly first: number
  readonly rows: Buffer
  readonly view: DataView
  readonly removed: ReadonlySet<number>
  readonly text: OpenFile
  isUpgraded: boolean
  /** Bytes of the text that were read last: all memories are read in this order. */
  window: { readonly from: number; readonly bytes: Buffer }
}

const WINDOW_BYTES = 65_536
const NO_WINDOW = { from: 0, bytes: Buffer.alloc(0) }

/** Texts stay open as long as their memories are used: a writer may remove the files meanwhile. */
const openTexts = new FinalizationRegistry<OpenFile>((text) => text.close())

/** What encloses the first part of an entry of knowledge in a text. */
const [LINE_START, LINE_END] = ['"knowledge":{', ',"record":{']

/** The checksum of a line as rows have it. */
export const sumOfLine = (line: Buffer): number => checksum(line) || 1

/** The memories of some segments by place and id. */
export class StoredMemories {
  readonly #files: Files
  readonly #folder: string
  readonly #upgrade: Upgrade
  readonly #segments: OpenTexts[] = []
  readonly #read = new Map<number, Memory>()
  readonly #heads: (StoredHead | undefined)[]
  /** The places of memories that only their texts name, and of those with the hash of another one. */
  readonly #otherIds = new Map<string, number>()
  #count = 0
  #order: Float64Array | undefined
  #byHash: ReadonlyMap<number, number> | undefined

  /** Throws STORE_INVALID if rows are missing or changed, or a text is missing. */
  constructor(files: Files, folder: string, entries: readonly SegmentEntry[], upgrade: Upgrade) {
    this.#files = files
    this.#folder = folder
    this.#upgrade = upgrade
    for (const entry of entries) this.#open(entry)
    this.#heads = new Array(this.#count)
  }

  #open(entry: SegmentEntry): void {
    const rows = readSegmentRows(this.#files, this.#folder, entry)
    const text = this.#files.open(`${this.#folder}/${entry.name}.txt`)
    if (text) openTexts.register(this, text)
    if (!text || rows?.length !== entry.memories * ROW_BYTES) throw changedFileError(`${this.#folder}/${entry.rows}`)
    runToEnd(assertSegmentUnchanged(this.#files, this.#folder, entry, true))
    const [view, first] = [toDataView(rows), this.#count]
    const removed = new Set(entry.removed)
    const segment: OpenTexts = { entry, first, rows, view, removed, text, isUpgraded: false, window: NO_WINDOW }
    this.#segments.push(segment)
    this.#count += entry.memories
    for (let row = 0; row < entry.memories; row++) {
      const isEarlier = textOfRow(view, row).sum === 0
      if (removed.has(row) || !(isEarlier || hasOtherId(view, row))) continue
      const memory = this.load(first + row)
      if (isEarlier) describeText(view, row, memory, sumOfLine(this.#readLine(segment, row)))
      segment.isUpgraded ||= isEarlier
      if (hasOtherId(view, row)) this.#otherIds.set(memory.id, first + row)
    }
  }

  /** The segment of this name, with all changes of its rows since their file was written. */
  segment(name: string): StoredSegment | undefined {
    const segment = this.#segments.find(({ entry }) => entry.name === name)
    if (!segment) return undefined
    const { rows, view, removed, first, entry } = segment
    const has = (row: number): boolean => row >= 0 && row < entry.memories && !removed.has(row)
    const load = (row: number): Memory => this.load(first + row)
    const read: StoredSegment['read'] = (row) => ({
      line: this.#readIntact(segment, row),
      fields: rows.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES),
    })
    return { name, bytes: rows, rows: view, isUpgraded: segment.isUpgraded, has, load, read }
  }

  find(id: MemoryId): number | undefined {
    this.#byHash ??= this.#indexIds()
    const place = this.#byHash.get(hashOfId(id))
    return place !== undefined && this.#idAt(place) === id ? place : this.#otherIds.get(id)
  }

  places(): Iterable<number> & { readonly length: number } {
    this.#order ??= this.#sortPlaces()
    return this.#order
  }

  load(place: number, keeps = true): Memory {
    const known = this.#read.get(place)
    if (known) return known
    const { segment, row } = this.#at(place)
    const text = JSON.parse(this.#readIntact(segment, row).toString('utf8')) as Memory
    const memory = applyRow(this.#upgrade(text), segment.view, row)
    if (keeps) this.#read.set(place, memory)
    return memory
  }

  /** What its entry of knowledge says, without the rest: most of the text is not read. */
  lineAt(place: number): KnowledgeLine | undefined {
    const known = this.#read.get(place)
    if (known) return known.knowledge
    const { segment, row } = this.#at(place)
    const text = this.#readIntact(segment, row)
    const start = text.indexOf(LINE_START)
    const end = text.indexOf(LINE_END, start)
    const isOnly = start !== -1 && end !== -1 && start === text.lastIndexOf(LINE_START)
    const line = isOnly && JSON.parse(`{${text.toString('utf8', start + LINE_START.length, end)}}`)
    return line?.author && line.line && line.when ? line : this.load(place).knowledge
  }

  /** The memories that were read, by place. */
  listRead(): Iterable<readonly [place: number, memory: Memory]> {
    return this.#read
  }

  /** What this process has saved, so that it is not read again. */
  keep(memory: Memory): void {
    const place = this.find(memory.id)
    if (place !== undefined) this.#read.set(place, memory)
  }

  headAt(place: number): MemoryHead {
    const known = this.#heads[place]
    if (known) return known
    const { segment, row } = this.#at(place)
    const head = new StoredHead(segment.view, row, place, this)
    this.#heads[place] = head
    return head
  }

  orderAt(place: number): number {
    const { segment, row } = this.#at(place)
    return rankOfRow(segment.view, row) * this.#count + place
  }

  placementAt(place: number): Placement {
    const { segment, row } = this.#at(place)
    return { place, segment: segment.entry.name, row, rank: rankOfRow(segment.view, row) }
  }

  findByTerms(terms: readonly string[], share = 0): number[] {
    const hashes = terms.map(hash64)
    return this.#segments.flatMap(({ entry, first, removed }) => {
      const index = openIndexSegment(this.#files, `${this.#folder}/${entry.name}.idx`)
      const isIn = (place: number): boolean => !removed.has(place - first)
      // A writer has replaced it meanwhile.
      if (!index) return Array.from({ length: entry.memories }, (_, row) => first + row).filter(isIn)
      try {
        const counts = new Map<number, number>()
        for (const hit of index.findTerms(hashes)) {
          for (const posting of hit ? index.postings(hit) : []) {
            const place = first + (posting & 0xffffff)
            counts.set(place, (counts.get(place) ?? 0) + 1)
          }
        }
        return [...counts].flatMap(([place, count]) => (isIn(place) && count / terms.length >= share ? place : []))
      } finally {
        index.close()
      }
    })
  }

  #at(place: number): { readonly segment: OpenTexts; readonly row: number } {
    const segment = this.#segments.findLast(({ first }) => first <= place)
    if (!segment || place >= this.#count) throw new RangeError(`There is no place ${place}`)
    return { segment, row: place - segment.first }
  }

  #idAt(place: number): MemoryId {
    const { segment, row } = this.#at(place)
    return idOfRow(segment.view, row)
  }

  #readIntact(segment: OpenTexts, row: number): Buffer {
    const { sum } = textOfRow(segment.view, row)
    const line = this.#readLine(segment, row)
    if (sum !== 0 && sumOfLine(line) !== sum) throw changedFileError(`${this.#folder}/${segment.entry.name}.txt`)
    return line
  }

  #readLine(segment: OpenTexts, row: number): Buffer {
    const { at, bytes } = textOfRow(segment.view, row)
    const { from, bytes: known } = segment.window
    const end = from + known.length
    if (at < from || at + bytes >= end) {
      // Of texts that are read one after the other many are read at once, with those between them.
      const isNext = at >= from && at <= end + WINDOW_BYTES && end > 0
      segment.window = {
        from: at,
        bytes: segment.text.readAt(at, isNext ? Math.max(bytes + 1, WINDOW_BYTES) : bytes + 1),
      }
    }
    const start = at - segment.window.from
    return segment.window.bytes.subarray(start, start + bytes + 1)
  }

  /** Calls `visit` for every row that is not out of date. */
  #visitRows(visit: (rows: DataView, row: number, place: number) => void): void {
    for (const { entry, removed, view, first } of this.#segments) {
      for (let row = 0; row < entry.memories; row++) if (!removed.has(row)) visit(view, row, first + row)
    }
  }

  #sortPlaces(): Float64Array {
    const keys = new Float64Array(this.#count)
    let count = 0
    // A rank and a place in one number: numbers are sorted much faster than pairs.
    this.#visitRows((rows, row, place) => {
      keys[count++] = rankOfRow(rows, row) * this.#count + place
    })
    return keys
      .subarray(0, count)
      .sort()
      .map((key) => key % this.#count)
  }

  #indexIds(): ReadonlyMap<number, number> {
    const places = new Map<number, number>()
    this.#visitRows((rows, row, place) => {
      const hash = idHashOfRow(rows, row)
      if (!places.has(hash)) places.set(hash, place)
      else if (!hasOtherId(rows, row)) this.#otherIds.set(idOfRow(rows, row), place)
    })
    return places
  }
}

/** What a row says of a memory. Of one that was read the memory says it: the row may be one of an earlier version. */
class StoredHead extends LazyMemoryRow implements MemoryHead {
  readonly #place: number
  readonly #source: StoredMemories

  constructor(rows: DataView, row: number, place: number, source: StoredMemories) {
    super(rows, row, NO_NAMES)
    this.#place = place
    this.#source = source
  }

  override get id(): MemoryId {
    return hasOtherId(this.rows, this.row) ? this.load().id : super.id
  }
  get idStart(): number {
    return this.rows.getInt32(this.at + 112)
  }
  get createdMs(): number {
    return this.rows.getFloat64(this.at + 144)
  }
  get hasKnowledge(): boolean {
    return this.#hasFlag(TEXT_FLAGS.knowledge)
  }
  get isOfPerson(): boolean {
    return this.#hasFlag(TEXT_FLAGS.ofPerson)
  }
  get isSuperseded(): boolean {
    return this.#hasFlag(TEXT_FLAGS.superseded)
  }
  get isRequested(): boolean {
    return this.#hasFlag(TEXT_FLAGS.requested)
  }

  load(keeps?: boolean): Memory {
    return this.#source.load(this.#place, keeps)
  }

  readLine(): KnowledgeLine | undefined {
    return this.#source.lineAt(this.#place)
  }

  #hasFlag(flag: number): boolean {
    return (textFlagsOfRow(this.rows, this.row) & flag) !== 0
  }
}

const hasOtherId = (rows: DataView, row: number): boolean => (textFlagsOfRow(rows, row) & TEXT_FLAGS.otherId) !== 0

/** The same as `idHashOfRow`. */
const hashOfId = (id: MemoryId): number => Number.parseInt(id.slice(0, 8), 16) ^ Number.parseInt(id.slice(-8), 16)
