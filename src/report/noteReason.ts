// Why a note was shown, in words: the moment, and the features that its score owes most to.
import type { RankingModel } from '../model/policy.ts'
import { type Features, type RecallMoment, UNRANKED_FEATURE } from '../model/recallQuery.ts'
import { listScoreParts } from './scoreBreakdown.ts'

/** What a feature means for a person. Features without a phrase say nothing about this note rather than others. */
const PHRASES: Readonly<Record<string, string>> = {
  error: 'the same error',
  files: 'files in common',
  workNamed: 'its session edited a file that you named',
  command: 'the same command',
  words: 'words in common',
  workFiles: 'its session edited such files',
  session: 'its session was about the same words',
  branch: 'the same branch',
  sameTask: 'the same task or branch',
  workTogether: 'its session edited the files of similar sessions',
  workFocus: 'its session did little else',
  successPattern: 'a fix that worked',
  recentFailure: 'it failed recently',
  helped: 'it helped before',
}

/** Said only if nothing above is: they are true of many notes. */
const GENERAL_PHRASES: Readonly<Record<string, string>> = {
  importance: 'it is important',
  recency: 'it is recent',
  strength: 'it was used often',
  workEdits: 'its session changed many files',
}

const MOMENTS: { readonly [Moment in RecallMoment]: string } = {
  start: "at the session's start",
  prompt: 'for the prompt',
  call: 'before a call',
  failure: 'after a failure',
  agent: "at a subagent's start",
  ask: 'for a question',
}

/** What a note is that was not chosen by rank. */
const UNRANKED: { readonly [Moment in RecallMoment]: string } = {
  start: 'what every session here should know',
  prompt: 'a fact about what the prompt names',
  call: 'a fact about this call',
  failure: 'a fact about this failure',
  agent: 'what every agent here should know',
  ask: 'a fact about the question',
}

const PHRASES_MAX = 3

/** Such as `after a failure: the same error, a fix that worked`. */
export function explainNote(features: Features, moment: RecallMoment, model: RankingModel): string {
  if (UNRANKED_FEATURE in features) return `${MOMENTS[moment]}: ${UNRANKED[moment]}`
  const parts = listScoreParts(features, model).filter(({ part }) => part > 0)
  const phrasesOf = (known: typeof PHRASES) => parts.flatMap(({ feature }) => known[feature] ?? [])
  const special = phrasesOf(PHRASES)
  const phrases = special.length > 0 ? special : phrasesOf(GENERAL_PHRASES)
  if (phrases.length === 0) return MOMENTS[moment]
  return `${MOMENTS[moment]}: ${phrases.slice(0, PHRASES_MAX).join(', ')}`
}
