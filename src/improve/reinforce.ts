// Reinforcement: what an attribution changes in a memory, in the two stages of the agent-memory spec. Shown: counted as
// a candidate. Used: access count, strength, impacts.
import type { HelpStats } from '../model/contribution.ts'
import type { Memory } from '../model/memory.ts'
import {
  applyStrengthChange,
  type ImpactKind,
  impactChange,
  reactivationChange,
  type StrengthPolicy,
  useChange,
} from '../model/strength.ts'
import type { AttributedMemory } from './attribution.ts'
import { USED_THRESHOLD } from './usageSignals.ts'

interface UseContext {
  /** Time of the recall, ISO. */
  readonly at: string
  /** The role of the agent it was recalled for; absent for the main conversation. */
  readonly perspective?: string | undefined
}

/** The memory after one attributed recall. Do not call it for holdouts: they were not shown. */
export function reinforceMemory(
  memory: Memory,
  attributed: AttributedMemory,
  { at, perspective }: UseContext,
  policy: StrengthPolicy,
): Memory {
  const isUsed = attributed.used >= USED_THRESHOLD
  const help: HelpStats = {
    shown: memory.help.shown + 1,
    used: memory.help.used + (isUsed ? 1 : 0),
    contribution: memory.help.contribution + attributed.contribution,
  }
  const shown = applyStrengthChange({ ...memory, help }, { candidates: 1 }, at)
  if (!isUsed) return shown
  const active = reactivate(shown, at, policy)
  const used = applyStrengthChange(active, useChange(active, policy, perspective), at)
  return (attributed.impacts ?? []).reduce((before, impact) => applyImpact(before, { impact, at }, policy), used)
}

/** The memory after a later attribution has replaced the one that it was reinforced with. What was gained stays. */
export function correctReinforcement(
  memory: Memory,
  before: AttributedMemory,
  after: AttributedMemory,
  { context, strength: policy }: { readonly context: UseContext; readonly strength: StrengthPolicy },
): Memory {
  const wasUsed = before.used >= USED_THRESHOLD
  const isUsed = after.used >= USED_THRESHOLD
  const help: HelpStats = {
    shown: memory.help.shown,
    used: Math.max(0, memory.help.used + Number(isUsed) - Number(wasUsed)),
    contribution: memory.help.contribution + after.contribution - before.contribution,
  }
  const corrected = { ...memory, help }
  if (!isUsed || wasUsed) return corrected
  const used = applyStrengthChange(corrected, useChange(corrected, policy, context.perspective), context.at)
  return (after.impacts ?? []).reduce((known, impact) => applyImpact(known, { impact, ...context }, policy), used)
}

/** What a user or an event says that a memory gave. */
type Impact = UseContext & { readonly impact: ImpactKind }

/** The memory after an impact. An archived memory that helps is active again. */
export const applyImpact = (memory: Memory, { impact, at, perspective }: Impact, policy: StrengthPolicy): Memory =>
  applyStrengthChange(reactivate(memory, at, policy), impactChange(impact, policy, perspective), at)

/** The memory restored from the archive, also if another had superseded it; an active one is returned unchanged. */
export const reactivate = (memory: Memory, at: string, policy: StrengthPolicy): Memory =>
  memory.status === 'active'
    ? memory
    : applyStrengthChange(withoutSuccessor(memory), reactivationChange(memory, policy), at)

const withoutSuccessor = (memory: Memory): Memory =>
  memory.supersededBy === undefined
    ? memory
    : {
        ...memory,
        supersededBy: undefined,
        ...(memory.knowledge && { knowledge: { ...memory.knowledge, state: 'standing' as const } }),
      }
