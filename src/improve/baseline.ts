// Baselines: how such work goes in this project, so that a contribution is measured against what is usual here.
//
// Means that forget slowly, one a kind of work. Where little is known, the project's mean stands in (shrinkage).

/** A running mean with its count; `n` is capped, so that old habits fade. */
export interface Mean {
  readonly n: number
  readonly mean: number
}

/** Kind of work (`task`, or a failed call's aim) → what is usual for it. */
export interface Baselines {
  /** Share of successes, 0 to 1. */
  readonly success: Readonly<Record<string, Mean>>
  /** Milliseconds from a failure to its pass. */
  readonly mendMs: Readonly<Record<string, Mean>>
  /** Calls from a failure to its pass. */
  readonly mendCalls: Readonly<Record<string, Mean>>
}

export const NO_BASELINES: Baselines = { success: {}, mendMs: {}, mendCalls: {} }

/** The name under which the whole project's mean stands. */
export const ALL = '*'

const COUNT_MAX = 50
const KINDS_MAX = 400

/** Observations after which a kind of work's own mean counts half. */
const PRIOR = 5

/** What is usual for a kind of work: its own mean, shrunk towards the project's; undefined where nothing is known. */
export function usual(means: Readonly<Record<string, Mean>>, kind: string): number | undefined {
  const all = means[ALL]
  const own = means[kind]
  if (!all) return own?.mean
  if (!own) return all.mean
  return (own.n * own.mean + PRIOR * all.mean) / (own.n + PRIOR)
}

/** The means with one more observation, for its kind and for the project. */
export function observed(means: Readonly<Record<string, Mean>>, kind: string, value: number): Record<string, Mean> {
  const next = { ...means, [kind]: with1(means[kind], value) }
  if (kind !== ALL) next[ALL] = with1(means[ALL], value)
  const names = Object.keys(next)
  // The kind met longest ago goes first; ALL is met every time, so it stays.
  if (names.length > KINDS_MAX) delete next[names.find((name) => name !== ALL)!]
  return next
}

function with1(mean: Mean | undefined, value: number): Mean {
  const n = Math.min(COUNT_MAX, (mean?.n ?? 0) + 1)
  return { n, mean: (mean?.mean ?? 0) + (value - (mean?.mean ?? 0)) / n }
}
