// The search of memory_search over a live store: by meaning, by words, or both. What the caller may not see, and what the caller's filter
// refuses, is left out before ranking.
import { computeAccessScore } from '../../model/accessScore.ts'
import type { Memory } from '../../model/memory.ts'
import type { Embedder } from '../../model/ports.ts'
import { TopK } from '../../store/index/topK.ts'
import type { LiveStore } from '../live/liveStore.ts'
import { type ViewingSession, visibilityFilter } from '../live/visibility.ts'
import type { CachedDoc } from './docCache.ts'
import { findKeywordMatches, type KeywordMatch } from './keywordScorer.ts'
import { openLiveIndex } from './liveReader.ts'
import type { SEARCH_MODES, SEARCH_SORTS } from './searchOptions.ts'
import { createSemanticScorer, type SemanticScorer } from './semanticScorer.ts'

export interface SearchRequest extends ViewingSession {
  readonly query: string
  readonly mode: (typeof SEARCH_MODES)[number]
  /** The words' part in a hybrid search, 0 to 1; the meaning has the rest. */
  readonly keywordWeight: number
  /** How many at most. */
  readonly topK: number
  /** The least similarity, 0 to 1; what has none at all is never found. */
  readonly similarityMin: number
  /** In which order those found are given. */
  readonly sortBy: (typeof SEARCH_SORTS)[number]
  /** The importance's part in being found among the best, 0 to 1. */
  readonly importanceWeight: number
  readonly passes: (memory: Memory) => boolean
}

export interface SearchHit {
  readonly memory: Memory
  /** How similar it is to the query, 0 to 1; see docs/tools.md for each mode. */
  readonly similarity: number
}

interface RankedHit extends SearchHit {
  /** What it is ranked by: relevance and importance. */
  readonly worth: number
  /** Its place in the ranking by words; after all of those where it has none. */
  readonly rank: number
  /** Its place among all, in the order in which they were made. */
  readonly place: number
}

const scorers = new WeakMap<LiveStore, SemanticScorer>()

/** The memories that match best, at most `topK`, then ordered as requested. Counts nothing and writes nothing. */
export async function hybridSearch(
  liveStore: LiveStore,
  request: SearchRequest,
  embedder?: Embedder,
): Promise<SearchHit[]> {
  const { mode, query, keywordWeight, similarityMin, topK, session, role, now } = request
  const index = openLiveIndex(liveStore)
  const byWords =
    mode === 'semantic'
      ? NO_MATCHES
      : findKeywordMatches(liveStore.store, index.reader(), {
          text: query,
          limit: request.importanceWeight === 0 ? topK : Math.max(topK, WEIGHED_MIN),
          session,
          role,
          isWanted: request.passes,
          now,
        })
  const docs =
    mode === 'keyword'
      ? index.docs().filter(({ memory }) => byWords.has(memory.id))
      : eligibleDocs(index.docs(), request)
  const byMeaning = mode === 'keyword' ? undefined : await scorerOf(liveStore, embedder).score(query, docs)
  const share = mode === 'keyword' ? 1 : mode === 'semantic' ? 0 : keywordWeight
  const best = new TopK<RankedHit>(topK, compareHits)
  docs.forEach(({ memory }, place) => {
    const words = byWords.get(memory.id)
    const near = byMeaning?.[place] ?? 0
    const similarity = share * (words?.coverage ?? 0) + (1 - share) * near
    if (similarity <= 0 || similarity < similarityMin) return
    const worth = worthOf(memory, share * (words?.relevance ?? 0) + (1 - share) * near, request)
    // Most are far from the best: not even a value is made of them.
    if (best.worst && worth < best.worst.worth) return
    best.push({ memory, similarity, worth, rank: words?.rank ?? Number.MAX_SAFE_INTEGER, place })
  })
  return sortHits(best.toArray(), request).map(({ memory, similarity }) => ({
    memory,
    similarity: rounded(similarity),
  }))
}

/** So many memories that match by words are considered where importance counts too: the most important may match little. */
const WEIGHED_MIN = 1_000

const NO_MATCHES: ReadonlyMap<Memory['id'], KeywordMatch> = new Map()

function eligibleDocs(docs: readonly CachedDoc[], request: SearchRequest): readonly CachedDoc[] {
  const isVisible = visibilityFilter(request)
  return docs.filter(({ memory }) => isVisible(memory) && request.passes(memory))
}

function scorerOf(liveStore: LiveStore, embedder: Embedder | undefined): SemanticScorer {
  const known = scorers.get(liveStore)
  if (known) return known
  const scorer = createSemanticScorer(liveStore, embedder)
  scorers.set(liveStore, scorer)
  return scorer
}

const worthOf = (memory: Memory, relevance: number, { importanceWeight, now }: SearchRequest): number =>
  importanceWeight === 0
    ? relevance
    : (1 - importanceWeight) * relevance + importanceWeight * computeAccessScore(memory, now)

/** Best first; then by the ranking by words, then the newer, so that one question has one answer. */
const compareHits = (a: RankedHit, b: RankedHit): number => b.worth - a.worth || a.rank - b.rank || byAge(a, b)

/** The newer first; of one millisecond the one that the log has later. */
const byAge = (a: RankedHit, b: RankedHit): number =>
  a.memory.created < b.memory.created ? 1 : a.memory.created > b.memory.created ? -1 : b.place - a.place

function sortHits(hits: readonly RankedHit[], { sortBy, now }: SearchRequest): readonly RankedHit[] {
  switch (sortBy) {
    case 'relevance':
      return hits
    case 'importance':
      return hits.toSorted(
        (a, b) => computeAccessScore(b.memory, now) - computeAccessScore(a.memory, now) || compareHits(a, b),
      )
    case 'created_at':
      return hits.toSorted(byAge)
  }
}

const rounded = (similarity: number): number => Math.round(similarity * 1e4) / 1e4
