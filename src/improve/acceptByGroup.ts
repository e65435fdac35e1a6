// Vouched: each kind of learned number must gain by itself. What one gains is no evidence for another that came along.
//
//   weights, boosts, least scores   against what was chosen
//   top-k, budgets                  beside those
//   weights of importance           beside all of these
import { applyLearnedPolicy, type LearnedPolicy, type Policy } from '../model/policy.ts'
import type { AttributedRecall } from './attribution.ts'
import { type ConfidenceBound, computeAdvantage } from './offPolicy.ts'

type Values = LearnedPolicy['values']

const isLimit = (path: string): boolean => path.endsWith('.topK') || path.endsWith('.budgetTokens')
const isOfImportance = (path: string): boolean => path.startsWith('importance.')
const BESIDE = [isLimit, isOfImportance]

const some = (values: Values, which: (path: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([path]) => which(path)))

/** The weights, boosts and least scores among the values. */
export const selectRankingValues = (values: Values): Values => some(values, (path) => !BESIDE.some((is) => is(path)))

/** How much better these values would have been than what was chosen. */
export const computeValuesAdvantage = (
  values: Values,
  judged: readonly AttributedRecall[],
  chosen: Policy,
): ConfidenceBound => computeAdvantage(judged, chosen, applyLearnedPolicy(chosen, { version: 0, values }))

/** `ranking`, and beside it of each kind the first of `tried` that is surely of use by itself, or none of that kind. */
export function acceptByGroup(
  ranking: Values,
  tried: readonly Values[],
  judged: readonly AttributedRecall[],
  chosen: Policy,
): Values {
  let values = ranking
  for (const is of BESIDE) {
    const less = applyLearnedPolicy(chosen, { version: 0, values })
    for (const one of tried) {
      const own = some(one, is)
      if (Object.keys(own).length === 0) continue
      const more = { ...values, ...own }
      if (computeAdvantage(judged, less, applyLearnedPolicy(chosen, { version: 0, values: more })).lower <= 0) continue
      values = more
      break
    }
  }
  return values
}

/** Whether of some kind there was something and is nothing any more. */
export const isGroupLost = (before: Values, after: Values): boolean =>
  [selectRankingValues, ...BESIDE.map((is) => (values: Values) => some(values, is))].some(
    (kind) => Object.keys(kind(before)).length > 0 && Object.keys(kind(after)).length === 0,
  )
