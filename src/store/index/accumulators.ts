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

import { COUNT_MAX, COUNT_SHIFT, DOCUMENT_MASK, LONGEST_NORM } from './indexSegment.ts'

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

type AddedTerm = Readonly<{ gain: number; group: number; admit: boolean }>

const rowFromKey = (key: number): number => key % 2 ** ROW_BITS

/** Byte offsets, all multiples of eight. */
type Layout = ReturnType<typeof layOut>

function layOut(documents: number, tableWords: number, scratchWords: number, flatBytes: number) {
  const after = (start: number, bytes: number): number => Math.ceil((start + bytes) / 8) * 8
  const rows = PENALTIES_BYTES
  const norms = after(rows, 2 * documents)
  const table = after(norms, documents)
  const scratch = after(table, 4 * tableWords)
  const flat = after(scratch, 4 * scratchWords)
  return { rows, norms, table, scratch, flat, end: after(flat, flatBytes) }
}

// The two inner loops of a search, over one block of memory that accumulators.ts lays out. Offsets are in bytes.

/** Columns of the table: total (float), matched (float), document (integer), then one float per group. */
const TOTAL_COLUMN = 0
const MATCHED_COLUMN = 1
const DOCUMENT_COLUMN = 2
const FIRST_GROUP_COLUMN = 3

export interface AccumulatorLoops {
  readonly memory: ArrayBuffer

  /**
   * Adds gain · count / (count + penalty) to the total and to `column`, for the postings from `from` to `to`. Returns
   * how many rows are used now.
   *
   * `norms` and `rows` are the positions of the segment's document 0, which has number `base` over all segments.
   * Postings of documents from `documents` on (a damaged file) are skipped. Without `admit` only documents with a row
   * get scores.
   */
  add(...input: AddInput): number

  /**
   * For each of the rows 1 to `touched` with a total of at least `floor`, writes a double that has the order of the
   * total and the row in its low 16 bits. Returns the end of what it wrote.
   */
  keys(...input: KeysInput): number
}

// Lists of numbers, because that is what a function of WebAssembly takes.
type AddInput = readonly [
  gain: number,
  from: number,
  to: number,
  norms: number,
  rows: number,
  documents: number,
  base: number,
  table: number,
  stride: number,
  column: number,
  admit: number,
  touched: number,
]
type KeysInput = readonly [table: number, stride: number, touched: number, into: number, floor: number]

/** The loops in WebAssembly if possible, else in JavaScript. Their sums are equal to the last bit. */
export function createAccumulatorLoops(bytes: number): AccumulatorLoops {
  if (!engine) return createPlainLoops(bytes)
  try {
    const { memory, add, keys } = new engine.Instance(new engine.Module(accumulatorsModule())).exports
    memory.grow(Math.ceil(bytes / 65_536))
    return { memory: memory.buffer, add, keys }
  } catch {
    // Its memory reserves gigabytes of addresses, which a limit (ulimit -v) can refuse.
    return createPlainLoops(bytes)
  }
}

// The part of WebAssembly that is used: Node's types do not have it. `node --jitless` has no WebAssembly.
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
  ) => { readonly exports: Pick<AccumulatorLoops, 'add' | 'keys'> & { memory: EngineMemory } }
}
type EngineMemory = Readonly<{ buffer: ArrayBuffer; grow(pages: number): number }>
const engine = (globalThis as { readonly WebAssembly?: Engine }).WebAssembly

/** The same loops in JavaScript. */
export function createPlainLoops(bytes: number): AccumulatorLoops {
  const memory = new ArrayBuffer(Math.ceil(bytes / 8) * 8)
  const halves = new Uint16Array(memory)
  const words = new Uint32Array(memory)
  const floats = new Float32Array(memory)
  const doubles = new Float64Array(memory)
  const octets = new Uint8Array(memory)
  return {
    memory,

    add(...input) {
      const [gain, from, to, norms, rows, documents, base, table, stride, column, admit, touched] = input
      let rowsTaken = touched
      for (let posting = from; posting < to; posting += 4) {
        const word = words[posting >>> 2]!
        const doc = word & DOCUMENT_MASK
        const count = word >>> COUNT_SHIFT
        if (doc >= documents) continue
        let row = halves[(rows >>> 1) + doc]!
        if (row === 0) {
          if (!admit) continue
          row = ++rowsTaken
          halves[(rows >>> 1) + doc] = row
          words[((table + row * stride) >>> 2) + DOCUMENT_COLUMN] = base + doc
        }
        const score = Math.fround((gain * count) / (count + doubles[octets[norms + doc]!]!))
        const at = (table + row * stride) >>> 2
        floats[at + TOTAL_COLUMN]! += score
        floats[at + MATCHED_COLUMN]! += 1
        floats[at + (column >>> 2)]! += score
      }
      return rowsTaken
    },

    keys(...input) {
      const [table, stride, touched, into, floor] = input
      let key = into >>> 3
      for (let row = 1; row <= touched; row++) {
        const at = (table + row * stride) >>> 2
        if (floats[at]! < floor) continue
        doubles[key++] = words[at]! * 2 ** 16 + row
      }
      return key << 3
    },
  }
}

// Selects the best documents of a search in order, without sorting all of them.

/** Whether a document may be a result. */
export type IsLiveDoc = (segment: number, doc: number) => boolean

export interface ScoredDoc {
  /** Its place among the segments of the query. */
  readonly segment: number
  readonly doc: number
  readonly score: number
  /** How many of the query terms that were read it has. */
  readonly matched: number
}

/**
 * Best first, of equal ones the newest (higher segment, then higher document). Calls `isLive` only for possible
 * results.
 */
export function selectTopDocs(
  accumulators: Accumulators,
  resultsMax: number,
  isLive?: IsLiveDoc,
): readonly ScoredDoc[] {
  if (resultsMax <= 0) return []
  // Which documents are live is only known one by one. If too few are left, select more.
  for (let wanted = resultsMax; ; wanted *= 4) {
    const keys = bestKeys(accumulators, wanted)
    const docs = toScoredDocs(accumulators, keys, resultsMax, isLive)
    if (docs.length === resultsMax || keys.length === accumulators.docCount) return docs
  }
}

/**
 * Keys of all documents above some total, ascending: at least `wanted` if there are as many, mostly less than twice
 * that.
 */
function bestKeys(accumulators: Accumulators, wanted: number): Float64Array {
  let low = 0
  let high = accumulators.totalMax
  let count = accumulators.docCount
  // A try takes some microseconds, sorting all 0.5 ms. Limited, because equal totals cannot be separated.
  for (let tries = 0; tries < 16 && count > 2 * wanted; tries++) {
    const middle = (low + high) / 2
    const fewer = accumulators.keysFrom(middle).length
    if (fewer >= wanted) {
      low = middle
      count = fewer
    } else {
      high = middle
    }
  }
  return accumulators.keysFrom(low).sort()
}

function toScoredDocs(
  accumulators: Accumulators,
  keys: Float64Array,
  resultsMax: number,
  isLive: IsLiveDoc | undefined,
): ScoredDoc[] {
  // Reads the table directly: for 300 results in the interpreter every call counts.
  const { values, words, columns, bases } = accumulators
  const docs: ScoredDoc[] = []
  let segment = 0
  for (let end = keys.length; end > 0 && docs.length < resultsMax; ) {
    const score = values[rowFromKey(keys[end - 1]!) * columns + TOTAL_COLUMN]!
    let start = end - 1
    while (start > 0 && values[rowFromKey(keys[start - 1]!) * columns + TOTAL_COLUMN] === score) start--
    if (end - start > 1) sortByDocument(keys.subarray(start, end), words, columns)
    for (let i = end - 1; i >= start && docs.length < resultsMax; i--) {
      const at = rowFromKey(keys[i]!) * columns
      const document = words[at + DOCUMENT_COLUMN]!
      while (segment > 0 && bases[segment]! > document) segment--
      while (segment + 1 < bases.length && bases[segment + 1]! <= document) segment++
      const doc = document - bases[segment]!
      if (!isLive || isLive(segment, doc)) docs.push({ segment, doc, score, matched: values[at + MATCHED_COLUMN]! })
    }
    end = start
  }
  return docs
}

/** Sorts keys of equal totals by document. The newest comes last, where the best are. */
function sortByDocument(keys: Float64Array, words: Uint32Array, columns: number): void {
  const documentOf = (key: number): number => words[rowFromKey(key) * columns + DOCUMENT_COLUMN]!
  keys.sort((a, b) => documentOf(a) - documentOf(b))
}

// The two loops of a search, `add` and `keys`, as a WebAssembly module. A hook runs JavaScript in the interpreter; this
// module is compiled before its first call, in 0.25 ms, and saves a hook 8 ms at 20,000 postings.
//
// test/store/index/assembleLoops.ts has its code, statement by statement; a test assembles it and compares the bytes.
// `createPlainLoops` has the same loops in JavaScript, and another test compares what the two write.

/** The module's bytes. It exports `add`, `keys` (see `AccumulatorLoops`) and a `memory` that still has no pages. */
export const accumulatorsModule = (): Uint8Array =>
  Buffer.from(
    'AGFzbQEAAAABmgACYAx8f39/f39/f39/f38Bf2AFf39/f30BfwODAAIAAQWDAAEAAAeXAAMGbWVtb3J5AgADYWRkAAAEa2V5cwAB' +
      'CpMCAsMBAwN/AXwBfQJAA0AgASACTw0BIAEoAgBBCHRBCHYhDCABLQADuCEPIAFBBGohASAMIAVPDQAgBCAMQQF0aiIOLwEAIg1F' +
      'BEAgCkUNASAOIAtBAWoiCyINOwEAIAcgDSAIbGogBiAMajYCCAsgACAPoiAPIAMgDGotAABBA3QrAwCgo7YhECAHIA0gCGxqIg4g' +
      'DioCACAQkjgCACAOIA4qAgRDAACAP5I4AgQgDiAJaiIOIA4qAgAgEJI4AgAMAAsLIAsLywABAX8CQANAIAUgAk8NASAFQQFqIQUg' +
      'ACABaiIAKgIAIARdDQAgAyAAKAIAuEQAAAAAAADwQKIgBbigOQMAIANBCGohAwwACwsgAws=',
    'base64',
  )
