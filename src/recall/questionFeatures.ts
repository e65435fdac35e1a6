// Features for natural-language questions: how well a memory fits as the answer. Hooks do not compute them.
import type { RecallQuery } from '../model/recallQuery.ts'
import { detectExpectedAnswerTypes, ENDS_WITH_QUESTION, HAS_NAME, HAS_NUMBER, HAS_TIME } from '../text/answerTypes.ts'
import { type DateSpan, findDates } from '../text/dates.ts'
import type { ExtraFeatures, ScaledMatchScore } from './rankByPolicy.ts'
import type { MatchScores, RankableMemory } from './recallCandidate.ts'

/** Words from which on the feature `length` is 1. */
const LENGTH_FULL = 150

/** A longer text says many things, in words: that it says this one too counts less, the longer it is. */
const SHORT_WORDS = 40

const DAY_MS = 86_400_000

/** Days after an event over which a memory of it becomes unlikely, by a factor of e; and before it, for plans. */
const AFTER_DAYS = 10
const BEFORE_DAYS = 5

/** What a memory from before the day counts: it holds a plan, which answers half as well. */
const BEFORE_WEIGHT = 0.5

/** Days that a question names, in milliseconds since 1970; `to` is exclusive. */
type DateInterval = readonly [from: number, to: number]

/** The features of a candidate as an answer to the query's text, each 0 to 1. The question is parsed once. */
export function questionFeatures(query: RecallQuery): ExtraFeatures {
  const question = {
    // Bits of text/answerTypes.ts.
    answerTypes: detectExpectedAnswerTypes(query.text),
    intervals: findDates(query.text, new Date(query.now)).map(toInterval),
  }
  return ({ memory, match }, share) => featuresOf(memory, match, question, share)
}

function featuresOf(
  { answerTypes = 0, created }: Pick<RankableMemory, 'answerTypes' | 'created'>,
  match: MatchScores,
  question: { readonly answerTypes: number; readonly intervals: readonly DateInterval[] },
  share: (name: ScaledMatchScore) => number,
) {
  const { speaker = 0, length = 0, surroundings = 0, asked = 0 } = match
  const focus = Math.min(1, SHORT_WORDS / Math.max(1, length))
  const says = (type: number): number => ((answerTypes & type) === 0 ? 0 : focus)
  const wanted = question.answerTypes & ~HAS_TIME
  return {
    wide: share('wide'),
    before: share('before'),
    after: share('after'),
    coverage: match.coverage,
    surroundings,
    speaker: speaker > 0 ? 1 : 0,
    otherSpeaker: speaker < 0 ? 1 : 0,
    length: Math.min(1, Math.log(1 + length) / Math.log(1 + LENGTH_FULL)),
    saysTime: question.answerTypes & HAS_TIME ? says(HAS_TIME) : 0,
    saysAsked: wanted === 0 ? 0 : focus * (countBits(answerTypes & wanted) / countBits(wanted)),
    saysName: says(HAS_NAME),
    saysNumber: says(HAS_NUMBER),
    question: says(ENDS_WITH_QUESTION),
    answer: asked > 0 ? share('asked') : 0,
    date: question.intervals.length > 0 && created ? computeDateNearness(Date.parse(created), question.intervals) : 0,
  }
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

const toInterval = ({ from, to }: DateSpan): DateInterval => [Date.parse(from), Date.parse(to) + DAY_MS]

/** 1 for a time within one of the intervals, falling with the distance from the nearest; 0 without intervals. */
const computeDateNearness = (at: number, intervals: readonly DateInterval[]): number =>
  Math.max(0, ...intervals.map(([from, to]) => nearness(at, from, to)))

function nearness(at: number, from: number, to: number): number {
  if (at >= to) return Math.exp(-(at - to) / (AFTER_DAYS * DAY_MS))
  if (at >= from) return 1
  return BEFORE_WEIGHT * Math.exp(-(from - at) / (BEFORE_DAYS * DAY_MS))
}
