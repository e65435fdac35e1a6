// The weights of a ranking that may be learned from shown memories, each with its feature and its range. Boosts are
// not learned: all moments share them, and a moment's numbers are judged on that moment only.
import { FEATURES, QUESTION_FEATURES, WORK_FEATURES } from '../model/policy.ts'
import { WEIGHT_RANGE } from '../model/policyRanges.ts'
import type { RecallMoment } from '../model/recallQuery.ts'

/** Requests, prompts and all other moments have weights of their own. */
export const WEIGHT_GROUPS = ['work', 'prompt', 'ask'] as const
export type WeightGroup = (typeof WEIGHT_GROUPS)[number]

/** The moments that a group's weights rank. A start ranks too little to learn from. */
export const GROUP_MOMENTS: { readonly [Group in WeightGroup]: readonly Exclude<RecallMoment, 'start'>[] } = {
  work: ['call', 'failure', 'agent'],
  prompt: ['prompt'],
  ask: ['ask'],
}

interface LearnableWeight {
  readonly feature: string
  /** Its path in the policy. */
  readonly path: string
  readonly min: number
  readonly max: number
}

const weightsOf = (section: string, features: readonly string[]): LearnableWeight[] => {
  const [min, max] = WEIGHT_RANGE
  return features.map((feature) => ({ feature, path: `recall.${section}.${feature}`, min, max }))
}

export const LEARNABLE_WEIGHTS: Readonly<Record<WeightGroup, readonly LearnableWeight[]>> = {
  work: weightsOf('weights', FEATURES),
  prompt: weightsOf('prompted', [...FEATURES, ...WORK_FEATURES]),
  ask: weightsOf('asked', [...FEATURES, ...QUESTION_FEATURES]),
}
