// Reads the current snapshot without a lock: the manifest, then parts of the files it names. Events after it are the
// caller's.
//
// Made for short-lived processes: a few positional reads, and nothing is loaded before it is needed.
import { type Bm25, USUAL_BM25 } from '../../model/bm25.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { hash64 } from '../../text/hash.ts'
import { isCjkTerm } from '../../text/terms/extractTerms.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import type { StoreLayout } from '../disk/paths.ts'
import { readJson } from '../disk/readJson.ts'
import { type ExpansionQuery, type QueryScores, type QueryTerm, scoreDocuments } from '../index/bm25.ts'
import { type IndexSegment, openExpandedSegment } from '../index/indexSegment.ts'
import type { LogPosition } from '../log/eventLog.ts'
import {
  coveredPosition,
  type Manifest,
  NO_MANIFEST,
  type RecentSegment,
  type SegmentEntry,
  STORE_VERSION,
} from './manifest.ts'
import {
  answerTypesOfRow,
  applyRow,
  conversationOfRow,
  type MemoryRow,
  type NamesByHash,
  openPatch,
  ROW_BYTES,
  type RowPatch,
  readMemoryRow,
  sessionHashOfRow,
  textOfRow,
  upgradeRows,
} from './memoryRow.ts'

const POSTINGS_MAX = 40_000

/** A document of a snapshot: which segment, which row. */
export type DocRef = Readonly<{ segment: number; doc: number }>

export interface ScoreOptions {
  readonly postingsMax?: number | undefined
  readonly expansion?: ExpansionQuery | undefined
}

/** What a search reads: a snapshot on disk, or the memories a process has in memory. */
export interface SearchReader {
  readonly docCounts: readonly number[]
  /** Scores every memory that has any of the terms or expansions; reads at most `postingsMax` postings of terms. */
  score(query: readonly QueryTerm[], options?: ScoreOptions): QueryScores
  /** For each term, whether any memory has it. Reads no postings. */
  hasTerms(terms: readonly string[]): boolean[]
  /** Whether the document exists: a neighbour of the last one does not. */
  hasDoc(ref: DocRef): boolean
  /** Its row: enough to admit public memories and to rank. `names` are returned in place of their hashes. */
  rowAt(ref: DocRef, names: NamesByHash): MemoryRow
  /** Answer types of its text: bits of text/answerTypes.ts. */
  answerTypesAt(ref: DocRef): number
  /** The current memory: text and row. */
  memoryAt(ref: DocRef): Memory
  /** Hash of its session; 0 for none. */
  sessionHashAt(ref: DocRef): number
  /** The same for a part of a conversation; 0 for what stands alone. Documents of one conversation are neighbours. */
  conversationAt(ref: DocRef): number
  close(): void
}

export interface SnapshotReader extends SearchReader {
  readonly manifest: Manifest
  /** The log position that it covers: that of the recent segment, if that can be read. */
  readonly cursor: LogPosition
}

/** Scores a query over segments, with the parameters of every search. */
export const scoreQuery = (
  segments: readonly IndexSegment[],
  query: readonly QueryTerm[],
  { postingsMax = POSTINGS_MAX, expansion }: ScoreOptions = {},
): QueryScores => scoreDocuments(segments, query, { ...bm25For(query), postingsMax, expansion })

/**
 * The usual BM25 parameters. In mostly Japanese or Chinese queries a term's repetition counts less: their terms are
 * characters and pairs, which also occur in other words. Measured on public data sets.
 */
function bm25For(query: readonly QueryTerm[]): Bm25 {
  const cjkTerms = query.filter(({ term }) => isCjkTerm(term)).length
  return 2 * cjkTerms > query.length ? { ...USUAL_BM25, k1: 0.4 } : USUAL_BM25
}

/**
 * Opens the current snapshot; without one the reader is empty. `upgrade` is applied to memories. Hooks leave it out:
 * the worker that rewrites a snapshot of an earlier version starts with the session. Throws STORE_NEWER for a snapshot
 * of a later version.
 */
export function openSnapshotReader(files: Files, layout: StoreLayout, upgrade: Upgrade = asWritten): SnapshotReader {
  // A writer can remove a file after the manifest was read. Then there is a newer manifest.
  for (let attempt = 0; attempt <= 3; attempt++) {
    const manifest = readManifest(files, layout)
    const segments = openSegments(files, layout, manifest, attempt > 0)
    if (!segments) continue
    return createReader(manifest, segments, upgrade)
  }
  throw new MemoryError('STORE_INVALID', `${layout.manifest} names files that are missing`, { hint: REBUILD_HINT })
}

/** For each term, whether any of the segments has it. */
export function findKnownTerms(segments: readonly IndexSegment[], terms: readonly string[]): boolean[] {
  const hashes = terms.map(hash64)
  const hitsBySegment = segments.map((segment) => segment.findTerms(hashes))
  return terms.map((_, i) => hitsBySegment.some((hits) => hits[i] !== undefined))
}

/** Throws STORE_INVALID if it is damaged, STORE_NEWER if a later version wrote it. */
export function readManifest(files: Files, layout: StoreLayout): Manifest {
  const manifest = readJson<Manifest | null>(files, layout.manifest)
  if (manifest === undefined) return NO_MANIFEST
  if (manifest && manifest.version > STORE_VERSION) {
    throw new MemoryError(
      'STORE_NEWER',
      `${layout.manifest} has version ${manifest.version}, this memctl reads ${STORE_VERSION}`,
      { hint: 'Update memctl, or run `memctl rebuild` to write the snapshot again from the log.' },
    )
  }
  if (!manifest || !hasManifestFields(manifest)) {
    throw new MemoryError('STORE_INVALID', `${layout.manifest} is not a manifest`, { hint: REBUILD_HINT })
  }
  return manifest
}

const REBUILD_HINT = 'Run `memctl rebuild`, which writes the snapshot again from the log; nothing is lost.'

/** The fields without which nothing can be read. Hooks check no more; `doctor` verifies a checksum. */
function hasManifestFields(manifest: Partial<Manifest>): boolean {
  if (typeof manifest.version !== 'number' || typeof manifest.generation !== 'number') return false
  const { cursor, segments, recent } = manifest
  return (
    typeof cursor?.offset === 'number' &&
    typeof cursor.file === 'number' &&
    Array.isArray(segments) &&
    (recent === undefined || Array.isArray(recent?.replaced))
  )
}

/** The manifest; undefined if it is damaged or of a later version. */
export function readManifestIfValid(files: Files, layout: StoreLayout): Manifest | undefined {
  try {
    return readManifest(files, layout)
  } catch {
    return undefined
  }
}

/** Rows read at once: the neighbours of a candidate are mostly in the same block. */
const BLOCK_ROWS = 16

function createReader(manifest: Manifest, segments: readonly OpenSegment[], upgrade: Upgrade): SnapshotReader {
  const indexes = segments.map((segment) => segment.index)
  const segmentOf = (ref: DocRef): OpenSegment => {
    const segment = segments[ref.segment]
    if (!segment) throw new RangeError(`There is no segment ${ref.segment}`)
    return segment
  }
  const readRow = (ref: DocRef): { rows: DataView; row: number } => {
    const { rows: file, count, rowBlocks, patch } = segmentOf(ref)
    const changed = patch?.numbers.indexOf(ref.doc) ?? -1
    if (patch && changed !== -1) return { rows: patch.view, row: changed }
    const block = Math.floor(ref.doc / BLOCK_ROWS)
    let rows = rowBlocks.get(block)
    if (!rows) {
      const rowBytes = file.size / count
      const bytes = file.readAt(block * BLOCK_ROWS * rowBytes, BLOCK_ROWS * rowBytes)
      rows = toDataView(upgradeRows(bytes, rowBytes))
      rowBlocks.set(block, rows)
    }
    return { rows, row: ref.doc - block * BLOCK_ROWS }
  }
  const atRow = (ref: DocRef, read: (rows: DataView, row: number) => number): number => {
    const { rows, row } = readRow(ref)
    return read(rows, row)
  }
  const isRecentOpen = manifest.recent && segments.length > manifest.segments.filter((entry) => !entry.archive).length
  return {
    manifest,
    cursor: isRecentOpen || manifest.recent?.memories === 0 ? coveredPosition(manifest) : manifest.cursor,
    docCounts: segments.map((segment) => segment.count),
    score: (query, options) => scoreQuery(indexes, query, options),
    hasTerms: (terms) => findKnownTerms(indexes, terms),
    hasDoc({ segment, doc }) {
      const open = segments[segment]
      return open !== undefined && doc >= 0 && doc < open.count && !open.removed.has(doc)
    },
    rowAt(ref, names) {
      const { rows, row } = readRow(ref)
      return readMemoryRow(rows, row, names)
    },
    answerTypesAt: (ref) => atRow(ref, answerTypesOfRow),
    memoryAt(ref) {
      const { rows, row } = readRow(ref)
      const { at, bytes } = textOfRow(rows, row)
      const json = segmentOf(ref).text.readAt(at, bytes).toString('utf8')
      return applyRow(upgrade(JSON.parse(json) as Memory), rows, row)
    },
    sessionHashAt: (ref) => atRow(ref, sessionHashOfRow),
    conversationAt: (ref) => atRow(ref, conversationOfRow),
    close: () => closeSegments(segments),
  }
}

// Opens the files of a snapshot's segments: those of active memories, and the recent segment.

interface OpenSegment {
  readonly index: IndexSegment
  readonly text: OpenFile
  readonly rows: OpenFile
  readonly count: number
  /** Rows that are newer than those of the file. */
  readonly patch?: RowPatch | undefined
  readonly rowBlocks: Map<number, DataView>
  /** Rows that later segments or the recent one replace, and deleted ones. */
  readonly removed: Set<number>
}

/** Opens the segments of active memories and the recent segment; undefined if one is missing that must be there. */
function openSegments(
  files: Files,
  layout: StoreLayout,
  manifest: Manifest,
  isRecentOptional: boolean,
): OpenSegment[] | undefined {
  const segments: OpenSegment[] = []
  for (const entry of manifest.segments) {
    if (entry.archive) continue
    const segment = openSegment(files, layout, entry)
    if (!segment) {
      closeSegments(segments)
      return undefined
    }
    segments.push(segment)
  }
  const { recent } = manifest
  if (!recent) return segments
  const added = recent.memories === 0 ? undefined : openRecentSegment(files, layout, recent)
  if (recent.memories > 0 && !added) {
    // Without the new versions of its memories, those of the snapshot are better than none.
    if (isRecentOptional) return segments
    closeSegments(segments)
    return undefined
  }
  let first = 0
  for (const { removed, count } of segments) {
    for (const row of recent.replaced) if (row >= first && row < first + count) removed.add(row - first)
    first += count
  }
  if (added) segments.push(added)
  return segments
}

function openSegment(files: Files, layout: StoreLayout, entry: SegmentEntry): OpenSegment | undefined {
  const expansions = entry.expansions && `${layout.segments}/${entry.expansions}`
  const index = openExpandedSegment(files, `${layout.segments}/${entry.name}.idx`, expansions)
  const text = files.open(`${layout.segments}/${entry.name}.txt`)
  const rows = files.open(`${layout.segments}/${entry.rows}`)
  const patch = readPatch(files, layout.segments, entry)
  if (index && text && rows && patch !== 'missing')
    return { index, text, rows, count: entry.memories, patch, rowBlocks: new Map(), removed: new Set(entry.removed) }
  for (const file of [index, text, rows]) file?.close()
  return undefined
}

/** Undefined if it is missing or damaged: it can be written again at any time, and `doctor` reports it. */
function openRecentSegment(files: Files, layout: StoreLayout, entry: RecentSegment): OpenSegment | undefined {
  try {
    const segment = openSegment(files, layout, entry)
    const { memories, textBytes } = entry
    if (
      segment?.index.documents === memories &&
      segment.rows.size === memories * ROW_BYTES &&
      segment.text.size === textBytes
    )
      return segment
    if (segment) closeSegments([segment])
  } catch {
    // Damaged: see above.
  }
  return undefined
}

function closeSegments(segments: readonly OpenSegment[]): void {
  for (const { index, text, rows } of segments) for (const file of [index, text, rows]) file.close()
}

// Reads all rows of a segment.

/** Converts a memory of an earlier version's snapshot; returns a memory of this version unchanged. */
export type Upgrade = (memory: Memory) => Memory

export const asWritten: Upgrade = (memory) => memory

export const toDataView = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

/** Undefined if the segment has no such file. */
function readPatch(
  files: Pick<Files, 'read'>,
  folder: string,
  { patch }: SegmentEntry,
): OpenSegment['patch'] | 'missing' {
  if (patch === undefined) return undefined
  const bytes = files.read(`${folder}/${patch}`)
  return bytes ? openPatch(bytes) : 'missing'
}

/** Undefined if a file of the segment is missing. */
export function readSegmentRows(files: Pick<Files, 'read'>, folder: string, entry: SegmentEntry): Buffer | undefined {
  const rows = files.read(`${folder}/${entry.rows}`)
  const patch = readPatch(files, folder, entry)
  if (!rows || patch === 'missing') return undefined
  patch?.numbers.forEach((row, i) => patch.rows.copy(rows, row * ROW_BYTES, i * ROW_BYTES, (i + 1) * ROW_BYTES))
  return upgradeRows(rows, rows.length / entry.memories)
}
