// Contribution: its range and its direction.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeContribution } from '../../src/model/contribution.ts'

const part = fc.double({ min: -1, max: 1, noNaN: true })
const parts = fc.record({ success: part, time: part, calls: part, errors: part })
const share = fc.double({ min: 0, max: 1, noNaN: true })

test('model: a contribution lies between -1 and 1, and a memory that was not used has none', () => {
  fc.assert(
    fc.property(parts, share, (given, used) => {
      expect(Math.abs(computeContribution(given, used))).toBeLessThanOrEqual(1)
      expect(computeContribution(given, 0)).toBeCloseTo(0, 12)
    }),
  )
})

test('model: a contribution never falls when one of its parts rises', () => {
  const names = ['success', 'time', 'calls', 'errors'] as const
  fc.assert(
    fc.property(parts, share, fc.constantFrom(...names), part, (given, used, name, other) => {
      const of = (value: number) => computeContribution({ ...given, [name]: value }, used)
      expect(of(Math.max(given[name], other))).toBeGreaterThanOrEqual(of(Math.min(given[name], other)))
    }),
  )
})
