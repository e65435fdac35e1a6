// Merging changes the numbers of documents, never the results of a search.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buildIndexSegment,
  type IndexedDocument,
  type MergeInput,
  mergeSegments,
} from '../../../src/store/index/buildIndexSegment.ts'
import type { IndexSegment } from '../../../src/store/index/indexSegment.ts'
import { anyRuns, segmentOf } from './held.ts'

/** The kept documents of all runs, numbered in order. */
function inputsOf(
  runs: readonly (readonly IndexedDocument[])[],
  isKept: (run: number, doc: number) => boolean,
): MergeInput[] {
  let count = 0
  return runs.map((documents, run) => ({
    segment: segmentOf(documents),
    newNumber: (doc) => (isKept(run, doc) ? count++ : undefined),
  }))
}

describe('index merge', () => {
  test('index merge: merged segments have the same bytes as one segment of all documents', () => {
    fc.assert(
      fc.property(anyRuns, (runs) => {
        expect(mergeSegments(inputsOf(runs, () => true)).equals(buildIndexSegment(runs.flat()))).toBe(true)
      }),
    )
  })

  test('index merge: removed documents do not count in document frequencies and lengths', () => {
    fc.assert(
      fc.property(anyRuns, fc.infiniteStream(fc.boolean()), (runs, choices) => {
        const stored = runs.map((run) => run.map(() => choices.next().value as boolean))
        const isKept = (run: number, doc: number): boolean => stored[run]?.[doc] ?? false
        const documents = runs.flatMap((run, i) => run.filter((_, doc) => isKept(i, doc)))
        expect(mergeSegments(inputsOf(runs, isKept)).equals(buildIndexSegment(documents))).toBe(true)
      }),
    )
  })

  test('index merge: no input gives an empty segment', () => {
    expect(mergeSegments([]).equals(buildIndexSegment([]))).toBe(true)
  })

  test('index merge: more than 2^24 documents are refused', () => {
    const half: IndexSegment = {
      ...segmentOf([]),
      documents: 2 ** 23 + 1,
      norms: () => new Uint8Array(2 ** 23 + 1),
    }
    let count = 0
    const input = { segment: half, newNumber: () => count++ }
    expect(() => mergeSegments([input, input])).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  })
})
