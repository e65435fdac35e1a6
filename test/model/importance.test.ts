// Importance: the formula of the self-improving-cycle spec, and what it promises.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeImportance, type ImportanceTerms, saturate } from '../../src/model/importance.ts'

const share = fc.double({ min: 0, max: 1, noNaN: true })
const terms: fc.Arbitrary<ImportanceTerms> = fc.record({
  outcome: share,
  reuse: share,
  crossImpact: share,
  novelty: share,
  userSignal: share,
  costSaved: share,
})

test('model: importance lies between 0 and 1 whatever the terms', () => {
  fc.assert(
    fc.property(terms, (given) => {
      const importance = computeImportance(given)
      expect(importance).toBeGreaterThanOrEqual(0)
      expect(importance).toBeLessThanOrEqual(1)
    }),
  )
})

test('model: importance never falls when a term rises', () => {
  const names = ['outcome', 'reuse', 'crossImpact', 'novelty', 'userSignal', 'costSaved'] as const
  fc.assert(
    fc.property(terms, fc.constantFrom(...names), share, (given, name, other) => {
      const [low, high] = [Math.min(given[name], other), Math.max(given[name], other)]
      expect(computeImportance({ ...given, [name]: high })).toBeGreaterThanOrEqual(
        computeImportance({ ...given, [name]: low }),
      )
    }),
  )
})

test('model: each term has the weight of the self-improving-cycle spec: .25 .20 .20 .15 .15 .05', () => {
  const none = { outcome: 0, reuse: 0, crossImpact: 0, novelty: 0, userSignal: 0, costSaved: 0 }
  const worth = (name: keyof ImportanceTerms) => computeImportance({ ...none, [name]: 1 })
  expect([worth('outcome'), worth('reuse'), worth('crossImpact')]).toEqual([0.25, 0.2, 0.2])
  expect([worth('novelty'), worth('userSignal'), worth('costSaved')]).toEqual([0.15, 0.15, 0.05])
  expect(computeImportance(none)).toBe(0)
})

test('model: a count as a share is 0 for none, one half at its half, and never reaches 1', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.double({ min: 0.1, max: 1e6, noNaN: true }), (count, half) => {
      expect(saturate(0, half)).toBe(0)
      expect(saturate(half, half)).toBe(0.5)
      expect(saturate(count, half)).toBeLessThan(1)
      expect(saturate(count + 1, half)).toBeGreaterThan(saturate(count, half))
    }),
  )
})
