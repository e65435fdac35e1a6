// Reinforcement: the numbers of the agent-memory spec, in their two stages.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedMemory } from '../../src/improve/attribution.ts'
import { applyImpact, reinforceMemory } from '../../src/improve/reinforce.ts'
import { IMPACT_KINDS, type ImpactKind } from '../../src/model/strength.ts'
import { arbitraryMemory } from '../arbitraries.ts'
import { BEGIN, buildMemory, DAY, iso } from '../testData.ts'

const AT = iso(BEGIN + DAY)
const verdict = (used: number, impacts: readonly ImpactKind[] = [], contribution = 0.4): AttributedMemory => ({
  memory: buildMemory(1).id,
  features: {},
  used,
  traces: [],
  parts: { success: 0, time: 0, calls: 0, errors: 0 },
  contribution,
  impacts,
})
const after = (given: AttributedMemory) => reinforceMemory(buildMemory(1), given, { at: AT }, DEFAULT_POLICY.strength)

test('improve: a memory that was shown and not used gains one candidate count, and nothing else', () => {
  const { help, ...shown } = after(verdict(0, [], -0.05))
  const { help: _before, ...before } = buildMemory(1)
  expect(shown).toEqual({ ...before, candidateCount: 1 })
  expect(help).toEqual({ shown: 1, used: 0, contribution: -0.05 })
})

test('improve: a use adds 1 to the access count and 0.1 to the strength', () => {
  expect(after(verdict(0.9))).toMatchObject({
    accessCount: 1,
    candidateCount: 1,
    strength: 1.1,
    impactScore: 0,
    lastUsed: AT,
  })
})

test('improve: an impact adds its value, and a fifth of it to the strength', () => {
  const value = { task_success: 1.5, prevented_error: 2, user_positive: 2 }
  for (const impact of IMPACT_KINDS) {
    const expected = { strength: expect.closeTo(1.1 + 0.2 * value[impact], 9), impactScore: value[impact] }
    expect(after(verdict(0.9, [impact]))).toMatchObject(expected)
    expect(applyImpact(buildMemory(1), { impact, at: AT }, DEFAULT_POLICY.strength)).toMatchObject({
      impactScore: value[impact],
      accessCount: 0,
    })
  }
  expect(after(verdict(0.9, ['prevented_error', 'user_positive']))).toMatchObject({
    strength: expect.closeTo(1.1 + 0.2 * 4, 9),
    impactScore: 4,
  })
})

test('improve: a use by an agent adds 0.15 to the strength for its role as well', () => {
  const once = reinforceMemory(
    buildMemory(1),
    verdict(0.9),
    { at: AT, perspective: 'Explore' },
    DEFAULT_POLICY.strength,
  )
  expect(once.strengthByPerspective).toEqual({ Explore: 0.15 })
  const twice = reinforceMemory(once, verdict(0.9), { at: AT, perspective: 'Explore' }, DEFAULT_POLICY.strength)
  const more = applyImpact(twice, { impact: 'task_success', at: AT, perspective: 'cost' }, DEFAULT_POLICY.strength)
  expect(more.strengthByPerspective).toEqual({ Explore: expect.closeTo(0.3, 9), cost: 0.15 })
  expect(
    reinforceMemory(buildMemory(1), verdict(0.2), { at: AT, perspective: 'Explore' }, DEFAULT_POLICY.strength)
      .strengthByPerspective,
  ).toEqual({})
})

test('improve: a memory restored because it helped is active at a strength of at least 0.5, and stays', () => {
  const weak = buildMemory(1, { status: 'archived', strength: 0.08, kind: 'experience' })
  const back = applyImpact(weak, { impact: 'user_positive', at: AT }, DEFAULT_POLICY.strength)
  expect(back).toMatchObject({ status: 'active', strength: 0.5 + 0.4, archiveExempt: true, lastDecayed: AT })
  const used = reinforceMemory(weak, verdict(0.9), { at: AT }, DEFAULT_POLICY.strength)
  expect(used).toMatchObject({ status: 'active', strength: 0.6 })
  expect(reinforceMemory(weak, verdict(0.1), { at: AT }, DEFAULT_POLICY.strength).status).toBe('archived')
})

test('improve: no verdict lowers a strength or a count, and the fifth use raises the level', () => {
  fc.assert(
    fc.property(
      arbitraryMemory,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.subarray([...IMPACT_KINDS]),
      (before, used, impacts) => {
        const later = reinforceMemory(before, verdict(used, impacts), { at: AT }, DEFAULT_POLICY.strength)
        expect(later.strength).toBeGreaterThanOrEqual(before.strength)
        expect(later.accessCount - before.accessCount).toBe(used >= 0.5 ? 1 : 0)
        expect(later.candidateCount - before.candidateCount).toBe(1)
        expect(later.help.shown - before.help.shown).toBe(1)
      },
    ),
  )
  let used = buildMemory(1)
  for (let i = 0; i < 5; i++) used = reinforceMemory(used, verdict(1), { at: AT }, DEFAULT_POLICY.strength)
  expect(used.consolidationLevel).toBe(1)
})
