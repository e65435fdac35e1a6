// Off-policy evaluation: a learned policy stays active only while it is surely better than the configured one on this
// project's own logged recalls.
//
// Each recall is ranked again under both policies from its logged features. The value of a ranking is the contribution
// of what it would have shown, discounted by position: Σ contribution / log2(position + 1) over the memories with at
// least the least score (DCG, Järvelin & Kekäläinen 2002). The lower confidence bound of the mean difference decides.
import { exceedsBudget, isBudgetFull } from '../model/contextBudget.ts'
import { computeImportance, hasSameImportanceWeights } from '../model/importance.ts'
import { type Policy, selectRankingModel } from '../model/policy.ts'
import { computeScore } from '../model/rankingScore.ts'
import { type Features, UNRANKED_FEATURE } from '../model/recallQuery.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'

export interface ConfidenceBound {
  /** Number of recalls. */
  readonly recalls: number
  /** Mean advantage per recall, in units of contribution. */
  readonly mean: number
  /** The mean minus the requested number of standard errors. */
  readonly lower: number
}

/** How much better `candidate` would have been than `base`. Recalls of fewer than two sessions prove nothing. */
export function computeAdvantage(
  recalls: readonly AttributedRecall[],
  base: Policy,
  candidate: Policy,
): ConfidenceBound {
  const rescores = !hasSameImportanceWeights(base.importance, candidate.importance)
  const differences = recalls.map(
    (recall) => estimateRecallValue(recall, candidate, rescores) - estimateRecallValue(recall, base, rescores),
  )
  return computeConfidenceBound(differences, recalls.map(clusterKey), base.improve.guardSigmas)
}

/** Recalls of one session are not independent: together they are one observation. */
export const clusterKey = (recall: AttributedRecall): string => recall.session ?? recall.recall

/** The mean and its lower bound; the standard error is robust to clusters (Liang & Zeger 1986). */
export function computeConfidenceBound(
  values: readonly number[],
  clusters: readonly string[],
  sigmas: number,
): ConfidenceBound {
  const n = values.length
  const mean = n === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / n
  const sums = new Map<string, number>()
  for (const [i, value] of values.entries()) {
    const cluster = clusters[i] ?? ''
    sums.set(cluster, (sums.get(cluster) ?? 0) + value - mean)
  }
  const groups = sums.size
  if (groups < 2) return { recalls: n, mean: groups === 0 ? 0 : mean, lower: Number.NEGATIVE_INFINITY }
  const squares = [...sums.values()].reduce((sum, value) => sum + value ** 2, 0)
  const error = Math.sqrt((squares * groups) / (groups - 1)) / n
  return { recalls: n, mean, lower: mean - sigmas * error }
}

/**
 * The value of a recall if this policy had ranked and limited it; the memory that only the limits left out takes part.
 * With `rescores` importance is computed from its terms with this policy's weights, else it is the logged one.
 */
export function estimateRecallValue(
  { moment, memories, next }: AttributedRecall,
  policy: Policy,
  rescores = false,
): number {
  const limits = policy.recall.moments[moment]
  const weights = selectRankingModel(policy.recall, moment)
  const ranking = (next ? [...memories, next] : memories)
    .filter(({ features }) => !(UNRANKED_FEATURE in features))
    .map((memory) => {
      const features = rescores ? rescoreFeatures(memory, policy) : memory.features
      return { score: computeScore(features, weights), value: memory.contribution, cost: memory.tokens ?? 0 }
    })
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

const rescoreFeatures = ({ features, terms }: AttributedMemory, { importance }: Policy): Features =>
  terms ? { ...features, importance: computeImportance(terms, importance) } : features
