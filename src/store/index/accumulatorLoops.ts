// The two loops of a tally, over one block of memory laid out by the caller. Offsets are in bytes.

import { accumulatorsModule } from './accumulatorsWasm.ts'
import { COUNT_SHIFT, DOCUMENT_MASK } from './segmentFormat.ts'

/** Columns of the table: total (float), matched (float), document (integer), then one float a group. */
export const TOTAL_COLUMN = 0
export const MATCHED_COLUMN = 1
export const DOCUMENT_COLUMN = 2
export const FIRST_GROUP_COLUMN = 3

export interface AccumulatorLoops {
  readonly memory: ArrayBuffer

  /**
   * Adds gain · count / (count + penalty) to total and `column` for the postings between `from` and `to`, and returns how
   * many rows are taken now.
   *
   * `norms` and `rows` are those of the segment's document 0, which is number `base` over all segments; postings of
   * documents past `documents` (a damaged file) are stepped over. Unless `admit`, only documents with a row score.
   */
  add(
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
  ): number

  /**
   * For each of the rows 1 to `touched` whose total is `floor` or more, writes a double that orders as the total does and
   * has the row in its low 16 bits. Returns where it stopped writing.
   */
  keys(table: number, stride: number, touched: number, into: number, floor: number): number
}

/** In WebAssembly where there is any, else in JavaScript. The sums are the same to the last bit. */
export function createAccumulatorLoops(bytes: number): AccumulatorLoops {
  if (!engine) return createPlainLoops(bytes)
  try {
    return compiledLoops(engine, bytes)
  } catch {
    // Its memory reserves gigabytes of addresses, which a limit on them (ulimit -v) refuses.
    return createPlainLoops(bytes)
  }
}

function compiledLoops(engine: Engine, bytes: number): AccumulatorLoops {
  const { memory, add, keys } = new engine.Instance(new engine.Module(accumulatorsModule())).exports
  memory.grow(Math.ceil(bytes / 65_536))
  return { memory: memory.buffer, add, keys }
}

// What is used of WebAssembly: Node's types do not have it, and `node --jitless` has none.
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

export function createPlainLoops(bytes: number): AccumulatorLoops {
  const memory = new ArrayBuffer(Math.ceil(bytes / 8) * 8)
  const halves = new Uint16Array(memory)
  const words = new Uint32Array(memory)
  const floats = new Float32Array(memory)
  const doubles = new Float64Array(memory)
  const octets = new Uint8Array(memory)
  return {
    memory,

    add(gain, from, to, norms, rows, documents, base, table, stride, column, admit, touched) {
      let rowsTaken = touched
      for (let posting = from; posting < to; posting += 4) {
        const doc = words[posting >>> 2]! & DOCUMENT_MASK
        const count = words[posting >>> 2]! >>> COUNT_SHIFT
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

    keys(table, stride, touched, into, floor) {
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
