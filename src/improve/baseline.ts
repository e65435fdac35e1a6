// Baselines: how such work goes in this project, so that a contribution is measured against what is usual here.
//
// Means that forget slowly, one a kind of work. Where little is known of a kind, the broader ones stand in (shrinkage): the project's
// mean is drawn towards what holds anywhere, the task's kind towards the project's, the file's area towards that, the command's towards that.

/** A running mean with its count; `n` is capped, so that old habits fade. */
interface RunningMean {
  readonly n: number
  readonly mean: number
}

/** Kind of work (see work.ts) → what is usual for it. Spans and counts are kept as logarithms: one endless task must not be the usual. */
type Means = Readonly<Record<string, RunningMean>>

export interface Baselines {
  /** Share of successes, 0 to 1. */
  readonly success: Means
  /** ln(1 s + time) from a failure to its pass. */
  readonly mendTime?: Means
  /** ln(1 + calls) from a failure to its pass. */
  readonly mendCalls?: Means
  /** ln(1 s + time) of a whole task. */
  readonly taskTime?: Means
  /** ln(1 + calls) of a whole task. */
  readonly taskCalls?: Means
  /** How often an error that was met came back before its command passed: 0 for never, .75 once, 1 oftener. */
  readonly repeats?: Means
}

export const NO_BASELINES: Baselines = { success: {} }

/** The name under which the whole project's mean stands. */
export const WHOLE_PROJECT = '*'

const COUNT_MAX = 50
const KINDS_MAX = 400

/** Observations after which a mean of its own counts half. */
const PRIOR_COUNT = 5

/** What is usual, and what it was made of. */
export interface ExpectedValue {
  readonly value: number
  /** The narrowest kind of work anything is known of; `*` is the whole project. */
  readonly kind: string
  /** What was observed there: how often, and its mean before shrinking. */
  readonly n: number
  readonly own: number
  /** Observations in the whole project. */
  readonly all: number
}

/**
 * What is usual for work of these kinds, broadest first, each drawn towards the broader one: (n · own + 5 · broader) / (n + 5).
 * `anywhere` is what the project's own mean is drawn towards; without one, and without observations, nothing is known.
 */
export function estimateExpected(
  means: Means | undefined,
  kinds: readonly string[],
  anywhere?: number,
): ExpectedValue | undefined {
  const all = means?.[WHOLE_PROJECT]
  const start = all?.mean ?? anywhere
  if (start === undefined) return undefined
  let value = all && anywhere !== undefined ? drawn(all, anywhere) : start
  let told: ExpectedValue = { value, kind: WHOLE_PROJECT, n: all?.n ?? 0, own: start, all: all?.n ?? 0 }
  for (const kind of kinds) {
    const own = means?.[kind]
    if (!own) continue
    value = drawn(own, value)
    told = { ...told, value, kind, n: own.n, own: own.mean }
  }
  return told
}

const drawn = (own: RunningMean, towards: number): number =>
  (own.n * own.mean + PRIOR_COUNT * towards) / (own.n + PRIOR_COUNT)

/** How far a comparison with a baseline of `n` observations counts, 0 to 1. */
export const computeReliability = (n: number): number => n / (n + PRIOR_COUNT)

/** The means with one more observation, for its kinds and for the project. */
export function addObservation(means: Means | undefined, kinds: readonly string[], value: number): Means {
  const next: Record<string, RunningMean> = { ...means }
  for (const kind of new Set([...kinds, WHOLE_PROJECT])) {
    const known = next[kind]
    // Taken out and put in again, so that the kind met longest ago stands first.
    delete next[kind]
    next[kind] = withOne(known, value)
  }
  for (const name of Object.keys(next)) {
    if (Object.keys(next).length <= KINDS_MAX) break
    if (name !== WHOLE_PROJECT) delete next[name]
  }
  return next
}

function withOne(mean: RunningMean | undefined, value: number): RunningMean {
  const n = Math.min(COUNT_MAX, (mean?.n ?? 0) + 1)
  return { n, mean: (mean?.mean ?? 0) + (value - (mean?.mean ?? 0)) / n }
}
