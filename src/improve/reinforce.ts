// Reinforce: what a verdict does to a memory (seed 000's two stages). Shown: candidate +1. Used: access, strength, impact.
import type { HelpRecord, Memory } from '../model/memory.ts'
import type { StrengthPolicy } from '../model/strength.ts'
import { impactValue, levelOf } from '../model/strength.ts'
import type { JudgedMemory } from './judge.ts'

/** From this confidence up a memory counts as used, 0 to 1. */
export const USED_FROM = 0.5

/** The memory after one verdict; `at` is the ISO time of the recall. A withheld memory was not shown and earns nothing. */
export function reinforced(memory: Memory, verdict: JudgedMemory, at: string, policy: StrengthPolicy): Memory {
  const help: HelpRecord = {
    shown: memory.help.shown + 1,
    used: memory.help.used + (verdict.used >= USED_FROM ? 1 : 0),
    contribution: memory.help.contribution + verdict.contribution,
  }
  const candidate = { ...memory, help, candidateCount: memory.candidateCount + 1 }
  if (verdict.used < USED_FROM) return candidate
  const accessCount = memory.accessCount + 1
  const impact = impactOf(verdict, policy)
  return {
    ...candidate,
    accessCount,
    lastUsed: at,
    impactScore: memory.impactScore + impact,
    strength: memory.strength + policy.incrementOnUse + policy.impactRatio * impact,
    consolidationLevel: levelOf(accessCount, policy.levelUses),
  }
}

/** Seed 000's impacts, inferred: an error avoided, else a task that went well with it. */
function impactOf(verdict: JudgedMemory, policy: StrengthPolicy): number {
  if (verdict.parts.errors > 0) return impactValue('prevented_error', policy)
  return verdict.parts.success > 0 ? impactValue('task_success', policy) : 0
}
