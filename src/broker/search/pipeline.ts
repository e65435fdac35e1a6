// The one search pipeline: candidates → visibility filter → features → ranking → selection. The query's moment chooses
// the stages.
//
//   moment     candidates               features        weights            selection
//   a hook's   findCandidates,          of work         recall.weights,    recall(): thresholds, budget,
//              prompt: also by                          prompt: prompted   what the session was shown
//              related sessions
//   ask        findQuestionCandidates   of work and     recall.asked       recall(), or the first `limit`
//                                       of the answer
//
// The first two stages are one: an index reader hands out only what the viewer may see. A hook runs the same functions
// without this file, which also loads the stages for questions.
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecallQuery } from '../../model/recallQuery.ts'
import { questionFeatures } from '../../recall/questionFeatures.ts'
import { type ExtraFeatures, type RankedCandidate, rankByPolicy } from '../../recall/rankByPolicy.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { findCandidates, type IndexedCandidate } from './candidates.ts'
import { findQuestionCandidates } from './questionCandidates.ts'
import { relatedIn } from './relatedWork.ts'

/** The candidates for a query, before ranking. */
export function gatherCandidates(
  query: RecallQuery,
  reader: SearchReader,
  policy: Policy,
  store: Store,
): readonly IndexedCandidate[] {
  return query.moment === 'ask'
    ? findQuestionCandidates(query, reader, policy).candidates
    : findCandidates(query, reader, policy, { findSessions: relatedIn(store) })
}

/** The features that only a question has. */
export const questionFeaturesFor = (query: RecallQuery): ExtraFeatures | undefined =>
  query.moment === 'ask' ? questionFeatures(query) : undefined

/** The candidates for a query, best first, without thresholds and budget. */
export const rankCandidates = (
  query: RecallQuery,
  reader: SearchReader,
  policy: Policy,
  store: Store,
): RankedCandidate[] =>
  rankByPolicy(gatherCandidates(query, reader, policy, store), query, policy, questionFeaturesFor(query))

interface SearchScope {
  /** How many are needed; the result may have more. */
  readonly limit: number
  /** The caller's filter, none by default. Hidden memories are never candidates. */
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
  /** Which ranked candidates count, all by default. */
  readonly isHit?: ((match: RankedCandidate) => boolean) | undefined
}

interface SearchRanking {
  /** Best first. */
  readonly hits: readonly RankedCandidate[]
  /** Factor of `features.coverage` for the share of the question's words that a memory has at least once. */
  readonly onceFactor: number
}

/** The memories for a question. If too few of the usual candidates count, more are ranked. */
export function searchQuestion(
  query: RecallQuery,
  reader: SearchReader,
  policy: Policy,
  scope: SearchScope,
): SearchRanking {
  const { limit, isWanted, isHit } = scope
  for (let candidatesMax = policy.recall.candidatesMax; ; candidatesMax *= 4) {
    const wide = { ...policy, recall: { ...policy.recall, candidatesMax } }
    const { candidates, isComplete, onceFactor } = findQuestionCandidates(query, reader, wide, isWanted)
    const order = rankByPolicy(candidates, query, wide, questionFeatures(query))
    const hits = isHit ? order.filter(isHit) : order
    if (isComplete || hits.length >= limit) return { hits, onceFactor }
  }
}

/** Whether a memory shares a word with the question; a neighbour may be a candidate without one. */
export const sharesWords = ({ features }: RankedCandidate): boolean => (features['coverage'] ?? 0) > 0
