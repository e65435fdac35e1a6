// The loops in WebAssembly do what those in JavaScript do, to the last bit.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AccumulatorLoops,
  accumulatorsModule,
  createAccumulatorLoops,
  createPlainLoops,
} from '../../../src/store/index/accumulators.ts'
import { assembleLoops } from './assembleLoops.ts'

const DOCUMENTS = 40
const BASE = 5
const NORMS = 2_048
const ROWS = NORMS + 64
const TABLE = ROWS + 2 * DOCUMENTS
const COLUMNS = 11
const ROWS_MAX = 60
const SCRATCH = TABLE + 4 * COLUMNS * (ROWS_MAX + 1) + 4
const BYTES = 65_536

interface Term {
  readonly gain: number
  readonly group: number
  readonly admit: number
  readonly postings: readonly number[]
}

// Documents past the last one too, as a damaged file has them.
const anyPosting = fc.tuple(fc.nat(50), fc.nat(255)).map(([doc, count]) => ((count << 24) | doc) >>> 0)
const anyTerm: fc.Arbitrary<Term> = fc.record({
  gain: fc.double({ min: 0.001, max: 60, noNaN: true }),
  group: fc.nat(7),
  admit: fc.nat(1),
  postings: fc.array(anyPosting, { maxLength: 20 }),
})

function run(loops: AccumulatorLoops, terms: readonly Term[], norms: readonly number[], floor: number): Uint8Array {
  const { memory } = loops
  new Float64Array(memory, 0, 256).set(Array.from({ length: 256 }, (_, norm) => 0.3 + norm / 7))
  new Uint8Array(memory, NORMS, norms.length).set(norms)
  let touched = 0
  for (const { gain, group, admit, postings } of terms) {
    new Uint32Array(memory, SCRATCH, postings.length).set(postings)
    const to = SCRATCH + 4 * postings.length
    const column = 4 * (3 + group)
    touched = loops.add(gain, SCRATCH, to, NORMS, ROWS, DOCUMENTS, BASE, TABLE, 4 * COLUMNS, column, admit, touched)
  }
  const end = loops.keys(TABLE, 4 * COLUMNS, touched, SCRATCH, Math.fround(floor))
  return new Uint8Array(memory.slice(0, BYTES)).fill(touched, BYTES - 1).fill((end - SCRATCH) / 8, BYTES - 2, BYTES - 1)
}

test('index accumulator: the compiled loops write the same bytes as the plain loops', () => {
  fc.assert(
    fc.property(
      fc.array(anyTerm, { maxLength: 8 }),
      fc.array(fc.nat(255), { minLength: DOCUMENTS, maxLength: DOCUMENTS }),
      fc.double({ min: 0, max: 90, noNaN: true }),
      (terms, norms, floor) => {
        const compiled = createAccumulatorLoops(BYTES)
        const plain = createPlainLoops(BYTES)
        expect(String(compiled.add)).toContain('[native code]') // or this would compare plain with plain
        expect(Buffer.compare(run(compiled, terms, norms, floor), run(plain, terms, norms, floor))).toBe(0)
      },
    ),
  )
})

test('index accumulator: the bytes of the compiled loops are those of their code', () => {
  expect(Buffer.from(accumulatorsModule()).toString('base64')).toBe(Buffer.from(assembleLoops()).toString('base64'))
})
