// Ranks every candidate for a question, before any threshold and budget, for the evaluation of questions.
import { acquireReader, releaseReader, type Store } from '../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../src/broker/policy/activePolicy.ts'
import { buildRecallQuery, type RecallRequest, rankCandidates } from '../../src/broker/search/recallMemories.ts'
import type { MemoryId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import type { Features } from '../../src/model/recallQuery.ts'

/** A candidate with its score and the features behind it. */
export interface RankedCandidate {
  readonly id: MemoryId
  readonly score: number
  readonly features: Features
  readonly memory: () => Memory
}

/**
 * All candidates of the snapshot, best first, before any threshold and budget. The number of candidates is the larger
 * of `candidatesMax` and the policy's limit.
 */
export function rankQuestion(store: Store, request: RecallRequest, candidatesMax = 0): RankedCandidate[] {
  const { policy } = readActivePolicy(store)
  const { recall } = policy
  const wide = { ...policy, recall: { ...recall, candidatesMax: Math.max(candidatesMax, recall.candidatesMax) } }
  const reader = acquireReader(store)
  try {
    const query = buildRecallQuery(request, request.moment ?? 'ask')
    return rankCandidates(query, reader, wide, store).map(({ memory, score, features, load }) => ({
      id: memory.id,
      score,
      features,
      memory: load,
    }))
  } finally {
    releaseReader(reader)
  }
}
