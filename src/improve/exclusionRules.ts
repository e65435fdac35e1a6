// Learned exclusion rules: a note, or a kind of notes, that a moment showed session after session without use is not
// shown there for some time. Each rule has evidence, an end and a trial.
//
// A note is excluded if notes of its kind are used there and it is not, a kind if the other kinds are used there and it
// is not: if it were used as often, so few uses would be a chance of less than 1 in 1,000.
import type { MemoryId } from '../model/id.ts'
import type { MemoryKind } from '../model/memory.ts'
import {
  EXCLUSION_KINDS,
  EXCLUSION_MOMENTS,
  type ExclusionRule,
  type ExclusionTarget,
  type RecallMoment,
} from '../model/recallQuery.ts'
import { compareValues } from '../model/sorting.ts'
import type { AttributedRecall } from './attribution.ts'
import { agreementOf } from './leastScores.ts'
import { sum } from './statistics.ts'

/** Sessions that showed a note at a moment, or different notes of a kind, before it is excluded there. */
export const SESSIONS_MIN = 20

/** Days until an excluded note is tried again. */
export const EXCLUDED_DAYS = 30

/** A rule's duration doubles with each renewal, up to this factor. */
const DURATION_FACTOR_MAX = 8

/** Small, because many notes are judged at every session's end. */
const CHANCE_MAX = 0.001

/** The confidence that counts as a use in a trial. */
const USED_IN_TRIAL = 0.4

const DAY_MS = 86_400_000

type ExclusionMoment = ExclusionRule['moment']

interface ExclusionInput {
  readonly uses: MomentUseTable
  /** Undefined for a memory that does not exist any more, or that somebody asked for: no rule is made for it. */
  readonly kindOf: (memory: MemoryId) => MemoryKind | undefined
  readonly rules: readonly ExclusionRule[]
  /** The share of the usual use below which a note is excluded; 0: none is. */
  readonly excludeBelow: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The use of a note or of a kind at one moment, and how often the others are usually used there, 0 to 1. */
type TargetUse = MomentUse & { readonly target: ExclusionTarget; readonly usual: number }

/** The rules from now on, trials included; undefined if they do not change. */
export function updateExclusionRules(input: ExclusionInput): readonly ExclusionRule[] | undefined {
  const { rules, excludeBelow } = input
  const next = excludeBelow === 0 ? [] : EXCLUSION_MOMENTS.flatMap((moment) => updateMomentRules(moment, input))
  return JSON.stringify(next) === JSON.stringify(rules) ? undefined : next
}

function updateMomentRules(moment: ExclusionMoment, input: ExclusionInput): ExclusionRule[] {
  const rules = input.rules.filter((rule) => rule.moment === moment)
  const notes = listNoteUses(moment, input)
  const uses = new Map([...notes, ...listKindUses(moment, notes, input)].map((use) => [targetKey(use.target), use]))
  const kept = rules.flatMap((rule) => renewRule(rule, uses.get(targetKey(rule)), input))
  const known = new Set(rules.map(targetKey))
  const added = [...uses].flatMap(([key, use]) => (!known.has(key) && isUnused(use, input) ? [use] : []))
  return [...kept, ...added.map((use) => createRule(moment, use, 0, input))]
}

const targetKey = ({ memory, kind }: ExclusionTarget): string => memory ?? `kind ${kind}`

/** The notes that a moment has shown, compared with their own kind: a summary is used otherwise than a fact. */
function listNoteUses(moment: ExclusionMoment, { uses, kindOf }: ExclusionInput): TargetUse[] {
  const byKind = new Map<MemoryKind, (MomentUse & { memory: MemoryId })[]>()
  for (const [id, moments] of Object.entries(uses)) {
    const memory = id as MemoryId
    const [use, kind] = [moments[moment], kindOf(memory)]
    if (use && kind) byKind.set(kind, [...(byKind.get(kind) ?? []), { memory, ...use }])
  }
  return [...byKind.values()].flatMap((own) => {
    const usual = sum(own.map(({ used }) => used)) / sum(own.map(({ sessions }) => sessions))
    return own.map(({ memory, ...use }) => ({ ...use, target: { memory }, usual }))
  })
}

/**
 * The kinds that a moment finds by rank, compared with the other kinds there. A start has no query to rank by. A note
 * counts once, with its share of use, however many sessions it was shown in: showings of one note are not independent.
 */
function listKindUses(moment: ExclusionMoment, notes: readonly TargetUse[], { kindOf }: ExclusionInput): TargetUse[] {
  if (moment === 'start') return []
  const kinds = notes.map(({ target }) => target.memory && kindOf(target.memory))
  const shares = (isWanted: (kind: MemoryKind | undefined) => boolean): number[] =>
    notes.flatMap(({ used, sessions }, i) => (isWanted(kinds[i]) ? [used / sessions] : []))
  return EXCLUSION_KINDS.flatMap((kind) => {
    const [own, others] = [shares((other) => other === kind), shares((other) => other !== kind)]
    if (own.length === 0 || others.length === 0) return []
    const last = notes.reduce((latest, note, i) => (kinds[i] === kind && note.last > latest ? note.last : latest), '')
    return [{ target: { kind }, sessions: own.length, used: sum(own), usual: sum(others) / others.length, last }]
  })
}

/** Whether so little use is neither worth the note's tokens nor chance. */
function isUnused({ sessions, used, usual }: TargetUse, { excludeBelow }: ExclusionInput): boolean {
  const share = used / sessions
  if (sessions < SESSIONS_MIN || share >= excludeBelow * usual) return false
  return boundChance(share, sessions, usual) < CHANCE_MAX
}

/** At most the chance that the mean of n values from 0 to 1 is so low, if `usual` is expected (Hoeffding 1963). */
function boundChance(mean: number, n: number, usual: number): number {
  const term = (share: number, expected: number): number => (share === 0 ? 0 : share * Math.log(share / expected))
  return Math.exp(-n * (term(mean, usual) + term(1 - mean, 1 - usual)))
}

/** A rule is kept until its end. Then the first session that shows the memory again renews or removes it. */
function renewRule(rule: ExclusionRule, use: TargetUse | undefined, input: ExclusionInput): ExclusionRule[] {
  if (!use) return []
  const isTried = Date.parse(rule.until) <= input.now && use.last > rule.until
  if (!isTried) return [rule]
  const wasUsed = use.used > rule.evidence.used + USED_IN_TRIAL
  return wasUsed || !isUnused(use, input) ? [] : [createRule(rule.moment, use, rule.renewed + 1, input)]
}

function createRule(
  moment: ExclusionMoment,
  { target, sessions, used, usual }: TargetUse,
  renewed: number,
  { now }: ExclusionInput,
): ExclusionRule {
  const days = EXCLUDED_DAYS * Math.min(DURATION_FACTOR_MAX, 2 ** renewed)
  return {
    moment,
    ...target,
    since: new Date(now).toISOString(),
    until: new Date(now + days * DAY_MS).toISOString(),
    renewed,
    evidence: { sessions: Math.round(sessions), used: round(used), usual: round(usual) },
  }
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000

// The usefulness of a memory, separately for each moment: in how many sessions a moment showed it, and how surely it
// was used there. A note may be of no use at every start and still be right at a failure.

interface MomentUse {
  /** Sessions that showed it; at most COUNT_MAX, so that old ones lose weight. */
  readonly sessions: number
  /** The sum over these sessions of the confidence that it was used, each 0 to 1. */
  readonly used: number
  /** The time of the last recall that showed it, ISO. */
  readonly last: string
}

/** By memory and moment. What a user said, wrote or pinned is not counted: it is always shown. */
export type MomentUseTable = Readonly<Record<MemoryId, Readonly<Partial<Record<RecallMoment, MomentUse>>>>>

/** From this number of sessions on, each new session has the weight 1 / COUNT_MAX. */
const COUNT_MAX = 50

/** Memories in the table, the work of some months: those shown last, after those that can be excluded. */
export const MEMORIES_MAX = 2_000
/** How many more there may be until all are sorted: to sort them after each session is quadratic. */
const MEMORIES_SPARE = 500

/** One session's verdict on one memory at one moment. */
interface SessionUse {
  readonly memory: MemoryId
  readonly moment: RecallMoment
  readonly at: string
  /** The greatest confidence of all its recalls in the session. */
  readonly used: number
}

/** The verdicts of one session, one for each memory and moment. Holdouts showed nothing. */
function listSessionUses(recalls: readonly AttributedRecall[]): SessionUse[] {
  const uses = new Map<string, SessionUse>()
  for (const { moment, at, withheld, memories } of recalls) {
    if (withheld) continue
    for (const attributed of memories) {
      const { memory, kind } = attributed
      if (kind === undefined) continue
      const key = `${moment} ${memory}`
      uses.set(key, { memory, moment, at, used: Math.max(agreementOf(attributed), uses.get(key)?.used ?? 0) })
    }
  }
  return [...uses.values()]
}

/** The table after one session. Entries of memories that do not exist any more are dropped. */
export function updateMomentUse(
  table: MomentUseTable,
  recalls: readonly AttributedRecall[],
  hasMemory: (id: MemoryId) => boolean,
): MomentUseTable {
  const uses = listSessionUses(recalls)
  if (uses.length === 0) return table
  const next: Record<string, Partial<Record<RecallMoment, MomentUse>>> = {}
  for (const [id, moments] of Object.entries(table)) if (hasMemory(id as MemoryId)) next[id] = moments
  for (const { memory, moment, at, used } of uses) {
    if (!hasMemory(memory)) continue
    const before = next[memory]?.[moment] ?? { sessions: 0, used: 0 }
    const kept = Math.min(1, (COUNT_MAX - 1) / Math.max(1, before.sessions))
    const after = { sessions: kept * before.sessions + 1, used: round(kept * before.used + used), last: at }
    next[memory] = { ...next[memory], [moment]: after }
  }
  const entries = Object.entries(next)
  if (entries.length <= MEMORIES_MAX + MEMORIES_SPARE) return next
  return Object.fromEntries(entries.sort(byUse).slice(0, MEMORIES_MAX))
}

type MemoryUses = [id: string, moments: Readonly<Partial<Record<RecallMoment, MomentUse>>>]

/** Those with enough sessions for a rule first, of equal ones the one that was shown last. */
const byUse = ([id, a]: MemoryUses, [other, b]: MemoryUses): number =>
  Number(mayBeExcluded(b)) - Number(mayBeExcluded(a)) ||
  compareValues(lastUse(b), lastUse(a)) ||
  compareValues(id, other)

const mayBeExcluded = (moments: MemoryUses[1]): boolean =>
  Object.values(moments).some(({ sessions }) => sessions >= SESSIONS_MIN)

const lastUse = (moments: MemoryUses[1]): string =>
  Object.values(moments).reduce((latest, { last }) => (last > latest ? last : latest), '')
