// Strength: how well a memory is consolidated. Use raises it, time lowers it (seed 000).
import type { MemoryId } from './id.ts'
import type { MemoryStatus } from './memory.ts'

/** Seed 000's numbers for strength; every one has its meaning, unit and range in policies/default.yaml. */
export interface StrengthPolicy {
  readonly initial: number
  readonly initialEducation: number
  readonly incrementOnUse: number
  readonly perspectiveIncrement: number
  readonly archiveAt: number
  readonly reactivated: number
  readonly impactRatio: number
  readonly impact: { readonly userPositive: number; readonly taskSuccess: number; readonly preventedError: number }
  /** Uses from which each consolidation level begins, ascending, level 0 first. */
  readonly levelUses: readonly number[]
  /** The share of strength each level keeps a day. */
  readonly dailyRetention: readonly number[]
  readonly tasksPerDay: number
}

export const IMPACT_KINDS = ['user_positive', 'task_success', 'prevented_error'] as const

/** What a memory gave (seed 000): a content person, a task that went well, an error that stayed away. */
export type ImpactKind = (typeof IMPACT_KINDS)[number]

/**
 * What is done to one memory's strength at once. Counts and gains are added, so that two who use a memory at the same time both count;
 * what is left out stays.
 */
export interface StrengthChange {
  readonly memory: MemoryId
  /** Found as a candidate, so many times more. */
  readonly candidates?: number | undefined
  /** Used, so many times more. */
  readonly uses?: number | undefined
  /** In place of the strength there was. */
  readonly strengthTo?: number | undefined
  /** The share of it that time leaves, 0 to 1. */
  readonly kept?: number | undefined
  /** Added after that. */
  readonly strength?: number | undefined
  readonly perspectives?: Readonly<Record<string, number>> | undefined
  readonly impact?: number | undefined
  readonly level?: number | undefined
  readonly status?: MemoryStatus | undefined
}

const DAY_MS = 86_400_000

/** Days between two moments, as a fraction; a clock set back counts as 0. */
export const daysBetween = (fromMs: number, toMs: number): number => Math.max(0, (toMs - fromMs) / DAY_MS)

/**
 * `strength` after `ageDays` without use, at a consolidation level that keeps `dailyRetention` of it a day.
 *
 * Exponential, because a weak and a strong memory should lose the same share a day:
 * otherwise the weak ones would never leave. A clock set back counts as age 0.
 */
export function decayStrength(strength: number, ageDays: number, dailyRetention: number): number {
  return strength * dailyRetention ** Math.max(0, ageDays)
}

/** The consolidation level, 0 to 5, of a memory used `uses` times. */
export function computeConsolidationLevel(uses: number, levelUses: readonly number[]): number {
  let level = 0
  for (let i = 0; i < levelUses.length; i++) if (uses >= levelUses[i]!) level = i
  return level
}

/** What a level keeps of strength in one task: daily ^ (1 / tasks a day). For the sleep phase alone. */
export const computeTaskRetention = (dailyRetention: number, tasksPerDay: number): number =>
  dailyRetention ** (1 / tasksPerDay)

/** Strength as ranking sees it, 0 to 1: half of it, at most 1 (seed 000). */
export const normalizeStrength = (strength: number): number => Math.min(1, Math.max(0, strength / 2))

/** What an impact adds to the impact score; strength grows by `impactRatio` of it. */
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
