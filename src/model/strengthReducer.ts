// The strength reducer: the only code that changes what a memory is by use, impact and time.
//
//   what happened ──▶ a change (useChange, impactChange, decayChange, …) ──▶ applyStrengthChange ──▶ the memory after it
//
// Changes are plain values: the library writes them into the log, and the projection applies the same values on a rebuild.
import type { Memory } from './memory.ts'
import {
  computeConsolidationLevel,
  computeTaskRetention,
  type ImpactKind,
  impactValue,
  type StrengthChange,
  type StrengthPolicy,
} from './strength.ts'

/** A change without the memory it is for. The fields of its own are never in the log: there an event's kind implies them. */
interface StrengthEffect extends Omit<StrengthChange, 'memory'> {
  /** Decay counts from this moment on. `kept` implies it. */
  readonly restartsDecay?: true
  /** Age does not archive it any more. */
  readonly isExemptFromAge?: true
}

/**
 * The memory after one change that happened at `at` (ISO). Strength is first set, then decayed, then raised. A change of
 * status counts as an update of the memory; everything else does not.
 */
export function applyStrengthChange(memory: Memory, change: StrengthEffect, at: string): Memory {
  const { candidates = 0, uses = 0, kept = 1, strength = 0, impact = 0, status } = change
  return {
    ...memory,
    candidateCount: memory.candidateCount + candidates,
    accessCount: memory.accessCount + uses,
    lastUsed: uses > 0 ? at : memory.lastUsed,
    strength: (change.strengthTo ?? memory.strength) * kept + strength,
    strengthByPerspective: addGains(memory.strengthByPerspective, change.perspectives),
    lastDecayed: change.kept !== undefined || change.restartsDecay ? at : memory.lastDecayed,
    impactScore: memory.impactScore + impact,
    consolidationLevel: change.level ?? memory.consolidationLevel,
    status: status ?? memory.status,
    archiveExempt: change.isExemptFromAge ?? memory.archiveExempt,
    updated: status === undefined ? memory.updated : at,
  }
}

/** It was used once more, perhaps under a perspective. */
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

/** It had an impact: the value counts, and a share of it becomes strength. */
export function impactChange(impact: ImpactKind, policy: StrengthPolicy, perspective?: string): StrengthEffect {
  const value = impactValue(impact, policy)
  return { impact: value, strength: policy.impactRatio * value, ...perspectiveGain(policy, perspective) }
}

/** It came back from the archive: at least as strong as one that comes back, and age does not send it there again. */
export const reactivationChange = ({ strength }: Pick<Memory, 'strength'>, policy: StrengthPolicy): StrengthEffect => ({
  status: 'active',
  strengthTo: Math.max(strength, policy.reactivated),
  restartsDecay: true,
  isExemptFromAge: true,
})

/** What `days` without use leave, at the consolidation level of its uses. */
export function decayChange(
  { accessCount }: Pick<Memory, 'accessCount'>,
  policy: StrengthPolicy,
  days: number,
): StrengthEffect {
  const level = computeConsolidationLevel(accessCount, policy.levelUses)
  return { kept: dailyRetentionAt(level, policy) ** days, level }
}

/** What one task leaves, for those who count by tasks and not by days. */
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
  for (const [name, gain] of Object.entries(gains)) after[name] = (after[name] ?? 0) + gain
  return after
}
