// The shelf: the current view as a reader sees it, without a lock. Manifest, then its files; the log's tail is the caller's.
//
// A short-lived process asks it by a few positional reads: nothing is loaded that is not asked for.

import { type Bm25, USUAL_BM25 } from '../model/bm25.ts'
import { MemoryError } from '../model/errors.ts'
import type { Memory } from '../model/memory.ts'
import { isWideTerm } from '../text/words.ts'
import type { Files, OpenFile } from './files.ts'
import { type Glance, glanceAt, type Names } from './glance.ts'
import { type QueryTerm, type Scores, scores } from './index/search.ts'
import { openSegment, type Segment } from './index/segment.ts'
import { readJson } from './jsonRead.ts'
import type { Layout } from './layout.ts'
import { type Manifest, NO_MANIFEST, STORE_VERSION } from './manifest.ts'
import { asWritten, readMemories, rowsView, type Upgrade } from './memoryRead.ts'
import { factsOfRow, sessionOfRow, textOfRow, wideRows, withRow } from './row.ts'

/**
 * BM25's usual numbers; where the query is mostly Japanese or Chinese a term's repetition counts less, for its terms are characters
 * and pairs, which come again in other words. Measured on the public sets: docs/recall.md.
 */
const bm25For = (query: readonly QueryTerm[]): Bm25 => (isWide(query) ? { ...USUAL_BM25, k1: 0.4 } : USUAL_BM25)

function isWide(query: readonly QueryTerm[]): boolean {
  let wide = 0
  for (const { term } of query) if (isWideTerm(term)) wide++
  return 2 * wide > query.length
}

/** Postings read in one question at most. */
const POSTINGS_MAX = 40_000

/** A document of the shelf: which segment, which row. */
export interface Place {
  readonly segment: number
  readonly doc: number
}

/** What a search reads: a snapshot on disk, or the memories a process has in memory. */
export interface SearchReader {
  /** Documents of each segment. */
  readonly sizes: readonly number[]
  /** Scores every memory that has any of the terms, by so many postings at most. */
  ask(query: readonly QueryTerm[], postingsMax?: number): Scores
  /** Whether any memory has a term, for each. Reads no postings. */
  knows(terms: readonly string[]): boolean[]
  /** Whether there is such a place: a neighbour may lie past an end. */
  isThere(place: Place): boolean
  /** What its row alone says: enough to admit what is public, and to rank. */
  glanceAt(place: Place, names: Names): Glance
  /** What kinds of things its text says: bits of text/facts.ts. */
  factsAt(place: Place): number
  /** The memory at a place, as it stands now. */
  memoryAt(place: Place): Memory
  /** Its session as a number that is equal for equal sessions; neighbours of another session are no neighbours. */
  sessionAt(place: Place): number
  close(): void
}

export interface Shelf extends SearchReader {
  readonly manifest: Manifest
  /** Every memory, the archived ones last. For commands, not for hooks. */
  all(): Generator<Memory>
}

/** Scores a query over segments, with the numbers that hold for every search. */
export const scoreQuery = (
  segments: readonly Segment[],
  query: readonly QueryTerm[],
  postingsMax = POSTINGS_MAX,
): Scores => scores(segments, query, { ...bm25For(query), postingsMax })

interface OpenPart {
  readonly index: Segment
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
export function openShelf(files: Files, layout: Layout, upgrade: Upgrade = asWritten): Shelf {
  // A writer may remove a file between our reading the manifest and opening it: then the manifest is newer already.
  for (let attempt = 0; ; attempt++) {
    const manifest = readManifest(files, layout)
    const parts = openParts(files, layout, manifest)
    if (parts) return shelfOf(files, layout, { manifest, parts, upgrade })
    if (attempt === 3) throw lostFiles(layout)
  }
}

/** Whether any of the segments has a term, for each. */
export function knownTerms(segments: readonly Segment[], terms: readonly string[]): boolean[] {
  const found = segments.map((segment) => segment.find(terms))
  return terms.map((_, i) => found.some((hits) => hits[i] !== undefined))
}

export function readManifest(files: Files, layout: Layout): Manifest {
  const manifest = readJson<Manifest>(files, layout.manifest) ?? NO_MANIFEST
  if (manifest.version > STORE_VERSION) {
    throw new MemoryError(
      'STORE_NEWER',
      `${layout.manifest} has version ${manifest.version}, this memctl reads ${STORE_VERSION}`,
      {
        mend: 'Update memctl, or run `memctl rebuild` to write the view anew from the log.',
      },
    )
  }
  return manifest
}

function openParts(files: Files, layout: Layout, manifest: Manifest): OpenPart[] | undefined {
  const parts: OpenPart[] = []
  for (const entry of manifest.segments) {
    if (entry.archive) continue
    const index = openSegment(files, `${layout.segments}/${entry.name}.idx`)
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

function shelfOf(files: Files, layout: Layout, { manifest, parts, upgrade }: OpenView): Shelf {
  const segments = parts.map((part) => part.index)
  const rowCache = parts.map(() => new Map<number, DataView>())
  // Rows are read a block at a time: neighbours and candidates of one session lie together.
  const rowAt = ({ segment, doc }: Place): { rows: DataView; row: number } => {
    const block = Math.floor(doc / ROWS_A_BLOCK)
    let rows = rowCache[segment]!.get(block)
    if (!rows) {
      const { rows: file, count } = parts[segment]!
      const bytes = file.size / count
      rows = rowsView(wideRows(file.readAt(block * ROWS_A_BLOCK * bytes, ROWS_A_BLOCK * bytes), bytes))
      rowCache[segment]!.set(block, rows)
    }
    return { rows, row: doc - block * ROWS_A_BLOCK }
  }
  const memoryAt = (place: Place): Memory => {
    const { rows, row } = rowAt(place)
    const text = textOfRow(rows, row)
    const json = parts[place.segment]!.text.readAt(text.at, text.bytes).toString('utf8')
    return withRow(upgrade(JSON.parse(json) as Memory), rows, row)
  }
  return {
    manifest,
    sizes: parts.map((part) => part.count),
    ask: (query, postingsMax) => scoreQuery(segments, query, postingsMax),
    knows: (terms) => knownTerms(segments, terms),
    isThere(place) {
      return place.doc >= 0 && place.doc < (parts[place.segment]?.count ?? 0)
    },
    glanceAt(place, names) {
      const { rows, row } = rowAt(place)
      return glanceAt(rows, row, names)
    },
    factsAt(place) {
      const { rows, row } = rowAt(place)
      return factsOfRow(rows, row)
    },
    memoryAt,
    sessionAt(place) {
      const { rows, row } = rowAt(place)
      return sessionOfRow(rows, row)
    },
    *all() {
      for (let segment = 0; segment < parts.length; segment++) {
        for (let doc = 0; doc < parts[segment]!.count; doc++) {
          yield memoryAt({ segment, doc })
        }
      }
      for (const entry of manifest.segments) {
        if (entry.archive)
          for (const one of readMemories(files, layout.segments, entry, upgrade).placed) yield one.memory
      }
    },
    close() {
      for (const part of parts) for (const file of [part.index, part.text, part.rows]) file.close()
    },
  }
}

/** A candidate's neighbours mostly lie in the same block; more would be read for nothing. */
const ROWS_A_BLOCK = 16

const lostFiles = (layout: Layout): MemoryError =>
  new MemoryError('STORE_INVALID', `${layout.manifest} names files that are not there`, {
    mend: 'Run `memctl rebuild`: the view is written anew from the log, nothing is lost.',
  })
