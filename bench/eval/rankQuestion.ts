// Ranks every candidate for a question, before any threshold and budget: what the evaluation of questions looks at.

import { servingPolicy } from '../../src/broker/policy/served.ts'
import { type Question, questionCue } from '../../src/broker/search/ask.ts'
import { closeReader, readerFor } from '../../src/broker/search/indexReaderCache.ts'
import { rankCandidates } from '../../src/broker/search/pipeline.ts'
import type { Store } from '../../src/broker/store.ts'
import type { Features } from '../../src/model/cue.ts'
import type { MemoryId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'

/** Where a candidate ranks, and by what. */
export interface RankedCandidate {
  readonly id: MemoryId
  readonly score: number
  readonly features: Features
  readonly memory: () => Memory
}

/**
 * Every candidate of the snapshot in its rank, before any threshold and budget. `candidatesMax` is the policy's unless more
 * are asked for.
 */
export function rankQuestion(store: Store, question: Question, candidatesMax = 0): RankedCandidate[] {
  const { policy } = servingPolicy(store)
  const { recall } = policy
  const wide = { ...policy, recall: { ...recall, candidatesMax: Math.max(candidatesMax, recall.candidatesMax) } }
  const shelf = readerFor(store)
  try {
    const cue = questionCue(question, question.moment ?? 'ask')
    return rankCandidates(cue, shelf, wide, store).map(({ memory, score, features, whole }) => ({
      id: memory.id,
      score,
      features,
      memory: whole,
    }))
  } finally {
    closeReader(shelf)
  }
}
