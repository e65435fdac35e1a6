// Impacts of the agent-memory spec that events show, for a memory that was used. What is usual here is no impact.
import type { ContributionParts } from '../model/contribution.ts'
import type { ImpactKind } from '../model/strength.ts'
import { type Baselines, estimateExpected } from './baseline.ts'
import type { UsageSignal } from './usageSignals.ts'

/** The success part at which a success is more than what is usual: nine of ten such tasks succeed anyway. */
const SUCCESS_PART_MIN = 0.2

/** The share of thanked tasks from which thanks are a habit. */
const THANKS_HABIT = 0.5

/** Whether thanks are unusual here. */
export const areThanksUnusual = ({ thanks }: Baselines): boolean =>
  (estimateExpected(thanks, [], THANKS_PRIOR)?.value ?? 0) < THANKS_HABIT

/** The share of tasks that are thanked, before any observation. */
const THANKS_PRIOR = 0.1

/**
 * The impacts that events show: an error that usually occurs and did not, else a task that went better than usual; and
 * the user's thanks, where they are no habit.
 */
export function listImpacts(
  parts: ContributionParts,
  traces: readonly UsageSignal[],
  isThanked: boolean,
): ImpactKind[] {
  const isPrevented = traces.includes('errorGone') && parts.errors > 0
  const impacts: ImpactKind[] = isPrevented
    ? ['prevented_error']
    : parts.success >= SUCCESS_PART_MIN
      ? ['task_success']
      : []
  return isThanked ? [...impacts, 'user_positive'] : impacts
}
