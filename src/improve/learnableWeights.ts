// The weights of a ranking that may be learned from shown memories, each with its feature and its range.
import { FEATURES, QUESTION_FEATURES, WORK_FEATURES } from '../model/policy.ts'
import { BOOST_FEATURES } from '../model/rankingScore.ts'
import type { RecallMoment } from '../model/recallQuery.ts'

/** Requests, prompts and all other moments have weights of their own. */
export const WEIGHT_GROUPS = ['work', 'prompt', 'ask'] as const
export type WeightGroup = (typeof WEIGHT_GROUPS)[number]

export const selectWeightGroup = (moment: RecallMoment): WeightGroup =>
  moment === 'ask' || moment === 'prompt' ? moment : 'work'

interface LearnableWeight {
  readonly feature: string
  /** Its path in the policy. */
  readonly path: string
  readonly min: number
  readonly max: number
}

const weightsOf = (section: string, features: readonly string[]): LearnableWeight[] =>
  features.map((feature) => ({ feature, path: `recall.${section}.${feature}`, min: -1, max: 2 }))

const BOOSTS = BOOST_FEATURES.map((feature) => ({ feature, path: `recall.boosts.${feature}`, min: 0, max: 1 }))

/** The weights of each group. Boosts are shared by all groups and learned in the group `work`, where they apply. */
export const LEARNABLE_WEIGHTS: Readonly<Record<WeightGroup, readonly LearnableWeight[]>> = {
  work: [...weightsOf('weights', FEATURES), ...BOOSTS],
  prompt: weightsOf('prompted', [...FEATURES, ...WORK_FEATURES]),
  ask: weightsOf('asked', [...FEATURES, ...QUESTION_FEATURES]),
}
