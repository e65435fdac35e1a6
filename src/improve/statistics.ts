// Statistics that learning shares: sums, means, and bounds that are robust to clusters.

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** 0 for no values. */
export const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)

export interface ConfidenceBound {
  /** Number of values. */
  readonly recalls: number
  readonly mean: number
  /** The mean minus BOUND_ERRORS standard errors. */
  readonly lower: number
}

/** Standard errors of the lower bound that must be above 0: noise learned a score in 1 of 60 simulated projects. */
const BOUND_ERRORS = 2.5

/** The mean and its lower bound; the standard error is robust to clusters (Liang & Zeger 1986). */
export function computeConfidenceBound(values: readonly number[], clusters: readonly string[]): ConfidenceBound {
  const n = values.length
  const average = mean(values)
  const sums = new Map<string, number>()
  for (const [i, value] of values.entries()) {
    const cluster = clusters[i] ?? ''
    sums.set(cluster, (sums.get(cluster) ?? 0) + value - average)
  }
  const groups = sums.size
  if (groups < 2) return { recalls: n, mean: average, lower: Number.NEGATIVE_INFINITY }
  const squares = sum([...sums.values()].map((value) => value ** 2))
  const error = Math.sqrt((squares * groups) / (groups - 1)) / n
  return { recalls: n, mean: average, lower: average - BOUND_ERRORS * error }
}
