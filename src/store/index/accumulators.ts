// Adds up what each document scores, in one block of memory that two small loops work on.
//
//   penalties  256 doubles: for each norm, what stands beside the count below BM25's line
//   rows       document ──► row, 0 for none: 2 B a document
//   norms      1 B a document
//   table      row ──► total, matched, document, group 0, group 1, …: 4 B each
//   scratch    the postings being added; later the keys of the best rows
//
// One array a group, as long as the index, would be simpler. It took twice the time: memory touched for the first time
// costs more than the sums, and here a document takes a row only once it is touched.
import { type AccumulatorLoops, createAccumulatorLoops, FIRST_GROUP_COLUMN } from './accumulatorLoops.ts'

const PENALTIES_BYTES = 256 * 8
const ROW_BITS = 16
const ROWS_MAX = 2 ** ROW_BITS - 1

interface AccumulatorShape {
  /** Documents of each segment. Here they are numbered over all of them, in order. */
  readonly documents: readonly number[]
  /** A score can be in groups 0 to this - 1. */
  readonly groups: number
  /** How many documents can have a score; 65,535 at the very most. */
  readonly docsMax: number
  /** How many postings are added in one call at most. */
  readonly postingsMax: number
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
  readonly #offsets: Places
  readonly #rows: Uint16Array
  #docCount = 0
  #totalMax = 0

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
    this.#offsets = placed(documents, words, Math.max(shape.postingsMax, 2 * this.#docsMax))
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

  /** No total is higher. */
  get totalMax(): number {
    return this.#totalMax
  }

  /** Whether there is room for `count` more documents, should they all be new. Room for all there are is always room. */
  hasRoom(count: number): boolean {
    return this.#docCount + count <= this.#docsMax || this.#docsMax === this.#rows.length
  }

  /**
   * Adds gain · count / (count + penalty of the norm) for a term's postings in one segment. Unless `admit`, only to
   * documents that have a score.
   */
  add(segment: number, postings: Uint32Array, norms: Uint8Array, gain: number, group: number, admit: boolean): void {
    const at = this.#offsets
    const { memory } = this.#loops
    const base = this.bases[segment]!
    if (!this.#hasNorms[segment]) new Uint8Array(memory, at.norms + base, norms.length).set(norms)
    this.#hasNorms[segment] = true
    new Uint32Array(memory, at.scratch, postings.length).set(postings)
    this.#totalMax += gain
    this.#docCount = this.#loops.add(
      gain,
      at.scratch,
      at.scratch + 4 * postings.length,
      at.norms + base,
      at.rows + 2 * base,
      norms.length,
      base,
      at.table,
      4 * this.columns,
      4 * (FIRST_GROUP_COLUMN + group),
      admit ? 1 : 0,
      this.#docCount,
    )
  }

  /** Where a document's scores stand in `values`; at a row of zeros where it has none or there is no such document. */
  offsetOf(segment: number, doc: number): number {
    const known = doc >= 0 && doc < this.#documents[segment]!
    return (known ? this.#rows[this.bases[segment]! + doc]! * this.columns : 0) + FIRST_GROUP_COLUMN
  }

  /** A key for each row whose total is `floor` or more: keys order as the totals do. They last until the next call. */
  keysFrom(floor: number): Float64Array {
    const { scratch, table } = this.#offsets
    const end = this.#loops.keys(table, 4 * this.columns, this.#docCount, scratch, floor)
    return new Float64Array(this.#loops.memory, scratch, (end - scratch) / 8)
  }
}

/** The row that `keysFrom` made a key for. */
export function rowFromKey(key: number): number {
  return key % 2 ** ROW_BITS
}

/** Byte offsets, each on a boundary of eight. */
interface Places {
  readonly rows: number
  readonly norms: number
  readonly table: number
  readonly scratch: number
  readonly end: number
}

function placed(documents: number, tableWords: number, scratchWords: number): Places {
  const after = (start: number, bytes: number): number => Math.ceil((start + bytes) / 8) * 8
  const rows = PENALTIES_BYTES
  const norms = after(rows, 2 * documents)
  const table = after(norms, documents)
  const scratch = after(table, 4 * tableWords)
  return { rows, norms, table, scratch, end: after(scratch, 4 * scratchWords) }
}
