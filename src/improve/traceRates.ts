// How often each trace occurs: after recalls that were shown, after holdouts, and for memories chosen at random.
//
// The last two are chance: a trace that is found as often without the note is no evidence of it. Counted for each
// moment and kind of memory, and shrunk towards broader groups and towards what was measured on recorded sessions.
import type { MemoryKind } from '../model/memory.ts'
import type { RecallMoment } from '../model/recallQuery.ts'
import type { UsageSignal } from './usageSignals.ts'

/** shown: recalled and shown. withheld: holdouts. other: memories of the same kind, chosen at random. */
export const RATE_ARMS = ['shown', 'withheld', 'other'] as const
export type RateArm = (typeof RATE_ARMS)[number]

/** How often a trace was possible, and how often it was found. */
type TraceCount = readonly [possible: number, found: number]

type CountsByStratum = Readonly<Record<string, Readonly<Partial<Record<UsageSignal, TraceCount>>>>>

export type TraceRates = Readonly<Partial<Record<RateArm, CountsByStratum>>>

export interface TraceObservation {
  readonly arm: RateArm
  readonly moment: RecallMoment
  readonly kind: MemoryKind
  readonly possible: readonly UsageSignal[]
  /** Those of `possible` that were found. */
  readonly found: readonly UsageSignal[]
}

/** What the attribution of a session's recall adds to the baselines. */
export interface RecallObservations {
  readonly traces: readonly TraceObservation[]
  /** The commands whose errors the shown notes describe. */
  readonly noted: readonly string[]
}

/**
 * The rates before any observation: what was found for memories that nobody had seen, of two recorded projects the
 * larger of holdouts and random memories (docs/policy.md). An absent error has no rate of its own.
 */
export const TRACE_RATE_PRIOR: Readonly<Record<'work' | 'start', Readonly<Record<UsageSignal, number>>>> = {
  work: { command: 0.04, errorGone: 0.5, file: 0.05, answer: 0.01, words: 0.03 },
  start: { command: 0.18, errorGone: 0.5, file: 0.55, answer: 0.02, words: 0.13 },
}

/** The share of shown notes that is assumed to be followed before it is measured. */
const FOLLOWED_PRIOR = 0.1

/** Observations at which a group's own rate counts one half. Holdouts are rare, and nothing says more about chance. */
const PRIOR_COUNT: Readonly<Record<RateArm, number>> = { shown: 20, withheld: 10, other: 20 }

/** At this number the counts of a group are halved, so that old observations lose weight. */
const COUNT_MAX = 400

export function addTraceObservations(
  rates: TraceRates | undefined,
  observations: readonly TraceObservation[],
): TraceRates {
  const next: { -readonly [Arm in RateArm]?: Record<string, CountsByStratum[string]> } = {}
  for (const arm of RATE_ARMS) if (rates?.[arm]) next[arm] = { ...rates[arm] }
  for (const { arm, moment, kind, possible, found } of observations) {
    next[arm] ??= {}
    for (const stratum of listStrata(moment, kind)) {
      const counts = { ...next[arm][stratum] }
      for (const signal of possible) counts[signal] = addToCount(counts[signal] ?? [0, 0], found.includes(signal))
      next[arm][stratum] = counts
    }
  }
  return next
}

function addToCount([possible, found]: TraceCount, isFound: boolean): TraceCount {
  const factor = possible >= COUNT_MAX ? 0.5 : 1
  return [possible * factor + 1, found * factor + (isFound ? 1 : 0)]
}

/** Broadest first. Starts are a group of their own: their period is a whole session. */
const listStrata = (moment: RecallMoment, kind: MemoryKind): string[] => [
  groupOf(moment),
  ...(moment === 'start' ? [] : [moment]),
  `${moment} ${kind}`,
]

const groupOf = (moment: RecallMoment): 'work' | 'start' => (moment === 'start' ? 'start' : 'work')

/** How sure a trace is evidence that the memory was used. All three are between 0 and 1. */
export interface TraceConfidence {
  /** How often the trace is found without the note. */
  readonly chance: number
  /** How often the note causes the trace where chance does not. */
  readonly followed: number
  /** The probability that the note caused this trace. */
  readonly confidence: number
}

export interface TraceContext {
  readonly rates: TraceRates | undefined
  readonly moment: RecallMoment
  readonly kind: MemoryKind
  readonly signal: UsageSignal
  /** The chance before any observation, if it is known for this very trace. */
  readonly prior?: number | undefined
}

/**
 * With c the chance and p the rate after showing, the note causes the trace in a share f = (p − c) / (1 − c) of the
 * cases (Abbott 1925). c and p are those of such memories. Of the
 * traces that are found it is the cause of f (1 − c) / (c + f (1 − c)), the probability of
 * necessity (Pearl 1999): above one half if showing more than doubles the rate.
 */
export function estimateConfidence(context: TraceContext): TraceConfidence {
  const { rates, moment, kind, signal, prior = TRACE_RATE_PRIOR[groupOf(moment)][signal] } = context
  const strata = listStrata(moment, kind)
  const rateOf = (arm: RateArm, start: number): number =>
    strata.reduce((broader, stratum) => {
      const [possible, found] = rates?.[arm]?.[stratum]?.[signal] ?? [0, 0]
      return (found + PRIOR_COUNT[arm] * broader) / (possible + PRIOR_COUNT[arm])
    }, start)
  const chance = Math.max(rateOf('withheld', prior), rateOf('other', prior))
  const shown = rateOf('shown', chance + (1 - chance) * FOLLOWED_PRIOR)
  const followed = chance >= 1 ? 0 : Math.max(0, (shown - chance) / (1 - chance))
  const caused = followed * (1 - chance)
  return { chance, followed, confidence: caused === 0 ? 0 : caused / (chance + caused) }
}
