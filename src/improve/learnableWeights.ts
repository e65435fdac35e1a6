// Learnable weights: which numbers of a ranking may be learned from the memories that were shown, each with its feature and range.

import { FEATURES, QUESTION_FEATURES, WORK_FEATURES } from '../model/policy.ts'
import { BOOST_FEATURES } from '../model/rankingScore.ts'
import type { RecallMoment } from '../model/recallQuery.ts'

/** Questions, prompts and the other moments of work are each ranked by weights of their own. */
export const WEIGHT_GROUPS = ['work', 'prompt', 'ask'] as const
export type WeightGroup = (typeof WEIGHT_GROUPS)[number]

export const selectWeightGroup = (moment: RecallMoment): WeightGroup =>
  moment === 'ask' || moment === 'prompt' ? moment : 'work'

/** A number that is learned from a feature. */
interface LearnableWeight {
  readonly feature: string
  /** Where it stands in the policy. */
  readonly path: string
  readonly min: number
  readonly max: number
}

const WEIGHT_RANGE = { min: -1, max: 2 }

/** The weights of each group. Boosts are shared by all groups and learned at work, where they apply. */
export const LEARNABLE_WEIGHTS: Readonly<Record<WeightGroup, readonly LearnableWeight[]>> = {
  work: [
    ...FEATURES.map((feature) => ({ feature, path: `recall.weights.${feature}`, ...WEIGHT_RANGE })),
    ...BOOST_FEATURES.map((feature) => ({ feature, path: `recall.boosts.${feature}`, min: 0, max: 1 })),
  ],
  prompt: [...FEATURES, ...WORK_FEATURES].map((feature) => ({
    feature,
    path: `recall.prompted.${feature}`,
    ...WEIGHT_RANGE,
  })),
  ask: [...FEATURES, ...QUESTION_FEATURES].map((feature) => ({
    feature,
    path: `recall.asked.${feature}`,
    ...WEIGHT_RANGE,
  })),
}
