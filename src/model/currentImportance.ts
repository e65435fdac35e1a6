// The terms of a memory's importance as they stand now: what is counted has grown, what it was at first stays.
import { COST_HALF_MS, type ImportanceTerms, saturate } from './importance.ts'
import type { Memory } from './memory.ts'

/** The terms of a memory met again: novelty and the user's signal stay what they were, use and meetings have grown. */
export function currentImportanceTerms(memory: Memory): ImportanceTerms {
  const first = memory.importanceTerms
  const repeats = memory.sessionCount - 1
  return {
    outcome: computeOutcomeTerm(memory),
    reuse: saturate(memory.accessCount + repeats, 1),
    crossImpact: saturate(memory.meetings + repeats, 2),
    novelty: first?.novelty ?? 0.5,
    userSignal: first?.userSignal ?? 0,
    costSaved: Math.max(first?.costSaved ?? 0, computeCostTerm(memory)),
  }
}

/** A failure that was mended 1, a failure .8, success .6 (a check passed or the person was content), unknown .1. */
export function computeOutcomeTerm(memory: Memory): number {
  if (memory.kind === 'lesson' && memory.errorSignature) return memory.lesson?.fix ? 1 : 0.8
  return memory.outcome === 'failure' ? 0.8 : memory.outcome === 'success' ? 0.6 : 0.1
}

export const computeCostTerm = (memory: Memory): number => saturate(memory.lesson?.costMs ?? 0, COST_HALF_MS)
