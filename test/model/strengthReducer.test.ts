// The strength reducer: what one change does, and that changes by two who use a memory at the same time both count.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { decayStrength } from '../../src/model/strength.ts'
import { applyStrengthChange, decayChange, impactChange, useChange } from '../../src/model/strengthReducer.ts'
import { arbitraryMemory } from '../arbitraries.ts'
import { BEGIN, DAY, iso } from '../testData.ts'

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
