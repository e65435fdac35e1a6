// Off-policy evaluation: a learned policy stays active only while it is surely better than the configured one on this
// project's own logged recalls.
//
// Each recall is ranked again under both policies from its logged features. The value of a ranking is the value of what
// it would have shown, discounted by position: Σ value / log2(position + 1) over the notes with at least the least
// score (DCG, Järvelin & Kekäläinen 2002). The recalls are those of noteValue.ts: `contribution` is a note's value.
import { exceedsBudget, isBudgetFull } from '../model/contextBudget.ts'
import { applyLearnedPolicy, type LearnedPolicy, type Policy, selectRankingModel } from '../model/policy.ts'
import { computeScore } from '../model/rankingScore.ts'
import type { AttributedRecall } from './attribution.ts'
import { isRanked } from './noteValue.ts'
import { type ConfidenceBound, computeConfidenceBound } from './statistics.ts'

export type PolicyValues = LearnedPolicy['values']

/** The policy with these values in place of its own. */
export const withValues = (policy: Policy, values: PolicyValues): Policy =>
  applyLearnedPolicy(policy, { version: 0, values })

/** How much better `candidate` would have been than `base`. Recalls of fewer than two sessions prove nothing. */
export function computeAdvantage(
  recalls: readonly AttributedRecall[],
  base: Policy,
  candidate: Policy,
): ConfidenceBound {
  const differences = recalls.map(
    (recall) => estimateRecallValue(recall, candidate) - estimateRecallValue(recall, base),
  )
  return computeConfidenceBound(differences, recalls.map(clusterKey), base.improve.guardSigmas)
}

/** Recalls of one session are not independent: together they are one observation. */
export const clusterKey = (recall: AttributedRecall): string => recall.session ?? recall.recall

/** The value of a recall under this policy. The memory that only the limits left out takes part. */
function estimateRecallValue({ moment, memories, next }: AttributedRecall, policy: Policy): number {
  const limits = policy.recall.moments[moment]
  const weights = selectRankingModel(policy.recall, moment)
  const ranking = (next ? [...memories, next] : memories)
    .filter(isRanked)
    .map(({ features, contribution, tokens = 0 }) => ({
      score: computeScore(features, weights),
      value: contribution,
      cost: tokens,
    }))
    .filter((memory) => moment === 'start' || memory.score >= limits.scoreMin)
    .sort((a, b) => b.score - a.score)
  let total = 0
  let position = 0
  let tokens = 0
  for (const { value, cost } of ranking) {
    if (isBudgetFull(position, limits)) break
    if (exceedsBudget(cost, position, tokens, limits.budgetTokens)) continue
    total += value / Math.log2(position + 2)
    tokens += cost
    position++
  }
  return total
}
