// Each group of learned values must be better by itself. What one group gains is no evidence for another.
//
//   weights, boosts, least scores   compared with the configured policy
//   topK, budgets                   compared with the policy that has those
//   weights of importance           compared with the policy that has all of these
import { applyLearnedPolicy, type LearnedPolicy, type Policy } from '../model/policy.ts'
import type { AttributedRecall } from './attribution.ts'
import { type ConfidenceBound, computeAdvantage } from './offPolicy.ts'

export type PolicyValues = LearnedPolicy['values']

const isLimit = (path: string): boolean => path.endsWith('.topK') || path.endsWith('.budgetTokens')
const isImportance = (path: string): boolean => path.startsWith('importance.')
const isRanking = (path: string): boolean => !isLimit(path) && !isImportance(path)

const filterValues = (values: PolicyValues, isIncluded: (path: string) => boolean): PolicyValues =>
  Object.fromEntries(Object.entries(values).filter(([path]) => isIncluded(path)))

/** The weights, boosts and least scores among the values. */
export const selectRankingValues = (values: PolicyValues): PolicyValues => filterValues(values, isRanking)

/** The policy with these values in place of its own. */
export const withValues = (policy: Policy, values: PolicyValues): Policy =>
  applyLearnedPolicy(policy, { version: 0, values })

/** How much better than the configured policy these values would have been. */
export const computeValuesAdvantage = (
  values: PolicyValues,
  recalls: readonly AttributedRecall[],
  configured: Policy,
): ConfidenceBound => computeAdvantage(recalls, configured, withValues(configured, values))

/** `ranking`, and of each other group the first candidate's values that are surely better by themselves, if any. */
export function acceptByGroup(
  ranking: PolicyValues,
  candidates: readonly PolicyValues[],
  recalls: readonly AttributedRecall[],
  configured: Policy,
): PolicyValues {
  let accepted = ranking
  for (const isInGroup of [isLimit, isImportance]) {
    const base = withValues(configured, accepted)
    const extended = candidates
      .map((candidate) => filterValues(candidate, isInGroup))
      .filter((values) => Object.keys(values).length > 0)
      .map((values) => ({ ...accepted, ...values }))
    const isBetter = (values: PolicyValues): boolean =>
      computeAdvantage(recalls, base, withValues(configured, values)).lower > 0
    accepted = extended.find(isBetter) ?? accepted
  }
  return accepted
}

/** Whether a group that had values before has none after. */
export const isGroupLost = (before: PolicyValues, after: PolicyValues): boolean =>
  [isRanking, isLimit, isImportance].some(
    (isInGroup) => Object.keys(before).some(isInGroup) && !Object.keys(after).some(isInGroup),
  )
