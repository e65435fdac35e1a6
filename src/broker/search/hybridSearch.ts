// The search of memory_search over a live store: by meaning, by words, or both. Memories that the caller may not see,
// or that the caller's filter rejects, are left out before ranking.
import { computeAccessScore } from '../../model/currentImportance.ts'
import type { Memory } from '../../model/memory.ts'
import type { Embedder } from '../../model/ports.ts'
import type { SEARCH_MODES, SEARCH_SORTS } from '../../model/recallQuery.ts'
import { compareValues } from '../../model/sorting.ts'
import { type LiveStore, type ViewingSession, visibilityFilter } from '../live/liveStore.ts'
import { type CachedDoc, openLiveIndex } from './liveIndex.ts'
import { findKeywordMatches, type KeywordMatch } from './recallMemories.ts'
import { createSemanticScorer, type SemanticScorer } from './semanticScorer.ts'

export interface SearchRequest extends ViewingSession {
  readonly query: string
  readonly mode: (typeof SEARCH_MODES)[number]
  /** The weight of words in a hybrid search, 0 to 1, by default 0; meaning has the rest. */
  readonly keywordWeight?: number
  /** How many at most. */
  readonly topK: number
  /** The least similarity, 0 to 1; a memory of similarity 0 is never found. */
  readonly similarityMin?: number
  /** The order of the results, by default that of relevance. */
  readonly sortBy?: (typeof SEARCH_SORTS)[number]
  /** The weight of importance in the choice of the best, 0 to 1, by default 0. */
  readonly importanceWeight?: number
  readonly passes: (memory: Memory) => boolean
  /** How much of its worth counts in the order, 0 to 1, by default 1. */
  readonly shareOf?: (memory: Memory) => number
  /** Ends the search early; it then throws CANCELLED. */
  readonly signal?: AbortSignal | undefined
}

export interface SearchHit {
  readonly memory: Memory
  /** How similar it is to the query, 0 to 1; docs/tools.md defines it for each mode. */
  readonly similarity: number
}

interface RankedHit extends SearchHit {
  /** Relevance and importance: what the hits are ranked by. */
  readonly worth: number
  /** Position in the ranking by words; the greatest number if the memory is not in it. */
  readonly rank: number
  /** Position among all memories, in the order in which they were made. */
  readonly position: number
}

/** Candidates by words if importance counts too: an important memory may match only a few words. */
const WEIGHTED_CANDIDATES = 1_000

const scorers = new WeakMap<LiveStore, SemanticScorer>()

/** The memories that match best, at most `topK`, ordered as requested. Counts no access and writes nothing. */
export async function hybridSearch(
  liveStore: LiveStore,
  request: SearchRequest,
  embedder?: Embedder,
): Promise<SearchHit[]> {
  const { mode, query, similarityMin = 0, topK, importanceWeight = 0, now } = request
  const index = openLiveIndex(liveStore)
  const byWords = mode === 'semantic' ? new Map<Memory['id'], KeywordMatch>() : matchWords(liveStore, request)
  const scorer = mode === 'keyword' ? undefined : scorerOf(liveStore, embedder)
  const docs = scorer
    ? await selectDocs(index.docs(), request, scorer)
    : index.docs().filter(({ memory }) => byWords.has(memory.id))
  const byMeaning = await scorer?.score(query, docs, request.signal)
  const share = mode === 'keyword' ? 1 : mode === 'semantic' ? 0 : (request.keywordWeight ?? 0)
  const combine = (words: number, meaning: number) => share * words + (1 - share) * meaning
  const weigh = (relevance: number, importance: number) =>
    (1 - importanceWeight) * relevance + importanceWeight * importance
  const hits = docs.flatMap(({ memory }, position): RankedHit[] => {
    const meaning = byMeaning?.[position] ?? 0
    const words = byWords.get(memory.id)
    const similarity = combine(words?.coverage ?? 0, meaning)
    if (similarity <= 0 || similarity < similarityMin) return []
    const importance = importanceWeight === 0 ? 0 : computeAccessScore(memory, now)
    const worth = weigh(combine(words?.relevance ?? 0, meaning), importance) * (request.shareOf?.(memory) ?? 1)
    return [{ memory, similarity, worth, rank: words?.rank ?? Number.MAX_SAFE_INTEGER, position }]
  })
  const best = hits.sort(compareHits).slice(0, topK)
  return sortHits(best, request).map(({ memory, similarity }) => ({
    memory,
    similarity: Math.round(similarity * 1e4) / 1e4,
  }))
}

function matchWords(
  liveStore: LiveStore,
  { query: text, topK, importanceWeight = 0, passes: isWanted, session, role, agentId, now }: SearchRequest,
): ReadonlyMap<Memory['id'], KeywordMatch> {
  const limit = importanceWeight === 0 ? topK : Math.max(topK, WEIGHTED_CANDIDATES)
  const request = { text, session, role, agentId, now }
  return findKeywordMatches(liveStore.store, openLiveIndex(liveStore).reader(), request, { limit, isWanted })
}

/** The documents to compare. By meaning alone only the nearest ones can be results. */
async function selectDocs(docs: readonly CachedDoc[], request: SearchRequest, scorer: SemanticScorer) {
  const { mode, importanceWeight = 0, query, topK, passes, signal } = request
  const isVisible = visibilityFilter(request)
  const eligible = docs.filter(({ memory }) => isVisible(memory) && !memory.questionOnly && passes(memory))
  return mode === 'semantic' && importanceWeight === 0 ? scorer.preselect(query, eligible, topK, signal) : eligible
}

function scorerOf(liveStore: LiveStore, embedder: Embedder | undefined): SemanticScorer {
  const known = scorers.get(liveStore)
  if (known) return known
  const scorer = createSemanticScorer(liveStore, embedder)
  scorers.set(liveStore, scorer)
  return scorer
}

/** Best first; then by the ranking by words, then the newer, so that the order is always the same. */
const compareHits = (a: RankedHit, b: RankedHit): number => b.worth - a.worth || a.rank - b.rank || byAge(a, b)

/** The newer first; of the same millisecond the one that is later in the log. */
const byAge = (a: RankedHit, b: RankedHit): number =>
  compareValues(b.memory.created, a.memory.created) || b.position - a.position

function sortHits(hits: readonly RankedHit[], { sortBy, now }: SearchRequest): readonly RankedHit[] {
  if (sortBy === 'created_at') return hits.toSorted(byAge)
  if (sortBy !== 'importance') return hits
  return hits.toSorted(
    (a, b) => computeAccessScore(b.memory, now) - computeAccessScore(a.memory, now) || compareHits(a, b),
  )
}
