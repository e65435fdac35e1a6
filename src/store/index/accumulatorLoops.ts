// The two inner loops of a search, over one block of memory that accumulators.ts lays out. Offsets are in bytes.
import { accumulatorsModule } from './accumulatorsWasm.ts'
import { COUNT_SHIFT, DOCUMENT_MASK } from './segmentFormat.ts'

/** Columns of the table: total (float), matched (float), document (integer), then one float per group. */
export const TOTAL_COLUMN = 0
export const MATCHED_COLUMN = 1
export const DOCUMENT_COLUMN = 2
export const FIRST_GROUP_COLUMN = 3

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
    return compiledLoops(engine, bytes)
  } catch {
    // Its memory reserves gigabytes of addresses, which a limit (ulimit -v) can refuse.
    return createPlainLoops(bytes)
  }
}

function compiledLoops(engine: Engine, bytes: number): AccumulatorLoops {
  const { memory, add, keys } = new engine.Instance(new engine.Module(accumulatorsModule())).exports
  memory.grow(Math.ceil(bytes / 65_536))
  return { memory: memory.buffer, add, keys }
}

// The part of WebAssembly that is used: Node's types do not have it. `node --jitless` has no WebAssembly.
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
  ) => { readonly exports: Pick<AccumulatorLoops, 'add' | 'keys'> & { memory: EngineMemory } }
}
interface EngineMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}
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
