// Tiers: hot, warm, cold.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { computeTier, TIERS } from '../../src/model/memory.ts'

const tier = (days: number) => computeTier(days, DEFAULT_POLICY.tiers)

test('model: hot up to 7 days, warm up to 30, then cold; a clock that moves backwards is hot', () => {
  expect([-3, 0, 6.99].map(tier)).toEqual(['hot', 'hot', 'hot'])
  expect([7, 29.99].map(tier)).toEqual(['warm', 'warm'])
  expect([30, 10_000].map(tier)).toEqual(['cold', 'cold'])
})

test('model: a tier never gets warmer with age', () => {
  const days = fc.double({ min: -10, max: 500, noNaN: true })
  fc.assert(
    fc.property(days, days, (a, b) => {
      expect(TIERS.indexOf(tier(Math.max(a, b)))).toBeGreaterThanOrEqual(TIERS.indexOf(tier(Math.min(a, b))))
    }),
  )
})
