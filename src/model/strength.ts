// Strength: how well a memory is consolidated. Use raises it, time lowers it (agent-memory spec).
import type { MemoryId } from './id.ts'
import type { Memory, MemoryStatus } from './memory.ts'

/** The numbers of strength; policies/default.yaml has the meaning, unit and range of each. */
export interface StrengthPolicy {
  readonly initial: number
  readonly initialEducation: number
  readonly incrementOnUse: number
  readonly perspectiveIncrement: number
  readonly archiveAt: number
  readonly reactivated: number
  readonly impactRatio: number
  readonly impact: { readonly userPositive: number; readonly taskSuccess: number; readonly preventedError: number }
  /** The uses at which each consolidation level begins, ascending from level 0. */
  readonly levelUses: readonly number[]
  /** The share of strength that each level retains per day. */
  readonly dailyRetention: readonly number[]
  readonly tasksPerDay: number
}

export const IMPACT_KINDS = ['user_positive', 'task_success', 'prevented_error'] as const

/** What a memory gave (agent-memory spec): a content user, a task that succeeded, an error that did not come back. */
export type ImpactKind = (typeof IMPACT_KINDS)[number]

/**
 * One change of a memory's strength and counts. Counts and gains are added, so that two uses at the same time both
 * count. An absent field stays.
 */
export interface StrengthChange {
  readonly memory: MemoryId
  /** How many more times it was a candidate. */
  readonly candidates?: number | undefined
  /** How many more times it was used. */
  readonly uses?: number | undefined
  /** Replaces the strength. */
  readonly strengthTo?: number | undefined
  /** The share of strength that decay retains, 0 to 1. */
  readonly kept?: number | undefined
  /** Added to the strength after `strengthTo` and `kept`. */
  readonly strength?: number | undefined
  readonly perspectives?: Readonly<Record<string, number>> | undefined
  readonly impact?: number | undefined
  readonly level?: number | undefined
  readonly status?: MemoryStatus | undefined
}

const DAY_MS = 86_400_000

/** Days between two times, with fractions; a clock that moves backwards counts as 0. */
export const daysBetween = (fromMs: number, toMs: number): number => Math.max(0, (toMs - fromMs) / DAY_MS)

/**
 * Strength after `ageDays` without use, at a consolidation level that retains `dailyRetention` per day.
 *
 * Exponential, so that weak and strong memories lose the same share per day; otherwise weak memories
 * would never be archived. A clock that moves backwards counts as age 0.
 */
export const decayStrength = (strength: number, ageDays: number, dailyRetention: number): number =>
  strength * dailyRetention ** Math.max(0, ageDays)

/** The consolidation level, 0 to 5, of a memory used `uses` times. */
export const computeConsolidationLevel = (uses: number, levelUses: readonly number[]): number =>
  Math.max(
    0,
    levelUses.findLastIndex((usesMin) => uses >= usesMin),
  )

/** The share of strength that a level retains per task: daily ^ (1 / tasks per day). For the decay pass. */
export const computeTaskRetention = (dailyRetention: number, tasksPerDay: number): number =>
  dailyRetention ** (1 / tasksPerDay)

/** Strength as a ranking feature, 0 to 1: half of it, at most 1 (agent-memory spec). */
export const normalizeStrength = (strength: number): number => Math.min(1, Math.max(0, strength / 2))

/** What an impact adds to the impact score. Strength grows by `impactRatio` of it. */
export const impactValue = (kind: ImpactKind, { impact }: StrengthPolicy): number =>
  ({
    user_positive: impact.userPositive,
    task_success: impact.taskSuccess,
    prevented_error: impact.preventedError,
  })[kind]

// The strength reducer: the only code that changes a memory by use, impact and time.
//
//   event ──▶ a change (useChange, impactChange, decayChange, …) ──▶ applyStrengthChange ──▶ the memory after it
//
// Changes are plain values: the library logs them, and a rebuild of the projection applies the same values.

/** A change without its memory. Its own fields are not logged: an event's kind implies them. */
interface StrengthEffect extends Omit<StrengthChange, 'memory'> {
  /** Decay counts from now on. `kept` implies it. */
  readonly restartsDecay?: true
  /** Age no longer archives it. */
  readonly isExemptFromAge?: true
}

/**
 * The memory after one change at the time `at` (ISO). Strength is first set, then decayed, then raised. Only a change
 * of status counts as an update of the memory.
 */
export function applyStrengthChange(memory: Memory, given: StrengthEffect, at: string): Memory {
  const change = repairChange(given)
  const { candidates = 0, uses = 0, kept = 1, strength = 0, impact = 0, status } = change
  return {
    ...memory,
    candidateCount: memory.candidateCount + candidates,
    accessCount: memory.accessCount + uses,
    lastUsed: uses > 0 ? at : memory.lastUsed,
    strength: Math.min(AMOUNT_MAX, (change.strengthTo ?? memory.strength) * kept + strength),
    strengthByPerspective: addGains(memory.strengthByPerspective, change.perspectives),
    lastDecayed: change.kept !== undefined || change.restartsDecay ? at : memory.lastDecayed,
    impactScore: Math.min(AMOUNT_MAX, memory.impactScore + impact),
    consolidationLevel: change.level ?? memory.consolidationLevel,
    status: status ?? memory.status,
    archiveExempt: change.isExemptFromAge ?? memory.archiveExempt,
    updated: status === undefined ? memory.updated : at,
  }
}

/** One more use, optionally under a perspective. */
export const useChange = (
  { accessCount }: Pick<Memory, 'accessCount'>,
  policy: StrengthPolicy,
  perspective?: string,
): StrengthEffect => ({
  uses: 1,
  strength: policy.incrementOnUse,
  level: computeConsolidationLevel(accessCount + 1, policy.levelUses),
  ...perspectiveGain(policy, perspective),
})

/** An impact: its value counts, and a share of it becomes strength. */
export function impactChange(impact: ImpactKind, policy: StrengthPolicy, perspective?: string): StrengthEffect {
  const value = impactValue(impact, policy)
  return { impact: value, strength: policy.impactRatio * value, ...perspectiveGain(policy, perspective) }
}

/** A return from the archive: strength rises to at least `reactivated`, and age no longer archives the memory. */
export const reactivationChange = ({ strength }: Pick<Memory, 'strength'>, policy: StrengthPolicy): StrengthEffect => ({
  status: 'active',
  strengthTo: Math.max(strength, policy.reactivated),
  restartsDecay: true,
  isExemptFromAge: true,
})

/** Decay over `days` without use, at the consolidation level of its uses. */
export function decayChange(
  { accessCount }: Pick<Memory, 'accessCount'>,
  policy: StrengthPolicy,
  days: number,
): StrengthEffect {
  const level = computeConsolidationLevel(accessCount, policy.levelUses)
  return { kept: dailyRetentionAt(level, policy) ** days, level }
}

/** Decay over one task, for callers that count tasks instead of days. */
export function taskDecayChange({ accessCount }: Pick<Memory, 'accessCount'>, policy: StrengthPolicy): StrengthEffect {
  const level = computeConsolidationLevel(accessCount, policy.levelUses)
  return { kept: computeTaskRetention(dailyRetentionAt(level, policy), policy.tasksPerDay), level }
}

const dailyRetentionAt = (level: number, policy: StrengthPolicy): number => policy.dailyRetention[level] ?? 1

const perspectiveGain = (policy: StrengthPolicy, name: string | undefined): Pick<StrengthEffect, 'perspectives'> =>
  name === undefined ? {} : { perspectives: { [name]: policy.perspectiveIncrement } }

function addGains(
  before: Readonly<Record<string, number>>,
  gains: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> {
  if (!gains) return before
  const after: Record<string, number> = { ...before }
  for (const [name, gain] of Object.entries(gains)) after[name] = Math.min(AMOUNT_MAX, strengthFrom(after, name) + gain)
  return after
}

// The numbers and names of a memory that programs may set: what is valid, and what becomes of values that are not.
//
// Earlier versions stored what a program gave. One such value made a whole store unusable, so it is repaired wherever a
// memory or a change is read.

/** Strength, impact and counts are at most this: a million uses a day for years. Sums of it stay exact. */
export const AMOUNT_MAX = 1e9

/** The highest consolidation level of the agent-memory spec. */
export const LEVEL_MAX = 5

/** Characters of the name of an agent, a perspective or a role. */
export const NAME_CHARS_MAX = 200

/** Whether a value can be a strength, an impact score or an increment of them. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= AMOUNT_MAX

export const isCount = (value: unknown): value is number => isAmount(value) && Number.isInteger(value)

export const isLevel = (value: unknown): value is number => isCount(value) && value <= LEVEL_MAX

/** Whether a text can name a perspective: not a property that every object has, which code would find in its place. */
export const isPerspective = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.trim() !== '' &&
  name.length <= NAME_CHARS_MAX &&
  name !== 'prototype' &&
  !(name in Object.prototype)

export const strengthFrom = (strengths: Readonly<Record<string, number>>, perspective: string): number =>
  Object.hasOwn(strengths, perspective) ? (strengths[perspective] ?? 0) : 0

/** The memory with every invalid number and name replaced or left out; the same object if there is none. */
export function repairMemory(memory: Memory): Memory {
  const { strength, consolidationLevel: level, agentId, role, strengthByPerspective } = memory
  return replaceFields(memory, {
    strength: soundOr(strength, isAmount, strength > 0 ? AMOUNT_MAX : 0),
    impactScore: soundOr(memory.impactScore, isAmount, 0),
    accessCount: soundOr(memory.accessCount, isCount, 0),
    candidateCount: soundOr(memory.candidateCount, isCount, 0),
    consolidationLevel: soundOr(level, isLevel, level > LEVEL_MAX ? LEVEL_MAX : 0),
    agentId: agentId === undefined || typeof agentId === 'string' ? agentId : JSON.stringify(agentId),
    role: typeof role === 'string' ? role : 'main',
    strengthByPerspective: soundStrengths(strengthByPerspective),
  })
}

/** A change without its invalid parts; the same object if there are none. */
export function repairChange<Change extends Omit<StrengthChange, 'memory'>>(change: Change): Change {
  const { candidates, uses, kept, strength, impact, strengthTo, level, perspectives } = change
  const isShare = (value: unknown): boolean => isAmount(value) && value <= 1
  const repaired: Omit<StrengthChange, 'memory'> = {
    candidates: candidates === undefined ? candidates : soundOr(candidates, isCount, 0),
    uses: uses === undefined ? uses : soundOr(uses, isCount, 0),
    kept: kept === undefined ? kept : soundOr(kept, isShare, 1),
    strength: strength === undefined ? strength : soundOr(strength, isAmount, 0),
    impact: impact === undefined ? impact : soundOr(impact, isAmount, 0),
    strengthTo: soundOr(strengthTo, isAmount, undefined),
    level: soundOr(level, isLevel, undefined),
    perspectives: perspectives && soundStrengths(perspectives),
  }
  return replaceFields<typeof repaired>(change, repaired) as Change
}

const soundOr = <Value>(value: Value, isSound: (value: unknown) => boolean, otherwise: Value): Value =>
  isSound(value) ? value : otherwise

/** The object with these fields; the object itself if it has them. */
function replaceFields<Whole extends object>(whole: Whole, fields: Partial<Whole>): Whole {
  const names = Object.keys(fields) as (keyof Whole)[]
  return names.every((name) => Object.is(whole[name], fields[name])) ? whole : { ...whole, ...fields }
}

/** The perspectives with a sound name and strength; the same object if all are. */
function soundStrengths(strengths: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const entries = Object.entries(strengths ?? {})
  const sound = entries.filter(([name, value]) => isPerspective(name) && isAmount(value))
  return typeof strengths === 'object' && strengths !== null && sound.length === entries.length
    ? strengths
    : Object.fromEntries(sound)
}
