// Importance, learned: what of the six terms goes with help. A weight rises where its term does and falls where it does the contrary,
// along slopes that stand out from chance; what one gains the others lose, so that an importance stays what tiers take it for.
import { IMPORTANCE_TERMS } from '../model/importance.ts'
import type { Policy } from '../model/policy.ts'
import type { AttributedRecall } from './attribution.ts'
import { clusterKey } from './offPolicy.ts'
import { computeSignificantSlope } from './significantSlope.ts'

/** Sessions with notes: a slope's error is told by how far they differ, and a few tell it too small. */
const SESSIONS_MIN = 10

/** A step of the weights as path → value, none further than `stepMax`, their sum as it was; nothing where nothing stands out. */
export function computeImportanceSteps(notes: readonly AttributedRecall[], serving: Policy): Record<string, number> {
  const { rate, stepMax } = serving.improve
  const counts = serving.recall.weights.importance
  // Where importance itself does not speak for a memory, what it is made of cannot be told by what helped.
  if (counts <= 0) return {}
  const told = byTerms(notes)
  if (new Set(told.map(clusterKey)).size < SESSIONS_MIN) return {}
  const slopes = IMPORTANCE_TERMS.map((term) => computeSignificantSlope(told, term) ?? 0)
  if (slopes.every((slope) => slope === 0)) return {}
  const weights = IMPORTANCE_TERMS.map((term) => serving.importance[term])
  // In a score the term counts only by the weight of importance.
  const moves = balanced(
    slopes.map((slope) => Math.min(stepMax, Math.max(-stepMax, (rate * slope) / counts))),
    weights,
    stepMax,
  )
  return Object.fromEntries(
    IMPORTANCE_TERMS.map((term, i) => [pathOf(term), Math.round((weights[i]! + moves[i]!) * 10_000) / 10_000]),
  )
}

const pathOf = (term: string): string => `importance.${term}`

/** The notes with the terms of their importance in place of their features. */
const byTerms = (notes: readonly AttributedRecall[]): AttributedRecall[] =>
  notes.flatMap((one) => {
    const memories = one.memories.flatMap((memory) =>
      memory.terms ? [{ ...memory, features: { ...memory.terms } }] : [],
    )
    return one.moment === 'ask' || memories.length === 0 ? [] : [{ ...one, memories }]
  })

/** The moves with their mean taken off, none out of the range 0 to 1 and none greater than `most`. A weight at an end stays there. */
function balanced(wanted: readonly number[], weights: readonly number[], most: number): number[] {
  const free = wanted.map((move, i) => !((weights[i] === 0 && move < 0) || (weights[i] === 1 && move > 0)))
  let moves = wanted.map((move, i) => (free[i] ? move : 0))
  // A weight at 0 that only the mean would lower is held too, and the mean taken anew.
  for (;;) {
    const held = free.filter(Boolean).length
    const mean = held === 0 ? 0 : moves.reduce((sum, move) => sum + move, 0) / held
    const next = moves.map((move, i) => (free[i] ? move - mean : 0))
    const stuck = next.findIndex((move, i) => free[i] && weights[i] === 0 && move < 0)
    if (stuck === -1) {
      moves = next
      break
    }
    free[stuck] = false
    moves = moves.map((move, i) => (free[i] ? move : 0))
  }
  const share = moves.reduce((least, move, i) => {
    const room = Math.min(most, move < 0 ? weights[i]! : 1 - weights[i]!)
    return Math.abs(move) > room ? Math.min(least, room / Math.abs(move)) : least
  }, 1)
  return moves.map((move) => move * share)
}
