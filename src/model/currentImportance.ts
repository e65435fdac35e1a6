// The importance terms of a memory now: counts have grown since it was made, novelty and the user's signal stay.
import { type ImportanceTerms, saturate } from './importance.ts'
import type { Memory } from './memory.ts'
import { daysBetween } from './strength.ts'

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

// Access score: the importance of the memory-tools spec. It counts how often and how recently a memory was opened.

/** Accesses that give half of the frequency part: 12 of them, the last just now, score .75 as in the spec's example. */
const FREQUENCY_HALF = 12

/** Days after which the recency part has halved. */
const RECENCY_HALF_LIFE_DAYS = 30

/**
 * 0 to 1: half of it frequency (n / (n + 12) for n accesses), half recency (halved every 30 days since the last access
 * or the creation). A new memory has .5, as in the spec's example. A pinned memory has the importance it is pinned at.
 */
export function computeAccessScore(
  memory: Pick<Memory, 'pinned' | 'importance' | 'accessCount' | 'lastUsed' | 'created'>,
  now: number,
): number {
  if (memory.pinned) return memory.importance
  const days = daysBetween(Date.parse(memory.lastUsed ?? memory.created), now)
  const score = 0.5 * saturate(memory.accessCount, FREQUENCY_HALF) + 0.5 * 0.5 ** (days / RECENCY_HALF_LIFE_DAYS)
  return Math.round(score * 1e4) / 1e4
}
