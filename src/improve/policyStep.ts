// The next policy from the attributions of this project's own recalls. Small limited steps towards a target,
// deterministic for a given log.
//
// Each group of weights is judged on the recalls of its own moments only. It moves if the fit of rankingTarget.ts
// predicts what notes are worth in sessions that it was not fitted to. A step covers a share of the distance to the
// target, so the same evidence moves a number only once: when the target is reached, steps end.
import { applyLearnedPolicy, getPolicyValue, type LearnedPolicy, type Policy } from '../model/policy.ts'
import { findNumberSpec } from '../model/policySchema.ts'
import type { AttributedRecall } from './attribution.ts'
import { GROUP_MOMENTS, LEARNABLE_WEIGHTS, WEIGHT_GROUPS, type WeightGroup } from './learnableWeights.ts'
import { valueNotes } from './noteValue.ts'
import { computeAdvantage, type PolicyValues, withValues } from './offPolicy.ts'
import { computeTargetScores, computeTargetWeights, countEvidence, crossValidate, isEnough } from './rankingTarget.ts'
import { type ConfidenceBound, SIGNIFICANCE_SIGMAS } from './statistics.ts'

interface PolicyStep {
  /** The values that differ from the configured policy; empty if the step goes back to it. */
  readonly values: PolicyValues
  readonly reason: string
  readonly evidence: Readonly<Record<string, unknown>>
}

/** The learned values of one group, and what they would have gained on its recalls. */
interface Part {
  readonly group: WeightGroup
  readonly values: PolicyValues
  readonly bound: ConfidenceBound
  readonly recalls: readonly AttributedRecall[]
}

/** A smaller change is ignored: it would only fill the history. */
const CHANGE_MIN = 0.001

const ROLLED_BACK = 'rolled back: no longer surely better than the configured policy'

/**
 * The next step from the latest recalls; undefined if nothing should change. No value moves by more than `stepMax` of
 * its range. What is no longer surely better at its moment goes back to the configured policy.
 */
export function computePolicyStep(
  recalls: readonly AttributedRecall[],
  configured: Policy,
  learned: LearnedPolicy,
): PolicyStep | undefined {
  const { evidenceMin, guardWindow } = configured.improve
  const latest = recalls.filter((recall) => recall.memories.length > 0).slice(-guardWindow)
  if (latest.length < evidenceMin) return undefined
  const shown = valueNotes(latest, configured.improve).filter(({ withheld }) => !withheld)
  const parts = WEIGHT_GROUPS.map((group) => stepRanking(group, shown, configured, learned))
  const values: PolicyValues = Object.assign({}, ...parts.map((part) => part.values))
  if (areSame(values, learned.values)) return undefined
  const isLost = parts.some((part) => isLearned(part.group, learned) && Object.keys(part.values).length === 0)
  const reason = isLost ? ROLLED_BACK : `learned from ${latest.length} recalls`
  return { values, reason, evidence: { recalls: latest.length, ...formatEvidence(parts) } }
}

/** The paths of a group's weights, and of the least scores of its moments. */
const listWeights = (group: WeightGroup): readonly string[] => LEARNABLE_WEIGHTS[group].map(({ path }) => path)
const listScores = (group: WeightGroup): readonly string[] =>
  GROUP_MOMENTS[group].map((moment) => `recall.moments.${moment}.scoreMin`)

const selectGroup = (group: WeightGroup, values: PolicyValues): PolicyValues =>
  Object.fromEntries(
    [...listWeights(group), ...listScores(group)].flatMap((path) =>
      path in values ? [[path, values[path] ?? 0]] : [],
    ),
  )

const isLearned = (group: WeightGroup, { values }: LearnedPolicy): boolean =>
  Object.keys(selectGroup(group, values)).length > 0

/** The weights and least scores of a group: after one step if that is sure, else as configured. */
function stepRanking(
  group: WeightGroup,
  shown: readonly AttributedRecall[],
  configured: Policy,
  learned: LearnedPolicy,
): Part {
  const moments: readonly string[] = GROUP_MOMENTS[group]
  const recalls = shown.filter(({ moment }) => moments.includes(moment))
  const before = selectGroup(group, learned.values)
  const kept = {
    group,
    values: before,
    recalls,
    bound: computeAdvantage(recalls, configured, withValues(configured, before)),
  }
  if (!isEnough(recalls, configured.improve)) return kept
  const sigmas = isLearned(group, learned) ? configured.improve.guardSigmas : SIGNIFICANCE_SIGMAS
  const proof = crossValidate(recalls, group, configured, sigmas)
  if (proof.lower <= 0) return { ...kept, values: {} }
  const active = applyLearnedPolicy(configured, learned)
  const steps = { configured, active }
  const weights = stepTowards(computeTargetWeights(recalls, group, configured), listWeights(group), steps)
  // What a score tells depends on the weights, so each step has its own least scores.
  const scores = computeTargetScores(recalls, group, withValues(configured, weights))
  const stepped = listScores(group).map((path) => stepTowards(scores, [path], steps))
  const values = selectChanges(Object.assign({ ...weights }, ...stepped), configured)
  return { group, values, recalls, bound: computeAdvantage(recalls, configured, withValues(configured, values)) }
}

/**
 * Moves these numbers together by a share of their distance to the target, or to the configured numbers without one.
 * Weights move together because they fit each other only on the straight way.
 */
function stepTowards(
  target: PolicyValues,
  paths: readonly string[],
  { configured, active }: { readonly configured: Policy; readonly active: Policy },
): PolicyValues {
  const { rate, stepMax } = configured.improve
  const moves = paths.flatMap((path) => {
    const spec = findNumberSpec(path)
    const value = getPolicyValue(active, path)
    const goal = target[path] ?? getPolicyValue(configured, path)
    if (!spec || value === undefined || goal === undefined) return []
    return [{ path, value, distance: goal - value, changeMax: stepMax * (spec.max - spec.min) }]
  })
  const share = moves.reduce((least, { distance, changeMax }) => {
    // The last bit of the way is done at once.
    return Math.abs(distance) < CHANGE_MIN ? least : Math.min(least, changeMax / Math.abs(distance))
  }, rate)
  return Object.fromEntries(
    moves.map(({ path, value, distance }) => [
      path,
      round(value + (Math.abs(distance) < CHANGE_MIN ? distance : share * distance)),
    ]),
  )
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

/** The evidence of the parts that are learned. */
const formatEvidence = (parts: readonly Part[]): Record<string, unknown> =>
  Object.fromEntries(
    parts.flatMap(({ group, values, recalls, bound }) => {
      if (Object.keys(values).length === 0) return []
      const { notes, sessions } = countEvidence(recalls)
      return [[group, { notes, sessions, advantage: round(bound.mean), lowerBound: round(bound.lower) }]]
    }),
  )

const round = (value: number): number => Math.round(value * 10_000) / 10_000
