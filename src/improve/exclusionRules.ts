// Learned exclusion rules: patterns of notes that never help are not shown for some time. Each rule has evidence, an
// end and a trial.
//
// A pattern is a moment with a command shape, an area of the files, a tool or a kind of memory. It is excluded if the
// share of its showings that were used is surely below `improve.excludeBelow`, in several sessions, and if they
// contributed nothing in total. After the rule's end the notes are shown again: one use removes the rule, TRIAL_MIN
// showings without a use renew it for twice the time.
import { EXCLUSION_CRITERIA, EXCLUSION_MOMENTS, type ExclusionRule } from '../model/exclusion.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'
import { clusterKey } from './offPolicy.ts'
import { USED_THRESHOLD } from './usageSignals.ts'

/** One-sided 99 %, because many patterns are tested after every session. */
const SURE_SIGMAS = 2.33

/** Evidence from fewer sessions may be bad luck. */
const SESSIONS_MIN = 5

/** A tool or a kind needs this many commands or areas, none of which has more than half of the showings. */
const SPREAD_MIN = 3

/** Showings without a use in a trial that renew a rule. */
const TRIAL_MIN = 10

/** A rule's duration doubles with each renewal, up to this factor. */
const DURATION_FACTOR_MAX = 8

const DAY_MS = 86_400_000

type Pattern = Pick<ExclusionRule, 'moment' | 'by' | 'value'>
type ExclusionPolicy = Pick<ImprovePolicy, 'excludeBelow' | 'excludeDays'>

/** One memory shown in one recall. */
interface Showing {
  readonly at: string
  readonly session: string
  readonly memory: AttributedMemory
  /** The narrowest value it was shown for: a shape, an area, a tool, else the recall. */
  readonly narrowest: string
}

interface PatternShowings {
  readonly pattern: Pattern
  readonly showings: Showing[]
}

/** The rules from now on, trials included; undefined if they do not change. `now` in milliseconds since 1970. */
export function updateExclusionRules(
  recalls: readonly AttributedRecall[],
  rules: readonly ExclusionRule[],
  policy: ExclusionPolicy,
  now: number,
): readonly ExclusionRule[] | undefined {
  const patterns = groupByPattern(recalls)
  const kept = rules.flatMap((rule) => renewRule(rule, patterns.get(patternKey(rule))?.showings ?? [], policy, now))
  const ruleKeys = new Set(rules.map(patternKey))
  const added = [...patterns].flatMap(([key, { pattern, showings }]) => {
    const evidence = ruleKeys.has(key) ? undefined : findEvidence(pattern, showings, policy.excludeBelow)
    return evidence ? [{ ...pattern, ...periodOf(now, policy.excludeDays), renewed: 0, evidence }] : []
  })
  const next = [...kept, ...added]
  return JSON.stringify(next) === JSON.stringify(rules) ? undefined : next
}

/** A rule is kept until its end; then its trial renews it, removes it or goes on. */
function renewRule(
  rule: ExclusionRule,
  showings: readonly Showing[],
  { excludeBelow, excludeDays }: ExclusionPolicy,
  now: number,
): readonly ExclusionRule[] {
  if (excludeBelow === 0) return []
  if (Date.parse(rule.until) > now) return [rule]
  const trial = showings.filter(({ at }) => at > rule.until)
  if (trial.some(isUsed)) return []
  if (trial.length < TRIAL_MIN) return [rule]
  const renewed = rule.renewed + 1
  const days = excludeDays * Math.min(DURATION_FACTOR_MAX, 2 ** renewed)
  return [{ ...rule, ...periodOf(now, days), renewed, evidence: summarizeEvidence(showings) }]
}

const periodOf = (now: number, days: number): Pick<ExclusionRule, 'since' | 'until'> => ({
  since: new Date(now).toISOString(),
  until: new Date(now + days * DAY_MS).toISOString(),
})

/** The evidence that a pattern is of no use; undefined if it is or may be of use. */
function findEvidence(
  { by }: Pattern,
  showings: readonly Showing[],
  excludeBelow: number,
): ExclusionRule['evidence'] | undefined {
  const evidence = summarizeEvidence(showings)
  const mayHelp = evidence.usedAtMost >= excludeBelow || evidence.contribution > 0
  if (mayHelp || evidence.sessions < SESSIONS_MIN) return undefined
  return by === 'shape' || by === 'area' || isSpread(showings) ? evidence : undefined
}

/** Whether the showings cover enough narrower patterns to be evidence for the broader one. */
function isSpread(showings: readonly Showing[]): boolean {
  const counts = new Map<string, number>()
  for (const { narrowest } of showings) counts.set(narrowest, (counts.get(narrowest) ?? 0) + 1)
  return counts.size >= SPREAD_MIN && Math.max(...counts.values()) * 2 <= showings.length
}

const isUsed = ({ memory }: Showing): boolean => memory.used >= USED_THRESHOLD

function summarizeEvidence(showings: readonly Showing[]): ExclusionRule['evidence'] {
  const used = showings.filter(isUsed).length
  return {
    shown: showings.length,
    sessions: new Set(showings.map(({ session }) => session)).size,
    used,
    contribution: round(showings.reduce((sum, { memory }) => sum + memory.contribution, 0)),
    usedAtMost: round(wilsonUpperBound(used, showings.length)),
  }
}

/** Upper end of Wilson's score interval for a proportion (Wilson 1927). */
function wilsonUpperBound(hits: number, n: number): number {
  const z2 = SURE_SIGMAS ** 2
  const share = hits / n
  const half = SURE_SIGMAS * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n * n))
  return (share + z2 / (2 * n) + half) / (1 + z2 / n)
}

/** The showings of each pattern, in the order of the recalls. A holdout showed nothing. */
function groupByPattern(recalls: readonly AttributedRecall[]): ReadonlyMap<string, PatternShowings> {
  const patterns = new Map<string, PatternShowings>()
  for (const recall of recalls) {
    const moment = EXCLUSION_MOMENTS.find((candidate) => candidate === recall.moment)
    if (recall.withheld || !moment) continue
    const { shape, area, tool } = recall.call ?? {}
    const narrowest = shape ?? area ?? tool ?? recall.recall
    for (const memory of recall.memories) {
      if (memory.kind === undefined) continue
      const showing = { at: recall.at, session: clusterKey(recall), memory, narrowest }
      const values = { shape, area, tool, kind: memory.kind }
      for (const by of EXCLUSION_CRITERIA) {
        const value = values[by]
        if (value === undefined) continue
        const pattern = { moment, by, value }
        const known = patterns.get(patternKey(pattern))
        if (known) known.showings.push(showing)
        else patterns.set(patternKey(pattern), { pattern, showings: [showing] })
      }
    }
  }
  return patterns
}

const patternKey = ({ moment, by, value }: Pattern): string => [moment, by, value].join('\0')

const round = (value: number): number => Math.round(value * 1_000) / 1_000
