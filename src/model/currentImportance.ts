// The importance terms of a memory now: counts have grown since it was made, novelty and the user's signal stay.
import { COST_HALF_MS, type ImportanceTerms, saturate } from './importance.ts'
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
export const countRepeats = ({ sessionCount, lesson }: Memory): number =>
  Math.max(sessionCount, lesson?.failures ?? 1) - 1

/**
 * A failure that was fixed 1, a failure or a task with lessons .8, success .6 (a check passed or the user was content),
 * unknown .1.
 */
export function computeOutcomeTerm(memory: Memory): number {
  if (memory.kind === 'lesson' && memory.errorSignature) return memory.lesson?.fix ? 1 : 0.8
  if (memory.kind === 'experience' && memory.lessons.length > 0) return 0.8
  return memory.outcome === 'failure' ? 0.8 : memory.outcome === 'success' ? 0.6 : 0.1
}

/** 0 to 1, from the time that a lesson's fix took. */
export const computeCostTerm = (memory: Memory): number => saturate(memory.lesson?.costMs ?? 0, COST_HALF_MS)
