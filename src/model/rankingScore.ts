// The score of a memory in one recall: the sum of weight × feature. Boosts are features that are 0 or 1.
//
// The weights of the formula `default` were fitted on labelled conversations and recorded projects. The two others are
// those of the self-improving-cycle and the agent-memory specification.
import type { Features, RecallMoment } from './recallQuery.ts'

/** The features of every moment, one weight each; 0 to 1 where nothing else is said. */
export const FEATURES = [
  'words', // words of the query in the memory (BM25, divided by the best)
  'window', // the same for the memory with two neighbours before and after it in its session; only for questions
  'session', // words of the query in the summary of its session
  'files', // files in common (BM25 over paths and names)
  'command', // the same command shape or family
  'error', // the same error signature
  'branch', // the same branch, if it is not a main branch
  'importance',
  'recency', // how recently it was created or confirmed
  'role', // made by or for an agent of the viewer's role
  'outcome', // success 1, failure .6, unknown .4
  'strength', // min(1, strength / 2)
  'kind', // lesson 1, preference, decision and entry .9, consolidated .7, summary .5, experience .3
  'helped', // how much it has helped so far, -1 to 1, shrunk while there is little evidence
] as const

/** Further features at the moment `ask`: see recall/questionFeatures.ts. */
export const QUESTION_FEATURES = [
  'wide', // words of the query in the memory with five neighbours before and after it
  'before', // the same with two neighbours before it
  'after', // the same with two neighbours after it
  'coverage', // share of the question's words in the memory, weighted by rarity
  'surroundings', // the same share with two neighbours before and after it
  'speaker', // said by the person that the question names
  'otherSpeaker', // said by another person than the named one
  'length', // its length in words, on a log scale, 1 at 150
  'saysTime', // it names a time, and the question asks for a time
  'saysAsked', // it has what the question asks for: a name, a number, a reason or a place
  'saysName',
  'saysNumber',
  'question', // it ends with a question
  'answer', // the memory before it is a question with words of the query
  'date', // how close its date is to the days that the question names
] as const

/** Further features at a prompt: how close the work of the memory's session is. See recall/sessionFileIndex.ts. */
const WORK_FEATURES = [
  'workFiles', // the prompt's words in the paths of the files its session edited (BM25, divided by the best)
  'workNamed', // the prompt names a file its session edited
  'workEdits', // number of files its session edited, on a log scale, 1 at 60
  'workTogether', // how much of the eight nearest sessions' files its session edited too (divided by the best)
  'workFocus', // the same as a share of all files its session edited
] as const

/** The features of some moments only. */
const MOMENT_FEATURES = [...WORK_FEATURES, ...QUESTION_FEATURES] as const
type Feature = (typeof FEATURES | typeof MOMENT_FEATURES)[number]

/** The boosts of the self-improving-cycle spec, as features. */
const BOOST_FEATURES = ['sameTask', 'recentFailure', 'successPattern'] as const

/** The linear model that computes a score. Weights are from -1 to 2, boosts from 0 to 1; an absent weight is 0. */
export interface RankingModel {
  readonly weights: Readonly<Partial<Record<Feature, number>>>
  readonly boosts: Readonly<Record<(typeof BOOST_FEATURES)[number], number>>
}

export const RANKING_FORMULAS = ['default', 'cycle', 'strength'] as const
export type RankingFormula = (typeof RANKING_FORMULAS)[number]

export function selectRankingModel(
  { formula }: { readonly formula: RankingFormula },
  moment: RecallMoment,
): RankingModel {
  if (formula === 'cycle') return CYCLE
  if (formula === 'strength') return STRENGTH
  return moment === 'ask' ? ASKED : moment === 'prompt' ? PROMPTED : WORK
}

const BOOSTS: RankingModel['boosts'] = { sameTask: 0.1, recentFailure: 0.05, successPattern: 0.05 }

/** During work: at starts, calls and failures. */
const WORK: RankingModel = {
  weights: {
    words: 0.3,
    session: 0.06,
    files: 0.14,
    command: 0.08,
    error: 0.3,
    branch: 0.1,
    importance: 0.2,
    recency: 0.15,
    role: 0.1,
    outcome: 0.05,
    strength: 0.05,
    kind: 0.1,
    helped: 0.3,
  },
  boosts: BOOSTS,
}

/** At a prompt: the work of a memory's session counts too. */
const PROMPTED: RankingModel = {
  weights: {
    ...WORK.weights,
    words: 0.2,
    session: 0.3,
    files: 0.17,
    branch: 0.45,
    recency: 0,
    workFiles: 0.25,
    workNamed: 0.6,
    workEdits: 1.4,
    workTogether: 0.45,
    workFocus: 0.7,
  },
  boosts: BOOSTS,
}

/** For a question in words. */
const ASKED: RankingModel = {
  weights: {
    words: 0.24,
    window: 0.68,
    session: 0.15,
    files: 0.14,
    command: 0.08,
    error: 0.3,
    branch: 0.1,
    importance: 0.05,
    recency: 0.02,
    helped: 0.3,
    wide: 0.25,
    before: 0.26,
    after: -0.21,
    coverage: -0.13,
    surroundings: 0.06,
    speaker: 0.13,
    otherSpeaker: -0.13,
    length: 0.05,
    saysTime: 0.24,
    saysAsked: 0.43,
    saysName: -0.02,
    saysNumber: 0.03,
    question: -0.27,
    answer: 0.04,
    date: 0.36,
  },
  boosts: BOOSTS,
}

/** Self-improving-cycle spec. */
const CYCLE: RankingModel = { weights: { importance: 0.4, recency: 0.3, role: 0.2, outcome: 0.1 }, boosts: BOOSTS }

/** Agent-memory spec: similarity, which is that of the words, strength and recency. */
const STRENGTH: RankingModel = {
  weights: { words: 0.5, strength: 0.3, recency: 0.2 },
  boosts: { sameTask: 0, recentFailure: 0, successPattern: 0 },
}

/** What each feature adds to the score. An absent feature is 0. */
export function computeBreakdown(features: Features, { weights, boosts }: RankingModel): Features {
  const breakdown: Record<string, number> = {}
  for (const name of FEATURES) breakdown[name] = (weights[name] ?? 0) * (features[name] ?? 0)
  for (const name of MOMENT_FEATURES) {
    const weight = weights[name]
    if (weight !== undefined && features[name] !== undefined) breakdown[name] = weight * features[name]
  }
  for (const name of BOOST_FEATURES) if (features[name]) breakdown[name] = boosts[name] * features[name]
  return breakdown
}

/** The sum of the breakdown, to the last bit, without building it: a hook ranks fifty memories and explains two. */
export function computeScore(features: Features, { weights, boosts }: RankingModel): number {
  let score = 0
  for (let i = 0; i < FEATURES.length; i++) {
    const name = FEATURES[i]!
    const feature = features[name] ?? 0
    if (feature !== 0) score += (weights[name] ?? 0) * feature
  }
  if (weights.workFiles !== undefined) {
    for (const name of WORK_FEATURES) score += (weights[name] ?? 0) * (features[name] ?? 0)
  }
  if (weights.wide !== undefined) {
    for (const name of QUESTION_FEATURES) score += (weights[name] ?? 0) * (features[name] ?? 0)
  }
  for (let i = 0; i < BOOST_FEATURES.length; i++) {
    const name = BOOST_FEATURES[i]!
    const feature = features[name]
    if (feature) score += boosts[name] * feature
  }
  return score
}

export function sumBreakdown(breakdown: Features): number {
  let score = 0
  for (const part of Object.values(breakdown)) score += part
  return score
}
