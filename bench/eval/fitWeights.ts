// Fit: weights for questions, from questions whose answers are known. Softmax over each question's candidates, pulled towards where it
// begins, so that what the data do not tell stays as it was.
import type { Features } from '../../src/model/cue.ts'

/** One question's candidates, and which of them answer it. */
export interface Lesson {
  readonly conv: string
  readonly candidates: readonly { readonly features: Features; readonly relevant: boolean }[]
  /** Ids that answer it, found or not. */
  readonly relevantCount: number
}

export type Fitted = Record<string, number>

const PASSES = 300
const STEP = 0.01
/** How sharply a score of the weights' scale tells candidates apart. */
const TEMPERATURE = 8
const PULL = 0.05

/** The weights from `begin` on for the features named; others stay. Deterministic: full passes, Adam (Kingma and Ba, 2015). */
export function fitted(lessons: readonly Lesson[], begin: Readonly<Fitted>, names: readonly string[]): Fitted {
  const told = lessons.filter((lesson) => lesson.candidates.some((one) => one.relevant))
  const weights: Fitted = { ...begin }
  const mean = new Float64Array(names.length)
  const spread = new Float64Array(names.length)
  for (let pass = 1; pass <= PASSES; pass++) {
    const slope = slopeOf(told, weights, names)
    names.forEach((name, i) => {
      const g = slope[i]! / told.length - PULL * (weights[name]! - begin[name]!)
      mean[i] = 0.9 * mean[i]! + 0.1 * g
      spread[i] = 0.999 * spread[i]! + 0.001 * g * g
      const step = mean[i]! / (1 - 0.9 ** pass) / (Math.sqrt(spread[i]! / (1 - 0.999 ** pass)) + 1e-8)
      weights[name]! += STEP * step
    })
  }
  return weights
}

function slopeOf(lessons: readonly Lesson[], weights: Fitted, names: readonly string[]): Float64Array {
  const slope = new Float64Array(names.length)
  for (const { candidates } of lessons) {
    const scores = candidates.map(({ features }) => TEMPERATURE * scoreOf(features, weights))
    const most = Math.max(...scores)
    const shares = scores.map((score) => Math.exp(score - most))
    const total = shares.reduce((sum, share) => sum + share, 0)
    const right = candidates.filter((one) => one.relevant).length
    candidates.forEach(({ features, relevant }, i) => {
      const pull = (relevant ? 1 / right : 0) - shares[i]! / total
      names.forEach((name, n) => {
        slope[n]! += pull * (features[name] ?? 0)
      })
    })
  }
  return slope
}

/** A candidate's score under these weights. */
export function scoreOf(features: Features, weights: Readonly<Fitted>): number {
  let score = 0
  for (const name in weights) score += weights[name]! * (features[name] ?? 0)
  return score
}

/** What a ranking by these weights is worth: means over the questions, in percent. */
export function worthOf(
  lessons: readonly Lesson[],
  weights: Readonly<Fitted>,
): { readonly r5: number; readonly r10: number; readonly ndcg10: number } {
  let [r5, r10, ndcg10] = [0, 0, 0]
  for (const { candidates, relevantCount } of lessons) {
    const ranked = candidates
      .map((one) => ({ relevant: one.relevant, score: scoreOf(one.features, weights) }))
      .sort((a, b) => b.score - a.score)
    const among = (k: number): number => ranked.slice(0, k).filter((one) => one.relevant).length / relevantCount
    const gain = ranked.slice(0, 10).reduce((sum, one, i) => sum + (one.relevant ? 1 / Math.log2(i + 2) : 0), 0)
    let ideal = 0
    for (let i = 0; i < Math.min(10, relevantCount); i++) ideal += 1 / Math.log2(i + 2)
    r5 += among(5)
    r10 += among(10)
    ndcg10 += gain / ideal
  }
  const percent = (sum: number): number => (100 * sum) / Math.max(1, lessons.length)
  return { r5: percent(r5), r10: percent(r10), ndcg10: percent(ndcg10) }
}
