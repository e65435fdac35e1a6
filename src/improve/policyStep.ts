// The next policy from the attributions of this project's own recalls. Small limited steps, deterministic for a given
// log.
//
// A recall shows one to a few memories, so weights follow the slope of contribution over each feature across recalls. A
// moment's least score falls if even the weakest memories shown were of use, and rises if they were not. Every step is
// a share of a range, and off-policy evaluation decides whether the result may become active.
import { applyLearnedPolicy, getPolicyValue, type LearnedPolicy, type Policy } from '../model/policy.ts'
import { RECALL_MOMENTS } from '../model/recallQuery.ts'
import {
  acceptByGroup,
  computeValuesAdvantage,
  isGroupLost,
  type PolicyValues,
  selectRankingValues,
} from './acceptByGroup.ts'
import type { AttributedRecall } from './attribution.ts'
import { computeImportanceSteps } from './importanceSteps.ts'
import { LEARNABLE_WEIGHTS, selectWeightGroup, WEIGHT_GROUPS, type WeightGroup } from './learnableWeights.ts'
import { computeLimitSteps } from './limitSteps.ts'
import type { ConfidenceBound } from './offPolicy.ts'
import { computeSignificantSlope, mean, SIGNIFICANCE_SIGMAS, sum } from './significantSlope.ts'

interface PolicyStep {
  /** The values that differ from the configured policy; empty if the step goes back to it. */
  readonly values: PolicyValues
  readonly reason: string
  readonly evidence: Readonly<Record<string, unknown>>
}

const SCORE_RANGE = { min: 0, max: 2 }

/** Recalls of a moment before its least score may move. */
const MOMENT_EVIDENCE_MIN = 8

/** A smaller change is ignored: it would only fill the history. */
const CHANGE_MIN = 0.001

const ROLLED_BACK = 'rolled back: no longer surely better than the configured policy'

/**
 * The next step from the latest recalls; undefined if nothing should change. No value moves by more than `stepMax` of
 * its range, and all go back to the configured policy if the learned ones are no longer surely better.
 */
export function computePolicyStep(
  recalls: readonly AttributedRecall[],
  configured: Policy,
  learned: LearnedPolicy,
): PolicyStep | undefined {
  const { evidenceMin, guardWindow } = configured.improve
  const latest = recalls.filter((recall) => recall.memories.length > 0).slice(-guardWindow)
  if (latest.length < evidenceMin) return undefined
  const ranking = stepRanking(latest, configured, learned)
  const active = applyLearnedPolicy(configured, learned)
  const steps = { ...computeLimitSteps(latest, configured, active), ...computeImportanceSteps(latest, active) }
  // The learned values are a candidate too, so that a rejected step of one group does not undo another group.
  const candidates = [selectChanges({ ...learned.values, ...steps }, configured), learned.values]
  const accepted = acceptByGroup(ranking, candidates, latest, configured)
  const bound = computeValuesAdvantage(accepted, latest, configured)
  const isWorse = Object.keys(accepted).length > 0 && bound.lower <= 0
  const values = isWorse ? {} : selectChanges(accepted, configured)
  if (areSame(values, learned.values)) return undefined
  const evidence = formatEvidence(bound)
  if (isWorse) return { values, reason: ROLLED_BACK, evidence }
  if (!isGroupLost(learned.values, accepted))
    return { values, reason: `learned from ${latest.length} recalls`, evidence }
  const before = formatEvidence(computeValuesAdvantage(learned.values, latest, configured))
  return { values, reason: ROLLED_BACK, evidence: { ...evidence, before } }
}

/** Learned weights, boosts and least scores: after one step if that is better, else as before if those are. */
function stepRanking(recalls: readonly AttributedRecall[], configured: Policy, learned: LearnedPolicy): PolicyValues {
  const before = selectRankingValues(learned.values)
  const current = computeValuesAdvantage(before, recalls, configured)
  if (Object.keys(before).length > 0 && current.lower <= 0) return {}
  const active = applyLearnedPolicy(configured, learned)
  const steps = { ...computeWeightSteps(recalls, active), ...computeThresholdSteps(recalls, active) }
  const values = selectChanges({ ...before, ...steps }, configured)
  const candidate = computeValuesAdvantage(values, recalls, configured)
  // Promise 4: never worse than the configured policy. With noise as feedback the lower bound stays below zero.
  return candidate.lower > 0 && candidate.mean >= current.mean ? values : before
}

/** Weights and boosts, one limited step along the significant slopes. */
function computeWeightSteps(recalls: readonly AttributedRecall[], active: Policy): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const group of WEIGHT_GROUPS) {
    const own = recalls.filter(({ moment }) => selectWeightGroup(moment) === group)
    const rate = (active.improve.rate * sumOfWeights(group, active)) / sumOfWeights('work', active)
    for (const { feature, path, ...range } of LEARNABLE_WEIGHTS[group]) {
      const slope = computeSignificantSlope(own, feature)
      const value = getPolicyValue(active, path)
      if (slope !== undefined && value !== undefined) steps[path] = moveWithin(range, value, rate * slope, active)
    }
  }
  return steps
}

/** The size of a group's weights together: the larger they are, the larger is the step that changes a ranking. */
const sumOfWeights = (group: WeightGroup, policy: Policy): number =>
  LEARNABLE_WEIGHTS[group].reduce((total, { path }) => total + Math.abs(getPolicyValue(policy, path) ?? 0), 0)

/** The least score of each moment, one step by the contribution of its weakest memories, if significant. */
function computeThresholdSteps(recalls: readonly AttributedRecall[], active: Policy): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const moment of RECALL_MOMENTS) {
    const own = recalls.filter((recall) => recall.moment === moment && !recall.withheld)
    if (moment === 'start' || own.length < MOMENT_EVIDENCE_MIN) continue
    const contributions = own.map((recall) => recall.memories.at(-1)?.contribution ?? 0)
    const average = mean(contributions)
    const error = Math.sqrt(sum(contributions.map((value) => (value - average) ** 2))) / contributions.length
    if (Math.abs(average) <= SIGNIFICANCE_SIGMAS * error) continue
    const change = -active.improve.rate * average
    steps[`recall.moments.${moment}.scoreMin`] = moveWithin(
      SCORE_RANGE,
      active.recall.moments[moment].scoreMin,
      change,
      active,
    )
  }
  return steps
}

type Range = Readonly<typeof SCORE_RANGE>

function moveWithin({ min, max }: Range, value: number, change: number, policy: Policy): number {
  const changeMax = policy.improve.stepMax * (max - min)
  const next = value + Math.min(changeMax, Math.max(-changeMax, change))
  return round(Math.min(max, Math.max(min, next)))
}

/** Only the values that differ from the configured ones. */
const selectChanges = (values: PolicyValues, configured: Policy): PolicyValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([path, value]) => Math.abs((getPolicyValue(configured, path) ?? value) - value) >= CHANGE_MIN,
    ),
  )

function areSame(a: PolicyValues, b: PolicyValues): boolean {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...paths].every((path) => Math.abs((a[path] ?? Number.NaN) - (b[path] ?? Number.NaN)) < CHANGE_MIN)
}

const formatEvidence = ({ recalls, mean: advantage, lower }: ConfidenceBound): Record<string, unknown> => ({
  recalls,
  advantage: round(advantage),
  lowerBound: round(lower),
})

const round = (value: number): number => Math.round(value * 10_000) / 10_000
