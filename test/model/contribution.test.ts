// Contribution: its range and its direction.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { computeContribution } from '../../src/model/contribution.ts'

const part = fc.double({ min: -1, max: 1, noNaN: true })
const parts = fc.record({ success: part, time: part, calls: part, errors: part })
const share = fc.double({ min: 0, max: 1, noNaN: true })
const weights = fc.record({ success: share, time: share, calls: share, errors: share })

test('model: a contribution lies between -1 and 1, and a memory that was not used has none', () => {
  fc.assert(
    fc.property(parts, weights, share, (given, policy, used) => {
      expect(Math.abs(computeContribution(given, policy, used))).toBeLessThanOrEqual(1)
      expect(computeContribution(given, policy, 0)).toBeCloseTo(0, 12)
    }),
  )
})

test('model: a contribution never falls when one of its parts rises', () => {
  const names = ['success', 'time', 'calls', 'errors'] as const
  fc.assert(
    fc.property(parts, share, fc.constantFrom(...names), part, (given, used, name, other) => {
      const of = (value: number) =>
        computeContribution({ ...given, [name]: value }, DEFAULT_POLICY.improve.contribution, used)
      expect(of(Math.max(given[name], other))).toBeGreaterThanOrEqual(of(Math.min(given[name], other)))
    }),
  )
})
