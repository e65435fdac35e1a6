// Exclude: which patterns of telling never help, so that they are left out for some time. Each rule with its evidence, an end and a trial.
//
// A pattern is a moment with a command shape, an area of the files, a tool or a kind of memory. It is left out where the share of its
// showings that were used is surely below `improve.excludeBelow`, in several sessions, and all together gave nothing. When its time is
// over it is told again: one use frees it, as many showings without any as TRIAL_MIN renew it for twice the time.
import {
  EXCLUSION_CRITERIA,
  EXCLUSION_MOMENTS,
  type ExclusionCriterion,
  type ExclusionRule,
} from '../model/exclusion.ts'
import type { ImprovePolicy } from '../model/policy.ts'
import type { AttributedMemory, AttributedRecall } from './attribution.ts'
import { clusterKey } from './offPolicy.ts'
import { USED_THRESHOLD } from './usageSignals.ts'

/** One-sided 99 %: patterns are many, and looked at after every session. */
const SURE_SIGMAS = 2.33

/** A few bad days are no rule. */
const SESSIONS_MIN = 5

/** A tool or a kind is left out as a whole where it was met with so many commands or areas, and none of them was most of it. */
const SPREAD_MIN = 3

/** Showings in a trial without a use that renew a rule. */
const TRIAL_MIN = 10

/** A rule's time doubles with each renewal, up to this. */
const LONGER_MAX = 8

const DAY_MS = 86_400_000

/** One memory shown in one recall. */
interface Showing {
  readonly at: string
  readonly session: string
  readonly memory: AttributedMemory
  /** What it was met with, told apart as narrowly as can be. */
  readonly narrowest: string
}

/** The rules from here on, those whose time is over but whose trial is not among them; undefined where they stay as they are. */
export function updateExclusionRules(
  judged: readonly AttributedRecall[],
  rules: readonly ExclusionRule[],
  policy: Pick<ImprovePolicy, 'excludeBelow' | 'excludeDays'>,
  now: number,
): readonly ExclusionRule[] | undefined {
  const patterns = patternsIn(judged)
  const kept = rules.flatMap((rule) => keptOf(rule, patterns.get(keyOf(rule)) ?? [], policy, now))
  const known = new Set(rules.map(keyOf))
  const found = [...patterns].flatMap(([key, showings]) => {
    const evidence = known.has(key) ? undefined : neverHelped(key, showings, policy.excludeBelow)
    return evidence ? [{ ...patternOf(key), ...lasting(now, policy.excludeDays), renewed: 0, evidence }] : []
  })
  const next = [...kept, ...found]
  return JSON.stringify(next) === JSON.stringify(rules) ? undefined : next
}

/** What becomes of a rule: nothing while it lasts; then its trial renews it, frees the pattern or goes on. */
function keptOf(
  rule: ExclusionRule,
  showings: readonly Showing[],
  { excludeBelow, excludeDays }: Pick<ImprovePolicy, 'excludeBelow' | 'excludeDays'>,
  now: number,
): readonly ExclusionRule[] {
  if (excludeBelow === 0) return []
  if (Date.parse(rule.until) > now) return [rule]
  const trial = showings.filter(({ at }) => at > rule.until)
  if (trial.some(({ memory }) => memory.used >= USED_THRESHOLD)) return []
  if (trial.length < TRIAL_MIN) return [rule]
  const renewed = rule.renewed + 1
  const days = excludeDays * Math.min(LONGER_MAX, 2 ** renewed)
  return [{ ...rule, ...lasting(now, days), renewed, evidence: evidenceOf(showings) }]
}

const lasting = (now: number, days: number): Pick<ExclusionRule, 'since' | 'until'> => ({
  since: new Date(now).toISOString(),
  until: new Date(now + days * DAY_MS).toISOString(),
})

/** The evidence where a pattern surely is of no use; undefined where it is, or may be. */
function neverHelped(key: string, showings: readonly Showing[], below: number): ExclusionRule['evidence'] | undefined {
  const evidence = evidenceOf(showings)
  if (evidence.usedAtMost >= below || evidence.sessions < SESSIONS_MIN || evidence.contribution > 0) return undefined
  const { by } = patternOf(key)
  return by === 'shape' || by === 'area' || isSpread(showings) ? evidence : undefined
}

/** Whether showings are of so many narrower patterns that they speak for the broader one. */
function isSpread(showings: readonly Showing[]): boolean {
  const counts = new Map<string, number>()
  for (const { narrowest } of showings) counts.set(narrowest, (counts.get(narrowest) ?? 0) + 1)
  return counts.size >= SPREAD_MIN && Math.max(...counts.values()) * 2 <= showings.length
}

function evidenceOf(showings: readonly Showing[]): ExclusionRule['evidence'] {
  const used = showings.filter(({ memory }) => memory.used >= USED_THRESHOLD).length
  return {
    shown: showings.length,
    sessions: new Set(showings.map(({ session }) => session)).size,
    used,
    contribution: rounded(showings.reduce((sum, { memory }) => sum + memory.contribution, 0)),
    usedAtMost: rounded(shareAtMost(used, showings.length)),
  }
}

/** Upper end of Wilson's score interval for a share (Wilson 1927). */
function shareAtMost(hits: number, of: number): number {
  const z2 = SURE_SIGMAS ** 2
  const share = hits / of
  return (
    (share + z2 / (2 * of) + SURE_SIGMAS * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of))) / (1 + z2 / of)
  )
}

/** Every pattern with its showings, in the order of the recalls. What was withheld showed nothing. */
function patternsIn(judged: readonly AttributedRecall[]): ReadonlyMap<string, readonly Showing[]> {
  const patterns = new Map<string, Showing[]>()
  for (const recall of judged) {
    const moment = EXCLUSION_MOMENTS.find((one) => one === recall.moment)
    if (recall.withheld || !moment) continue
    const { shape, area, tool } = recall.call ?? {}
    const narrowest = shape ?? area ?? tool ?? recall.recall
    for (const memory of recall.memories) {
      if (memory.kind === undefined) continue
      const values = { shape, area, tool, kind: memory.kind }
      for (const by of EXCLUSION_CRITERIA) {
        const value = values[by]
        if (value === undefined) continue
        const key = keyOf({ moment, by, value })
        const showings = patterns.get(key) ?? []
        if (showings.length === 0) patterns.set(key, showings)
        showings.push({ at: recall.at, session: clusterKey(recall), memory, narrowest })
      }
    }
  }
  return patterns
}

type Pattern = Pick<ExclusionRule, 'moment' | 'by' | 'value'>

const keyOf = ({ moment, by, value }: Pattern): string => [moment, by, value].join('\0')

function patternOf(key: string): Pattern {
  const [moment, by, value] = key.split('\0')
  return { moment: moment as Pattern['moment'], by: by as ExclusionCriterion, value: value! }
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
