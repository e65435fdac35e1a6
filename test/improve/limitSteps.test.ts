// Limits: how much a moment tells follows what its last place gave and what one more would have. Not from noise.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { computeLimitSteps } from '../../src/improve/limitSteps.ts'
import type { Policy } from '../../src/model/policy.ts'
import { type Lived, lived, recallUnder, type WorthAt } from './project.ts'

/** Of use in this share of the recalls, and then as much as a good note is; else it costs what an unused one does. */
const usedIn =
  (share: number): WorthAt =>
  (_place, chance) =>
    chance() < share ? 0.3 + 0.4 * chance() : -DEFAULT_POLICY.improve.unusedCost

const firstOfUse =
  (places: number): WorthAt =>
  (place, chance) =>
    usedIn(place < places ? 0.4 : 0)(place, chance)

const { topK, budgetTokens } = DEFAULT_POLICY.recall.moments.prompt

const projects = (count: number, worth: WorthAt, recalls: number, tokens?: number): Lived[] =>
  Array.from({ length: count }, (_, i) =>
    lived(3_000 + i, { moment: 'prompt', worth, recalls, shipped: DEFAULT_POLICY, ...(tokens && { tokens }) }),
  )

test('improve: places that never give anything are given up, those that do are kept', () => {
  for (const { policy } of projects(5, firstOfUse(2), 120)) expect(policy.recall.moments.prompt.topK).toBe(2)
})

test('improve: where one memory more would have been of use, one more is told, and no more than are', () => {
  for (const { policy, served } of projects(5, firstOfUse(6), 200)) {
    expect(policy.recall.moments.prompt.topK).toBeGreaterThan(topK)
    for (const before of served) expect(before.recall.moments.prompt.topK).toBeLessThanOrEqual(6)
  }
})

test('improve: a limit moves one step at a session’s end, to half of what was chosen at least and twice at most', () => {
  const all: Policy[][] = [...projects(3, usedIn(0.6), 150), ...projects(3, firstOfUse(0), 150)].map((one) => [
    DEFAULT_POLICY,
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

test('improve: what is useful and a little too long for the budget makes the budget grow', () => {
  for (const { policy } of projects(3, usedIn(0.5), 150, Math.floor((budgetTokens + 90) / 3))) {
    expect(policy.recall.moments.prompt.budgetTokens).toBeGreaterThan(budgetTokens)
  }
})

/** Worth that is as good as none, whatever the place. */
const NOISE: Readonly<Record<string, WorthAt>> = {
  'as often good as bad': (_place, chance) => (chance() < 0.5 ? 0.5 * chance() : -0.5 * chance()),
  'all or nothing': (_place, chance) => (chance() < 0.5 ? 1 : -1),
  // .05 is lost in ten of eleven recalls, and .5 gained in one.
  'just worth its cost': usedIn(1 / 11),
}

test('improve: noise moves no limit, in at least 38 of 40 projects looked at after every session', () => {
  for (const [name, worth] of Object.entries(NOISE)) {
    const moved = projects(40, worth, 100).filter(({ served }) =>
      served.some(
        ({ recall: { moments } }) => moments.prompt.topK !== topK || moments.prompt.budgetTokens !== budgetTokens,
      ),
    )
    expect(moved.length, name).toBeLessThanOrEqual(2)
  }
}, 120_000)

test('improve: what was withheld, and what one session says however often, moves no limit', () => {
  const project = { moment: 'prompt', worth: firstOfUse(0), recalls: 200, shipped: DEFAULT_POLICY } as const
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
