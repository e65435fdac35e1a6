// Reinforce: what a verdict does to a memory (seed 000's two stages). Shown: candidate +1. Used: access, strength, impact.
import type { HelpRecord, Memory } from '../model/memory.ts'
import { type ImpactKind, impactValue, levelOf, type StrengthPolicy } from '../model/strength.ts'
import type { JudgedMemory } from './judge.ts'
import { USED_FROM } from './used.ts'

/** A verdict with when and for whom the memory was recalled. */
export interface Occasion {
  /** ISO. */
  readonly at: string
  /** The perspective it was used under: the agent's role; none for the main conversation. */
  readonly perspective?: string | undefined
}

/** The memory after one verdict. A withheld memory was not shown and earns nothing. */
export function reinforced(
  memory: Memory,
  verdict: JudgedMemory,
  { at, perspective }: Occasion,
  policy: StrengthPolicy,
): Memory {
  const help: HelpRecord = {
    shown: memory.help.shown + 1,
    used: memory.help.used + (verdict.used >= USED_FROM ? 1 : 0),
    contribution: memory.help.contribution + verdict.contribution,
  }
  const candidate = { ...memory, help, candidateCount: memory.candidateCount + 1 }
  if (verdict.used < USED_FROM) return candidate
  const accessCount = memory.accessCount + 1
  const awake = reactivated(candidate, at, policy)
  const used: Memory = {
    ...awake,
    accessCount,
    lastUsed: at,
    strength: awake.strength + policy.incrementOnUse,
    strengthByPerspective: underPerspective(awake, perspective, policy),
    consolidationLevel: levelOf(accessCount, policy.levelUses),
  }
  return (verdict.impacts ?? []).reduce((one, impact) => impacted(one, impact, at, policy), used)
}

/** The memory with an impact, which a person named or events tell: its value counts, and a share of it becomes strength. */
export function impacted(
  memory: Memory,
  impact: ImpactKind,
  at: string,
  policy: StrengthPolicy,
  perspective?: string,
): Memory {
  const awake = reactivated(memory, at, policy)
  const value = impactValue(impact, policy)
  return {
    ...awake,
    impactScore: awake.impactScore + value,
    strength: awake.strength + policy.impactRatio * value,
    strengthByPerspective: underPerspective(awake, perspective, policy),
  }
}

/** Out of the archive, at the strength of one that came back: it was asked for, and it helped. An active memory stays as it is. */
export const reactivated = (memory: Memory, at: string, policy: StrengthPolicy): Memory =>
  memory.status === 'active'
    ? memory
    : {
        ...memory,
        status: 'active',
        strength: Math.max(memory.strength, policy.reactivated),
        lastDecayed: at,
        // Age alone sent it there, and would again.
        metadata: { ...memory.metadata, kept: true },
        updated: at,
      }

function underPerspective(
  memory: Memory,
  perspective: string | undefined,
  policy: StrengthPolicy,
): Memory['strengthByPerspective'] {
  if (perspective === undefined) return memory.strengthByPerspective
  const before = memory.strengthByPerspective[perspective] ?? 0
  return { ...memory.strengthByPerspective, [perspective]: before + policy.perspectiveIncrement }
}
