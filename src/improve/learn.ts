// Learn: the next policy from the verdicts on this project's own recalls. Small bounded steps, deterministic for a given log.
//
// Notes that were shown are one to a few in a recall: weights follow the slope of contribution over each feature across recalls (slope.ts).
// Lists that were judged whole: weights go to where the recalls' own help would have ranked best (fit.ts), where that holds on recalls
// held back (held.ts). A moment's least score follows its yield: where even the weakest memory shown was of use it falls, where it was
// not it rises. Every step is a share of a range, and the guard (guard.ts) decides whether the result may serve.
import { MOMENTS, type Moment } from '../model/cue.ts'
import { type LearnedPolicy, type Policy, policyWith, valueAt } from '../model/policy.ts'
import { advantageOf, type Bound } from './guard.ts'
import { heldBack } from './held.ts'
import { importanceSteps } from './importance.ts'
import type { Judged } from './judge.ts'
import { limitSteps } from './limits.ts'
import { COLUMNS, MODES, type Mode, modeOf, type Told, told, weightsFrom } from './lists.ts'
import { CHANCE_SIGMAS, tellingSlope } from './slope.ts'

export interface Step {
  /** The values that differ from the shipped policy; empty when the step goes back to it. */
  readonly values: Readonly<Record<string, number>>
  readonly reason: string
  readonly evidence: Readonly<Record<string, unknown>>
}

const SCORE_RANGE = { min: 0, max: 2 }

/** Verdicts a moment needs before its least score may move. */
const MOMENT_EVIDENCE_MIN = 8

/** A recall of more memories than a hook ever shows was judged whole: its own memories are compared, not recalls with one another. */
const NOTES_MAX = 10

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
  const notes = seen.filter(({ memories }) => memories.length <= NOTES_MAX)
  const steps = {
    ...weights.values,
    ...thresholdSteps(seen, serving),
    ...limitSteps(seen, serving),
    ...importanceSteps(notes, serving),
  }
  const values = changed({ ...learned.values, ...steps }, shipped)
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
 * Weights and boosts on their way to what the recalls speak for, a bounded step at a time. Where whole lists were judged: back to
 * the shipped ones where that was not better on recalls held back, or where help fits other recalls as well as its own.
 */
function weightSteps(judged: readonly Judged[], shipped: Policy, learned: LearnedPolicy): WeightSteps {
  const serving = policyWith(shipped, learned)
  const values: Record<string, number> = {}
  const evidence: Record<string, unknown> = {}
  for (const mode of MODES) {
    const own = judged.filter(({ moment }) => modeOf(moment) === mode)
    const lists = told(
      own.filter(({ memories }) => memories.length > NOTES_MAX),
      mode,
      shipped,
    )
    if (lists.length >= shipped.improve.evidenceMin) {
      const listed = listSteps(lists, mode, shipped, learned)
      Object.assign(values, listed?.values)
      if (listed) evidence[mode] = listed.evidence
      continue
    }
    const scale = sizeOf(mode, serving) / sizeOf('work', serving)
    const notes = own.filter(({ memories }) => memories.length <= NOTES_MAX)
    for (const { feature, path, ...range } of COLUMNS[mode]) {
      const slope = tellingSlope(notes, feature)
      if (slope !== undefined)
        values[path] = stepped(valueAt(serving, path)!, scale * serving.improve.rate * slope, range, serving)
    }
  }
  return { values, evidence }
}

/** How large a mode's weights are together: a step that would turn one ranking is lost in another whose scores are larger. */
const sizeOf = (mode: Mode, policy: Policy): number =>
  COLUMNS[mode].reduce((sum, { path }) => sum + Math.abs(valueAt(policy, path)!), 0)

/** What whole lists teach, where it holds on recalls held back; undefined where nothing was learned and nothing is to be. */
function listSteps(
  lists: readonly Told[],
  mode: Mode,
  shipped: Policy,
  learned: LearnedPolicy,
): WeightSteps | undefined {
  const serving = policyWith(shipped, learned)
  const known = COLUMNS[mode].some(({ path }) => path in learned.values)
  const held = heldBack(lists, mode, shipped.improve.guardSigmas + (known ? 0 : MARGIN_SIGMAS))
  const own = held.advantage.lower > 0 ? held.own() : undefined
  const holds = own !== undefined && own.lower > 0
  if (!holds && !known) return undefined
  const target = holds ? weightsFrom(lists, mode, shipped) : {}
  const values = COLUMNS[mode].map((column) => {
    const from = valueAt(serving, column.path)!
    const to = target[column.path] ?? valueAt(shipped, column.path)!
    return [column.path, holds ? stepped(from, to - from, column, shipped) : to] as const
  })
  const evidence = own && { ownRecall: rounded(own.mean), ownRecallLower: rounded(own.lower) }
  return { values: Object.fromEntries(values), evidence: { ...evidenceOf(held.advantage), ...evidence } }
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
