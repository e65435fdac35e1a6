// The least score of a moment: the configured one, and the learned one that may be higher.
import type { RecallMoment } from './recallQuery.ts'

/** The moments with a learned least score. A start has no query to score against, and a request shows what it finds. */
export const LEARNED_MOMENTS = ['prompt', 'call', 'failure', 'agent'] as const satisfies readonly RecallMoment[]
export type LearnedMoment = (typeof LEARNED_MOMENTS)[number]

/** The path of a moment's least score in a policy. */
export const leastScorePath = (moment: LearnedMoment): string => `recall.moments.${moment}.scoreMin`
