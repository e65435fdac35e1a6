// The importance terms of a memory now: counts have grown since it was made, novelty and the user's signal stay.
import { type ImportanceTerms, saturate } from './importance.ts'
import type { Memory } from './memory.ts'

/** The six terms, each 0 to 1, with today's uses, repeats and meetings. */
export function currentImportanceTerms(memory: Memory): ImportanceTerms {
  const first = memory.importanceTerms
  const otherSessions = memory.sessionCount - 1
  return {
    outcome: computeOutcomeTerm(memory),
    reuse: saturate(memory.accessCount + countRepeats(memory), 1),
    crossImpact: saturate(memory.meetings + otherSessions, 2),
    novelty: first?.novelty ?? 0.5,
    userSignal: first?.userSignal ?? 0,
    costSaved: Math.max(first?.costSaved ?? 0, computeCostTerm(memory)),
  }
}

/** How often it was met again: in other sessions, or as the same failure in one session. */
export const countRepeats = ({ sessionCount, knowledge }: Memory): number =>
  Math.max(sessionCount, knowledge?.type === 'lesson' ? knowledge.record.failed : 1) - 1

/**
 * A failure that was fixed 1, a failure or a task with lessons .8, success .6 (a check passed or the user was content),
 * unknown .1.
 */
export function computeOutcomeTerm(memory: Memory): number {
  if (memory.kind === 'lesson' && memory.errorSignature) return memory.knowledge ? 1 : 0.8
  if (memory.kind === 'experience' && memory.lessons.length > 0) return 0.8
  return memory.outcome === 'failure' ? 0.8 : memory.outcome === 'success' ? 0.6 : 0.1
}

/** Calls lost until a failure was overcome that give half of the cost term. */
const COST_HALF_CALLS = 4

/** 0 to 1, from the calls that a failure cost until it was overcome. */
export const computeCostTerm = ({ knowledge }: Memory): number =>
  saturate(knowledge?.type === 'lesson' ? knowledge.record.cost : 0, COST_HALF_CALLS)
