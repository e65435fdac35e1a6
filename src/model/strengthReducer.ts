// The strength reducer: the only code that changes a memory by use, impact and time.
//
//   event ──▶ a change (useChange, impactChange, decayChange, …) ──▶ applyStrengthChange ──▶ the memory after it
//
// Changes are plain values: the library logs them, and a rebuild of the projection applies the same values.
import type { Memory } from './memory.ts'
import { AMOUNT_MAX, repairChange, strengthFrom } from './memoryNumbers.ts'
import {
  computeConsolidationLevel,
  computeTaskRetention,
  type ImpactKind,
  impactValue,
  type StrengthChange,
  type StrengthPolicy,
} from './strength.ts'

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
