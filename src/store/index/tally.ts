// Adds up what each document scores. Built for code that runs once, cold: one loop over postings, small enough to be
// compiled early, and memory only for documents that were touched.
//
//   rows     document ──► row, 0 for none             2 B a document, zeroed pages of the system
//   table    row ──► total, matched, group 0, 1, …    4 B each, a row for each touched document
//
// One array a group, as long as the index, would be simpler. Measured at twice the time: the first touch of a page costs
// what ten postings cost.
import { COUNT_SHIFT, DOCUMENT_MASK } from './format.ts'

// Columns of the table.
const TOTAL = 0
const MATCHED = 1
const GROUPS = 2

const ROW_BITS = 16
const ROWS_MAX = 2 ** ROW_BITS - 1

/** Documents are numbered over all segments here: a segment's own number plus the documents of those before it. */
export class Tally {
  readonly #touchedMax: number
  readonly #stride: number
  readonly #rows: Uint16Array
  readonly #table: Float32Array
  readonly #documents: Uint32Array
  #touched = 0

  /** At most `touchedMax` (65,535 at the very most) of `documents` can score, each in groups 0 to `groups` - 1. */
  constructor(documents: number, groups: number, touchedMax: number) {
    this.#touchedMax = Math.min(documents, touchedMax, ROWS_MAX)
    this.#stride = GROUPS + groups
    this.#rows = new Uint16Array(documents)
    this.#table = new Float32Array((this.#touchedMax + 1) * this.#stride)
    this.#documents = new Uint32Array(this.#touchedMax + 1)
  }

  /** Whether there is room for `count` more documents, should they all be new. */
  hasRoom(count: number): boolean {
    return this.#touched + count <= this.#touchedMax
  }

  /**
   * Adds a term's score, gain · count / (count + penalty of the norm), to each document of its postings. `base` is the
   * number of the segment's document 0. Unless `admit`, only documents already touched score.
   */
  add(
    postings: Uint32Array,
    norms: Uint8Array,
    base: number,
    penalties: Float64Array,
    gain: number,
    group: number,
    admit: boolean,
  ): void {
    const rows = this.#rows
    const table = this.#table
    const documents = this.#documents
    const stride = this.#stride
    const column = GROUPS + group
    let touched = this.#touched
    for (let i = 0; i < postings.length; i++) {
      const posting = postings[i]!
      const doc = posting & DOCUMENT_MASK
      let row = rows[base + doc]!
      if (row === 0) {
        if (!admit) continue
        row = ++touched
        rows[base + doc] = row
        documents[row] = base + doc
      }
      const count = posting >>> COUNT_SHIFT
      const score = (gain * count) / (count + penalties[norms[doc]!]!)
      const at = row * stride
      table[at]! += score
      table[at + MATCHED]! += 1
      table[at + column]! += score
    }
    this.#touched = touched
  }

  total(document: number): number {
    return this.#table[this.#rows[document]! * this.#stride + TOTAL]!
  }

  matched(document: number): number {
    return this.#table[this.#rows[document]! * this.#stride + MATCHED]!
  }

  /** 0 for a group no term was in. */
  score(document: number, group: number): number {
    const column = GROUPS + group
    return column < this.#stride ? this.#table[this.#rows[document]! * this.#stride + column]! : 0
  }

  /**
   * Visits touched documents by total, best first, of equals the higher number first, until `visit` says false.
   *
   * Sorted as numbers, by the system's own code: a positive float's bits order as it does, and the row fits below them.
   */
  ranked(visit: (document: number) => boolean): void {
    const bits = new Uint32Array(this.#table.buffer)
    const keys = new Float64Array(this.#touched)
    for (let row = 1; row <= this.#touched; row++) keys[row - 1] = bits[row * this.#stride]! * 2 ** ROW_BITS + row
    keys.sort()
    for (let end = keys.length; end > 0; ) {
      const start = this.#startOfEquals(keys, end)
      const equals: number[] = []
      for (let i = start; i < end; i++) equals.push(this.#documents[keys[i]! % 2 ** ROW_BITS]!)
      if (equals.length > 1) equals.sort((a, b) => b - a)
      for (const document of equals) if (!visit(document)) return
      end = start
    }
  }

  /** Where the run of equal totals begins that ends before `end`. */
  #startOfEquals(keys: Float64Array, end: number): number {
    const total = Math.floor(keys[end - 1]! / 2 ** ROW_BITS)
    let start = end - 1
    while (start > 0 && Math.floor(keys[start - 1]! / 2 ** ROW_BITS) === total) start--
    return start
  }
}
