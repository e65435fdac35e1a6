// Date: how near a memory was made to a day the question speaks of.
import type { DateSpan } from '../text/dates.ts'

const DAY_MS = 86_400_000

/** What happened is mostly told within days after it; told beforehand it is a plan, which answers half as well. */
const AFTER_DAYS = 10
const BEFORE_DAYS = 5
const BEFORE_WORTH = 0.5

/** Days a question speaks of, in milliseconds: from, and the end that is not included. */
export type DateInterval = readonly [from: number, to: number]

export const toIntervals = (spans: readonly DateSpan[]): readonly DateInterval[] =>
  spans.map(({ from, to }) => [Date.parse(from), Date.parse(to) + DAY_MS])

/** 1 for a memory made within one of the intervals, less the farther it is from the nearest; 0 where there is none. */
export function computeDateNearness(at: number, intervals: readonly DateInterval[]): number {
  let best = 0
  for (const [from, to] of intervals) best = Math.max(best, nearness(at, from, to))
  return best
}

function nearness(at: number, from: number, to: number): number {
  if (at >= to) return Math.exp(-(at - to) / (AFTER_DAYS * DAY_MS))
  if (at >= from) return 1
  return BEFORE_WORTH * Math.exp(-(from - at) / (BEFORE_DAYS * DAY_MS))
}
