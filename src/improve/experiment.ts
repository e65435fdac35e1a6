// The experiment: what showing changes, compared with holdouts.
//
// Whether a recall is a holdout is drawn from its own id. So if notes change nothing, any other draw would have given
// the same outcomes: the holdouts are drawn again many times among the same recalls, and an effect counts only if
// chance hardly ever gives such a difference (randomization test, Fisher 1935). It holds whatever the outcomes look
// like; a few very long tasks made intervals that assume normal means wrong in one of eight projects.
//
// Only counts of outcomes are kept, so that their size does not grow with time.
import { createRandomNumbers } from '../text/hash.ts'
import type { TaskOutcome } from './attribution.ts'
import { mean, sum } from './statistics.ts'

/** How many recalls had each value. */
type Counts = Readonly<Record<string, number>>

interface ArmStats {
  readonly n: number
  readonly failed: number
  readonly repeated: number
  /** By the number of tool calls; from 100 on of two digits. */
  readonly callCounts: Counts
  /** By ln(1 s + time), in seconds, in tenths. */
  readonly timeCounts: Counts
}

export type HoldoutStats = Readonly<{ shown: ArmStats; withheld: ArmStats }>

/** By the probability of a holdout, as text: recalls drawn with different probabilities are not pooled. */
export type HoldoutStatsByShare = Readonly<Record<string, HoldoutStats>>

const NO_ARM: ArmStats = { n: 0, failed: 0, repeated: 0, callCounts: {}, timeCounts: {} }
export const EMPTY_HOLDOUT_STATS: HoldoutStats = { shown: NO_ARM, withheld: NO_ARM }

/** Recalls that each arm needs for an estimate: with fewer, the intervals are wider than any possible effect. */
export const ARM_RECALLS_MIN = 20

export function addOutcome(
  statsByShare: HoldoutStatsByShare,
  share: number,
  withheld: boolean,
  outcome: TaskOutcome,
): HoldoutStatsByShare {
  const stats = selectCurrent(statsByShare)[share] ?? EMPTY_HOLDOUT_STATS
  const arm = withheld ? 'withheld' : 'shown'
  return { ...statsByShare, [share]: { ...stats, [arm]: addToArm(stats[arm], outcome) } }
}

/** Earlier versions kept sums, from which no draw can be repeated: they are left out. */
export const selectCurrent = (statsByShare: HoldoutStatsByShare): HoldoutStatsByShare =>
  Object.fromEntries(
    Object.entries(statsByShare).filter(
      ([, { shown, withheld }]) => shown.callCounts !== undefined && withheld.callCounts !== undefined,
    ),
  )

const addToArm = (arm: ArmStats, { failed, repeated, calls, ms }: TaskOutcome): ArmStats => ({
  n: arm.n + 1,
  failed: arm.failed + (failed ? 1 : 0),
  repeated: arm.repeated + (repeated ? 1 : 0),
  callCounts: addCount(arm.callCounts, calls < 100 ? calls : Number(calls.toPrecision(2))),
  timeCounts: addCount(arm.timeCounts, Math.round(TIME_PARTS * Math.log(1 + ms / 1000))),
})

const addCount = (counts: Counts, value: number): Counts => ({ ...counts, [value]: (counts[value] ?? 0) + 1 })

/** Parts of a unit of ln(time) that are kept apart. */
const TIME_PARTS = 10

interface Comparison {
  /** Rates: share of recalls. Calls: mean. Time: geometric mean in seconds. */
  readonly shown: number
  readonly withheld: number
  /** Shown minus withheld; for time, their ratio minus 1. */
  readonly effect: number
  /** The interval in which the effect is; in 95 of 100 projects the intervals of all four are right. */
  readonly lower: number
  readonly upper: number
}

/** One effect of showing; for all four, less is better. */
export interface HoldoutEffect extends Comparison {
  readonly name: 'failure rate' | 'known errors again' | 'tool calls' | 'time'
  readonly verdict: 'helps' | 'harms' | 'not known yet'
}

/** The four effects; undefined while an arm has too few recalls. */
export function estimateEffects({ shown, withheld }: HoldoutStats): HoldoutEffect[] | undefined {
  if (shown.n < ARM_RECALLS_MIN || withheld.n < ARM_RECALLS_MIN) return undefined
  const compareRates = (name: HoldoutEffect['name'], field: 'failed' | 'repeated'): HoldoutEffect => {
    const countsOf = (arm: ArmStats): Counts => ({ 0: arm.n - arm[field], 1: arm[field] })
    const rates = compareArms(countsOf(shown), countsOf(withheld))
    return toEffect(name, { ...rates, lower: Math.max(-1, rates.lower), upper: Math.min(1, rates.upper) })
  }
  const time = compareArms(shown.timeCounts, withheld.timeCounts)
  const toRatio = (difference: number): number => Math.expm1(difference / TIME_PARTS)
  return [
    compareRates('failure rate', 'failed'),
    compareRates('known errors again', 'repeated'),
    toEffect('tool calls', compareArms(shown.callCounts, withheld.callCounts)),
    toEffect('time', {
      shown: toRatio(time.shown),
      withheld: toRatio(time.withheld),
      effect: toRatio(time.effect),
      lower: toRatio(time.lower),
      upper: toRatio(time.upper),
    }),
  ]
}

const toEffect = (name: HoldoutEffect['name'], compared: Comparison): HoldoutEffect => ({
  name,
  ...compared,
  verdict: compared.upper < 0 ? 'helps' : compared.lower > 0 ? 'harms' : 'not known yet',
})

/** Draws of the holdouts among the same recalls, and their seed: the same outcomes give the same intervals. */
const REDRAWS = 2_000
const SEED = 1

/** The chance of a false verdict on any of the four figures, and so of one tail of one of them (Bonferroni). */
const FALSE_VERDICTS = 0.05
const TAIL = FALSE_VERDICTS / 4 / 2

/**
 * The difference of the means of two arms. Its interval has the differences from which the observed one does not
 * differ by more than new draws of the holdouts would explain; without 0 in it, the effect is not chance. Differences
 * are compared in their standard errors, so that arms that vary differently have right intervals too (Janssen 1997).
 */
function compareArms(shown: Counts, withheld: Counts): Comparison {
  const [a, b] = [expandCounts(shown), expandCounts(withheld)]
  const means = { shown: mean(a), withheld: mean(b) }
  const effect = means.shown - means.withheld
  const error = standardError(addUp(a), addUp(b))
  const drawn = drawDifferences([...a, ...b], b.length)
  // The next value outwards, so that the chance of a tail is not above TAIL.
  const rank = Math.floor(TAIL * (drawn.length + 1)) - 1
  const [low = 0, high = 0] = [drawn[rank], drawn[drawn.length - 1 - rank]]
  return { ...means, effect, lower: effect - Math.max(0, high) * error, upper: effect - Math.min(0, low) * error }
}

const expandCounts = (counts: Counts): number[] =>
  Object.entries(counts).flatMap(([value, count]) => new Array<number>(count).fill(Number(value)))

type Sums = Readonly<{ n: number; total: number; squares: number }>

const addUp = (values: readonly number[]): Sums => ({
  n: values.length,
  total: sum(values),
  squares: sum(values.map((value) => value ** 2)),
})

/** Of the difference of two means (Welch 1947). */
function standardError(a: Sums, b: Sums): number {
  const squaredError = ({ n, total, squares }: Sums): number => Math.max(0, squares - total ** 2 / n) / (n - 1) / n
  return Math.sqrt(squaredError(a) + squaredError(b))
}

/** The differences in standard errors, shown minus held out, if other recalls had been the holdouts; ascending. */
function drawDifferences(values: number[], withheldCount: number): Float64Array {
  const all = addUp(values)
  const chance = createRandomNumbers(SEED)
  return Float64Array.from({ length: REDRAWS }, () => {
    let [total, squares] = [0, 0]
    // The first steps of a shuffle (Fisher & Yates 1938): what it leaves at the front is a random choice.
    for (let i = 0; i < withheldCount; i++) {
      const j = i + Math.floor(chance() * (values.length - i))
      const value = values[j] ?? 0
      values[j] = values[i] ?? 0
      values[i] = value
      total += value
      squares += value ** 2
    }
    const held = { n: withheldCount, total, squares }
    const shown = { n: all.n - withheldCount, total: all.total - total, squares: all.squares - squares }
    const difference = shown.total / shown.n - held.total / held.n
    return difference === 0 ? 0 : difference / standardError(shown, held)
  }).sort()
}
