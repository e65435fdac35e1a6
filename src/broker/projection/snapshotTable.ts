// The memories of a snapshot, each read when a lookup needs it: a refresh in a store of 100,000 memories needs some
// hundred of them, and reading all takes seconds.
//
// Rows are read as a whole, texts one by one. Each lookup first reads what it may return, so its result is that of a
// table with all memories. Iterating gives only what has been read.
import type { MemoryId } from '../../model/id.ts'
import { KNOWLEDGE_KINDS, MEMORY_KINDS, MEMORY_STATUSES, type Memory, type MemoryKind } from '../../model/memory.ts'
import { MemoryTable } from '../../organize/memoryTable.ts'
import type { OpenFile } from '../../store/disk/files.ts'
import { type IndexSegment, openIndexSegment } from '../../store/index/indexSegment.ts'
import type { Manifest, SegmentEntry } from '../../store/snapshot/manifest.ts'
import {
  applyRow,
  createdMsOfRow,
  idOfRow,
  idPrefixOfRow,
  kindOfRow,
  ROW_BYTES,
  rankOfRow,
  statusOfRow,
  textOfRow,
} from '../../store/snapshot/memoryRow.ts'
import { readSegmentRows, type StoredMemory, toDataView } from '../../store/snapshot/snapshotReader.ts'
import { isoTime } from '../../text/isoTime.ts'
import type { Store } from '../open/openStore.ts'

interface Segment {
  readonly entry: SegmentEntry
  readonly rows: DataView
  readonly text: OpenFile
  /** Of active memories only. */
  readonly index: IndexSegment | undefined
}

/** Document numbers are in the low 24 bits of a posting. */
const DOCUMENT_MASK = 0xffffff

const ACTIVE = MEMORY_STATUSES.indexOf('active')

export class SnapshotTable extends MemoryTable {
  readonly #segments: readonly Segment[]
  /** Places in the snapshot of what has been read, with the memory as it is there. */
  readonly placements = new Map<MemoryId, StoredMemory>()
  readonly #deleted = new Set<MemoryId>()
  /** Rows by the first 32 bits of their ids, numbered over all segments. */
  #rowsByPrefix: Map<number, number[]> | undefined
  #isReading = false

  constructor(segments: readonly Segment[]) {
    super()
    this.#segments = segments
  }

  close(): void {
    for (const { text, index } of this.#segments) {
      text.close()
      index?.close()
    }
  }

  override get(id: MemoryId): Memory | undefined {
    const known = super.get(id)
    if (known || this.#isReading || this.#deleted.has(id)) return known
    for (const place of this.#prefixes().get(Number.parseInt(id.slice(0, 8), 16)) ?? []) {
      const memory = this.#read(place)
      if (memory.id === id) return memory
    }
    return undefined
  }

  override has(id: MemoryId): boolean {
    return this.get(id) !== undefined
  }

  override set(id: MemoryId, memory: Memory): this {
    if (!this.#isReading) this.#deleted.delete(id)
    return super.set(id, memory)
  }

  override delete(id: MemoryId): boolean {
    const memory = this.get(id) // Read first, so that its place is known.
    this.#deleted.add(id)
    return memory !== undefined && super.delete(id)
  }

  override listRecent(kind: MemoryKind, limit: number, except: ReadonlySet<string>): Memory[] {
    const wanted = this.#find((rows, row) => kindOfRow(rows, row) === MEMORY_KINDS.indexOf(kind))
    // Deleted and excluded ones take no place of others.
    const count = limit + except.size + this.#deleted.size
    this.#readAll(wanted.sort((a, b) => this.#createdMs(b) - this.#createdMs(a)).slice(0, count))
    return super.listRecent(kind, limit, except)
  }

  override findByFilesOrErrors(files: Iterable<string>, errors: Iterable<string>): Memory[] {
    const [fileList, errorList] = [[...files], [...errors]]
    this.#readIndexed([...fileList.map((file) => `f:${file}`), ...errorList.map((error) => `e:${error}`)])
    return super.findByFilesOrErrors(fileList, errorList)
  }

  override listKnowledge(): Memory[] {
    this.#readKinds(...KNOWLEDGE_KINDS)
    return super.listKnowledge()
  }

  override listCreated(kind: MemoryKind): string[] {
    const number = MEMORY_KINDS.indexOf(kind)
    const unread = this.#find((rows, row) => kindOfRow(rows, row) === number).filter((place) => {
      const id = this.#at(place, idOfRow)
      return !super.has(id) && !this.#deleted.has(id)
    })
    return [...super.listCreated(kind), ...unread.map((place) => isoTime(this.#createdMs(place)))]
  }

  #prefixes(): ReadonlyMap<number, readonly number[]> {
    if (this.#rowsByPrefix) return this.#rowsByPrefix
    const byPrefix = new Map<number, number[]>()
    for (const place of this.#find(() => true)) {
      const prefix = this.#at(place, idPrefixOfRow)
      const places = byPrefix.get(prefix)
      if (places) places.push(place)
      else byPrefix.set(prefix, [place])
    }
    this.#rowsByPrefix = byPrefix
    return byPrefix
  }

  #readKinds(...kinds: readonly MemoryKind[]): void {
    const numbers = kinds.map((kind) => MEMORY_KINDS.indexOf(kind))
    this.#readAll(
      this.#find((rows, row) => statusOfRow(rows, row) === ACTIVE && numbers.includes(kindOfRow(rows, row))),
    )
  }

  /** Reads the active memories with any of these index terms. */
  #readIndexed(terms: readonly string[], kind?: number): void {
    let first = 0
    for (const { index, rows, entry } of this.#segments) {
      for (const hit of index?.findTerms(terms) ?? []) {
        if (!index || !hit) continue
        for (const posting of index.postings(hit)) {
          const row = posting & DOCUMENT_MASK
          if (kind === undefined || kindOfRow(rows, row) === kind) this.#readAll([first + row])
        }
      }
      first += entry.memories
    }
  }

  #readAll(places: readonly number[]): void {
    for (const place of places) {
      const id = this.#at(place, idOfRow)
      if (!this.placements.has(id)) this.#read(place)
    }
  }

  /** Reads a memory; one that was changed or deleted since stays as it is. */
  #read(place: number): Memory {
    const { entry, rows, text } = this.#segmentAt(place)
    const row = this.#rowAt(place)
    const { at, bytes } = textOfRow(rows, row)
    const memory = applyRow(JSON.parse(text.readAt(at, bytes).toString('utf8')) as Memory, rows, row)
    const known = this.placements.get(memory.id)
    if (known) return known.memory
    this.placements.set(memory.id, { memory, segment: entry.name, row, rank: rankOfRow(rows, row) })
    if (this.#deleted.has(memory.id) || super.get(memory.id)) return memory
    this.#isReading = true
    super.set(memory.id, memory)
    this.#isReading = false
    return memory
  }

  /** The places for which `isWanted` holds. */
  #find(isWanted: (rows: DataView, row: number) => boolean): number[] {
    const places: number[] = []
    let first = 0
    for (const { entry, rows } of this.#segments) {
      for (let row = 0; row < entry.memories; row++) if (isWanted(rows, row)) places.push(first + row)
      first += entry.memories
    }
    return places
  }

  #segmentAt(place: number): Segment {
    let last = 0
    for (const segment of this.#segments) {
      last += segment.entry.memories
      if (place < last) return segment
    }
    throw new RangeError(`There is no row ${place}`)
  }

  #rowAt(place: number): number {
    const [first] = this.#segments
    return first && place >= first.entry.memories ? place - first.entry.memories : place
  }

  #at<T>(place: number, read: (rows: DataView, row: number) => T): T {
    return read(this.#segmentAt(place).rows, this.#rowAt(place))
  }

  #createdMs(place: number): number {
    return this.#at(place, createdMsOfRow)
  }
}

/** Opens the segments of a snapshot, active memories first; undefined if a file is missing. Close the table. */
export function openSnapshotTable({ files, layout }: Store, { segments }: Manifest): SnapshotTable | undefined {
  const opened: Segment[] = []
  for (const entry of segments) {
    const text = files.open(`${layout.segments}/${entry.name}.txt`)
    const rows = readSegmentRows(files, layout.segments, entry)
    const index = entry.archive ? undefined : openIndexSegment(files, `${layout.segments}/${entry.name}.idx`)
    if (text && (index || entry.archive) && rows?.length === entry.memories * ROW_BYTES)
      opened.push({ entry, rows: toDataView(rows), text, index })
    else {
      new SnapshotTable(opened).close()
      for (const file of [text, index]) file?.close()
      return undefined
    }
  }
  return new SnapshotTable(opened)
}
