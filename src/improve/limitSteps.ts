// Learned limits: how many memories a moment may show, and their length, by what the last position gave and what one
// more would give.
//
//   shown under the limits         ▸ ▸ ▸ ▸ | ▹      each recall is cut again with other limits
//   dropped by one position less         ▸ |        its measured contribution
//   added by one position more             | ▹      its contribution as if shown: rather an underestimate
//
// Of the steps with a difference surely above zero the best is taken, one for each moment.
import { getPolicyValue, type Policy } from '../model/policy.ts'
import { findNumberSpec } from '../model/policySchema.ts'
import { type PolicyValues, withValues } from './acceptByGroup.ts'
import type { AttributedRecall } from './attribution.ts'
import { clusterKey, computeConfidenceBound, estimateRecallValue } from './offPolicy.ts'
import { SIGNIFICANCE_SIGMAS } from './significantSlope.ts'

/** The moments that show one ranked list. A start gives each kind its share, and a request says how many it wants. */
const LIMITED_MOMENTS = ['prompt', 'call', 'failure', 'agent'] as const
type LimitedMoment = (typeof LIMITED_MOMENTS)[number]

/** Recalls, and sessions with recalls, in which a limit must have made a difference before it may move. */
const EDGE_RECALLS_MIN = 8
const EDGE_SESSIONS_MIN = 6

/** The step of a budget: about one lesson. */
const BUDGET_STEP_TOKENS = 100

/**
 * One more recall, of another session, is assumed to contradict the step with a contribution this large, or as large as
 * the largest observed. Contributions are rare and large, so it takes about fifty recalls without any to show that a
 * position gives none.
 */
const ASSUMED_CONTRIBUTION = 0.5

/**
 * Range of a learned limit, as a share of the configured one. Contributions are relative to what is usual here, which
 * includes the help of all notes shown: where notes help steadily, each of them seems to give little, and limits would
 * shrink to nothing.
 */
const SHARE_MIN = 0.5
const SHARE_MAX = 2

/** The limits that should change, as path → value; from half to twice the configured ones. */
export function computeLimitSteps(
  recalls: readonly AttributedRecall[],
  configured: Policy,
  active: Policy,
): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const moment of LIMITED_MOMENTS) {
    // A holdout has no positions: nobody read it.
    const own = recalls.filter((recall) => recall.moment === moment && !recall.withheld)
    if (own.length < EDGE_RECALLS_MIN) continue
    const before = own.map((recall) => estimateRecallValue(recall, active))
    let bestGain = 0
    let best: PolicyValues = {}
    for (const values of listCandidates(moment, own, active).filter((limits) => isAllowed(limits, configured))) {
      const policy = withValues(active, values)
      const gains = own.map((recall, i) => estimateRecallValue(recall, policy) - (before[i] ?? 0))
      const gain = computeSureGain(gains, own, active.recall.moments[moment].topK)
      if (gain > bestGain) [bestGain, best] = [gain, values]
    }
    Object.assign(steps, best)
  }
  return steps
}

/** One step down or up of a moment's limits; up only if they left out enough memories. */
function listCandidates(moment: LimitedMoment, own: readonly AttributedRecall[], active: Policy): PolicyValues[] {
  const { topK, budgetTokens } = active.recall.moments[moment]
  const topKPath = `recall.moments.${moment}.topK`
  const budgetPath = `recall.moments.${moment}.budgetTokens`
  const spec = findNumberSpec(budgetPath)
  if (!spec) return []
  const step = Math.floor(Math.min(BUDGET_STEP_TOKENS, active.improve.stepMax * (spec.max - spec.min)))
  const more = budgetTokens + step
  const down = [{ [topKPath]: topK - 1 }, { [budgetPath]: budgetTokens - step }]
  const leftOut = own.filter(({ next }) => next !== undefined).length
  if (leftOut < EDGE_RECALLS_MIN) return down
  // One position more may be useless without room for its note, so both are tried together too.
  return [...down, { [topKPath]: topK + 1 }, { [budgetPath]: more }, { [topKPath]: topK + 1, [budgetPath]: more }]
}

const isAllowed = (values: PolicyValues, configured: Policy): boolean =>
  Object.entries(values).every(([path, value]) => {
    const spec = findNumberSpec(path)
    const start = getPolicyValue(configured, path)
    if (!spec || start === undefined) return false
    return value >= Math.max(spec.min, SHARE_MIN * start) && value <= Math.min(spec.max, SHARE_MAX * start)
  })

/** The mean gain if it is surely above zero even with one assumed recall to the contrary; else 0. */
function computeSureGain(gains: readonly number[], own: readonly AttributedRecall[], topK: number): number {
  const edge = own.filter((_, i) => gains[i] !== 0)
  if (edge.length < EDGE_RECALLS_MIN || new Set(edge.map(clusterKey)).size < EDGE_SESSIONS_MIN) return 0
  const assumed = gains.reduce(
    (largest, gain) => Math.max(largest, Math.abs(gain)),
    ASSUMED_CONTRIBUTION / Math.log2(topK + 1),
  )
  const clusters = [...own.map(clusterKey), 'assumed']
  const bound = computeConfidenceBound([...gains, -assumed], clusters, SIGNIFICANCE_SIGMAS)
  return bound.lower > 0 ? bound.mean : 0
}
