// Learned weights of importance: a weight rises if its term goes along with contribution and falls if it does the
// contrary, along significant slopes. What one weight gains the others lose, so that importances keep their scale,
// which the tiers rely on.
import { IMPORTANCE_TERMS } from '../model/importance.ts'
import type { Policy } from '../model/policy.ts'
import type { AttributedRecall } from './attribution.ts'
import { clusterKey } from './offPolicy.ts'
import { computeSignificantSlope } from './significantSlope.ts'

/** Sessions that the error of a slope is estimated from: a few would underestimate it. */
const SESSIONS_MIN = 10

/** A step of the weights as path → value, at most `stepMax`, with the same sum; empty if nothing is significant. */
export function computeImportanceSteps(recalls: readonly AttributedRecall[], active: Policy): Record<string, number> {
  const { rate, stepMax } = active.improve
  const importanceWeight = active.recall.weights.importance
  // If importance itself does not raise a score, contributions say nothing about its terms.
  if (importanceWeight <= 0) return {}
  const withTerms = useTermsAsFeatures(recalls)
  if (new Set(withTerms.map(clusterKey)).size < SESSIONS_MIN) return {}
  const slopes = IMPORTANCE_TERMS.map((term) => computeSignificantSlope(withTerms, term) ?? 0)
  if (slopes.every((slope) => slope === 0)) return {}
  const wanted = IMPORTANCE_TERMS.map((term, i) => {
    // In a score a term counts only through the weight of importance.
    const change = (rate * (slopes[i] ?? 0)) / importanceWeight
    return { term, weight: active.importance[term], change: Math.min(stepMax, Math.max(-stepMax, change)) }
  })
  return Object.fromEntries(
    balanceChanges(wanted, stepMax).map(({ term, weight, change }) => [
      `importance.${term}`,
      Math.round((weight + change) * 10_000) / 10_000,
    ]),
  )
}

/** The recalls with the terms of their memories' importance in place of the features; requests are left out. */
const useTermsAsFeatures = (recalls: readonly AttributedRecall[]): AttributedRecall[] =>
  recalls.flatMap((recall) => {
    const memories = recall.memories.flatMap((memory) =>
      memory.terms ? [{ ...memory, features: { ...memory.terms } }] : [],
    )
    return recall.moment === 'ask' || memories.length === 0 ? [] : [{ ...recall, memories }]
  })

/** A change of one weight, 0 to 1. */
interface WeightChange {
  readonly term: string
  readonly weight: number
  readonly change: number
}

/** The changes minus their mean, scaled so that weights stay in 0 to 1 and changes within `changeMax`. */
function balanceChanges(wanted: readonly WeightChange[], changeMax: number): WeightChange[] {
  const isStuck = ({ weight, change }: WeightChange): boolean =>
    (weight === 0 && change < 0) || (weight === 1 && change > 0)
  const fixed = new Set(wanted.filter(isStuck).map(({ term }) => term))
  let changes: WeightChange[] = [...wanted]
  for (;;) {
    changes = changes.map((entry) => (fixed.has(entry.term) ? { ...entry, change: 0 } : entry))
    const freeCount = changes.length - fixed.size
    const mean = freeCount === 0 ? 0 : changes.reduce((sum, { change }) => sum + change, 0) / freeCount
    const centered = changes.map((entry) => (fixed.has(entry.term) ? entry : { ...entry, change: entry.change - mean }))
    // A weight at 0 that only the mean would lower is fixed too, and the mean is computed again.
    const lowered = centered.find(({ term, weight, change }) => !fixed.has(term) && weight === 0 && change < 0)
    if (!lowered) {
      changes = centered
      break
    }
    fixed.add(lowered.term)
  }
  const scale = changes.reduce((smallest, { weight, change }) => {
    const room = Math.min(changeMax, change < 0 ? weight : 1 - weight)
    return Math.abs(change) > room ? Math.min(smallest, room / Math.abs(change)) : smallest
  }, 1)
  return changes.map((entry) => ({ ...entry, change: entry.change * scale }))
}
