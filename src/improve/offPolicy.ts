// Guard: a policy serves only while it is surely better than the shipped one on this project's own logged recalls.
//
// Each judged recall is ranked again under both policies from its logged features. What a ranking is worth is the
// contribution of what it would have said, discounted by place: Σ contribution / log2(place + 1) over the memories at or
// above the least score (DCG, Järvelin & Kekäläinen 2002). The lower confidence bound of the mean difference decides.

import { exceedsBudget, isBudgetFull } from '../model/contextBudget.ts'
import { computeImportance, hasSameImportanceWeights } from '../model/importance.ts'
import { type Policy, selectRankingModel } from '../model/policy.ts'
import { computeScore } from '../model/rankingScore.ts'
import type { Features } from '../model/recallQuery.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'

export interface ConfidenceBound {
  readonly recalls: number
  /** Mean advantage a recall, in units of contribution. */
  readonly mean: number
  /** Mean minus the policy's number of standard errors. */
  readonly lower: number
}

/** How much better `candidate` would have been than `shipped` over these recalls. Fewer than two recalls prove nothing. */
export function computeAdvantage(
  judged: readonly AttributedRecall[],
  shipped: Policy,
  candidate: Policy,
): ConfidenceBound {
  const weighed = !hasSameImportanceWeights(shipped.importance, candidate.importance)
  const differences = judged.map(
    (one) => estimateRecallValue(one, candidate, weighed) - estimateRecallValue(one, shipped, weighed),
  )
  return computeConfidenceBound(differences, judged.map(clusterKey), shipped.improve.guardSigmas)
}

/** Recalls of one session share its luck: together they are one observation. */
export const clusterKey = (judged: AttributedRecall): string => judged.session ?? judged.recall

/** The mean and its lower bound, its error robust to whatever binds the values of one cluster (Liang & Zeger 1986). */
export function computeConfidenceBound(
  values: readonly number[],
  clusters: readonly string[],
  sigmas: number,
): ConfidenceBound {
  const n = values.length
  const mean = n === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / n
  const sums = new Map<string, number>()
  values.forEach((value, i) => {
    sums.set(clusters[i]!, (sums.get(clusters[i]!) ?? 0) + value - mean)
  })
  const groups = sums.size
  if (groups < 2) return { recalls: n, mean: groups === 0 ? 0 : mean, lower: Number.NEGATIVE_INFINITY }
  const squares = [...sums.values()].reduce((sum, value) => sum + value ** 2, 0)
  const error = Math.sqrt((squares * groups) / (groups - 1)) / n
  return { recalls: n, mean, lower: mean - sigmas * error }
}

/**
 * What a recall would have given, ranked and cut by this policy; what only the limits had left out takes part. With `weighed` the
 * importance of its memories is what this policy's weights make of its terms, and not what it was then.
 */
export function estimateRecallValue(
  { moment, memories, next }: AttributedRecall,
  policy: Policy,
  weighed = false,
): number {
  const limits = policy.recall.moments[moment]
  const weights = selectRankingModel(policy.recall, moment)
  const order = (next ? [...memories, next] : memories)
    .map((memory) => {
      const features = weighed ? reweighed(memory, policy) : memory.features
      return { score: computeScore(features, weights), worth: memory.contribution, cost: memory.tokens ?? 0 }
    })
    .filter((memory) => moment === 'start' || memory.score >= limits.scoreMin)
    .sort((a, b) => b.score - a.score)
  let [worth, place, tokens] = [0, 0, 0]
  for (const memory of order) {
    if (isBudgetFull(place, limits)) break
    if (exceedsBudget(memory.cost, place, tokens, limits.budgetTokens)) continue
    worth += memory.worth / Math.log2(place + 2)
    tokens += memory.cost
    place++
  }
  return worth
}

const reweighed = ({ features, terms }: AttributedMemory, { importance }: Policy): Features =>
  terms ? { ...features, importance: computeImportance(terms, importance) } : features
