// Tier: hot, warm or cold, how a memory of that age is kept (self-improving-cycle spec: 0–7, 7–30, 30+ days).

export const TIERS = ['hot', 'warm', 'cold'] as const

/** How a memory of some age is kept. */
export type Tier = (typeof TIERS)[number]

export interface TierPolicy {
  /** Days until a memory leaves the hot tier. */
  readonly hotDays: number
  /** Days until it leaves the warm tier. */
  readonly warmDays: number
  /** Experiences from this importance up are not archived in the warm tier, 0 to 1. */
  readonly keepWholeFrom: number
  /** Active experiences at most; the weakest beyond are archived. */
  readonly experiencesMax: number
}

/** The tier at an age of `ageDays`. A clock that moves backwards counts as age 0. */
export function computeTier(ageDays: number, policy: TierPolicy): Tier {
  if (ageDays < policy.hotDays) return 'hot'
  return ageDays < policy.warmDays ? 'warm' : 'cold'
}
