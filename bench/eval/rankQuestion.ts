// Ranks every candidate for a question, before any threshold and budget, for the evaluation of questions.
import type { Store } from '../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../src/broker/policy/activePolicy.ts'
import { buildRecallQuery, gatherCandidates, type RecallRequest } from '../../src/broker/search/recallMemories.ts'
import type { MemoryId } from '../../src/model/id.ts'
import type { Policy } from '../../src/model/policy.ts'
import type { Features, RecallQuery } from '../../src/model/recallQuery.ts'
import { questionFeatures } from '../../src/recall/questionFeatures.ts'
import { rankByPolicy } from '../../src/recall/rankByPolicy.ts'
import { openSnapshotReader, type SearchReader } from '../../src/store/snapshot/snapshotReader.ts'

/** A candidate with its score and the features behind it. */
export interface RankedCandidate {
  readonly id: MemoryId
  readonly score: number
  readonly features: Features
}

/**
 * All candidates of the snapshot, best first, before any threshold and budget. The number of candidates is the larger
 * of `candidatesMax` and the policy's limit.
 */
export function rankQuestion(store: Store, request: RecallRequest, candidatesMax = 0): RankedCandidate[] {
  const { policy } = readActivePolicy(store)
  const { recall } = policy
  const wide = { ...policy, recall: { ...recall, candidatesMax: Math.max(candidatesMax, recall.candidatesMax) } }
  const reader = openSnapshotReader(store.files, store.layout)
  try {
    const query = buildRecallQuery(request)
    return rankCandidates(query, reader, wide, store).map(({ memory: { id }, score, features }) => ({
      id,
      score,
      features,
    }))
  } finally {
    reader.close()
  }
}

/** The candidates for a query, best first, without thresholds and budget. */
export const rankCandidates = (query: RecallQuery, reader: SearchReader, policy: Policy, store: Store) =>
  rankByPolicy(
    gatherCandidates(query, reader, policy, store),
    query,
    policy,
    query.moment === 'ask' ? questionFeatures(query) : undefined,
  )
