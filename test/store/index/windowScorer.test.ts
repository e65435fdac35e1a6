// The score of a window is BM25 over weighted term counts and lengths, compared with the formula.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TermCounts, type WindowReach } from '../../../src/broker/search/questionCandidates.ts'
import { scoreDocuments } from '../../../src/store/index/bm25.ts'
import { anyDocuments, segmentOf, WORDS } from './held.ts'

const BM25 = { k1: 1.2, b: 0.75 }
const REACH: WindowReach = { middle: 1, weights: [0.5, 1, 0.25] }

describe('index window', () => {
  test('index window: a document without neighbours keeps its search score', () => {
    fc.assert(
      fc.property(anyDocuments, (documents) => {
        if (documents.length === 0) return
        const found = scoreDocuments(
          [segmentOf(documents)],
          WORDS.map((term) => ({ term, weight: 1, group: 0 })),
          { ...BM25, postingsMax: Infinity },
        )
        const all = documents.map((_, doc) => doc)
        const counts = new TermCounts(found.readTerms, 0, all, documents.length)
        const into = new Float64Array(1)
        for (const doc of all) {
          counts.scoreWindow(doc, [doc], { reaches: [REACH], share: 1, lengths: found.docLengths(0), bm25: BM25 }, into)
          expect(into[0]).toBeCloseTo(found.groupScore(0, doc, 0), 3)
        }
      }),
    )
  })

  test('index window: neighbours add terms and length by their weight and share', () => {
    const document = (counts: Record<string, number>, length: number) => ({
      terms: new Map(Object.entries(counts)),
      length,
    })
    const documents = [document({ tax: 2 }, 4), document({ cart: 1 }, 6), document({ tax: 1, cart: 3 }, 8)]
    const found = scoreDocuments([segmentOf(documents)], [{ term: 'tax', weight: 1, group: 0 }], {
      ...BM25,
      postingsMax: Infinity,
    })
    const counts = new TermCounts(found.readTerms, 0, [0, 1, 2], 3)
    const into = new Float64Array(1)
    counts.scoreWindow(1, [0, 1, 2], { reaches: [REACH], share: 0.5, lengths: found.docLengths(0), bm25: BM25 }, into)
    const [before, after] = [0.25, 0.125]
    const count = before * 2 + after * 1
    const relative = (before * 4 + 6 + after * 8) / ((before + 1 + after) * 6)
    const gain = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5)) * 2.2
    expect(into[0]).toBeCloseTo((gain * count) / (count + 1.2 * (0.25 + 0.75 * relative)), 5)
  })
})
