// Asked: what speaks for a memory as the answer to a question in words. Computed for questions alone; at work all of it is 0.
import type { Cue } from '../../model/cue.ts'
import { datesIn } from '../../text/dates.ts'
import { ENDS_ASKING, SAYS_NAME, SAYS_NUMBER, SAYS_TIME, wantsOf } from '../../text/facts.ts'
import type { Match, Rankable } from '../candidate.ts'
import type { MoreFeatures } from '../rank.ts'
import { dateNearness, type Interval, intervalsOf } from './date.ts'

/** A text of this many words has all that `length` gives; from here on more only dilutes. */
const LENGTH_FULL = 150

/** A text of more words says all kinds of things: that it says this one tells the less, the longer it is. */
const SHORT_WORDS = 40

/** The features of a candidate as the answer to the cue's words, each 0 to 1. The question is taken apart once. */
export function askedFeatures(cue: Cue): MoreFeatures {
  const wants = wantsOf(cue.text)
  const intervals = intervalsOf(datesIn(cue.text, new Date(cue.now)))
  return ({ memory, match }, share) => featuresOf(memory, match, { wants, intervals }, share)
}

/** What a question asks for: facts as bits of text/facts.ts, and the days it speaks of. */
interface Question {
  readonly wants: number
  readonly intervals: readonly Interval[]
}

function featuresOf(
  { facts = 0, created }: Pick<Rankable, 'facts' | 'created'>,
  match: Match,
  question: Question,
  share: (name: keyof Match) => number,
) {
  const { speaker = 0, length = 0, surroundings = 0, asked = 0 } = match
  const telling = Math.min(1, SHORT_WORDS / Math.max(1, length))
  const says = (fact: number): number => ((facts & fact) === 0 ? 0 : telling)
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
    saysAsked: other === 0 ? 0 : telling * shareOfBits(facts & other, other),
    saysName: says(SAYS_NAME),
    saysNumber: says(SAYS_NUMBER),
    question: says(ENDS_ASKING),
    answer: asked > 0 ? share('asked') : 0,
    date: question.intervals.length > 0 && created ? dateNearness(Date.parse(created), question.intervals) : 0,
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
