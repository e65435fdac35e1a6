// Learn: the next policy from the verdicts on this project's own recalls. Small bounded steps, deterministic for a given log.
//
// Weights go to where the recalls' own help would have ranked best (fit.ts), where that holds on recalls held back (held.ts). A moment's least score follows its yield: where even the weakest memory shown was of use it falls, where
// it was not it rises. Every step is a share of a range, and the guard (guard.ts) decides whether the result may serve.
import { MOMENTS, type Moment } from '../model/cue.ts'
import { type LearnedPolicy, type Policy, policyWith, valueAt } from '../model/policy.ts'
import { advantageOf, type Bound } from './guard.ts'
import { heldBack } from './held.ts'
import type { Judged } from './judge.ts'
import { COLUMNS, MODES, told, weightsFrom } from './lists.ts'

export interface Step {
  /** The values that differ from the shipped policy; empty when the step goes back to it. */
  readonly values: Readonly<Record<string, number>>
  readonly reason: string
  readonly evidence: Readonly<Record<string, unknown>>
}

const SCORE_RANGE = { min: 0, max: 2 }

/** Verdicts a moment needs before its least score may move. */
const MOMENT_EVIDENCE_MIN = 8

/**
 * Standard errors by which evidence must stand out. 3.5, because some twenty numbers are looked at after every session, for
 * months: at 2, chance alone would move one of them almost every time. The guard cannot see that: it looks at the same recalls.
 */
const CHANCE_SIGMAS = 3.5

/** Standard errors more than the guard's that it takes to serve for the first time: what serves must not come and go by chance. */
const MARGIN_SIGMAS = 0.7

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
  const weights = weightSteps(seen, shipped, learned)
  const values = changed({ ...learned.values, ...weights.values, ...thresholdSteps(seen, serving) }, shipped)
  if (same(values, learned.values)) return undefined
  const candidate = advantageOf(seen, shipped, policyWith(shipped, { version: 0, values }))
  // Law 4: never worse than the shipped policy. Feedback that is noise leaves the lower bound below zero.
  if (candidate.lower <= 0 || candidate.mean < kept.mean) return undefined
  return {
    values,
    reason: `learned from ${seen.length} recalls`,
    evidence: { ...evidenceOf(candidate), heldBack: weights.evidence },
  }
}

/**
 * Weights and boosts on their way to what the recalls speak for, a bounded step at a time; back to the shipped ones where that
 * was not better on recalls held back, or where help fits other recalls as well as its own.
 */
function weightSteps(judged: readonly Judged[], shipped: Policy, learned: LearnedPolicy): WeightSteps {
  const serving = policyWith(shipped, learned)
  const values: Record<string, number> = {}
  const evidence: Record<string, unknown> = {}
  for (const mode of MODES) {
    const seen = told(judged, mode, shipped)
    if (seen.length < shipped.improve.evidenceMin) continue
    const known = COLUMNS[mode].some(({ path }) => path in learned.values)
    const sigmas = shipped.improve.guardSigmas + (known ? 0 : MARGIN_SIGMAS)
    const held = heldBack(seen, mode, sigmas)
    const own = held.advantage.lower > 0 ? held.own() : undefined
    const holds = own !== undefined && own.lower > 0
    if (!holds && !known) continue
    const target = holds ? weightsFrom(seen, mode, shipped) : {}
    for (const column of COLUMNS[mode]) {
      const from = valueAt(serving, column.path)!
      const to = target[column.path] ?? valueAt(shipped, column.path)!
      values[column.path] = holds ? stepped(from, to - from, column, shipped) : to
    }
    evidence[mode] = {
      ...evidenceOf(held.advantage),
      ...(own && { ownRecall: rounded(own.mean), ownRecallLower: rounded(own.lower) }),
    }
  }
  return { values, evidence }
}

interface WeightSteps {
  readonly values: Readonly<Record<string, number>>
  /** What was measured on recalls held back, by mode. */
  readonly evidence: Readonly<Record<string, unknown>>
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

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

const evidenceOf = (bound: Bound): Record<string, unknown> => ({
  recalls: bound.recalls,
  advantage: rounded(bound.mean),
  lowerBound: rounded(bound.lower),
})

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length)
