// The experiment on simulated recalls with a known effect: intervals reach their coverage, few recalls give no result.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureTaskOutcome, type TaskOutcome } from '../../src/improve/attribution.ts'
import {
  ARM_RECALLS_MIN,
  addOutcome,
  EMPTY_HOLDOUT_STATS,
  estimateEffects,
  type HoldoutEffect,
  type HoldoutStats,
  type HoldoutStatsByShare,
  selectCurrent,
} from '../../src/improve/experiment.ts'
import { errorSignature } from '../../src/text/errorSignature.ts'
import { createRandom, drawNormal } from '../random.ts'
import { exampleSession, recordEvents } from '../testData.ts'

interface World {
  /** Probabilities of a failure and a known error, mean calls, ln of the time: in the holdout, and when shown. */
  readonly failed: readonly [number, number]
  readonly repeated: readonly [number, number]
  readonly calls: readonly [number, number]
  readonly logTime: readonly [number, number]
}

const HELPFUL: World = { failed: [0.4, 0.25], repeated: [0.2, 0.08], calls: [14, 11], logTime: [5, 4.7] }
const USELESS: World = { failed: [0.3, 0.3], repeated: [0.1, 0.1], calls: [12, 12], logTime: [5, 5] }

/** `n` recalls, withheld at random, of sessions that differ from each other as good and bad days do. */
function simulated(world: World, n: number, share: number, seed: number): HoldoutStats {
  const chance = createRandom(seed)
  let trials: HoldoutStatsByShare = {}
  for (let session = 0; session * 8 < n; session++) {
    const day = 0.15 * (chance() - 0.5)
    for (let i = 0; i < 8; i++) {
      const withheld = chance() < share
      const arm = withheld ? 0 : 1
      const after: TaskOutcome = {
        failed: chance() < world.failed[arm] + day,
        repeated: chance() < world.repeated[arm] + day / 4,
        calls: Math.max(0, Math.round(world.calls[arm] * (1 + day) + 5 * drawNormal(chance))),
        ms: 1000 * Math.expm1(Math.max(0, world.logTime[arm] + day + 0.8 * drawNormal(chance))),
      }
      trials = addOutcome(trials, share, withheld, after)
    }
  }
  return trials[share]!
}

const truthOf = (world: World): Readonly<Record<HoldoutEffect['name'], number>> => ({
  'failure rate': world.failed[1] - world.failed[0],
  'known errors again': world.repeated[1] - world.repeated[0],
  'tool calls': world.calls[1] - world.calls[0],
  time: Math.expm1(world.logTime[1] - world.logTime[0]),
})

const RUNS = 100

describe.each([
  ['that helps', HELPFUL, 2_000, 0.05],
  ['that changes nothing', USELESS, 1_200, 0.05],
  ['of half the recalls, in a young project', HELPFUL, 160, 0.5],
] as const)('showing %s', (_name, world, n, share) => {
  const effects = Array.from({ length: RUNS }, (_, i) => estimateEffects(simulated(world, n, share, 5_000 + i)) ?? [])
  const told = effects.filter((one) => one.length > 0)

  test.each(Object.entries(truthOf(world)))('improve: the interval of the %s covers the truth', (name, truth) => {
    expect(told.length).toBeGreaterThan(0.9 * RUNS)
    const covered = told.filter((all) => {
      const { lower, upper } = all.find((one) => one.name === name)!
      return lower <= truth && truth <= upper
    })
    // Each of four intervals at 98.75 %, less three standard errors of 100 projects.
    expect(covered.length / told.length).toBeGreaterThanOrEqual(0.95)
  })
})

test('improve: a real effect is found with enough recalls', () => {
  const verdicts = (world: World, seed: number) =>
    estimateEffects(simulated(world, 12_000, 0.05, seed))!.map((one) => one.verdict)
  const seeds = Array.from({ length: 20 }, (_, i) => 9_000 + i)
  const found = seeds.flatMap((seed) => verdicts(HELPFUL, seed))
  expect(found.filter((one) => one === 'helps').length / found.length).toBeGreaterThan(0.9)
  expect(found).not.toContain('harms')
})

/** Outcomes of real projects: most tasks are short, a few are very long, and the latter fail more often. */
function skewedOutcome(chance: () => number): TaskOutcome {
  const length = Math.exp(1.6 + 1.6 * drawNormal(chance))
  const failed = chance() < Math.min(0.9, length / 60)
  return { failed, repeated: failed && chance() < 0.15, calls: Math.round(length), ms: 20_000 * length }
}

test('improve: holdouts that are drawn again among the same recalls give a verdict in at most 5 % of the draws', () => {
  const chance = createRandom(77)
  const outcomes = Array.from({ length: 500 }, () => skewedOutcome(chance))
  let [draws, verdicts] = [0, 0]
  for (let draw = 0; draw < 300; draw++) {
    let trials: HoldoutStatsByShare = {}
    for (const outcome of outcomes) trials = addOutcome(trials, 0.08, chance() < 0.08, outcome)
    const effects = estimateEffects(trials[0.08]!)
    if (!effects) continue
    draws++
    if (effects.some(({ verdict }) => verdict !== 'not known yet')) verdicts++
  }
  expect(draws).toBeGreaterThan(250)
  // 5 %, and three standard errors of the count.
  expect(verdicts / draws).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / draws))
}, 60_000)

test('improve: the same outcomes give the same intervals, and sums that an earlier version kept are left out', () => {
  const trials = simulated(HELPFUL, 200, 0.5, 1)
  expect(estimateEffects(trials)).toEqual(estimateEffects(structuredClone(trials)))
  const early = { n: 40, failed: 3, repeated: 1, calls: 90, callsSquared: 400, logTime: 9, logTimeSquared: 20 }
  const old = { 0.05: { shown: early, withheld: early } } as unknown as HoldoutStatsByShare
  expect(selectCurrent({ ...old, 0.5: trials })).toEqual({ 0.5: trials })
  const after: TaskOutcome = { failed: true, repeated: false, calls: 3, ms: 1_000 }
  expect(addOutcome(old, 0.05, true, after)).toEqual(addOutcome({}, 0.05, true, after))
})

test('improve: there is no result while an arm has too few recalls', () => {
  const after: TaskOutcome = { failed: true, repeated: false, calls: 3, ms: 1_000 }
  let trials: HoldoutStatsByShare = {}
  for (let i = 0; i < 500; i++) trials = addOutcome(trials, 0.05, i < ARM_RECALLS_MIN - 1, after)
  expect(estimateEffects(trials[0.05]!)).toBeUndefined()
  expect(estimateEffects(addOutcome(trials, 0.05, true, after)[0.05]!)).toHaveLength(4)
  expect(estimateEffects(EMPTY_HOLDOUT_STATS)).toBeUndefined()
})

test('improve: every interval is finite, contains its effect, and lies within −1 and 1 for rates', () => {
  const after = fc.record({ failed: fc.boolean(), repeated: fc.boolean(), calls: fc.nat(500), ms: fc.nat(1e8) })
  const arm = fc.array(after, { minLength: ARM_RECALLS_MIN, maxLength: 60 })
  fc.assert(
    fc.property(arm, arm, (shown, withheld) => {
      let trials: HoldoutStatsByShare = {}
      for (const one of shown) trials = addOutcome(trials, 0.1, false, one)
      for (const one of withheld) trials = addOutcome(trials, 0.1, true, one)
      for (const { name, effect, lower, upper } of estimateEffects(trials[0.1]!)!) {
        expect(lower).toBeLessThanOrEqual(effect + 1e-9)
        expect(upper).toBeGreaterThanOrEqual(effect - 1e-9)
        if (name.includes('rate') || name.includes('errors')) expect([lower >= -1, upper <= 1]).toEqual([true, true])
      }
    }),
  )
})

test('improve: recalls with different holdout probabilities are not mixed', () => {
  const after: TaskOutcome = { failed: false, repeated: false, calls: 1, ms: 0 }
  const trials = addOutcome(addOutcome({}, 0.05, true, after), 0.5, false, after)
  expect([trials[0.05]!.withheld.n, trials[0.05]!.shown.n, trials[0.5]!.shown.n]).toEqual([1, 0, 1])
})

test('improve: outcomes are failures without interruptions, known errors, calls and time until the next prompt', () => {
  const [first, ...after] = recordEvents(
    exampleSession()
      .asks('npm test')
      .fails('npm test', 'Error: prices are gone')
      .fails('ls', 'no', { is_interrupt: true })
      .runs('npm run lint').recorded,
  ).filter((event) => event.kind !== 'call.started')
  const known = new Set([errorSignature('Bash', 'Error: prices are gone')!])
  expect(measureTaskOutcome(first!, after, known)).toEqual({ failed: true, repeated: true, calls: 3, ms: 21_000 })
  expect(measureTaskOutcome(first!, after.slice(1), known)).toMatchObject({ failed: false, repeated: false, calls: 2 })
  expect(measureTaskOutcome(first!, [], known)).toEqual({ failed: false, repeated: false, calls: 0, ms: 0 })
})
