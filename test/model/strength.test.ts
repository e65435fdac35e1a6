// Strength: decay, levels and rates of seed 000.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import {
  applyStrengthChange,
  computeConsolidationLevel,
  computeTaskRetention,
  daysBetween,
  decayChange,
  decayStrength,
  impactChange,
  normalizeStrength,
  useChange,
} from '../../src/model/strength.ts'
import { arbitraryMemory } from '../arbitraries.ts'
import { BEGIN, DAY, iso } from '../testData.ts'

const strengths = fc.double({ min: 0, max: 10, noNaN: true })
const days = fc.double({ min: 0, max: 1_000, noNaN: true })
const retention = fc.constantFrom(...DEFAULT_POLICY.strength.dailyRetention)

test('model: decay over a and then b days equals decay over a + b days', () => {
  fc.assert(
    fc.property(strengths, days, days, retention, (strength, a, b, keeps) => {
      expect(decayStrength(strength, a + b, keeps)).toBeCloseTo(
        decayStrength(decayStrength(strength, a, keeps), b, keeps),
        9,
      )
    }),
  )
})

test('model: decay only weakens, never below 0, and a clock that moves backwards counts as no time', () => {
  fc.assert(
    fc.property(strengths, days, retention, (strength, age, keeps) => {
      expect(decayStrength(strength, age, keeps)).toBeLessThanOrEqual(strength)
      expect(decayStrength(strength, age, keeps)).toBeGreaterThanOrEqual(0)
      expect(decayStrength(strength, -age, keeps)).toBe(strength)
      expect(daysBetween(age * 86_400_000, 0)).toBe(0)
    }),
  )
})

test('model: the rates per task are those of the agent-memory spec', () => {
  const rates = DEFAULT_POLICY.strength.dailyRetention.map((daily) =>
    computeTaskRetention(daily, DEFAULT_POLICY.strength.tasksPerDay),
  )
  const seed = [0.9949, 0.9969, 0.998, 0.999, 0.9995, 0.9998]
  expect(rates).toHaveLength(seed.length)
  rates.forEach((rate, level) => expect(Math.abs(rate - seed[level]!), `level ${level}`).toBeLessThan(1e-4))
})

test('model: ten tasks at the rate per task retain what a day retains', () => {
  for (const daily of DEFAULT_POLICY.strength.dailyRetention)
    expect(computeTaskRetention(daily, 10) ** 10).toBeCloseTo(daily, 12)
})

test('model: a level begins at its number of uses: 0, 5, 15, 30, 60, 100', () => {
  const { levelUses } = DEFAULT_POLICY.strength
  const level = (uses: number) => computeConsolidationLevel(uses, levelUses)
  expect([0, 4, 5, 14, 15, 29, 30, 59, 60, 99, 100, 5_000].map(level)).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
  fc.assert(fc.property(fc.nat(200), (uses) => void expect(level(uses + 1)).toBeGreaterThanOrEqual(level(uses))))
})

test('model: strength as a ranking feature is between 0 and 1, and 1 from a strength of 2 on', () => {
  expect([-1, 0, 1, 2, 9].map(normalizeStrength)).toEqual([0, 0, 0.5, 1, 1])
})

// The strength reducer: what one change does, and that changes by two who use a memory at the same time both count.

const AT = iso(BEGIN + DAY)
const policy = DEFAULT_POLICY.strength

test('strength: an empty change changes nothing', () => {
  fc.assert(
    fc.property(arbitraryMemory, (memory) => {
      expect(applyStrengthChange(memory, {}, AT)).toEqual(memory)
    }),
  )
})

test('strength: a change touches no field but those of strength, and not its input', () => {
  fc.assert(
    fc.property(arbitraryMemory, (memory) => {
      const before = structuredClone(memory)
      const after = applyStrengthChange(memory, { ...useChange(memory, policy, 'cost'), candidates: 1 }, AT)
      expect(memory).toEqual(before)
      const { accessCount, candidateCount, lastUsed, strength, strengthByPerspective, consolidationLevel } = memory
      const fields = { accessCount, candidateCount, lastUsed, strength, strengthByPerspective, consolidationLevel }
      expect({ ...after, ...fields }).toEqual(memory)
    }),
  )
})

test('strength: counts and gains of two changes add up in either order', () => {
  fc.assert(
    fc.property(arbitraryMemory, (memory) => {
      const used = useChange(memory, policy, 'cost')
      const helped = impactChange('task_success', policy, 'cost')
      const one = applyStrengthChange(applyStrengthChange(memory, used, AT), helped, AT)
      const other = applyStrengthChange(applyStrengthChange(memory, helped, AT), used, AT)
      expect(one.accessCount).toBe(memory.accessCount + 1)
      expect(one.impactScore).toBe(other.impactScore)
      expect(one.strength).toBeCloseTo(other.strength, 12)
      expect(one.strengthByPerspective['cost']).toBeCloseTo(other.strengthByPerspective['cost'] ?? Number.NaN, 12)
    }),
  )
})

test('strength: a decay change gives the strength of the decay function, to the last bit', () => {
  fc.assert(
    fc.property(arbitraryMemory, fc.integer({ min: 1, max: 400 }), (memory, days) => {
      const after = applyStrengthChange(memory, decayChange(memory, policy, days), AT)
      const retention = policy.dailyRetention[after.consolidationLevel] ?? Number.NaN
      expect(after.strength).toBe(decayStrength(memory.strength, days, retention))
      expect(after.lastDecayed).toBe(AT)
    }),
  )
})
