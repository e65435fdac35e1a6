// A segment returns what was written to it, or reports damage.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryError } from '../../../src/model/memoryError.ts'
import { type OpenFile, realDisk } from '../../../src/store/disk/files.ts'
import { buildIndexSegment, type IndexedDocument, mergeSegments } from '../../../src/store/index/buildIndexSegment.ts'
import { decodeLength, encodeLength, openIndexSegment } from '../../../src/store/index/indexSegment.ts'
import { hash64 } from '../../../src/text/hash.ts'
import { anyDocuments, bm25, fileOf, manyDocuments, opened, segmentOf, WORDS } from './held.ts'

const DOCUMENTS: readonly IndexedDocument[] = [
  { terms: new Map(Object.entries({ cart: 2, total: 1 })), length: 3 },
  { terms: new Map(Object.entries({ cart: 1, ENOENT: 300 })), length: 301 },
  { terms: new Map(), length: 0 },
  { terms: new Map(Object.entries({ ENOENT: 1, 'f:src/cart.ts': 1 })), length: 2 },
]

const postingsOf = (documents: readonly IndexedDocument[], term: string): [doc: number, count: number][] =>
  documents.flatMap(({ terms }, doc) => (terms.has(term) ? [[doc, Math.min(255, terms.get(term)!)]] : []))

const asPairs = (postings: Uint32Array): [doc: number, count: number][] =>
  Array.from(postings, (posting) => [posting & 0xff_ffff, posting >>> 24])

/** Everything a segment can be asked. */
function askAll(bytes: Buffer, size = bytes.length): void {
  const segment = openIndexSegment(fileOf(bytes, size), 'a.idx')!
  segment.norms()
  const query = new Map([...WORDS, 'unknown'].map((word) => [word, 1]))
  for (const { doc, score } of bm25([segment], query, { k1: 1.2, b: 0.75, postingsMax: Infinity, resultsMax: 9 })) {
    if (doc >= segment.documents || !Number.isFinite(score)) throw new Error(`found document ${doc} with ${score}`)
  }
  mergeSegments([{ segment, newNumber: (doc) => doc }])
}

/** The error that `act` throws, which must be a MemoryError, if any. */
function refusal(act: () => void): MemoryError | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof MemoryError) return error
    throw error
  }
}

describe('index segment', () => {
  test('index segment: every term is found with all its documents in order, and no other term is', () => {
    fc.assert(
      fc.property(anyDocuments, (documents) => {
        const segment = segmentOf(documents)
        const results = [...WORDS, 'unknown']
        segment.findTerms(results.map(hash64)).forEach((hit, i) => {
          const expected = postingsOf(documents, results[i]!)
          expect(hit?.df ?? 0).toBe(expected.length)
          if (!hit) return
          expect(asPairs(segment.postings(hit))).toEqual(expected)
        })
        expect(segment.documents).toBe(documents.length)
        expect(Array.from(segment.norms())).toEqual(documents.map(({ length }) => encodeLength(length)))
        expect(segment.lengthTotal).toBe(segment.norms().reduce((sum, norm) => sum + decodeLength(norm), 0))
      }),
    )
  })

  test('index segment: the same documents give the same bytes for every order of their terms', () => {
    fc.assert(
      fc.property(anyDocuments, (documents) => {
        const reversed = documents.map(({ terms, length }) => ({ terms: new Map([...terms].reverse()), length }))
        expect(buildIndexSegment(reversed).equals(buildIndexSegment(documents))).toBe(true)
      }),
    )
  })

  test('index segment: a length is exact up to 28, within 3.5 % up to 62,756, and capped above', () => {
    for (let length = 0; length <= 70_000; length++) {
      const stored = decodeLength(encodeLength(length))
      const expected = Math.min(length, 62_756)
      expect(Math.abs(stored - expected)).toBeLessThanOrEqual(
        length <= 28 ? 0 : (length < 100 ? 0.035 : 0.026) * expected,
      )
    }
  })

  test('index segment: a term of a large segment takes one small read, and its postings another', () => {
    const documents = manyDocuments()
    const bytes = buildIndexSegment(documents)
    const reads: number[] = []
    const file = fileOf(bytes).open()
    const counting: OpenFile = {
      ...file,
      readAt(position, length) {
        reads.push(length)
        return file.readAt(position, length)
      },
    }
    const segment = openIndexSegment({ open: () => counting }, 'a.idx')!
    const results = [...Array.from({ length: 30 }, (_, i) => `w${i * 97}`), 'unknown']
    const hits = segment.findTerms(results.map(hash64))
    expect(reads.length).toBe(1 + results.length)
    expect(Math.max(...reads)).toBeLessThan(4_096)
    hits.forEach((hit, i) => {
      const expected = postingsOf(documents, results[i]!)
      expect(hit?.df ?? 0).toBe(expected.length)
      if (hit) expect(asPairs(segment.postings(hit))).toEqual(expected)
    })
    expect(hits.filter(Boolean).length).toBeGreaterThan(10)
    expect(reads.length).toBe(1 + results.length + hits.filter(Boolean).length)
  })

  test('index segment: more than 2^24 documents are refused', () => {
    const item = { terms: new Map<string, number>(), length: 1 }
    function* tooMany(): Generator<IndexedDocument> {
      for (let i = 0; i <= 2 ** 24; i++) yield item
    }
    expect(refusal(() => buildIndexSegment(tooMany()))?.code).toBe('INPUT_INVALID')
  })

  test('index segment: a file on disk is opened, read and closed, and a missing file is a value', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-index-'))
    try {
      const file = path.join(folder, 'one.idx')
      expect(openIndexSegment(realDisk, file)).toBeUndefined()
      realDisk.replace(file, buildIndexSegment(DOCUMENTS))
      const segment = openIndexSegment(realDisk, file)!
      expect(asPairs(segment.postings(segment.findTerms([hash64('cart')])[0]!))).toEqual(postingsOf(DOCUMENTS, 'cart'))
      segment.close()
    } finally {
      fs.rmSync(folder, { recursive: true })
    }
  })
})

describe('index segment damage', () => {
  const bytes = buildIndexSegment(DOCUMENTS)

  test('index segment: a file truncated at any byte is refused with the hint', () => {
    for (let length = 0; length < bytes.length; length++) {
      const error = refusal(() => opened(bytes.subarray(0, length)))
      expect(error?.code, `cut at ${length}`).toBe('STORE_INVALID')
      expect(error?.hint).toContain('memctl rebuild')
    }
  })

  test('index segment: a short read at any byte is refused', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(refusal(() => askAll(bytes.subarray(0, length), bytes.length))?.code, `cut at ${length}`).toBe(
        'STORE_INVALID',
      )
    }
  })

  test('index segment: any flipped bit of the header is refused with the hint', () => {
    for (let bit = 0; bit < 64 * 8; bit++) {
      const error = refusal(() => opened(flipped(bytes, bit)))
      expect(error?.code, `bit ${bit}`).toBe('STORE_INVALID')
      expect(error?.hint).toContain('memctl rebuild')
    }
  })

  test('index segment: a flipped bit after the header never finds a missing document, and a merge refuses it', () => {
    for (let bit = 64 * 8; bit < bytes.length * 8; bit++) {
      expect(refusal(() => askAll(flipped(bytes, bit)))?.code, `bit ${bit}`).toBe('STORE_INVALID')
    }
  })

  test('index segment: any other bytes are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (other) => {
        expect(refusal(() => opened(Buffer.from(other)))?.code).toBe('STORE_INVALID')
      }),
    )
  })

  test('index segment: an intact file of a later format is distinguished from a damaged file', () => {
    const newer = Buffer.from(bytes)
    newer.writeUInt32LE(2, 4)
    newer.writeUInt32LE(fnv(newer.subarray(0, 60)), 60)
    const error = refusal(() => opened(newer))
    expect(error?.code).toBe('STORE_NEWER')
    expect(error?.hint).toContain('memctl rebuild')
  })
})

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >>> 3]! ^= 1 << (bit & 7)
  return copy
}

/** FNV-1a over little-endian words, said once more. */
function fnv(bytes: Buffer): number {
  let hash = 2_166_136_261n
  for (let i = 0; i < bytes.length; i += 4) hash = ((hash ^ BigInt(bytes.readUInt32LE(i))) * 16_777_619n) & 0xffff_ffffn
  return Number(hash)
}
