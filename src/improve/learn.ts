// Learn: the next policy from the verdicts on this project's own recalls. Small bounded steps, deterministic for a given log.
//
// Notes that were shown are one to a few in a recall: weights follow the slope of contribution over each feature across recalls (slope.ts).
// Lists that were judged whole: weights go to where the recalls' own help would have ranked best (fit.ts), where that holds on recalls
// held back (held.ts). A moment's least score follows its yield: where even the weakest memory shown was of use it falls, where it was
// not it rises. Every step is a share of a range, and the guard (guard.ts) decides whether the result may serve.
import { MOMENTS, type Moment } from '../model/cue.ts'
import { type LearnedPolicy, type Policy, policyWith, valueAt } from '../model/policy.ts'
import type { Bound } from './guard.ts'
import { importanceSteps } from './importance.ts'
import type { Judged } from './judge.ts'
import { limitSteps } from './limits.ts'
import { isNotes, listedFor, listsIn, notesOf, standing } from './listed.ts'
import { COLUMNS, MODES, type Mode, modeOf, type Told } from './lists.ts'
import { CHANCE_SIGMAS, tellingSlope } from './slope.ts'
import { advantageUnder, isKindLost, rankingOf, vouchedBeside } from './vouched.ts'

export interface Step {
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
export function nextStep(judged: readonly Judged[], shipped: Policy, learned: LearnedPolicy): Step | undefined {
  const { evidenceMin, guardWindow } = shipped.improve
  const seen = judged.filter((one) => one.memories.length > 0).slice(-guardWindow)
  if (seen.length < evidenceMin) return undefined
  const lists = listsIn(seen, shipped)
  const listed = listSteps(lists, seen, shipped, learned)
  const noted = noteSteps(seen, new Set(lists.keys()), shipped, learned)
  const values = changed({ ...noted.values, ...listed.values }, shipped)
  if (same(values, learned.values)) return undefined
  return {
    values,
    reason: noted.rolledBack ?? `learned from ${seen.length} recalls`,
    evidence: {
      ...noted.evidence,
      ...(Object.keys(listed.evidence).length > 0 && { heldBack: listed.evidence }),
    },
  }
}

interface Steps {
  readonly values: Readonly<Record<string, number>>
  readonly evidence: Readonly<Record<string, unknown>>
}

/** Of the modes whose lists were judged whole: a bounded step to what they teach, and at once back where that does not hold. */
function listSteps(
  lists: ReadonlyMap<Mode, readonly Told[]>,
  seen: readonly Judged[],
  shipped: Policy,
  learned: LearnedPolicy,
): Steps {
  const serving = policyWith(shipped, learned)
  const values: Record<string, number> = {}
  const evidence: Record<string, unknown> = {}
  for (const [mode, own] of lists) {
    const listed = listedFor(own, mode, notesOf(seen, mode), shipped)
    Object.assign(values, standing(mode, shipped))
    if (!listed) continue
    for (const column of COLUMNS[mode]) {
      const from = valueAt(serving, column.path)!
      values[column.path] = stepped(from, listed.target[column.path]! - from, column, shipped)
    }
    evidence[mode] = listed.evidence
  }
  return { values, evidence }
}

/** Of all else: what shown notes teach, as far as the guard vouches for it; nothing where it no longer does. */
function noteSteps(
  seen: readonly Judged[],
  listed: ReadonlySet<Mode>,
  shipped: Policy,
  learned: LearnedPolicy,
): Steps & { readonly rolledBack?: string } {
  const taught = new Set([...listed].flatMap((mode) => COLUMNS[mode].map(({ path }) => path)))
  const before = Object.fromEntries(Object.entries(learned.values).filter(([path]) => !taught.has(path)))
  const judged = seen.filter(({ moment }) => !listed.has(modeOf(moment)))
  const serving = policyWith(shipped, learned)
  const notes = judged.filter(isNotes)
  const steps = { ...slopeSteps(notes, serving), ...thresholdSteps(judged, serving) }
  const ranking = rankingStep(rankingOf(before), steps, judged, shipped)
  const moves = { ...limitSteps(judged, shipped, serving), ...importanceSteps(notes, serving) }
  // A step that does not hold takes nothing with it that does.
  const tried = [changed({ ...before, ...moves }, shipped), before]
  const values = vouchedBeside(ranking, tried, judged, shipped)
  const bound = advantageUnder(values, judged, shipped)
  if (Object.keys(values).length > 0 && bound.lower <= 0) return { values: {}, rolledBack, evidence: evidenceOf(bound) }
  const evidence = evidenceOf(bound)
  return isKindLost(before, values)
    ? { values, rolledBack, evidence: { ...evidence, before: evidenceOf(advantageUnder(before, judged, shipped)) } }
    : { values, evidence }
}

const rolledBack = 'rolled back: no longer surely better than the shipped policy'

/** Weights, boosts and least scores a step further where the guard vouches for it; none where it no longer does for what serves. */
function rankingStep(
  before: Steps['values'],
  steps: Steps['values'],
  judged: readonly Judged[],
  shipped: Policy,
): Steps['values'] {
  const kept = advantageUnder(before, judged, shipped)
  if (Object.keys(before).length > 0 && kept.lower <= 0) return {}
  const values = changed({ ...before, ...steps }, shipped)
  const candidate = advantageUnder(values, judged, shipped)
  // Law 4: never worse than the shipped policy. Feedback that is noise leaves the lower bound below zero.
  const holds = candidate.lower > 0 && candidate.mean >= kept.mean
  return holds ? values : before
}

/** Weights and boosts, a bounded step along the slopes that stand out. */
function slopeSteps(notes: readonly Judged[], serving: Policy): Record<string, number> {
  const values: Record<string, number> = {}
  for (const mode of MODES) {
    const own = notesOf(notes, mode)
    const scale = sizeOf(mode, serving) / sizeOf('work', serving)
    for (const { feature, path, ...range } of COLUMNS[mode]) {
      const slope = tellingSlope(own, feature)
      if (slope !== undefined)
        values[path] = stepped(valueAt(serving, path)!, scale * serving.improve.rate * slope, range, serving)
    }
  }
  return values
}

/** How large a mode's weights are together: a step that would turn one ranking is lost in another whose scores are larger. */
const sizeOf = (mode: Mode, policy: Policy): number =>
  COLUMNS[mode].reduce((sum, { path }) => sum + Math.abs(valueAt(policy, path)!), 0)

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
