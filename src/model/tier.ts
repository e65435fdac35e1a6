// Tier: hot, warm or cold, how a memory of that age is kept (seed 003: 0–7, 7–30, 30+ days).

export const TIERS = ['hot', 'warm', 'cold'] as const
export type Tier = (typeof TIERS)[number]

export interface TierPolicy {
  /** Days until a memory leaves the hot tier. */
  readonly hotDays: number
  /** Days until it leaves the warm tier. */
  readonly warmDays: number
  /** From this importance up an experience stays whole in the warm tier, 0 to 1. */
  readonly keepWholeFrom: number
  /** Active experiences at most; over it the weakest are archived first. */
  readonly experiencesMax: number
}

/** The tier of something `ageDays` old. A clock set back counts as age 0. */
export function computeTier(ageDays: number, policy: TierPolicy): Tier {
  if (ageDays < policy.hotDays) return 'hot'
  return ageDays < policy.warmDays ? 'warm' : 'cold'
}
