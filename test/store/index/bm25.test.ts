// The search gives the results of the BM25 formula for every division of the documents into segments.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ScoredDoc } from '../../../src/store/index/accumulators.ts'
import { type QueryTerm, scoreDocuments } from '../../../src/store/index/bm25.ts'
import type { IndexedDocument } from '../../../src/store/index/buildIndexSegment.ts'
import { decodeLength, encodeLength } from '../../../src/store/index/indexSegment.ts'
import { anyDocuments, anyRuns, bm25, manyDocuments, segmentOf, WORDS } from './held.ts'

const OPTIONS = { k1: 1.2, b: 0.75, postingsMax: Infinity, resultsMax: Infinity }

const anyQuery = fc
  .uniqueArray(fc.constantFrom(...WORDS, 'unknown', 'unheard of'), { maxLength: 10 })
  .chain((words) => fc.tuple(...words.map((word) => fc.tuple(fc.constant(word), fc.integer({ min: 1, max: 40 })))))
  .map((pairs) => new Map(pairs.map(([word, tenths]) => [word, tenths / 10] as const)))

const anyGroupedQuery: fc.Arbitrary<readonly QueryTerm[]> = fc.array(
  fc.record({
    term: fc.constantFrom(...WORDS, 'unknown'),
    weight: fc.constantFrom(0.25, 1, 3),
    group: fc.nat(7),
  }),
  { maxLength: 12 },
)

/** BM25 as the paper has it, term by term. */
function byHand(
  documents: readonly IndexedDocument[],
  query: ReadonlyMap<string, number>,
  k1: number,
  b: number,
): number[] {
  const lengths = documents.map(({ length }) => decodeLength(encodeLength(length)))
  const average = lengths.reduce((sum, length) => sum + length, 0) / documents.length
  const scored = documents.map(() => 0)
  for (const [term, weight] of query) {
    const df = frequency(documents, term)
    const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5))
    documents.forEach(({ terms }, doc) => {
      const count = Math.min(255, terms.get(term) ?? 0)
      const relative = average > 0 ? lengths[doc]! / average : 1
      if (count > 0) scored[doc]! += weight * idf * ((count * (k1 + 1)) / (count + k1 * (1 - b + b * relative)))
    })
  }
  return scored
}

const frequency = (documents: readonly IndexedDocument[], term: string): number =>
  documents.filter(({ terms }) => terms.has(term)).length

/** With documents numbered over all runs. */
const flat = (
  runs: readonly (readonly unknown[])[],
  found: readonly ScoredDoc[],
): [doc: number, score: number, matched: number][] =>
  found.map(({ segment, doc, score, matched }) => [
    runs.slice(0, segment).reduce((sum, run) => sum + run.length, 0) + doc,
    score,
    matched,
  ])

describe('index search', () => {
  test('index search: every document with a query term is found, with the BM25 score of the formula', () => {
    fc.assert(
      fc.property(
        anyRuns,
        anyQuery,
        fc.constantFrom(0, 0.9, 1.2, 2),
        fc.constantFrom(0, 0.4, 0.75, 1),
        (runs, query, k1, b) => {
          const documents = runs.flat()
          const found = bm25(runs.map(segmentOf), query, { ...OPTIONS, k1, b })
          const expected = byHand(documents, query, k1, b)
          const byDocument = new Map(flat(runs, found).map(([doc, score, matched]) => [doc, { score, matched }]))
          documents.forEach(({ terms }, doc) => {
            const matched = [...query.keys()].filter((term) => terms.has(term)).length
            expect(byDocument.get(doc)?.matched ?? 0).toBe(matched)
            if (matched > 0) expect(byDocument.get(doc)!.score / expected[doc]!).toBeCloseTo(1, 5)
          })
        },
      ),
    )
  })

  test('index search: results are sorted by score, then newest first, for every limit', () => {
    fc.assert(
      fc.property(anyRuns, anyQuery, fc.nat(20), (runs, query, resultsMax) => {
        const segments = runs.map(segmentOf)
        const all = bm25(segments, query, OPTIONS)
        const flatAll = flat(runs, all)
        const ordered = [...flatAll].sort(([docA, a], [docB, b]) => b - a || docB - docA)
        expect(flatAll).toEqual(ordered)
        expect(bm25(segments, query, { ...OPTIONS, resultsMax })).toEqual(all.slice(0, resultsMax))
      }),
    )
  })

  test('index search: the division into segments does not change any bit of the result', () => {
    fc.assert(
      fc.property(anyRuns, anyQuery, fc.integer({ min: 0, max: 60 }), (runs, query, postingsMax) => {
        const options = { ...OPTIONS, postingsMax, touchedMax: 10 }
        const together = bm25([segmentOf(runs.flat())], query, options)
        expect(flat(runs, bm25(runs.map(segmentOf), query, options))).toEqual(flat([], together))
      }),
    )
  })

  test('index search: deleted documents disappear, and the others keep their scores and order', () => {
    fc.assert(
      fc.property(anyRuns, anyQuery, fc.nat(6), fc.nat(255), (runs, query, resultsMax, mask) => {
        const segments = runs.map(segmentOf)
        const alive = (segment: number, doc: number): boolean => ((mask >> ((segment + doc) % 8)) & 1) === 1
        const living = bm25(segments, query, OPTIONS).filter(({ segment, doc }) => alive(segment, doc))
        expect(bm25(segments, query, { ...OPTIONS, resultsMax, alive })).toEqual(living.slice(0, resultsMax))
      }),
    )
  })

  test('index search: a budget skips the most common terms, as if the query did not have them', () => {
    fc.assert(
      fc.property(anyDocuments, anyQuery, fc.nat(60), (documents, query, postingsMax) => {
        const byRarity = [...query.keys()]
          .map((term) => ({ term, df: frequency(documents, term) }))
          .filter(({ df }) => df > 0)
          .sort((a, b) => a.df - b.df)
        const read: string[] = []
        let left = postingsMax
        for (const { term, df } of byRarity) {
          if (df > left) continue
          read.push(term)
          left -= df
        }
        const segments = [segmentOf(documents)]
        const output = [...query].map(([term, weight]) => ({ term, weight, group: 0 }))
        const limited = scoreDocuments(segments, output, { ...OPTIONS, postingsMax })
        const alone = new Map([...query].filter(([term]) => read.includes(term)))
        expect(limited.topDocs(Infinity)).toEqual(bm25(segments, alone, OPTIONS))
      }),
    )
  })

  test('index search: when the table is full, more common terms only score documents already found', () => {
    fc.assert(
      fc.property(anyDocuments, anyQuery, fc.nat(12), (documents, query, touchedMax) => {
        const found = new Set<number>()
        const byRarity = [...query.keys()].sort((a, b) => frequency(documents, a) - frequency(documents, b))
        for (const term of byRarity) {
          const having = documents.flatMap(({ terms }, doc) => (terms.has(term) ? [doc] : []))
          const hasRoom = found.size + having.length <= touchedMax || touchedMax >= documents.length
          if (hasRoom) for (const doc of having) found.add(doc)
        }
        const segments = [segmentOf(documents)]
        const expected = bm25(segments, query, OPTIONS).filter(({ doc }) => found.has(doc))
        expect(bm25(segments, query, { ...OPTIONS, scoredDocsMax: touchedMax })).toEqual(expected)
      }),
    )
  })

  test('index search: a group scores like a query of its terms, and the groups add up to the total', () => {
    fc.assert(
      fc.property(anyRuns, anyGroupedQuery, (runs, query) => {
        const segments = runs.map(segmentOf)
        const grouped = scoreDocuments(segments, query, OPTIONS)
        const alone = Array.from({ length: 8 }, (_, group) =>
          scoreDocuments(
            segments,
            query.filter((term) => term.group === group),
            OPTIONS,
          ),
        )
        for (const { segment, doc, score } of grouped.topDocs(Infinity)) {
          let sum = 0
          for (let group = 0; group < 8; group++) {
            const own = grouped.groupScore(segment, doc, group)
            expect(own).toBe(alone[group]!.groupScore(segment, doc, group))
            expect(own).toBe(grouped.values[grouped.offsetOf(segment, doc) + group])
            sum += own
          }
          expect(sum / score).toBeCloseTo(1, 5)
        }
      }),
    )
  })

  test('index search: no group score exceeds its upper bound, and unknown terms raise the bound', () => {
    fc.assert(
      fc.property(anyRuns, anyGroupedQuery, (runs, query) => {
        const segments = runs.map(segmentOf)
        const found = scoreDocuments(segments, query, OPTIONS)
        const unknown = { term: 'nobody says this', weight: 1, group: 0 }
        const more = scoreDocuments(segments, [...query, unknown], OPTIONS)
        for (let group = 0; group < 8; group++) {
          const greatest = found.maxGroupScore(group)
          for (const { segment, doc } of found.topDocs(Infinity)) {
            expect(found.groupScore(segment, doc, group)).toBeLessThanOrEqual(greatest * (1 + 1e-5))
          }
          const raised = more.maxGroupScore(group) - greatest
          if (group === 0) expect(raised).toBeGreaterThan(0)
          else expect(raised).toBe(0)
        }
      }),
    )
  })

  test('index search: a document without a match and a missing one have no rank and zero scores', () => {
    const documents = ['cart', 'total', 'cart'].map((word) => ({ terms: new Map([[word, 1]]), length: 1 }))
    const found = scoreDocuments(
      [segmentOf(documents), segmentOf(documents)],
      [{ term: 'cart', weight: 1, group: 3 }],
      OPTIONS,
    )
    expect(found.groupScore(0, 2, 3)).toBeGreaterThan(0)
    for (const [segment, doc] of [
      [0, 1],
      [0, -1],
      [0, 3],
      [1, -1],
      [1, 3],
      [2, 0],
      [-1, 0],
    ] as const) {
      for (let group = 0; group < 8; group++) expect(found.groupScore(segment, doc, group)).toBe(0)
    }
  })

  test('index search: no segments, empty segments, an empty query or zero weights find nothing', () => {
    const query = new Map([['cart', 1]])
    const indexSegment = segmentOf([{ terms: new Map([['cart', 1]]), length: 1 }])
    expect(bm25([], query, OPTIONS)).toEqual([])
    expect(bm25([segmentOf([])], query, OPTIONS)).toEqual([])
    expect(bm25([indexSegment], new Map(), OPTIONS)).toEqual([])
    expect(bm25([indexSegment], new Map([['cart', 0]]), OPTIONS)).toEqual([])
    expect(bm25([indexSegment], query, { ...OPTIONS, resultsMax: 0 })).toEqual([])
    expect(bm25([segmentOf([]), indexSegment, segmentOf([])], query, OPTIONS)).toMatchObject([{ segment: 1, doc: 0 }])
  })

  test('index search: a large index gives the results of the formula, also with many deletions', () => {
    const documents = manyDocuments()
    const query = new Map([
      ['w1', 1],
      ['w5', 2],
      ['w97', 1],
      ['w485', 1],
      ['w1003', 1.5],
      ['w39', 1],
    ])
    const expected = byHand(documents, query, 1.2, 0.75)
    const segments = [segmentOf(documents)]
    for (const alive of [() => true, (_: number, doc: number) => doc % 50 === 7]) {
      const found = bm25(segments, query, { ...OPTIONS, scoredDocsMax: 60_000, resultsMax: 100, alive })
      const best = expected.filter((score, doc) => score > 0 && alive(0, doc)).sort((a, b) => b - a)
      expect(found.length).toBe(Math.min(100, best.length))
      found.forEach(({ doc, score }, i) => {
        expect(score / expected[doc]!).toBeCloseTo(1, 5)
        expect(score / best[i]!).toBeCloseTo(1, 5)
      })
    }
  })
})
