// Contribution: the help a recalled memory turned out to give, -1 to 1 (seed 003).

/** The four parts of seed 003, each -1 to 1, 0 where nothing is known. */
export interface ContributionParts {
  /** Success rate up: what the memory was about went well this time, against this project's baseline. */
  readonly success: number
  /** Time shortened: against the baseline span of such work. */
  readonly time: number
  /** Fewer tool calls than such work takes here. */
  readonly calls: number
  /** Errors avoided: a known error did not come back, or came back and was mended at once. */
  readonly errors: number
}

export interface ContributionWeights extends ContributionParts {}

/** -1 to 1: the weighted mean of the parts, times how surely the memory was used (`used`, 0 to 1): what was not used can take no credit. */
export function computeContribution(parts: ContributionParts, weights: ContributionWeights, used: number): number {
  const total = weights.success + weights.time + weights.calls + weights.errors
  if (total <= 0) return 0
  const sum =
    weights.success * parts.success +
    weights.time * parts.time +
    weights.calls * parts.calls +
    weights.errors * parts.errors
  return Math.min(1, Math.max(-1, (used * sum) / total))
}
