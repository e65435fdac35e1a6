// Learn: the next policy from the verdicts on this project's own recalls. Small bounded steps, deterministic for a given log.
//
// One to a few memories are shown in a recall, so weights follow the slope of contribution over each feature across recalls (slope.ts).
// A moment's least score follows its yield: it falls where even the weakest memory shown was of use, and rises where it was not. Every
// step is a share of a range, and the guard (guard.ts) decides whether the result may become active.

import { applyLearnedPolicy, getPolicyValue, type LearnedPolicy, type Policy } from '../model/policy.ts'
import { RECALL_MOMENTS, type RecallMoment } from '../model/recallQuery.ts'
import { acceptByGroup, computeValuesAdvantage, isGroupLost, selectRankingValues } from './acceptByGroup.ts'
import type { AttributedRecall } from './attribution.ts'
import { computeImportanceSteps } from './importanceSteps.ts'
import { LEARNABLE_WEIGHTS, selectWeightGroup, WEIGHT_GROUPS, type WeightGroup } from './learnableWeights.ts'
import { computeLimitSteps } from './limitSteps.ts'
import type { ConfidenceBound } from './offPolicy.ts'
import { computeSignificantSlope, SIGNIFICANCE_SIGMAS } from './significantSlope.ts'

interface PolicyStep {
  /** The values that differ from the shipped policy; empty when the step goes back to it. */
  readonly values: Readonly<Record<string, number>>
  readonly reason: string
  readonly evidence: Readonly<Record<string, unknown>>
}

const SCORE_RANGE = { min: 0, max: 2 }

/** Verdicts a moment needs before its least score may move. */
const MOMENT_EVIDENCE_MIN = 8

/** A change smaller than this is none: it would only fill the history. */
const CHANGE_MIN = 0.001

/**
 * The next step from the latest verdicts; undefined where nothing should change. Never more than `stepMax` of a number's
 * range away from what serves now, and back to the shipped policy where the guard no longer vouches for what was learned.
 */
export function computePolicyStep(
  judged: readonly AttributedRecall[],
  shipped: Policy,
  learned: LearnedPolicy,
): PolicyStep | undefined {
  const { evidenceMin, guardWindow } = shipped.improve
  const seen = judged.filter((one) => one.memories.length > 0).slice(-guardWindow)
  if (seen.length < evidenceMin) return undefined
  const serving = applyLearnedPolicy(shipped, learned)
  const steps = { ...slopeSteps(seen, serving), ...thresholdSteps(seen, serving) }
  const ranking = rankingStep(selectRankingValues(learned.values), steps, seen, shipped)
  const moves = { ...computeLimitSteps(seen, shipped, serving), ...computeImportanceSteps(seen, serving) }
  // A step that does not hold takes nothing with it that does.
  const tried = [changed({ ...learned.values, ...moves }, shipped), learned.values]
  const values = acceptByGroup(ranking, tried, seen, shipped)
  const bound = computeValuesAdvantage(values, seen, shipped)
  const isWorse = Object.keys(values).length > 0 && bound.lower <= 0
  const next = isWorse ? {} : changed(values, shipped)
  if (same(next, learned.values)) return undefined
  const evidence = evidenceOf(bound)
  if (isWorse) return { values: next, reason: ROLLED_BACK, evidence }
  if (!isGroupLost(learned.values, values))
    return { values: next, reason: `learned from ${seen.length} recalls`, evidence }
  const before = evidenceOf(computeValuesAdvantage(learned.values, seen, shipped))
  return { values: next, reason: ROLLED_BACK, evidence: { ...evidence, before } }
}

const ROLLED_BACK = 'rolled back: no longer surely better than the shipped policy'

/** Weights, boosts and least scores a step further where the guard vouches for it; none where it no longer does for what serves. */
function rankingStep(
  before: PolicyStep['values'],
  steps: PolicyStep['values'],
  judged: readonly AttributedRecall[],
  shipped: Policy,
): PolicyStep['values'] {
  const kept = computeValuesAdvantage(before, judged, shipped)
  if (Object.keys(before).length > 0 && kept.lower <= 0) return {}
  const values = changed({ ...before, ...steps }, shipped)
  const candidate = computeValuesAdvantage(values, judged, shipped)
  // Law 4: never worse than the shipped policy. Feedback that is noise leaves the lower bound below zero.
  const holds = candidate.lower > 0 && candidate.mean >= kept.mean
  return holds ? values : before
}

/** Weights and boosts, a bounded step along the slopes that stand out from chance. */
function slopeSteps(judged: readonly AttributedRecall[], serving: Policy): Record<string, number> {
  const values: Record<string, number> = {}
  for (const group of WEIGHT_GROUPS) {
    const own = judged.filter(({ moment }) => selectWeightGroup(moment) === group)
    const rate = (serving.improve.rate * sizeOf(group, serving)) / sizeOf('work', serving)
    for (const { feature, path, ...range } of LEARNABLE_WEIGHTS[group]) {
      const slope = computeSignificantSlope(own, feature)
      if (slope !== undefined) values[path] = stepped(getPolicyValue(serving, path)!, rate * slope, range, serving)
    }
  }
  return values
}

/** How large a group's weights are together: a step that would turn one ranking is lost in another that has larger scores. */
const sizeOf = (group: WeightGroup, policy: Policy): number =>
  LEARNABLE_WEIGHTS[group].reduce((sum, { path }) => sum + Math.abs(getPolicyValue(policy, path)!), 0)

/** Each moment's least score, by what its weakest showings gave, where that stands out from chance. */
function thresholdSteps(judged: readonly AttributedRecall[], policy: Policy): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const moment of RECALL_MOMENTS) {
    const own = judged.filter((one) => one.moment === moment && !one.withheld)
    if (moment === 'start' || own.length < MOMENT_EVIDENCE_MIN) continue
    const yields = own.map((one) => one.memories.at(-1)!.contribution)
    const yieldOfLast = mean(yields)
    const error = Math.sqrt(sum(yields.map((value) => (value - yieldOfLast) ** 2))) / yields.length
    if (Math.abs(yieldOfLast) <= SIGNIFICANCE_SIGMAS * error) continue
    const path = `recall.moments.${moment satisfies RecallMoment}.scoreMin`
    steps[path] = stepped(getPolicyValue(policy, path)!, -policy.improve.rate * yieldOfLast, SCORE_RANGE, policy)
  }
  return steps
}

function stepped(value: number, change: number, range: { min: number; max: number }, policy: Policy): number {
  const most = policy.improve.stepMax * (range.max - range.min)
  const next = value + Math.min(most, Math.max(-most, change))
  return Math.round(Math.min(range.max, Math.max(range.min, next)) * 10_000) / 10_000
}

/** Only the values that differ from the shipped ones. */
function changed(values: Readonly<Record<string, number>>, shipped: Policy): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([path, value]) => Math.abs((getPolicyValue(shipped, path) ?? value) - value) >= CHANGE_MIN,
    ),
  )
}

function same(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...paths].every((path) => Math.abs((a[path] ?? Number.NaN) - (b[path] ?? Number.NaN)) < CHANGE_MIN)
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const evidenceOf = (bound: ConfidenceBound): Record<string, unknown> => ({
  recalls: bound.recalls,
  advantage: rounded(bound.mean),
  lowerBound: rounded(bound.lower),
})

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)
