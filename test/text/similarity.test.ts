import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jaccard, overlap } from '../../src/text/similarity.ts'

const terms = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 })

describe('similarity', () => {
  test('text: likeness is shared by all, or by the smaller', () => {
    expect(jaccard(['a', 'b'], ['b', 'c'])).toBeCloseTo(1 / 3)
    expect(overlap(['a', 'b', 'b'], new Set(['b', 'c', 'd']))).toBeCloseTo(1 / 2)
    expect(overlap(['b'], ['a', 'b', 'c'])).toBe(1)
  })

  test('text: likeness is 0 to 1, the same both ways, counts a term once, and overlap is never the less', () => {
    fc.assert(
      fc.property(terms, terms, (a, b) => {
        expect(jaccard(a, b)).toBe(jaccard(new Set(b), a))
        expect(overlap(a, b)).toBe(overlap(b, [...a, ...a]))
        expect(jaccard(a, b)).toBeGreaterThanOrEqual(0)
        expect(overlap(a, b)).toBeLessThanOrEqual(1)
        expect(overlap(a, b)).toBeGreaterThanOrEqual(jaccard(a, b))
        expect(jaccard(a, a)).toBe(a.length === 0 ? 0 : 1)
      }),
    )
  })
})
