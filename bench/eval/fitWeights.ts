// Fits the weights for questions on questions with known answers: softmax over each question's candidates,
// regularized towards the initial weights, so that a weight without evidence in the data does not change.
import type { Features } from '../../src/model/recallQuery.ts'

/** One question's candidates, and which of them answer it. */
export interface LabelledCandidates {
  readonly conv: string
  readonly candidates: readonly { readonly features: Features; readonly relevant: boolean }[]
  /** The number of ids that answer it, found or not. */
  readonly relevantCount: number
}

export type FeatureWeights = Record<string, number>

const PASSES = 300
const STEP = 0.01
/** Multiplies scores before the softmax: how sharply a difference in score separates candidates. */
const TEMPERATURE = 8
const REGULARIZATION = 0.05

/**
 * Fits the weights of the named features, starting at `initial`; others stay. Deterministic: full-batch Adam (Kingma
 * and Ba, 2015).
 */
export function fitWeights(
  questions: readonly LabelledCandidates[],
  initial: Readonly<FeatureWeights>,
  names: readonly string[],
): FeatureWeights {
  const answered = questions.filter(({ candidates }) => candidates.some(({ relevant }) => relevant))
  const weights: FeatureWeights = { ...initial }
  const mean = new Float64Array(names.length)
  const variance = new Float64Array(names.length)
  for (let pass = 1; pass <= PASSES; pass++) {
    const gradient = gradientOf(answered, weights, names)
    names.forEach((name, i) => {
      const g = gradient[i]! / answered.length - REGULARIZATION * (weights[name]! - initial[name]!)
      mean[i] = 0.9 * mean[i]! + 0.1 * g
      variance[i] = 0.999 * variance[i]! + 0.001 * g * g
      const step = mean[i]! / (1 - 0.9 ** pass) / (Math.sqrt(variance[i]! / (1 - 0.999 ** pass)) + 1e-8)
      weights[name]! += STEP * step
    })
  }
  return weights
}

function gradientOf(
  questions: readonly LabelledCandidates[],
  weights: FeatureWeights,
  names: readonly string[],
): Float64Array {
  const gradient = new Float64Array(names.length)
  for (const { candidates } of questions) {
    const scores = candidates.map(({ features }) => TEMPERATURE * weightedSum(features, weights))
    const most = Math.max(...scores)
    const shares = scores.map((score) => Math.exp(score - most))
    const total = shares.reduce((sum, share) => sum + share, 0)
    const relevantCount = candidates.filter(({ relevant }) => relevant).length
    candidates.forEach(({ features, relevant }, i) => {
      const pull = (relevant ? 1 / relevantCount : 0) - shares[i]! / total
      names.forEach((name, n) => {
        gradient[n]! += pull * (features[name] ?? 0)
      })
    })
  }
  return gradient
}

/** A candidate's score under these weights. */
function weightedSum(features: Features, weights: Readonly<FeatureWeights>): number {
  let score = 0
  for (const name in weights) score += weights[name]! * (features[name] ?? 0)
  return score
}

/** Recall at 5 and at 10 and nDCG at 10 of the ranking by these weights: means over the questions, in percent. */
export function measureRanking(
  questions: readonly LabelledCandidates[],
  weights: Readonly<FeatureWeights>,
): { readonly r5: number; readonly r10: number; readonly ndcg10: number } {
  let [r5, r10, ndcg10] = [0, 0, 0]
  for (const { candidates, relevantCount } of questions) {
    const ranked = candidates
      .map(({ relevant, features }) => ({ relevant, score: weightedSum(features, weights) }))
      .sort((a, b) => b.score - a.score)
    const recallAt = (k: number): number => ranked.slice(0, k).filter(({ relevant }) => relevant).length / relevantCount
    const gain = ranked.slice(0, 10).reduce((sum, { relevant }, i) => sum + (relevant ? 1 / Math.log2(i + 2) : 0), 0)
    let ideal = 0
    for (let i = 0; i < Math.min(10, relevantCount); i++) ideal += 1 / Math.log2(i + 2)
    r5 += recallAt(5)
    r10 += recallAt(10)
    ndcg10 += gain / ideal
  }
  const percent = (sum: number): number => (100 * sum) / Math.max(1, questions.length)
  return { r5: percent(r5), r10: percent(r10), ndcg10: percent(ndcg10) }
}
