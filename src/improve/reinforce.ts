// Reinforce: what a verdict does to a memory (seed 000's two stages). Shown: candidate +1. Used: access, strength, impact.
import type { HelpStats, Memory } from '../model/memory.ts'
import type { ImpactKind, StrengthPolicy } from '../model/strength.ts'
import { applyStrengthChange, impactChange, reactivationChange, useChange } from '../model/strengthReducer.ts'
import type { AttributedMemory } from './attribution.ts'
import { USED_THRESHOLD } from './usageSignals.ts'

/** A verdict with when and for whom the memory was recalled. */
interface UseContext {
  /** ISO. */
  readonly at: string
  /** The perspective it was used under: the agent's role; none for the main conversation. */
  readonly perspective?: string | undefined
}

/** The memory after one verdict. A withheld memory was not shown and earns nothing. */
export function reinforceMemory(
  memory: Memory,
  verdict: AttributedMemory,
  { at, perspective }: UseContext,
  policy: StrengthPolicy,
): Memory {
  const help: HelpStats = {
    shown: memory.help.shown + 1,
    used: memory.help.used + (verdict.used >= USED_THRESHOLD ? 1 : 0),
    contribution: memory.help.contribution + verdict.contribution,
  }
  const shown = applyStrengthChange({ ...memory, help }, { candidates: 1 }, at)
  if (verdict.used < USED_THRESHOLD) return shown
  const active = reactivate(shown, at, policy)
  const used = applyStrengthChange(active, useChange(active, policy, perspective), at)
  return (verdict.impacts ?? []).reduce((before, impact) => applyImpact(before, { impact, at }, policy), used)
}

/** What somebody or an event says that a memory gave. */
interface Impact {
  readonly impact: ImpactKind
  /** ISO. */
  readonly at: string
  readonly perspective?: string | undefined
}

/** The memory with an impact, which a person named or events show. An archived memory that helps is active again. */
export const applyImpact = (memory: Memory, { impact, at, perspective }: Impact, policy: StrengthPolicy): Memory =>
  applyStrengthChange(reactivate(memory, at, policy), impactChange(impact, policy, perspective), at)

/** The memory taken from the archive; an active one stays as it is. */
export const reactivate = (memory: Memory, at: string, policy: StrengthPolicy): Memory =>
  memory.status === 'active' ? memory : applyStrengthChange(memory, reactivationChange(memory, policy), at)
