// Acceptance by group: the gain of one learned number is no evidence for another in the same step.
import { expect, test } from 'vitest'
import { computePolicyStep } from '../../src/improve/policyStep.ts'
import { FOUR_PLACES, lived, recallUnder } from './project.ts'

/** Two places that help and two that never do, otherwise equal. */
const project = {
  moment: 'prompt',
  worth: (place: number, chance: () => number) => (place < 2 && chance() < 0.4 ? 0.5 : -0.05),
  recalls: 150,
  shipped: FOUR_PLACES,
} as const

test('improve: a weight or minimum score without a gain of its own is not accepted for the gain of top-k', () => {
  const judged = Array.from({ length: 150 }, (_, n) => recallUnder(FOUR_PLACES, n, project, chanceAt(n)))
  for (const riding of [{ 'recall.moments.prompt.scoreMin': 0.46 }, { 'recall.weights.files': 0.3 }]) {
    const step = computePolicyStep(judged, FOUR_PLACES, {
      version: 5,
      values: { 'recall.moments.prompt.topK': 3, ...riding },
    })
    expect(Object.keys(step!.values)).not.toContain(Object.keys(riding)[0])
    expect(step!.values['recall.moments.prompt.topK']).toBeLessThanOrEqual(3)
    expect(step!.reason).toContain('rolled back')
  }
})

test('improve: a rollback keeps the groups that have a gain of their own', () => {
  const { learned } = lived(21, project)
  expect(learned.values['recall.moments.prompt.topK']).toBe(2)
})

/** The first place helps in every second recall. */
const chanceAt = (n: number) => () => (n % 5 < 2 ? 0.1 : 0.9)
