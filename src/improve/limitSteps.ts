// Limits, learned: how many memories a moment may tell, and how long they may be, by what the last place gave and what one more would have.
//
//   shown under the limits        ▸ ▸ ▸ ▸ | ▹      each recall is cut anew with one place less or more, or a shorter or longer budget
//   what one place less drops           ▸ |        its use, measured
//   what one place more adds              | ▹      its agreement with what was done, although nobody was told of it: rather less than its use
//
// The step whose difference is surely above zero is taken, the likeliest of them, one a moment at a time.
import { applyLearnedPolicy, getPolicyValue, type LearnedPolicy, type Policy } from '../model/policy.ts'
import { findNumberSpec } from '../model/policySchema.ts'
import type { AttributedRecall } from './attribution.ts'
import { clusterKey, computeConfidenceBound, estimateRecallValue } from './offPolicy.ts'
import { SIGNIFICANCE_SIGMAS } from './significantSlope.ts'

/** The moments whose places are cut from one list. A start gives each kind its share, and who asks says how many. */
const LIMITED = ['prompt', 'call', 'failure', 'agent'] as const

/** Recalls in which a limit made a difference, before it may move. */
const EDGE_EVIDENCE_MIN = 8

/** A budget's step, in tokens: about one lesson. */
const BUDGET_STEP = 100

/** And sessions: a few days' luck is no evidence. */
const EDGE_SESSIONS_MIN = 6

/**
 * What one recall more, of another session, might say to the contrary: a contribution as large as a good one, or as the largest seen.
 * Help is rare and large, and a note that was of no use in a few recalls may be of use in the next; so some fifty in a row say that it is not.
 */
const DOUBT = 0.5

/**
 * How far from what was chosen, down and up. What helped is told against what is usual here, and that has the help of all that was
 * shown in it: where notes help steadily, each of them seems to give little. So a moment never falls to a whisper by its own success.
 */
const LEAST_SHARE = 0.5
const MOST_SHARE = 2

/** The limits that should change, as path → value; at least half and at most twice what was chosen. */
export function computeLimitSteps(
  judged: readonly AttributedRecall[],
  chosen: Policy,
  serving: Policy,
): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const moment of LIMITED) {
    // What was withheld was read by nobody, in no place.
    const own = judged.filter((one) => one.moment === moment && !one.withheld)
    if (own.length < EDGE_EVIDENCE_MIN) continue
    const now = own.map((one) => estimateRecallValue(one, serving))
    let best: { readonly gain: number; readonly values: Values } = { gain: 0, values: {} }
    for (const values of candidatesFor(moment, own, serving).filter((one) => isAllowed(one, chosen))) {
      const policy = applyLearnedPolicy(serving, { version: 0, values })
      const gained = own.map((one, i) => estimateRecallValue(one, policy) - now[i]!)
      const gain = surely(gained, own, serving.recall.moments[moment].topK)
      if (gain > best.gain) best = { gain, values }
    }
    Object.assign(steps, best.values)
  }
  return steps
}

type Values = LearnedPolicy['values']

/** One step down or up of a moment's limits; up only where something was left out by them. */
function candidatesFor(moment: (typeof LIMITED)[number], own: readonly AttributedRecall[], serving: Policy): Values[] {
  const { topK, budgetTokens } = serving.recall.moments[moment]
  const path = (name: string) => `recall.moments.${moment}.${name}`
  const tokens = findNumberSpec(path('budgetTokens'))!
  const step = Math.floor(Math.min(BUDGET_STEP, serving.improve.stepMax * (tokens.max - tokens.min)))
  const places = (value: number) => ({ [path('topK')]: value })
  const budget = (value: number) => ({ [path('budgetTokens')]: value })
  const leftOut = own.filter(({ next }) => next !== undefined).length
  const down = [places(topK - 1), budget(budgetTokens - step)]
  // A place more is of no use without room for what comes there.
  const up = [places(topK + 1), budget(budgetTokens + step), { ...places(topK + 1), ...budget(budgetTokens + step) }]
  return [...down, ...(leftOut < EDGE_EVIDENCE_MIN ? [] : up)]
}

const isAllowed = (values: Values, chosen: Policy): boolean =>
  Object.entries(values).every(([path, value]) => {
    const [{ min, max }, start] = [findNumberSpec(path)!, getPolicyValue(chosen, path)!]
    return value >= Math.max(min, LEAST_SHARE * start) && value <= Math.min(max, MOST_SHARE * start)
  })

/** The mean gain where it is surely above zero, although the next recall said the contrary; else 0. */
function surely(gained: readonly number[], own: readonly AttributedRecall[], topK: number): number {
  const edge = own.filter((_, i) => gained[i] !== 0)
  if (edge.length < EDGE_EVIDENCE_MIN || new Set(edge.map(clusterKey)).size < EDGE_SESSIONS_MIN) return 0
  const doubt = -gained.reduce((most, value) => Math.max(most, Math.abs(value)), DOUBT / Math.log2(topK + 1))
  const bound = computeConfidenceBound([...gained, doubt], [...own.map(clusterKey), 'doubt'], SIGNIFICANCE_SIGMAS)
  return bound.lower > 0 ? bound.mean : 0
}
