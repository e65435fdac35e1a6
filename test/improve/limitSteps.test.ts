// Limits of a moment follow what its last place contributed and what one more would have. Noise moves none.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { computeLimitSteps } from '../../src/improve/limitSteps.ts'
import type { Policy } from '../../src/model/policy.ts'
import { FOUR_PLACES, type Lived, lived, recallUnder, type WorthAt } from './project.ts'

/** Useful in this share of the recalls, as much as a good note; otherwise it costs as much as an unused note. */
const usedIn =
  (share: number): WorthAt =>
  (_place, chance) =>
    chance() < share ? 0.3 + 0.4 * chance() : -DEFAULT_POLICY.improve.unusedCost

const firstOfUse =
  (places: number): WorthAt =>
  (place, chance) =>
    usedIn(place < places ? 0.4 : 0)(place, chance)

const { topK, budgetTokens } = FOUR_PLACES.recall.moments.prompt

const projects = (count: number, worth: WorthAt, recalls: number, tokens?: number): Lived[] =>
  Array.from({ length: count }, (_, i) =>
    lived(3_000 + i, { moment: 'prompt', worth, recalls, shipped: FOUR_PLACES, ...(tokens && { tokens }) }),
  )

test('improve: the limit drops places that never help, and keeps those that do', () => {
  for (const { policy } of projects(5, firstOfUse(2), 120)) expect(policy.recall.moments.prompt.topK).toBe(2)
})

test('improve: the limit grows by one if one more memory would have helped, up to the number of memories', () => {
  for (const { policy, served } of projects(5, firstOfUse(6), 200)) {
    expect(policy.recall.moments.prompt.topK).toBeGreaterThan(topK)
    for (const before of served) expect(before.recall.moments.prompt.topK).toBeLessThanOrEqual(6)
  }
})

test('improve: a limit moves one step per session, between half and twice the configured value', () => {
  const all: Policy[][] = [...projects(3, usedIn(0.6), 150), ...projects(3, firstOfUse(0), 150)].map((one) => [
    FOUR_PLACES,
    ...one.served,
  ])
  let moved = 0
  for (const served of all) {
    served.slice(1).forEach((policy, i) => {
      const [before, after] = [served[i]!.recall.moments.prompt, policy.recall.moments.prompt]
      moved += Number(before.topK !== after.topK)
      expect(Math.abs(after.topK - before.topK)).toBeLessThanOrEqual(1)
      expect(Math.abs(after.budgetTokens - before.budgetTokens)).toBeLessThanOrEqual(100)
      expect(after.topK).toBeGreaterThanOrEqual(topK / 2)
      expect(after.topK).toBeLessThanOrEqual(2 * topK)
      expect(after.budgetTokens).toBeGreaterThanOrEqual(budgetTokens / 2)
      expect(after.budgetTokens).toBeLessThanOrEqual(2 * budgetTokens)
    })
  }
  expect(moved).toBeGreaterThan(0)
})

test('improve: the budget grows for useful memories that are slightly too long for it', () => {
  for (const { policy } of projects(3, usedIn(0.5), 150, Math.floor((budgetTokens + 90) / 3))) {
    expect(policy.recall.moments.prompt.budgetTokens).toBeGreaterThan(budgetTokens)
  }
})

/** Contributions that average to about zero at every place. */
const NOISE: Readonly<Record<string, WorthAt>> = {
  'as often good as bad': (_place, chance) => (chance() < 0.5 ? 0.5 * chance() : -0.5 * chance()),
  'all or nothing': (_place, chance) => (chance() < 0.5 ? 1 : -1),
  // .05 is lost in ten of eleven recalls, and .5 gained in one.
  'just worth its cost': usedIn(1 / 11),
}

test('improve: noise moves no limit, in at least 38 of 40 projects checked after every session', () => {
  for (const [name, worth] of Object.entries(NOISE)) {
    const moved = projects(40, worth, 100).filter(({ served }) =>
      served.some(
        ({ recall: { moments } }) => moments.prompt.topK !== topK || moments.prompt.budgetTokens !== budgetTokens,
      ),
    )
    expect(moved.length, name).toBeLessThanOrEqual(2)
  }
}, 120_000)

test('improve: holdouts, and many recalls of a single session, move no limit', () => {
  const project = { moment: 'prompt', worth: firstOfUse(0), recalls: 200, shipped: FOUR_PLACES } as const
  const useless = Array.from({ length: 200 }, (_, n) => recallUnder(DEFAULT_POLICY, n, project, () => 0.5))
  expect(computeLimitSteps(useless, DEFAULT_POLICY, DEFAULT_POLICY)).not.toEqual({})
  expect(
    computeLimitSteps(
      useless.map((one) => ({ ...one, withheld: true })),
      DEFAULT_POLICY,
      DEFAULT_POLICY,
    ),
  ).toEqual({})
  expect(
    computeLimitSteps(
      useless.map((one) => ({ ...one, session: useless[0]!.session })),
      DEFAULT_POLICY,
      DEFAULT_POLICY,
    ),
  ).toEqual({})
})
