// Scores memories by words, in the ranking of `memctl search`: their relevance, and their share of the question's
// words.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { searchQuestion, sharesWords } from './pipeline.ts'
import { buildRecallQuery } from './recallMemories.ts'

export interface KeywordMatch {
  readonly memory: Memory
  /** Its share of the question's words, weighted by their rarity, 0 to 1. */
  readonly coverage: number
  /** 0 to 1, in the order of the ranking; scaled so that the best gets the greatest coverage of all. */
  readonly relevance: number
  /** Its position in the ranking, from 0. */
  readonly rank: number
}

interface KeywordQuery {
  readonly text: string
  readonly limit: number
  readonly session: string | undefined
  readonly role?: string | undefined
  readonly agentId?: string | undefined
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The best memories that share a word with the question, at least `limit` if there are as many, by id. */
export function findKeywordMatches(
  store: Store,
  reader: SearchReader,
  { text, limit, session, role, agentId, isWanted, now }: KeywordQuery,
): ReadonlyMap<MemoryId, KeywordMatch> {
  const { policy } = readActivePolicy(store)
  const query = buildRecallQuery({ text, role, agentId, now }, 'ask', session)
  const { hits, onceFactor } = searchQuestion(query, reader, policy, { limit, isWanted, isHit: sharesWords })
  const coverages = hits.map(({ features }) => Math.min(1, onceFactor * (features['coverage'] ?? 0)))
  const best = hits[0]?.score ?? 0
  const scale = best > 0 ? Math.max(...coverages) / best : 0
  return new Map(
    hits.map(({ load, score }, rank) => {
      const memory = load()
      const relevance = Math.max(0, scale * score)
      return [memory.id, { memory, coverage: coverages[rank] ?? 0, relevance, rank }]
    }),
  )
}
