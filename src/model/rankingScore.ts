// The score of a memory in one recall: the sum of weight × feature. Boosts are features that are 0 or 1.
import { FEATURES, QUESTION_FEATURES, type RankingModel, WORK_FEATURES } from './policy.ts'
import type { Features } from './recallQuery.ts'

/** The features of some moments only. */
const MOMENT_FEATURES = [...WORK_FEATURES, ...QUESTION_FEATURES] as const

/** The boosts of the self-improving-cycle spec, as features. */
const BOOST_FEATURES = ['sameTask', 'recentFailure', 'successPattern'] as const

/** What each feature adds to the score. An absent feature is 0. */
export function computeBreakdown(features: Features, policy: RankingModel): Features {
  const breakdown: Record<string, number> = {}
  for (const name of FEATURES) breakdown[name] = policy.weights[name] * (features[name] ?? 0)
  for (const name of MOMENT_FEATURES) {
    const weight = policy.weights[name]
    if (weight !== undefined && features[name] !== undefined) breakdown[name] = weight * features[name]
  }
  for (const name of BOOST_FEATURES) if (features[name]) breakdown[name] = policy.boosts[name] * features[name]
  return breakdown
}

/** The sum of the breakdown, to the last bit, without building it: a hook ranks fifty memories and explains two. */
export function computeScore(features: Features, policy: RankingModel): number {
  let score = 0
  for (let i = 0; i < FEATURES.length; i++) {
    const name = FEATURES[i]!
    const feature = features[name] ?? 0
    if (feature !== 0) score += policy.weights[name] * feature
  }
  if (policy.weights.workFiles !== undefined) {
    for (const name of WORK_FEATURES) score += (policy.weights[name] ?? 0) * (features[name] ?? 0)
  }
  if (policy.weights.wide !== undefined) {
    for (const name of QUESTION_FEATURES) score += (policy.weights[name] ?? 0) * (features[name] ?? 0)
  }
  for (let i = 0; i < BOOST_FEATURES.length; i++) {
    const name = BOOST_FEATURES[i]!
    const feature = features[name]
    if (feature) score += policy.boosts[name] * feature
  }
  return score
}

/** The sum of a breakdown. */
export function sumBreakdown(breakdown: Features): number {
  let score = 0
  for (const part of Object.values(breakdown)) score += part
  return score
}
