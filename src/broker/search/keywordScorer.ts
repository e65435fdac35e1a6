// Scores memories by words, as `memctl search` ranks them: how relevant each is, and how many of the question's words it has.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { searchQuestion, sharesWords } from './pipeline.ts'
import { buildRecallQuery } from './recallMemories.ts'

export interface KeywordMatch {
  readonly memory: Memory
  /** The share of the question's words, weighed by their rarity, that it has, 0 to 1. */
  readonly coverage: number
  /** 0 to 1, in the order of the ranking: scaled so that the best has the greatest coverage of all. */
  readonly relevance: number
  /** Its place in the ranking, from 0 on. */
  readonly rank: number
}

interface KeywordQuery {
  readonly text: string
  readonly limit: number
  readonly session: string | undefined
  readonly role?: string | undefined
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memories that share a word with the question, by their ids. */
export function findKeywordMatches(
  store: Store,
  reader: SearchReader,
  { text, limit, session, role, isWanted, now }: KeywordQuery,
): ReadonlyMap<MemoryId, KeywordMatch> {
  const { policy } = readActivePolicy(store)
  const query = buildRecallQuery({ text, role, now }, 'ask', session)
  const { hits, onceFactor } = searchQuestion(query, reader, policy, { limit, isWanted, isHit: sharesWords })
  const coverages = hits.map(({ features }) => Math.min(1, onceFactor * features['coverage']!))
  const best = hits[0]?.score ?? 0
  const scale = best > 0 ? coverages.reduce((most, coverage) => Math.max(most, coverage), 0) / best : 0
  return new Map(
    hits.map(({ load, score }, rank) => {
      const memory = load()
      const relevance = Math.max(0, scale * score)
      return [memory.id, { memory, coverage: coverages[rank]!, relevance, rank }]
    }),
  )
}
