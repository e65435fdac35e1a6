// Statistics that learning shares: means, bounds that are robust to clusters, and ridge regression.

/**
 * Number of standard errors at which evidence is significant. 3.5, because many numbers are tested after every session,
 * for months: at 2, one of them would change by chance almost every time.
 */
export const SIGNIFICANCE_SIGMAS = 3.5

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** 0 for no values. */
export const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)

export interface ConfidenceBound {
  /** Number of values. */
  readonly recalls: number
  readonly mean: number
  /** The mean minus the requested number of standard errors. */
  readonly lower: number
}

/** The mean and its lower bound; the standard error is robust to clusters (Liang & Zeger 1986). */
export function computeConfidenceBound(
  values: readonly number[],
  clusters: readonly string[],
  sigmas: number,
): ConfidenceBound {
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
  return { recalls: n, mean: average, lower: average - sigmas * error }
}

/** A row of a regression: the predictors, in the same order in every row, and the value. */
interface Observation {
  readonly predictors: readonly number[]
  readonly value: number
}

/**
 * Regularised least squares (ridge regression, Hoerl & Kennard 1970) with an intercept that is not regularised. Each
 * penalty is in observations times the square of the predictor's unit. One coefficient for each predictor.
 */
export function fitRidge(rows: readonly Observation[], penalties: readonly number[]): number[] {
  const columns = penalties.map((_, i) => center(rows.map(({ predictors }) => predictors[i] ?? 0)))
  const values = center(rows.map(({ value }) => value))
  // The normal equations, the right side as the last column.
  const system = columns.map((column, i) => [
    ...columns.map((other, j) => multiply(column, other) + (i === j ? (penalties[i] ?? 0) : 0)),
    multiply(column, values),
  ])
  return solve(system, penalties.length)
}

function center(values: readonly number[]): Float64Array {
  const average = mean(values)
  return Float64Array.from(values, (value) => value - average)
}

function multiply(a: Float64Array, b: Float64Array): number {
  let product = 0
  for (let i = 0; i < a.length; i++) product += (a[i] ?? 0) * (b[i] ?? 0)
  return product
}

/** Gaussian elimination. The matrix is positive definite, so no pivoting is needed; a zero pivot gives the value 0. */
function solve(system: number[][], size: number): number[] {
  const entry = (row: number, column: number): number => system[row]?.[column] ?? 0
  for (let i = 0; i < size; i++) {
    const pivot = entry(i, i)
    if (pivot < 1e-12) continue
    for (let row = i + 1; row < size; row++) {
      const factor = entry(row, i) / pivot
      system[row] = (system[row] ?? []).map((value, column) => value - factor * entry(i, column))
    }
  }
  const solution = new Array<number>(size).fill(0)
  for (let i = size - 1; i >= 0; i--) {
    const known = sum(solution.map((value, column) => (column > i ? value * entry(i, column) : 0)))
    solution[i] = entry(i, i) < 1e-12 ? 0 : (entry(i, size) - known) / entry(i, i)
  }
  return solution
}
