// Guard: a policy serves only while it is surely better than the shipped one on this project's own logged recalls.
//
// Each judged recall is ranked again under both policies from its logged features. What a ranking is worth is the
// contribution of what it would have said, discounted by place: Σ contribution / log2(place + 1) over the memories at or
// above the least score (DCG, Järvelin & Kekäläinen 2002). The lower confidence bound of the mean difference decides.
import { type Policy, weighing } from '../model/policy.ts'
import { breakdownOf, scoreOf } from '../model/score.ts'
import type { Judged } from './judge.ts'

export interface Bound {
  readonly recalls: number
  /** Mean advantage a recall, in units of contribution. */
  readonly mean: number
  /** Mean minus the policy's number of standard errors. */
  readonly lower: number
}

/** How much better `candidate` would have been than `shipped` over these recalls. Fewer than two recalls prove nothing. */
export function advantageOf(judged: readonly Judged[], shipped: Policy, candidate: Policy): Bound {
  const differences = judged.map((one) => worthUnder(one, candidate) - worthUnder(one, shipped))
  return boundOf(differences, judged.map(clusterOf), shipped.improve.guardSigmas)
}

/** Recalls of one session share its luck: together they are one observation. */
export const clusterOf = (judged: Judged): string => judged.session ?? judged.recall

/** The mean and its lower bound, its error robust to whatever binds the values of one cluster (Liang & Zeger 1986). */
export function boundOf(values: readonly number[], clusters: readonly string[], sigmas: number): Bound {
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

/** What a recall would have given, ranked and cut by this policy. */
export function worthUnder(judged: Judged, policy: Policy): number {
  const { topK, scoreMin } = policy.recall.moments[judged.moment]
  const weights = weighing(policy.recall, judged.moment)
  const order = judged.memories
    .map((memory) => ({ score: scoreOf(breakdownOf(memory.features, weights)), worth: memory.contribution }))
    .filter((memory) => judged.moment === 'start' || memory.score >= scoreMin)
    .sort((a, b) => b.score - a.score)
    .slice(0, topK)
  return order.reduce((sum, memory, place) => sum + memory.worth / Math.log2(place + 2), 0)
}
