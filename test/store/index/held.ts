// Segments held in memory, and documents to fill them with.
import fc from 'fast-check'
import type { OpenFile } from '../../../src/store/disk/files.ts'
import type { IsLiveDoc, ScoredDoc } from '../../../src/store/index/accumulators.ts'
import { type QueryTerm, scoreDocuments } from '../../../src/store/index/bm25.ts'
import { buildIndexSegment, type IndexedDocument } from '../../../src/store/index/buildIndexSegment.ts'
import { type IndexSegment, openIndexSegment } from '../../../src/store/index/indexSegment.ts'

/** A file of these bytes. Reads come back one byte off a word's boundary, as a disk's buffers may. */
export function fileOf(bytes: Buffer, size = bytes.length): { open: () => OpenFile } {
  const readAt = (position: number, length: number): Buffer => {
    const read = bytes.subarray(position, position + length)
    const shifted = Buffer.from(new ArrayBuffer(read.length + 1), 1)
    read.copy(shifted)
    return shifted
  }
  return { open: () => ({ size, readAt, close: () => {} }) }
}

export const opened = (bytes: Buffer): IndexSegment => openIndexSegment(fileOf(bytes), 'a.idx')!

export const segmentOf = (documents: readonly IndexedDocument[]): IndexSegment => opened(buildIndexSegment(documents))

/** Few different terms, so that they meet; counts and lengths past what a segment keeps are among them. */
export const WORDS = [
  'the',
  'cart',
  'f:src/cart.ts',
  'ENOENT',
  '買い物',
  'total',
  'Total',
  'npm test',
  'x',
  'y',
  'z',
  '',
]

const counted = fc.tuple(
  fc.constantFrom(...WORDS),
  fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(255, 256, 9_999)),
)
const lengths = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 200_000 }))

export const anyDocument: fc.Arbitrary<IndexedDocument> = fc
  .tuple(fc.array(counted, { maxLength: 8 }), lengths)
  .map(([terms, length]) => ({ terms: new Map(terms), length }))

export const anyDocuments = fc.array(anyDocument, { maxLength: 24 })

/** The documents in one to five runs, some of them empty. */
export const anyRuns: fc.Arbitrary<readonly (readonly IndexedDocument[])[]> = fc
  .tuple(anyDocuments, fc.array(fc.nat(24), { maxLength: 4 }))
  .map(([documents, cuts]) => {
    const ends = [...cuts.map((cut) => Math.min(cut, documents.length)).sort((a, b) => a - b), documents.length]
    return ends.map((end, i) => documents.slice(ends[i - 1] ?? 0, end))
  })

/** 12,000 documents, too many bytes for one read. */
export function manyDocuments(): IndexedDocument[] {
  return Array.from({ length: 12_000 }, (_, i) => ({
    terms: new Map(
      Array.from({ length: 12 }, (_, k) => [`w${(i * (k + 1) * 7919) % (40 * 4 ** (k % 5))}`, 1 + (i % 3)]),
    ),
    length: 12 + (i % 50),
  }))
}

/** The best documents for weighted terms, best first. `scores` has the formula. */
export function bm25(
  segments: readonly IndexSegment[],
  query: ReadonlyMap<string, number>,
  options: Parameters<typeof scoreDocuments>[2] & { readonly resultsMax: number; readonly alive?: IsLiveDoc },
): readonly ScoredDoc[] {
  const terms: QueryTerm[] = []
  for (const [term, weight] of query) terms.push({ term, weight, group: 0 })
  return scoreDocuments(segments, terms, options).topDocs(options.resultsMax, options.alive)
}
