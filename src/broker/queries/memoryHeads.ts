// The memories of a project as heads: their rows, with the text of each read when it is needed. A list of thirty
// memories, or one by its id, reads thirty texts or one, however many memories there are.
import { type Memory, TIERS } from '../../model/memory.ts'
import type { OpenFile } from '../../store/disk/files.ts'
import { type Manifest, type SegmentEntry, STORE_VERSION } from '../../store/snapshot/manifest.ts'
import {
  applyRow,
  createdMsOfRow,
  ROW_BYTES,
  readMemoryRow,
  textOfRow,
  tierOfRow,
} from '../../store/snapshot/memoryRow.ts'
import { readSegmentRows, type SnapshotReader, toDataView } from '../../store/snapshot/snapshotReader.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { hasTailChanges, openLiveStore } from '../live/liveStore.ts'
import { openCurrentReader, type Store } from '../open/openStore.ts'

/** What lists filter and sort by. Its session may be only a hash: see memoryRow.ts. */
export interface MemoryHead
  extends Pick<Memory, 'id' | 'kind' | 'status' | 'privacy' | 'tier' | 'importance' | 'strength' | 'help'> {
  /** Milliseconds since 1970. */
  readonly updatedMs: number
  readonly createdMs: number
  /** The complete memory. */
  load(): Memory
}

export interface MemoryHeads {
  /** Every memory that the log has now, and what open sessions have learned, in no order. */
  readonly all: readonly MemoryHead[]
  /**
   * The complete memories with one of these texts in their JSON, and maybe others; with `isActive` no archived ones.
   */
  listContaining(json: readonly string[], scope: { readonly isActive?: boolean }): readonly Memory[]
}

/** Gives what `read` makes of the memories that may be listed here. Heads must not be loaded after it. */
export function withMemoryHeads<T>(store: Store, read: (heads: MemoryHeads) => T): T {
  const reader = hasTailChanges(store) ? undefined : openCurrentReader(store)
  if (!reader) return read(headsOfMemories(store, openLiveStore(store).memories().values()))
  const segments = openHeadSegments(store, reader)
  try {
    return read(segments ? headsOfSegments(store, segments) : headsOfMemories(store, reader.allMemories()))
  } finally {
    for (const { text } of segments ?? []) text.close()
    reader.close()
  }
}

function headsOfMemories(store: Store, memories: Iterable<Memory>): MemoryHeads {
  const listed = [...memories].filter((memory) => mayList(store, memory))
  return { all: listed.map(headOfMemory), listContaining: () => listed }
}

const headOfMemory = (memory: Memory): MemoryHead => ({
  ...memory,
  updatedMs: Date.parse(memory.updated),
  createdMs: Date.parse(memory.created),
  load: () => memory,
})

const mayList = (store: Store, { privacy }: Pick<Memory, 'privacy'>): boolean =>
  !store.isForSession || privacy === 'public'

interface HeadSegment {
  readonly isArchive: boolean
  readonly rows: DataView
  readonly count: number
  readonly text: OpenFile
  readonly isIn: (row: number) => boolean
}

/** The segments that the reader reads, and the archive; undefined if a writer has replaced one, or it is an old one. */
function openHeadSegments(
  { files, layout }: Store,
  { manifest, ...reader }: SnapshotReader,
): HeadSegment[] | undefined {
  if (manifest.version < STORE_VERSION) return undefined
  const active = listActive(manifest).slice(0, reader.docCounts.length)
  const segments: HeadSegment[] = []
  for (const entry of [...active, ...manifest.segments.filter(({ archive }) => archive)]) {
    const text = files.open(`${layout.segments}/${entry.name}.txt`)
    const rows = readSegmentRows(files, layout.segments, entry)
    if (!text || rows?.length !== entry.memories * ROW_BYTES) {
      for (const file of [text, ...segments.map((segment) => segment.text)]) file?.close()
      return undefined
    }
    const segment = active.indexOf(entry)
    const isArchive = segment === -1
    const removed = new Set(isArchive ? entry.removed : [])
    const isIn = (row: number): boolean => (isArchive ? !removed.has(row) : reader.hasDoc({ segment, doc: row }))
    segments.push({ isArchive, rows: toDataView(rows), count: entry.memories, text, isIn })
  }
  return segments
}

/** In the order of the reader's documents. */
const listActive = ({ segments, recent }: Manifest): readonly SegmentEntry[] => [
  ...segments.filter(({ archive }) => !archive),
  ...(recent && recent.memories > 0 ? [recent] : []),
]

function headsOfSegments(store: Store, segments: readonly HeadSegment[]): MemoryHeads {
  const all: MemoryHead[] = []
  for (const segment of segments) {
    for (let row = 0; row < segment.count; row++) {
      if (!segment.isIn(row)) continue
      const head = headOfRow(segment, row)
      if (mayList(store, head)) all.push(head)
    }
  }
  return {
    all,
    listContaining(json, { isActive }) {
      const searched = segments.filter(({ isArchive }) => !(isActive && isArchive))
      return searched.flatMap((segment) => findContaining(segment, json)).filter((memory) => mayList(store, memory))
    },
  }
}

function findContaining({ text, rows, count, isIn }: HeadSegment, json: readonly string[]): Memory[] {
  const bytes = text.readAt(0, text.size)
  const starts = new Set<number>()
  for (const part of json) {
    for (let hit = bytes.indexOf(part); hit !== -1; ) {
      starts.add(bytes.lastIndexOf(NEWLINE, hit) + 1)
      const end = bytes.indexOf(NEWLINE, hit)
      hit = end === -1 || end + 1 >= bytes.length ? -1 : bytes.indexOf(part, end + 1)
    }
  }
  const found: Memory[] = []
  for (let row = 0; starts.size > 0 && row < count; row++) {
    const place = textOfRow(rows, row)
    if (starts.has(place.at) && isIn(row))
      found.push(parseMemory(bytes.subarray(place.at, place.at + place.bytes), rows, row))
  }
  return found
}

const parseMemory = (json: Buffer, rows: DataView, row: number): Memory =>
  applyRow(upgradeMemory(JSON.parse(json.toString('utf8')) as Memory), rows, row)

const NEWLINE = 0x0a
const NO_NAMES: ReadonlyMap<number, string> = new Map()

/** The head in a row of a segment. */
function headOfRow({ text, rows }: HeadSegment, row: number): MemoryHead {
  const { id, kind, status, privacy, importance, strength, help, updatedMs } = readMemoryRow(rows, row, NO_NAMES)
  return {
    id,
    kind,
    status,
    privacy,
    importance,
    strength,
    help,
    updatedMs,
    tier: TIERS[tierOfRow(rows, row)] ?? 'cold',
    createdMs: createdMsOfRow(rows, row),
    load() {
      const { at, bytes } = textOfRow(rows, row)
      return parseMemory(text.readAt(at, bytes), rows, row)
    },
  }
}
