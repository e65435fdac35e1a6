// Contribution: what a recalled memory gave, -1 to 1 (self-improving-cycle spec).

/** The four parts of the spec, each -1 to 1, 0 where nothing is known. */
export interface ContributionParts {
  /** Success rate up: what the memory was about went well, compared with this project's baseline. */
  readonly success: number
  /** Time shortened, compared with the baseline of such work. */
  readonly time: number
  /** Fewer tool calls than the baseline of such work. */
  readonly calls: number
  /** Errors avoided: a known error did not come back, or was fixed at once. */
  readonly errors: number
}

/** How much each part counts: a success and an avoided error say most. They add up to 1. */
export const CONTRIBUTION_WEIGHTS: ContributionParts = { success: 0.35, time: 0.15, calls: 0.15, errors: 0.35 }

/** -1 to 1: the weighted mean of the parts, times the confidence that the memory was used (`used`, 0 to 1). */
export function computeContribution(parts: ContributionParts, used: number): number {
  const names = Object.keys(CONTRIBUTION_WEIGHTS) as (keyof ContributionParts)[]
  const sum = names.reduce((total, name) => total + CONTRIBUTION_WEIGHTS[name] * parts[name], 0)
  return Math.min(1, Math.max(-1, used * sum))
}

/** How often it was shown and used, and the sum of its contributions (each -1 to 1). */
export type HelpStats = Readonly<{ shown: number; used: number; contribution: number }>
