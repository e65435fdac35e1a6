// Asked: what speaks for a memory as the answer to a question in words. Computed for questions alone; at work all of it is 0.
import type { RecallQuery } from '../model/recallQuery.ts'
import {
  detectExpectedAnswerTypes,
  ENDS_WITH_QUESTION,
  SAYS_NAME,
  SAYS_NUMBER,
  SAYS_TIME,
} from '../text/answerTypes.ts'
import { findDates } from '../text/dates.ts'
import { computeDateNearness, type DateInterval, toIntervals } from './dateNearness.ts'
import type { ExtraFeatures } from './rankByPolicy.ts'
import type { MatchScores, RankableMemory } from './recallCandidate.ts'

/** A text of this many words has all that `length` gives; from here on more only dilutes. */
const LENGTH_FULL = 150

/** A text of more words says all kinds of things: that it says this one tells the less, the longer it is. */
const SHORT_WORDS = 40

/** The features of a candidate as the answer to the cue's words, each 0 to 1. The question is taken apart once. */
export function questionFeatures(query: RecallQuery): ExtraFeatures {
  const wants = detectExpectedAnswerTypes(query.text)
  const intervals = toIntervals(findDates(query.text, new Date(query.now)))
  return ({ memory, match }, share) => featuresOf(memory, match, { wants, intervals }, share)
}

/** What a question asks for: facts as bits of text/facts.ts, and the days it speaks of. */
interface Question {
  readonly wants: number
  readonly intervals: readonly DateInterval[]
}

function featuresOf(
  { answerTypes = 0, created }: Pick<RankableMemory, 'answerTypes' | 'created'>,
  match: MatchScores,
  question: Question,
  share: (name: keyof MatchScores) => number,
) {
  const { speaker = 0, length = 0, surroundings = 0, asked = 0 } = match
  const telling = Math.min(1, SHORT_WORDS / Math.max(1, length))
  const says = (fact: number): number => ((answerTypes & fact) === 0 ? 0 : telling)
  const other = question.wants & ~SAYS_TIME
  return {
    wide: share('wide'),
    before: share('before'),
    after: share('after'),
    coverage: match.coverage,
    surroundings,
    speaker: speaker > 0 ? 1 : 0,
    otherSpeaker: speaker < 0 ? 1 : 0,
    length: Math.min(1, Math.log(1 + length) / Math.log(1 + LENGTH_FULL)),
    saysTime: question.wants & SAYS_TIME ? says(SAYS_TIME) : 0,
    saysAsked: other === 0 ? 0 : telling * shareOfBits(answerTypes & other, other),
    saysName: says(SAYS_NAME),
    saysNumber: says(SAYS_NUMBER),
    question: says(ENDS_WITH_QUESTION),
    answer: asked > 0 ? share('asked') : 0,
    date: question.intervals.length > 0 && created ? computeDateNearness(Date.parse(created), question.intervals) : 0,
  }
}

function shareOfBits(some: number, all: number): number {
  return bitsIn(some) / bitsIn(all)
}

function bitsIn(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}
