// What is usual for some work, with the observations behind it.

/** What is usual, and the observations that it is computed from. */
export interface ExpectedValue {
  readonly value: number
  /** The narrowest stratum with observations; `*` is the whole project. */
  readonly kind: string
  /** The number of observations there, and their mean before shrinkage. */
  readonly n: number
  readonly own: number
  /** Observations in the whole project. */
  readonly all: number
}
