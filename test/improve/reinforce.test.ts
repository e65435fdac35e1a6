// Reinforce: the numbers of seed 000, in their two stages.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SHIPPED } from '../../src/broker/policy.ts'
import type { JudgedMemory } from '../../src/improve/judge.ts'
import { reinforced } from '../../src/improve/reinforce.ts'
import { BEGIN, DAY, iso, memory } from '../build.ts'
import { arbitraryMemory } from '../generate.ts'

const AT = iso(BEGIN + DAY)
const verdict = (used: number, parts: Partial<JudgedMemory['parts']> = {}, contribution = 0.4): JudgedMemory => ({
  memory: memory(1).id,
  features: {},
  used,
  traces: [],
  parts: { success: 0, time: 0, calls: 0, errors: 0, ...parts },
  contribution,
})
const after = (given: JudgedMemory) => reinforced(memory(1), given, AT, SHIPPED.strength)

test('improve: shown and not used is a candidate once more, and nothing else', () => {
  const { help, ...shown } = after(verdict(0, {}, -0.05))
  const { help: _before, ...before } = memory(1)
  expect(shown).toEqual({ ...before, candidateCount: 1 })
  expect(help).toEqual({ shown: 1, used: 0, contribution: -0.05 })
})

test('improve: used is access +1 and strength +0.1', () => {
  expect(after(verdict(0.9))).toMatchObject({
    accessCount: 1,
    candidateCount: 1,
    strength: 1.1,
    impactScore: 0,
    lastUsed: AT,
  })
})

test('improve: a success adds 0.2 × 1.5 to strength, an error prevented 0.2 × 2.0, and both to the impact', () => {
  expect(after(verdict(0.9, { success: 0.5 }))).toMatchObject({
    strength: expect.closeTo(1.1 + 0.3, 9),
    impactScore: 1.5,
  })
  expect(after(verdict(0.9, { errors: 1, success: 1 }))).toMatchObject({
    strength: expect.closeTo(1.1 + 0.4, 9),
    impactScore: 2,
  })
  expect(after(verdict(0.9, { success: -1, errors: -1 }))).toMatchObject({ strength: 1.1, impactScore: 0 })
})

test('improve: no verdict weakens a memory or takes back a count, and a fifth use lifts its level', () => {
  const unit = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      arbitraryMemory,
      fc.double({ min: 0, max: 1, noNaN: true }),
      unit,
      unit,
      (before, used, success, errors) => {
        const later = reinforced(before, verdict(used, { success, errors }), AT, SHIPPED.strength)
        expect(later.strength).toBeGreaterThanOrEqual(before.strength)
        expect(later.accessCount - before.accessCount).toBe(used >= 0.5 ? 1 : 0)
        expect(later.candidateCount - before.candidateCount).toBe(1)
        expect(later.help.shown - before.help.shown).toBe(1)
      },
    ),
  )
  let used = memory(1)
  for (let i = 0; i < 5; i++) used = reinforced(used, verdict(1), AT, SHIPPED.strength)
  expect(used.consolidationLevel).toBe(1)
})
