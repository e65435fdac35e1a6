// Importance: how much a memory is worth keeping, 0 to 1 (self-improving-cycle spec).

/** The six terms of importance, each 0 to 1. */
export interface ImportanceTerms {
  /** How informative the outcome is: fixed failure 1, failure .8, passed check .6, other success .3, unknown .1. */
  readonly outcome: number
  /** 1 − 1 / (1 + n) for n uses or repeats; repeats of a failure count in one session, too. */
  readonly reuse: number
  /** 1 − 1 / (1 + n / 2) for n other sessions in which its files, command or error occur. 0 at first. */
  readonly crossImpact: number
  /** 1 − the greatest similarity (Jaccard of terms) to an existing memory. */
  readonly novelty: number
  /** What the user said: a request to remember or a correction 1, a preference or decision .9, thanks .6, nothing 0. */
  readonly userSignal: number
  /** The time that knowing it saves: ms / (ms + 5 min) from the failure to its fix. */
  readonly costSaved: number
}

/** The weights of the spec; they add up to 1. */
export const IMPORTANCE_WEIGHTS: ImportanceTerms = {
  outcome: 0.25,
  reuse: 0.2,
  crossImpact: 0.2,
  novelty: 0.15,
  userSignal: 0.15,
  costSaved: 0.05,
}

/** Importance, 0 to 1: the weighted sum of the six terms, clipped. */
export function computeImportance(terms: ImportanceTerms): number {
  const names = Object.keys(IMPORTANCE_WEIGHTS) as (keyof ImportanceTerms)[]
  const sum = names.reduce((total, name) => total + IMPORTANCE_WEIGHTS[name] * terms[name], 0)
  return Math.min(1, Math.max(0, sum))
}

/** 0 for a count of 0, rising towards 1; `half` is the count that gives one half. */
export const saturate = (count: number, half: number): number => (count <= 0 ? 0 : count / (count + half))

/** A fix that took this long, 5 minutes, gives a cost term of one half. */
export const COST_HALF_MS = 300_000
