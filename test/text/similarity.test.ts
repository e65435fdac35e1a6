import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jaccard } from '../../src/text/similarity.ts'

const terms = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 })

describe('similarity', () => {
  test('text: similarity is the share of common terms among all', () => {
    expect(jaccard(['a', 'b'], ['b', 'c'])).toBeCloseTo(1 / 3)
  })

  test('text: similarity is 0 to 1, symmetric, and counts a term once', () => {
    fc.assert(
      fc.property(terms, terms, (a, b) => {
        expect(jaccard(a, b)).toBe(jaccard(new Set(b), a))
        expect(jaccard(a, b)).toBe(jaccard(b, [...a, ...a]))
        expect(jaccard(a, b)).toBeGreaterThanOrEqual(0)
        expect(jaccard(a, b)).toBeLessThanOrEqual(1)
        expect(jaccard(a, a)).toBe(a.length === 0 ? 0 : 1)
      }),
    )
  })
})
