// Adds up the scores of documents, in one block of memory that two small loops work on.
//
//   penalties  256 doubles: for each norm, the length penalty in BM25's denominator
//   rows       document ──► row, 0 for none: 2 B per document
//   norms      1 B per document
//   table      row ──► total, matched, document, group 0, group 1, …: 4 B each
//   scratch    the postings being added; later the keys of the best rows
//   flat       the norms of expansions, all the same: as many as the largest segment has documents
//
// One array per group, as long as the index, would be simpler but took twice the time: first access to memory costs
// more than the sums. Here a document gets a row only when it gets its first score.
import { type AccumulatorLoops, createAccumulatorLoops, FIRST_GROUP_COLUMN } from './accumulatorLoops.ts'
import { COUNT_MAX, LONGEST_NORM } from './segmentFormat.ts'

const PENALTIES_BYTES = 256 * 8
const ROW_BITS = 16
const ROWS_MAX = 2 ** ROW_BITS - 1

/** The penalty of an expansion: beside it a count of up to 255 changes the denominator by less than 0.03 %. */
const FLAT_PENALTY = 1e6

interface AccumulatorShape {
  /** Number of documents in each segment. Here documents are numbered over all segments, in order. */
  readonly documents: readonly number[]
  /** Scores are in groups 0 to groups - 1. */
  readonly groups: number
  /** How many documents can have a score; at most 65,535. */
  readonly docsMax: number
  /** How many postings one call adds at most. */
  readonly postingsMax: number
  /** Whether expansions are added. */
  readonly hasExpansions?: boolean
}

export class Accumulators {
  /** The table, as floats and as integers: a row has this many `columns`. */
  readonly values: Float32Array
  readonly words: Uint32Array
  readonly columns: number
  /** For each segment, the number of its document 0 over all segments. */
  readonly bases: number[] = []
  readonly #documents: readonly number[]
  readonly #hasNorms: boolean[] = []
  readonly #docsMax: number
  readonly #loops: AccumulatorLoops
  readonly #offsets: Layout
  readonly #rows: Uint16Array
  #docCount = 0
  #totalMax = 0
  #hasFlatNorms = false

  constructor(shape: AccumulatorShape, penalties: Float64Array) {
    let documents = 0
    for (const count of shape.documents) {
      this.bases.push(documents)
      documents += count
    }
    this.#documents = shape.documents
    this.columns = FIRST_GROUP_COLUMN + shape.groups
    this.#docsMax = Math.min(documents, shape.docsMax, ROWS_MAX)
    const words = (this.#docsMax + 1) * this.columns
    const flat = shape.hasExpansions ? Math.max(0, ...shape.documents) : 0
    this.#offsets = layOut(documents, words, Math.max(shape.postingsMax, 2 * this.#docsMax), flat)
    this.#loops = createAccumulatorLoops(this.#offsets.end)
    const { memory } = this.#loops
    this.#rows = new Uint16Array(memory, this.#offsets.rows, documents)
    this.words = new Uint32Array(memory, this.#offsets.table, words)
    this.values = new Float32Array(memory, this.#offsets.table, words)
    new Float64Array(memory, 0, 256).set(penalties)
  }

  /** How many documents have a score. */
  get docCount(): number {
    return this.#docCount
  }

  /** An upper bound of all totals. */
  get totalMax(): number {
    return this.#totalMax
  }

  /** Whether `count` more documents have room, even if all are new. Always, if there is room for every document. */
  hasRoom(count: number): boolean {
    return this.#docCount + count <= this.#docsMax || this.#docsMax === this.#rows.length
  }

  /**
   * Adds gain · count / (count + penalty of the norm) for a term's postings in one segment. Without `admit` only to
   * documents that already have a score.
   */
  add(segment: number, postings: Uint32Array, norms: Uint8Array, { gain, group, admit }: AddedTerm): void {
    const at = this.#offsets
    const base = this.bases[segment]!
    if (!this.#hasNorms[segment]) new Uint8Array(this.#loops.memory, at.norms + base, norms.length).set(norms)
    this.#hasNorms[segment] = true
    this.#addPostings(segment, postings, at.norms + base, { gain, group, admit })
  }

  /**
   * Adds gain · count / 255 for an expansion's postings. After the first call `add` must not be called again: the
   * length penalty is now so great that the score grows with the count in a straight line.
   */
  addExpansion(segment: number, postings: Uint32Array, { gain, group, admit }: AddedTerm): void {
    const { flat } = this.#offsets
    if (!this.#hasFlatNorms) {
      new Uint8Array(this.#loops.memory, flat, Math.max(...this.#documents)).fill(LONGEST_NORM)
      new Float64Array(this.#loops.memory, 0, 256)[LONGEST_NORM] = FLAT_PENALTY
    }
    this.#hasFlatNorms = true
    this.#addPostings(segment, postings, flat, { gain: (gain * FLAT_PENALTY) / COUNT_MAX, group, admit })
    // The largest share of the line is 1, not that of an endless count.
    this.#totalMax += gain - (gain * FLAT_PENALTY) / COUNT_MAX
  }

  #addPostings(segment: number, postings: Uint32Array, norms: number, { gain, group, admit }: AddedTerm): void {
    const at = this.#offsets
    const base = this.bases[segment]!
    new Uint32Array(this.#loops.memory, at.scratch, postings.length).set(postings)
    this.#totalMax += gain
    this.#docCount = this.#loops.add(
      gain,
      at.scratch,
      at.scratch + 4 * postings.length,
      norms,
      at.rows + 2 * base,
      this.#documents[segment] ?? 0,
      base,
      at.table,
      4 * this.columns,
      4 * (FIRST_GROUP_COLUMN + group),
      admit ? 1 : 0,
      this.#docCount,
    )
  }

  /** The index in `values` of a document's group scores; of zeros if it has none or does not exist. */
  offsetOf(segment: number, doc: number): number {
    const known = doc >= 0 && doc < this.#documents[segment]!
    return (known ? this.#rows[this.bases[segment]! + doc]! * this.columns : 0) + FIRST_GROUP_COLUMN
  }

  /** A key for each row with a total of at least `floor`. Keys have the order of totals. Valid until the next call. */
  keysFrom(floor: number): Float64Array {
    const { scratch, table } = this.#offsets
    const end = this.#loops.keys(table, 4 * this.columns, this.#docCount, scratch, floor)
    return new Float64Array(this.#loops.memory, scratch, (end - scratch) / 8)
  }
}

interface AddedTerm {
  readonly gain: number
  readonly group: number
  readonly admit: boolean
}

/** The row of a key. */
export function rowFromKey(key: number): number {
  return key % 2 ** ROW_BITS
}

/** Byte offsets, all multiples of eight. */
interface Layout {
  readonly rows: number
  readonly norms: number
  readonly table: number
  readonly scratch: number
  readonly flat: number
  readonly end: number
}

function layOut(documents: number, tableWords: number, scratchWords: number, flatBytes: number): Layout {
  const after = (start: number, bytes: number): number => Math.ceil((start + bytes) / 8) * 8
  const rows = PENALTIES_BYTES
  const norms = after(rows, 2 * documents)
  const table = after(norms, documents)
  const scratch = after(table, 4 * tableWords)
  const flat = after(scratch, 4 * scratchWords)
  return { rows, norms, table, scratch, flat, end: after(flat, flatBytes) }
}
