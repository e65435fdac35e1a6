// The experiment: what showing changes, compared with holdouts. Only sums are kept, so that its size does not grow with
// time.
//
// Whether a recall is a holdout is drawn from its own id, so the two arms differ only by chance and by the showing.
// Rates: difference of two proportions, Newcombe's hybrid score interval (1998, method 10), built from Wilson's. Calls:
// difference of two means, Welch. Time: the same on logarithms, reported as a ratio, because times are skewed. All
// intervals are 95 %.
import type { TaskOutcome } from './taskOutcome.ts'

/** The sums of one arm. */
interface ArmStats {
  readonly n: number
  readonly failed: number
  readonly repeated: number
  readonly calls: number
  readonly callsSquared: number
  /** Of ln(1 s + time), in seconds. */
  readonly logTime: number
  readonly logTimeSquared: number
}

export interface HoldoutStats {
  readonly shown: ArmStats
  readonly withheld: ArmStats
}

/** By the probability of a holdout, as text: recalls drawn with different probabilities are not pooled. */
export type HoldoutStatsByShare = Readonly<Record<string, HoldoutStats>>

const NO_ARM: ArmStats = { n: 0, failed: 0, repeated: 0, calls: 0, callsSquared: 0, logTime: 0, logTimeSquared: 0 }
export const EMPTY_HOLDOUT_STATS: HoldoutStats = { shown: NO_ARM, withheld: NO_ARM }

/** Recalls that each arm needs for an estimate: with fewer, the intervals are wider than any possible effect. */
export const ARM_RECALLS_MIN = 20

/** The statistics with the outcome of one more recall. */
export function addOutcome(
  statsByShare: HoldoutStatsByShare,
  share: number,
  withheld: boolean,
  outcome: TaskOutcome,
): HoldoutStatsByShare {
  const stats = statsByShare[share] ?? EMPTY_HOLDOUT_STATS
  const arm = withheld ? 'withheld' : 'shown'
  return { ...statsByShare, [share]: { ...stats, [arm]: addToArm(stats[arm], outcome) } }
}

function addToArm(arm: ArmStats, { failed, repeated, calls, ms }: TaskOutcome): ArmStats {
  const logTime = Math.log(1 + ms / 1000)
  return {
    n: arm.n + 1,
    failed: arm.failed + (failed ? 1 : 0),
    repeated: arm.repeated + (repeated ? 1 : 0),
    calls: arm.calls + calls,
    callsSquared: arm.callsSquared + calls ** 2,
    logTime: arm.logTime + logTime,
    logTimeSquared: arm.logTimeSquared + logTime ** 2,
  }
}

/** One effect of showing; for all four, less is better. */
export interface HoldoutEffect {
  readonly name: 'failure rate' | 'known errors again' | 'tool calls' | 'time'
  /** Rates: share of recalls. Calls: mean. Time: geometric mean in seconds. */
  readonly shown: number
  readonly withheld: number
  /** Shown minus withheld; for time, their ratio minus 1. */
  readonly effect: number
  /** The 95 % interval. */
  readonly lower: number
  readonly upper: number
  readonly verdict: 'helps' | 'harms' | 'not known yet'
}

/** The four effects; undefined while an arm has too few recalls. */
export function estimateEffects({ shown, withheld }: HoldoutStats): HoldoutEffect[] | undefined {
  if (shown.n < ARM_RECALLS_MIN || withheld.n < ARM_RECALLS_MIN) return undefined
  const compareRates = (name: HoldoutEffect['name'], sum: 'failed' | 'repeated'): HoldoutEffect => {
    const interval = compareProportions(shown[sum], shown.n, withheld[sum], withheld.n)
    return toEffect(name, shown[sum] / shown.n, withheld[sum] / withheld.n, interval)
  }
  const [shownCalls, withheldCalls] = [callMoments(shown), callMoments(withheld)]
  const [shownTime, withheldTime] = [logTimeMoments(shown), logTimeMoments(withheld)]
  const time = compareMeans(shownTime, withheldTime)
  const ratio = { effect: Math.expm1(time.effect), lower: Math.expm1(time.lower), upper: Math.expm1(time.upper) }
  const seconds = (moments: Moments): number => Math.exp(moments.mean) - 1
  return [
    compareRates('failure rate', 'failed'),
    compareRates('known errors again', 'repeated'),
    toEffect('tool calls', shownCalls.mean, withheldCalls.mean, compareMeans(shownCalls, withheldCalls)),
    toEffect('time', seconds(shownTime), seconds(withheldTime), ratio),
  ]
}

interface Interval {
  readonly effect: number
  readonly lower: number
  readonly upper: number
}

const toEffect = (name: HoldoutEffect['name'], shown: number, withheld: number, interval: Interval): HoldoutEffect => ({
  name,
  shown,
  withheld,
  ...interval,
  verdict: interval.upper < 0 ? 'helps' : interval.lower > 0 ? 'harms' : 'not known yet',
})

/** The standard normal's 97.5 % point. */
const Z = 1.959963984540054

/** The difference of two independent proportions a / n and b / m: Newcombe (1998), method 10. */
function compareProportions(a: number, n: number, b: number, m: number): Interval {
  const [p, q] = [a / n, b / m]
  const [pLow, pHigh] = wilsonInterval(a, n)
  const [qLow, qHigh] = wilsonInterval(b, m)
  return {
    effect: p - q,
    lower: p - q - Math.hypot(p - pLow, qHigh - q),
    upper: p - q + Math.hypot(pHigh - p, q - qLow),
  }
}

/** The 95 % interval of one proportion: Wilson (1927). */
export function wilsonInterval(hits: number, n: number): readonly [number, number] {
  const middle = (hits + Z ** 2 / 2) / (n + Z ** 2)
  const half = (Z / (n + Z ** 2)) * Math.sqrt((hits * (n - hits)) / n + Z ** 2 / 4)
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

interface Moments {
  readonly n: number
  readonly mean: number
  readonly variance: number
}

const callMoments = ({ n, calls, callsSquared }: ArmStats): Moments => toMoments(n, calls, callsSquared)
const logTimeMoments = ({ n, logTime, logTimeSquared }: ArmStats): Moments => toMoments(n, logTime, logTimeSquared)

function toMoments(n: number, sum: number, sumOfSquares: number): Moments {
  const mean = sum / n
  return { n, mean, variance: Math.max(0, (sumOfSquares - n * mean ** 2) / (n - 1)) }
}

/** The difference of two means with unequal variances: Welch (1947), degrees of freedom by Satterthwaite. */
function compareMeans(a: Moments, b: Moments): Interval {
  const [u, v] = [a.variance / a.n, b.variance / b.n]
  const effect = a.mean - b.mean
  const freedom = u + v === 0 ? 1e6 : (u + v) ** 2 / (u ** 2 / (a.n - 1) + v ** 2 / (b.n - 1))
  const half = studentQuantile(freedom) * Math.sqrt(u + v)
  return { effect, lower: effect - half, upper: effect + half }
}

/** Student's 97.5 % point, expanded in 1/ν (Fisher & Cornish 1960): error below .003 from 5 degrees of freedom up. */
function studentQuantile(freedom: number): number {
  const terms = [
    (Z ** 3 + Z) / 4,
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96,
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384,
  ]
  return terms.reduce((point, term, i) => point + term / freedom ** (i + 1), Z)
}
