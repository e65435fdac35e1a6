// The numbers and names of a memory that programs may set: what is valid, and what becomes of values that are not.
//
// Earlier versions stored what a program gave. One such value made a whole store unusable, so it is repaired wherever a
// memory or a change is read.
import type { Memory } from './memory.ts'
import type { StrengthChange } from './strength.ts'

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

/** The strength of a perspective; 0 if there is none. */
export const strengthFrom = (strengths: Readonly<Record<string, number>>, perspective: string): number =>
  Object.hasOwn(strengths, perspective) ? (strengths[perspective] ?? 0) : 0

/** The memory with every invalid number and name replaced or left out; the same object if there is none. */
export function repairMemory(memory: Memory): Memory {
  const { strength, impactScore, accessCount, candidateCount, consolidationLevel, agentId, role } = memory
  const isSound =
    isAmount(strength) &&
    isAmount(impactScore) &&
    isCount(accessCount) &&
    isCount(candidateCount) &&
    isLevel(consolidationLevel) &&
    (agentId === undefined || typeof agentId === 'string') &&
    typeof role === 'string' &&
    hasSoundStrengths(memory.strengthByPerspective)
  if (isSound) return memory
  return {
    ...memory,
    strength: isAmount(strength) ? strength : strength > 0 ? AMOUNT_MAX : 0,
    impactScore: isAmount(impactScore) ? impactScore : 0,
    accessCount: isCount(accessCount) ? accessCount : 0,
    candidateCount: isCount(candidateCount) ? candidateCount : 0,
    consolidationLevel: isLevel(consolidationLevel)
      ? consolidationLevel
      : consolidationLevel > LEVEL_MAX
        ? LEVEL_MAX
        : 0,
    agentId: agentId === undefined || typeof agentId === 'string' ? agentId : JSON.stringify(agentId),
    role: typeof role === 'string' ? role : 'main',
    strengthByPerspective: soundStrengths(memory.strengthByPerspective),
  }
}

function hasSoundStrengths(strengths: Readonly<Record<string, number>> | undefined): boolean {
  if (typeof strengths !== 'object' || strengths === null) return false
  for (const name in strengths) if (!isPerspective(name) || !isAmount(strengths[name])) return false
  return true
}

const soundStrengths = (strengths: Readonly<Record<string, number>> | undefined): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(strengths ?? {}).filter(([name, value]) => isPerspective(name) && isAmount(value)))

/** A change without its invalid parts. */
export function repairChange<Change extends Omit<StrengthChange, 'memory'>>(change: Change): Change {
  const { candidates = 0, uses = 0, kept = 1, strength = 0 } = change
  const { impact = 0, strengthTo = 0, level = 0, perspectives } = change
  const isSound =
    isCount(candidates) &&
    isCount(uses) &&
    isAmount(strength) &&
    isAmount(impact) &&
    isAmount(strengthTo) &&
    isLevel(level)
  if (isSound && isAmount(kept) && kept <= 1 && (perspectives === undefined || hasSoundStrengths(perspectives)))
    return change
  return {
    ...change,
    candidates: isCount(candidates) ? candidates : 0,
    uses: isCount(uses) ? uses : 0,
    kept: change.kept === undefined ? undefined : isAmount(kept) && kept <= 1 ? kept : 1,
    strength: isAmount(strength) ? strength : 0,
    impact: isAmount(impact) ? impact : 0,
    strengthTo: isAmount(change.strengthTo) ? change.strengthTo : undefined,
    level: isLevel(change.level) ? change.level : undefined,
    perspectives: perspectives && soundStrengths(perspectives),
  }
}
