// Strength: how well a memory is consolidated. Use raises it, time lowers it (agent-memory spec).
import type { MemoryId } from './id.ts'
import type { MemoryStatus } from './memory.ts'

/** The numbers of strength; policySchema.ts has the meaning, unit and range of each. */
export interface StrengthPolicy {
  readonly initial: number
  readonly initialEducation: number
  readonly incrementOnUse: number
  readonly perspectiveIncrement: number
  readonly archiveAt: number
  readonly reactivated: number
  readonly impactRatio: number
  readonly impact: { readonly userPositive: number; readonly taskSuccess: number; readonly preventedError: number }
  /** The uses at which each consolidation level begins, ascending from level 0. */
  readonly levelUses: readonly number[]
  /** The share of strength that each level retains per day. */
  readonly dailyRetention: readonly number[]
  readonly tasksPerDay: number
}

export const IMPACT_KINDS = ['user_positive', 'task_success', 'prevented_error'] as const

/** What a memory gave (agent-memory spec): a content user, a task that succeeded, an error that did not come back. */
export type ImpactKind = (typeof IMPACT_KINDS)[number]

/**
 * One change of a memory's strength and counts. Counts and gains are added, so that two uses at the same time both
 * count. An absent field stays.
 */
export interface StrengthChange {
  readonly memory: MemoryId
  /** How many more times it was a candidate. */
  readonly candidates?: number | undefined
  /** How many more times it was used. */
  readonly uses?: number | undefined
  /** Replaces the strength. */
  readonly strengthTo?: number | undefined
  /** The share of strength that decay retains, 0 to 1. */
  readonly kept?: number | undefined
  /** Added to the strength after `strengthTo` and `kept`. */
  readonly strength?: number | undefined
  readonly perspectives?: Readonly<Record<string, number>> | undefined
  readonly impact?: number | undefined
  readonly level?: number | undefined
  readonly status?: MemoryStatus | undefined
}

const DAY_MS = 86_400_000

/** Days between two times, with fractions; a clock that moves backwards counts as 0. */
export const daysBetween = (fromMs: number, toMs: number): number => Math.max(0, (toMs - fromMs) / DAY_MS)

/**
 * Strength after `ageDays` without use, at a consolidation level that retains `dailyRetention` per day.
 *
 * Exponential, so that weak and strong memories lose the same share per day; otherwise weak memories
 * would never be archived. A clock that moves backwards counts as age 0.
 */
export function decayStrength(strength: number, ageDays: number, dailyRetention: number): number {
  return strength * dailyRetention ** Math.max(0, ageDays)
}

/** The consolidation level, 0 to 5, of a memory used `uses` times. */
export const computeConsolidationLevel = (uses: number, levelUses: readonly number[]): number =>
  Math.max(
    0,
    levelUses.findLastIndex((usesMin) => uses >= usesMin),
  )

/** The share of strength that a level retains per task: daily ^ (1 / tasks per day). For the decay pass. */
export const computeTaskRetention = (dailyRetention: number, tasksPerDay: number): number =>
  dailyRetention ** (1 / tasksPerDay)

/** Strength as a ranking feature, 0 to 1: half of it, at most 1 (agent-memory spec). */
export const normalizeStrength = (strength: number): number => Math.min(1, Math.max(0, strength / 2))

/** What an impact adds to the impact score. Strength grows by `impactRatio` of it. */
export function impactValue(kind: ImpactKind, policy: StrengthPolicy): number {
  switch (kind) {
    case 'user_positive':
      return policy.impact.userPositive
    case 'task_success':
      return policy.impact.taskSuccess
    case 'prevented_error':
      return policy.impact.preventedError
  }
}
