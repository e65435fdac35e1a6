// Importance: how much a memory is worth keeping, 0 to 1. Seed 003's formula, its weights from the policy.

/** The six terms of seed 003's importance, each 0 to 1. */
export interface ImportanceTerms {
  /** How telling the outcome is: a failure that was mended 1, a failure .8, a check that passed .6, other success .3, unknown .1. */
  readonly outcome: number
  /** How often it came back: 1 − 1 / (1 + n) for n uses or repeats. 0 at first. */
  readonly reuse: number
  /** In how many other sessions its files, command or error turn up: 1 − 1 / (1 + n / 2). 0 at first. */
  readonly crossImpact: number
  /** 1 − the greatest likeness (Jaccard of terms) to what is known already. */
  readonly novelty: number
  /** What the person said of it: asked to remember or corrected 1, a preference or decision .9, thanks .6, nothing 0. */
  readonly userSignal: number
  /** Time or calls it saves who knows it: the span from failure to fix, ms / (ms + 5 min). */
  readonly costSaved: number
}

export const IMPORTANCE_TERMS = [
  'outcome',
  'reuse',
  'crossImpact',
  'novelty',
  'userSignal',
  'costSaved',
] as const satisfies readonly (keyof ImportanceTerms)[]

export type ImportanceWeights = { readonly [Term in keyof ImportanceTerms]: number }

/** Importance, 0 to 1: the weighted sum of the six terms (seed 003: .25 .20 .20 .15 .15 .05), clipped. */
export function computeImportance(terms: ImportanceTerms, weights: ImportanceWeights): number {
  const sum =
    weights.outcome * terms.outcome +
    weights.reuse * terms.reuse +
    weights.crossImpact * terms.crossImpact +
    weights.novelty * terms.novelty +
    weights.userSignal * terms.userSignal +
    weights.costSaved * terms.costSaved
  return Math.min(1, Math.max(0, sum))
}

/** Whether the same terms weigh the same under both. */
export const hasSameImportanceWeights = (a: ImportanceWeights, b: ImportanceWeights): boolean =>
  IMPORTANCE_TERMS.every((term) => a[term] === b[term])

/** A count as a share of "often": 0 for none, rising towards 1; `half` is the count that gives one half. */
export const saturate = (count: number, half: number): number => (count <= 0 ? 0 : count / (count + half))

/** The greatest span that still matters little, 5 minutes: a fix that took this long gives a cost term of one half. */
export const COST_HALF_MS = 300_000
