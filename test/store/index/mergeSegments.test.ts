// Merging changes where documents lie, never what they answer.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildIndexSegment } from '../../../src/store/index/buildIndexSegment.ts'
import type { IndexSegment } from '../../../src/store/index/indexSegment.ts'
import { mergeSegments } from '../../../src/store/index/mergeSegments.ts'
import { anyRuns, segmentOf } from './held.ts'

describe('index merge', () => {
  test('index merge: segments of any runs merge into the very bytes of one segment of all', () => {
    fc.assert(
      fc.property(anyRuns, (runs) => {
        const inputs = runs.map((run) => ({ segment: segmentOf(run), keep: () => true }))
        expect(mergeSegments(inputs).equals(buildIndexSegment(runs.flat()))).toBe(true)
      }),
    )
  })

  test('index merge: what is not kept leaves no trace, in document frequencies and lengths either', () => {
    fc.assert(
      fc.property(anyRuns, fc.infiniteStream(fc.boolean()), (runs, choices) => {
        const kept = runs.map((run) => run.map(() => choices.next().value as boolean))
        const inputs = runs.map((run, i) => ({ segment: segmentOf(run), keep: (doc: number) => kept[i]![doc]! }))
        const left = runs.flatMap((run, i) => run.filter((_, doc) => kept[i]![doc]))
        expect(mergeSegments(inputs).equals(buildIndexSegment(left))).toBe(true)
      }),
    )
  })

  test('index merge: of nothing comes an empty segment', () => {
    expect(mergeSegments([]).equals(buildIndexSegment([]))).toBe(true)
  })

  test('index merge: more than 2^24 documents are refused', () => {
    const half: IndexSegment = {
      ...segmentOf([]),
      documents: 2 ** 23 + 1,
      norms: () => new Uint8Array(2 ** 23 + 1),
    }
    const input = { segment: half, keep: () => true }
    expect(() => mergeSegments([input, input])).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  })
})
