// Why a note was shown, in words: the moment, and its trigger or worth, or the features that its score owes most to.
// And its score as a sum: feature × weight = part, the largest parts first.
import { isAboutFailures, isOfPerson } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'
import { computeBreakdown, type RankingModel, sumBreakdown } from '../model/rankingScore.ts'
import { type Features, type RecallMoment, UNRANKED_FEATURE } from '../model/recallQuery.ts'
import { formatNumber, formatSigned } from './formatNumber.ts'
import { formatTable, numberColumns } from './formatTable.ts'
import { isolate } from './translation.ts'

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

const PHRASES_MAX = 3

/** A note as it was shown; of one that was deleted since, without its memory. */
export interface ExplainedNote {
  readonly features: Features
  readonly moment: RecallMoment
  /** Of an entry of knowledge at a start: the calls that it was expected to save in a session. */
  readonly score?: number | undefined
  readonly memory?: Memory | undefined
}

/** Such as `after a failure: the same error, a fix that worked`, or `before a call: its trigger fired`. */
export function explainNote(note: ExplainedNote, model: RankingModel): string {
  const { features, moment } = note
  if (UNRANKED_FEATURE in features) return `${MOMENTS[moment]}: ${explainKnowledge(note)}`
  const parts = listScoreParts(features, model).filter(({ part }) => part > 0)
  const phrasesOf = (known: typeof PHRASES) => parts.flatMap(({ feature }) => known[feature] ?? [])
  const special = phrasesOf(PHRASES)
  const phrases = special.length > 0 ? special : phrasesOf(GENERAL_PHRASES)
  if (phrases.length === 0) return MOMENTS[moment]
  return `${MOMENTS[moment]}: ${phrases.slice(0, PHRASES_MAX).join(', ')}`
}

/** Not chosen by rank: at a start by what it is worth, elsewhere by its trigger. */
export function explainKnowledge({ moment, score = 0, memory }: Omit<ExplainedNote, 'features'>): string {
  if (moment !== 'start' && moment !== 'agent') return 'its trigger fired'
  const { knowledge } = memory ?? {}
  if (knowledge?.asked || memory?.pinned) return 'the person asked for it'
  if (knowledge && isOfPerson(knowledge) && !isAboutFailures(knowledge)) return 'it is what the person wants'
  if (score <= 0) return 'what every session here should know'
  const calls = Math.round(score * 10) / 10
  const count = calls === 0 ? 'less than 0.1' : formatNumber(calls)
  return `expected to save ${count} ${calls === 1 ? 'call' : 'calls'} a session`
}

export interface ScorePart {
  readonly feature: string
  readonly value: number
  readonly weight: number
  /** value × weight */
  readonly part: number
}

/** The parts of a score that are not 0, the largest first. */
export function listScoreParts(features: Features, policy: RankingModel): readonly ScorePart[] {
  const weights: Readonly<Record<string, number>> = { ...policy.weights, ...policy.boosts }
  return Object.entries(computeBreakdown(features, policy))
    .flatMap(([feature, part]) =>
      part === 0 ? [] : [{ feature, value: features[feature] ?? 0, weight: weights[feature] ?? 0, part }],
    )
    .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
}

/** The parts as lines of a table, then the score. `styleHead` styles the head of the table. */
export function formatBreakdown(
  features: Features,
  policy: RankingModel,
  columns: number,
  styleHead?: (text: string) => string,
): string[] {
  const rows = listScoreParts(features, policy).map(({ feature, value, weight, part }) => [
    isolate(feature),
    formatNumber(value),
    '×',
    formatNumber(weight),
    '=',
    formatSigned(part),
  ])
  const sum = sumBreakdown(computeBreakdown(features, policy))
  const layout = ['feature', ...numberColumns('value'), '', ...numberColumns('weight'), '', ...numberColumns('part')]
  return formatTable(layout, [...rows, ['score', '', '', '', '', formatNumber(sum)]], columns, styleHead)
}
