// Trial: what showing changes, measured against the recalls that were withheld by lot. Sums only, so that years of it are as small as a day.
//
// A recall is withheld by a draw from its own id, apart from everything else, so the two arms differ by chance and by the showing alone.
// Rates: difference of two proportions, Newcombe's hybrid score interval (1998, method 10), made of Wilson's. Calls: difference of two
// means, Welch. Time: the same on logarithms, told as a ratio, for spans are skewed. All at 95 %.
import type { TaskOutcome } from './taskOutcome.ts'

/** One arm's sums. */
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

/** A share of withholding, as text → the trial under it: recalls drawn with another chance are not pooled. */
export type HoldoutStatsByShare = Readonly<Record<string, HoldoutStats>>

const NO_ARM: ArmStats = { n: 0, failed: 0, repeated: 0, calls: 0, callsSquared: 0, logTime: 0, logTimeSquared: 0 }
export const EMPTY_HOLDOUT_STATS: HoldoutStats = { shown: NO_ARM, withheld: NO_ARM }

/** Recalls each arm needs before anything is said: below it the intervals are wider than any effect there could be. */
export const ARM_RECALLS_MIN = 20

/** The trials with one more recall. */
export function addOutcome(
  trials: HoldoutStatsByShare,
  share: number,
  withheld: boolean,
  after: TaskOutcome,
): HoldoutStatsByShare {
  const trial = trials[share] ?? EMPTY_HOLDOUT_STATS
  const name = withheld ? 'withheld' : 'shown'
  return { ...trials, [share]: { ...trial, [name]: counted(trial[name], after) } }
}

function counted(arm: ArmStats, { failed, repeated, calls, ms }: TaskOutcome): ArmStats {
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

/** One effect of showing; of all four less is better. */
export interface HoldoutEffect {
  readonly name: 'failure rate' | 'known errors again' | 'tool calls' | 'time'
  /** Rates: a share of recalls. Calls: a mean. Time: a geometric mean in seconds. */
  readonly shown: number
  readonly withheld: number
  /** Shown minus withheld; of time, their ratio minus 1. */
  readonly effect: number
  /** The 95 % interval. */
  readonly lower: number
  readonly upper: number
  readonly verdict: 'helps' | 'harms' | 'not known yet'
}

/** The four effects; undefined while an arm has too few recalls. */
export function estimateEffects({ shown, withheld }: HoldoutStats): HoldoutEffect[] | undefined {
  if (shown.n < ARM_RECALLS_MIN || withheld.n < ARM_RECALLS_MIN) return undefined
  const rate = (name: HoldoutEffect['name'], of: 'failed' | 'repeated'): HoldoutEffect =>
    told(name, shown[of] / shown.n, withheld[of] / withheld.n, newcombe(shown[of], shown.n, withheld[of], withheld.n))
  const calls = welch(momentsOf(shown, 'calls', 'callsSquared'), momentsOf(withheld, 'calls', 'callsSquared'))
  const times = [shown, withheld].map((arm) => momentsOf(arm, 'logTime', 'logTimeSquared')) as [Moments, Moments]
  const time = welch(...times)
  const seconds = (moments: Moments): number => Math.exp(moments.mean) - 1
  const ratio = { effect: Math.expm1(time.effect), lower: Math.expm1(time.lower), upper: Math.expm1(time.upper) }
  return [
    rate('failure rate', 'failed'),
    rate('known errors again', 'repeated'),
    told('tool calls', shown.calls / shown.n, withheld.calls / withheld.n, calls),
    told('time', seconds(times[0]), seconds(times[1]), ratio),
  ]
}

interface Interval {
  readonly effect: number
  readonly lower: number
  readonly upper: number
}

const told = (name: HoldoutEffect['name'], shown: number, withheld: number, interval: Interval): HoldoutEffect => ({
  ...{ name, shown, withheld, ...interval },
  verdict: interval.upper < 0 ? 'helps' : interval.lower > 0 ? 'harms' : 'not known yet',
})

/** The standard normal's 97.5 % point. */
const Z = 1.959963984540054

/** Newcombe (1998), method 10: the difference of two independent proportions. */
function newcombe(a: number, n: number, b: number, m: number): Interval {
  const [p, q] = [a / n, b / m]
  const [pLow, pHigh] = wilson(a, n)
  const [qLow, qHigh] = wilson(b, m)
  return {
    effect: p - q,
    lower: p - q - Math.hypot(p - pLow, qHigh - q),
    upper: p - q + Math.hypot(pHigh - p, q - qLow),
  }
}

/** Wilson (1927): one proportion. */
function wilson(hits: number, n: number): readonly [number, number] {
  const middle = (hits + Z ** 2 / 2) / (n + Z ** 2)
  const half = (Z / (n + Z ** 2)) * Math.sqrt((hits * (n - hits)) / n + Z ** 2 / 4)
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}

interface Moments {
  readonly n: number
  readonly mean: number
  readonly variance: number
}

function momentsOf(arm: ArmStats, sum: 'calls' | 'logTime', squares: 'callsSquared' | 'logTimeSquared'): Moments {
  const mean = arm[sum] / arm.n
  return { n: arm.n, mean, variance: Math.max(0, (arm[squares] - arm.n * mean ** 2) / (arm.n - 1)) }
}

/** Welch (1947): the difference of two means with their own variances, degrees of freedom by Satterthwaite. */
function welch(a: Moments, b: Moments): Interval {
  const [u, v] = [a.variance / a.n, b.variance / b.n]
  const effect = a.mean - b.mean
  const freedom = u + v === 0 ? 1e6 : (u + v) ** 2 / (u ** 2 / (a.n - 1) + v ** 2 / (b.n - 1))
  const half = studentPoint(freedom) * Math.sqrt(u + v)
  return { effect, lower: effect - half, upper: effect + half }
}

/** Student's 97.5 % point by its expansion in 1/ν (Fisher & Cornish 1960): off by less than .003 from 5 degrees of freedom up. */
function studentPoint(freedom: number): number {
  const terms = [
    (Z ** 3 + Z) / 4,
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96,
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384,
  ]
  return terms.reduce((point, term, i) => point + term / freedom ** (i + 1), Z)
}
