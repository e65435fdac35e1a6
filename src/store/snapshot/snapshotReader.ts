// The shelf: the current view as a reader sees it, without a lock. Manifest, then its files; the log's tail is the caller's.
//
// A short-lived process asks it by a few positional reads: nothing is loaded that is not asked for.

import { type Bm25, USUAL_BM25 } from '../../model/bm25.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isCjkTerm } from '../../text/terms/extractTerms.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import { readJson } from '../disk/readJson.ts'
import type { StoreLayout } from '../disk/storeLayout.ts'
import { type QueryScores, type QueryTerm, scoreDocuments } from '../index/bm25.ts'
import { type IndexSegment, openIndexSegment } from '../index/indexSegment.ts'
import { type Manifest, NO_MANIFEST, STORE_VERSION } from './manifest.ts'
import { type MemoryRow, type NamesByHash, readMemoryRow } from './memoryRow.ts'
import { answerTypesOfRow, applyRow, sessionHashOfRow, textOfRow, upgradeRows } from './rowFormat.ts'
import { asWritten, readSegmentMemories, toDataView, type Upgrade } from './segmentReader.ts'

/**
 * BM25's usual numbers; where the query is mostly Japanese or Chinese a term's repetition counts less, for its terms are characters
 * and pairs, which come again in other words. Measured on the public sets: docs/recall.md.
 */
const bm25For = (query: readonly QueryTerm[]): Bm25 => (isWide(query) ? { ...USUAL_BM25, k1: 0.4 } : USUAL_BM25)

function isWide(query: readonly QueryTerm[]): boolean {
  let wide = 0
  for (const { term } of query) if (isCjkTerm(term)) wide++
  return 2 * wide > query.length
}

/** Postings read in one question at most. */
const POSTINGS_MAX = 40_000

/** A document of the shelf: which segment, which row. */
export interface DocRef {
  readonly segment: number
  readonly doc: number
}

/** What a search reads: a snapshot on disk, or the memories a process has in memory. */
export interface SearchReader {
  /** Documents of each segment. */
  readonly docCounts: readonly number[]
  /** Scores every memory that has any of the terms, by so many postings at most. */
  score(query: readonly QueryTerm[], postingsMax?: number): QueryScores
  /** Whether any memory has a term, for each. Reads no postings. */
  hasTerms(terms: readonly string[]): boolean[]
  /** Whether there is such a place: a neighbour may lie past an end. */
  hasDoc(ref: DocRef): boolean
  /** What its row alone says: enough to admit what is public, and to rank. */
  rowAt(ref: DocRef, names: NamesByHash): MemoryRow
  /** What kinds of things its text says: bits of text/facts.ts. */
  answerTypesAt(ref: DocRef): number
  /** The memory at a place, as it stands now. */
  memoryAt(ref: DocRef): Memory
  /** Its session as a number that is equal for equal sessions; neighbours of another session are no neighbours. */
  sessionHashAt(ref: DocRef): number
  close(): void
}

export interface SnapshotReader extends SearchReader {
  readonly manifest: Manifest
  /** Every memory, the archived ones last. For commands, not for hooks. */
  allMemories(): Generator<Memory>
}

/** Scores a query over segments, with the numbers that hold for every search. */
export const scoreQuery = (
  segments: readonly IndexSegment[],
  query: readonly QueryTerm[],
  postingsMax = POSTINGS_MAX,
): QueryScores => scoreDocuments(segments, query, { ...bm25For(query), postingsMax })

interface OpenPart {
  readonly index: IndexSegment
  readonly text: OpenFile
  readonly rows: OpenFile
  readonly count: number
}

interface OpenView {
  readonly manifest: Manifest
  readonly parts: readonly OpenPart[]
  readonly upgrade: Upgrade
}

/**
 * Opens the current view; a project without one has an empty shelf. `upgrade` is applied to whole memories. Hooks leave
 * it out: the worker that rewrites the view of an earlier version starts with the session. Throws STORE_NEWER for a
 * later version's view.
 */
export function openSnapshotReader(files: Files, layout: StoreLayout, upgrade: Upgrade = asWritten): SnapshotReader {
  // A writer may remove a file between our reading the manifest and opening it: then the manifest is newer already.
  for (let attempt = 0; ; attempt++) {
    const manifest = readManifest(files, layout)
    const parts = openParts(files, layout, manifest)
    if (parts) return shelfOf(files, layout, { manifest, parts, upgrade })
    if (attempt === 3) throw lostFiles(layout)
  }
}

/** Whether any of the segments has a term, for each. */
export function findKnownTerms(segments: readonly IndexSegment[], terms: readonly string[]): boolean[] {
  const found = segments.map((segment) => segment.findTerms(terms))
  return terms.map((_, i) => found.some((hits) => hits[i] !== undefined))
}

export function readManifest(files: Files, layout: StoreLayout): Manifest {
  const manifest = readJson<Manifest>(files, layout.manifest) ?? NO_MANIFEST
  if (manifest.version > STORE_VERSION) {
    throw new MemoryError(
      'STORE_NEWER',
      `${layout.manifest} has version ${manifest.version}, this memctl reads ${STORE_VERSION}`,
      {
        hint: 'Update memctl, or run `memctl rebuild` to write the view anew from the log.',
      },
    )
  }
  return manifest
}

function openParts(files: Files, layout: StoreLayout, manifest: Manifest): OpenPart[] | undefined {
  const parts: OpenPart[] = []
  for (const entry of manifest.segments) {
    if (entry.archive) continue
    const index = openIndexSegment(files, `${layout.segments}/${entry.name}.idx`)
    const text = files.open(`${layout.segments}/${entry.name}.txt`)
    const rows = files.open(`${layout.segments}/${entry.rows}`)
    if (!index || !text || !rows) {
      for (const opened of [index, text, rows, ...parts]) opened && 'close' in opened && opened.close()
      return undefined
    }
    parts.push({ index, text, rows, count: entry.memories })
  }
  return parts
}

function shelfOf(files: Files, layout: StoreLayout, { manifest, parts, upgrade }: OpenView): SnapshotReader {
  const segments = parts.map((part) => part.index)
  const rowCache = parts.map(() => new Map<number, DataView>())
  // Rows are read a block at a time: neighbours and candidates of one session lie together.
  const rowAt = ({ segment, doc }: DocRef): { rows: DataView; row: number } => {
    const block = Math.floor(doc / ROWS_A_BLOCK)
    let rows = rowCache[segment]!.get(block)
    if (!rows) {
      const { rows: file, count } = parts[segment]!
      const bytes = file.size / count
      rows = toDataView(upgradeRows(file.readAt(block * ROWS_A_BLOCK * bytes, ROWS_A_BLOCK * bytes), bytes))
      rowCache[segment]!.set(block, rows)
    }
    return { rows, row: doc - block * ROWS_A_BLOCK }
  }
  const memoryAt = (ref: DocRef): Memory => {
    const { rows, row } = rowAt(ref)
    const text = textOfRow(rows, row)
    const json = parts[ref.segment]!.text.readAt(text.at, text.bytes).toString('utf8')
    return applyRow(upgrade(JSON.parse(json) as Memory), rows, row)
  }
  return {
    manifest,
    docCounts: parts.map((part) => part.count),
    score: (query, postingsMax) => scoreQuery(segments, query, postingsMax),
    hasTerms: (terms) => findKnownTerms(segments, terms),
    hasDoc(ref) {
      return ref.doc >= 0 && ref.doc < (parts[ref.segment]?.count ?? 0)
    },
    rowAt(ref, names) {
      const { rows, row } = rowAt(ref)
      return readMemoryRow(rows, row, names)
    },
    answerTypesAt(ref) {
      const { rows, row } = rowAt(ref)
      return answerTypesOfRow(rows, row)
    },
    memoryAt,
    sessionHashAt(ref) {
      const { rows, row } = rowAt(ref)
      return sessionHashOfRow(rows, row)
    },
    *allMemories() {
      for (let segment = 0; segment < parts.length; segment++) {
        for (let doc = 0; doc < parts[segment]!.count; doc++) {
          yield memoryAt({ segment, doc })
        }
      }
      for (const entry of manifest.segments) {
        if (entry.archive)
          for (const one of readSegmentMemories(files, layout.segments, entry, upgrade).placed) yield one.memory
      }
    },
    close() {
      for (const part of parts) for (const file of [part.index, part.text, part.rows]) file.close()
    },
  }
}

/** A candidate's neighbours mostly lie in the same block; more would be read for nothing. */
const ROWS_A_BLOCK = 16

const lostFiles = (layout: StoreLayout): MemoryError =>
  new MemoryError('STORE_INVALID', `${layout.manifest} names files that are not there`, {
    hint: 'Run `memctl rebuild`: the view is written anew from the log, nothing is lost.',
  })
