// Learn: the next policy from the verdicts on this project's own recalls. Small bounded steps, deterministic for a given log.
//
// Weights follow the slope of contribution over each feature among the memories shown: what went with help gains, what went
// with noise loses. A moment's least score follows its yield: where even the weakest memory shown was of use it falls, where
// it was not it rises. Every step is a share of a range, and the guard (guard.ts) decides whether the result may serve.
import { MOMENTS, type Moment } from '../model/cue.ts'
import { FEATURES, type LearnedPolicy, type Policy, policyWith, QUESTION_FEATURES, valueAt } from '../model/policy.ts'
import { BOOSTS } from '../model/score.ts'
import { advantageOf, type Bound } from './guard.ts'
import type { Judged, JudgedMemory } from './judge.ts'

export interface Step {
  /** The values that differ from the shipped policy; empty when the step goes back to it. */
  readonly values: Readonly<Record<string, number>>
  readonly reason: string
  readonly evidence: Readonly<Record<string, unknown>>
}

const WEIGHT_RANGE = { min: -1, max: 2 }
const BOOST_RANGE = { min: 0, max: 1 }
const SCORE_RANGE = { min: 0, max: 2 }

/** Verdicts a moment needs before its least score may move. */
const MOMENT_EVIDENCE_MIN = 8

/**
 * Standard errors by which evidence must stand out. 3.5, because some twenty numbers are looked at after every session, for
 * months: at 2, chance alone would move one of them almost every time. The guard cannot see that: it looks at the same recalls.
 */
const CHANCE_SIGMAS = 3.5

/** A change smaller than this is none: it would only fill the history. */
const CHANGE_MIN = 0.001

/**
 * The next step from the latest verdicts; undefined where nothing should change. Never more than `stepMax` of a number's
 * range away from what serves now, and back to the shipped policy where the guard no longer vouches for what was learned.
 */
export function nextStep(judged: readonly Judged[], shipped: Policy, learned: LearnedPolicy): Step | undefined {
  const { evidenceMin, guardWindow } = shipped.improve
  const seen = judged.filter((one) => one.memories.length > 0).slice(-guardWindow)
  if (seen.length < evidenceMin) return undefined
  const serving = policyWith(shipped, learned)
  const kept = advantageOf(seen, shipped, serving)
  if (Object.keys(learned.values).length > 0 && kept.lower <= 0) {
    return {
      values: {},
      reason: 'rolled back: no longer surely better than the shipped policy',
      evidence: evidenceOf(kept),
    }
  }
  const values = changed(
    { ...learned.values, ...weightSteps(seen, serving), ...thresholdSteps(seen, serving) },
    shipped,
  )
  if (same(values, learned.values)) return undefined
  const candidate = advantageOf(seen, shipped, policyWith(shipped, { version: 0, values }))
  // Law 4: never worse than the shipped policy. Feedback that is noise leaves the lower bound below zero.
  if (candidate.lower <= 0 || candidate.mean < kept.mean) return undefined
  return { values, reason: `learned from ${seen.length} recalls`, evidence: evidenceOf(candidate) }
}

/** Weights and boosts moved along the slope of contribution over the feature, where it stands out from chance. */
function weightSteps(judged: readonly Judged[], policy: Policy): Record<string, number> {
  const steps: Record<string, number> = {}
  const asked = judged.filter((one) => one.moment === 'ask')
  const work = judged.filter((one) => one.moment !== 'ask')
  for (const [name, path, range] of learnable()) {
    const slope = tellingSlope(path.startsWith('recall.asked.') ? asked : work, name)
    if (slope !== undefined) steps[path] = stepped(valueAt(policy, path)!, policy.improve.rate * slope, range, policy)
  }
  return steps
}

/** The slope of contribution over a feature among the memories shown; undefined where chance could have made it. */
function tellingSlope(judged: readonly Judged[], name: string): number | undefined {
  const shown = judged.flatMap((one) => one.memories)
  const featureOf = (memory: JudgedMemory) => memory.features[name] ?? 0
  const meanValue = mean(shown.map(featureOf))
  const meanContribution = mean(shown.map((memory) => memory.contribution))
  const spread = sum(shown.map((memory) => (featureOf(memory) - meanValue) ** 2))
  if (spread < 1e-4 * shown.length) return undefined // The feature was the same everywhere: nothing can be said of it.
  const slope =
    sum(shown.map((memory) => (memory.contribution - meanContribution) * (featureOf(memory) - meanValue))) / spread
  // Memories of one recall share its luck: each recall counts as one observation (cluster-robust, Liang & Zeger 1986).
  const pulls = judged.map((one) =>
    sum(
      one.memories.map((memory) => {
        const distance = featureOf(memory) - meanValue
        return distance * (memory.contribution - meanContribution - slope * distance)
      }),
    ),
  )
  const error = Math.sqrt(sum(pulls.map((pull) => pull ** 2))) / spread
  return Math.abs(slope) > CHANCE_SIGMAS * error ? slope : undefined
}

/** Each moment's least score, by what its weakest showings gave, where that stands out from chance. */
function thresholdSteps(judged: readonly Judged[], policy: Policy): Record<string, number> {
  const steps: Record<string, number> = {}
  for (const moment of MOMENTS) {
    const own = judged.filter((one) => one.moment === moment && !one.withheld)
    if (moment === 'start' || own.length < MOMENT_EVIDENCE_MIN) continue
    const yields = own.map((one) => one.memories.at(-1)!.contribution)
    const yieldOfLast = mean(yields)
    const error = Math.sqrt(sum(yields.map((value) => (value - yieldOfLast) ** 2))) / yields.length
    if (Math.abs(yieldOfLast) <= CHANCE_SIGMAS * error) continue
    const path = `recall.moments.${moment satisfies Moment}.scoreMin`
    steps[path] = stepped(valueAt(policy, path)!, -policy.improve.rate * yieldOfLast, SCORE_RANGE, policy)
  }
  return steps
}

/** The numbers that may be learned from features: name of the feature, path in the policy, range. */
function* learnable(): Generator<readonly [string, string, { min: number; max: number }]> {
  for (const name of FEATURES) yield [name, `recall.weights.${name}`, WEIGHT_RANGE]
  for (const name of [...FEATURES, ...QUESTION_FEATURES]) yield [name, `recall.asked.${name}`, WEIGHT_RANGE]
  for (const name of BOOSTS) yield [name, `recall.boosts.${name}`, BOOST_RANGE]
}

function stepped(value: number, change: number, range: { min: number; max: number }, policy: Policy): number {
  const most = policy.improve.stepMax * (range.max - range.min)
  const next = value + Math.min(most, Math.max(-most, change))
  return Math.round(Math.min(range.max, Math.max(range.min, next)) * 10_000) / 10_000
}

/** Only the values that differ from the shipped ones. */
function changed(values: Readonly<Record<string, number>>, shipped: Policy): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).filter(([path, value]) => Math.abs((valueAt(shipped, path) ?? value) - value) >= CHANGE_MIN),
  )
}

function same(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...paths].every((path) => Math.abs((a[path] ?? Number.NaN) - (b[path] ?? Number.NaN)) < CHANGE_MIN)
}

const evidenceOf = (bound: Bound): Record<string, unknown> => ({
  recalls: bound.recalls,
  advantage: Math.round(bound.mean * 10_000) / 10_000,
  lowerBound: Math.round(bound.lower * 10_000) / 10_000,
})

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)
