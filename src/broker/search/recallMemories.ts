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

import type { MemoryId, SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecalledMemory, RecallMoment, RecallQuery, RecallResult } from '../../model/recallQuery.ts'
import { questionFeatures } from '../../recall/questionFeatures.ts'
import { type RankedCandidate, rankByPolicy } from '../../recall/rankByPolicy.ts'
import { recall } from '../../recall/recall.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { commandShape } from '../../text/command.ts'
import { errorSignature } from '../../text/errorSignature.ts'
import { findFilePaths } from '../../text/filePaths.ts'
import { findBranchReference, findTaskReference, normalizeTaskId } from '../../text/taskReference.ts'
import type { LiveStore, ViewingSession } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { listMemories, type MemoryFilter, matchesFilter } from '../queries/browse.ts'
import { findCandidates, policyForMoment, relatedIn } from './candidates.ts'
import { withReader } from './liveIndex.ts'
import { findQuestionCandidates } from './questionCandidates.ts'

export function gatherCandidates(query: RecallQuery, reader: SearchReader, policy: Policy, store: Store) {
  return query.moment === 'ask'
    ? findQuestionCandidates(query, reader, policy).candidates
    : findCandidates(query, reader, policy, { findSessions: relatedIn(store) })
}

interface SearchScope {
  /** How many are needed; the result may have more. */
  readonly limit: number
  /** The caller's filter, none by default. Hidden memories are never candidates. */
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
  /** Which ranked candidates count, all by default. */
  readonly isHit?: ((match: RankedCandidate) => boolean) | undefined
}

/** The memories for a question, the best first. If too few of the usual candidates count, more are ranked. */
export function searchQuestion(query: RecallQuery, reader: SearchReader, policy: Policy, scope: SearchScope) {
  const { limit, isWanted, isHit } = scope
  for (let candidatesMax = policy.recall.candidatesMax; ; candidatesMax *= 4) {
    const wide = { ...policy, recall: { ...policy.recall, candidatesMax } }
    const { candidates, isComplete, onceFactor } = findQuestionCandidates(query, reader, wide, isWanted)
    const order = rankByPolicy(candidates, query, wide, questionFeatures(query))
    const hits = isHit ? order.filter(isHit) : order
    // `onceFactor` makes `features.coverage` the share of the question's words that a memory has at least once.
    if (isComplete || hits.length >= limit) return { hits, onceFactor }
  }
}

/** Whether a memory shares a word with the question; a neighbour may be a candidate without one. */
export const sharesWords = ({ features }: RankedCandidate): boolean => (features['coverage'] ?? 0) > 0

// Recall outside of hooks: what a hook would inject, or a ranked list. It changes no counters and writes nothing.

/** A question for a recall. What is left out is not searched for. */
export interface RecallQuestion {
  /** A question or a prompt; may be empty. */
  readonly text: string
  /** Paths of files the work is about; default: those that the text names. */
  readonly files?: readonly string[] | undefined
  /** A shell command that is about to be run. */
  readonly command?: string | undefined
  /** The text of an error. */
  readonly error?: string | undefined
  /** The git branch of the work. */
  readonly branch?: string | undefined
  /** The issue or task that it is about; default: the one that the text or the branch names. */
  readonly taskId?: string | undefined
  /** The moment whose thresholds and budget are used; default: ask. */
  readonly moment?: RecallMoment | undefined
  /** The largest number of memories, from 1; default: as in the policy. */
  readonly topK?: number | undefined
}

export interface RecallRequest extends RecallQuestion, Pick<ViewingSession, 'role' | 'agentId' | 'now'> {
  /** The session for which it recalls: working memories of other sessions are hidden. */
  readonly session?: string | undefined
}

/**
 * What a hook would inject for a request. `openLive` gives the live store of a long-running process; without it one is
 * opened if the log is ahead of the snapshot.
 */
export function recallMemories(store: Store, request: RecallRequest, openLive?: () => LiveStore): RecallResult {
  const { policy } = readActivePolicy(store)
  const query = buildRecallQuery(request)
  const { moment } = query
  const limits = { ...policy.recall.moments[moment], ...(request.topK && { topK: request.topK }) }
  const adjusted = { ...policy, recall: { ...policy.recall, moments: { ...policy.recall.moments, [moment]: limits } } }
  const isQuestion = moment === 'ask'
  return withReader(
    store,
    (reader) => {
      const narrowed = isQuestion ? adjusted : policyForMoment(adjusted, moment)
      const candidates = gatherCandidates(query, reader, narrowed, store)
      const extraFeatures = isQuestion ? questionFeatures(query) : undefined
      return recall({ query, candidates, policy: adjusted, alreadyShown: () => new Set(), extraFeatures })
    },
    openLive,
  )
}

interface SearchQuery extends MemoryFilter, Pick<RecallRequest, 'text' | 'role' | 'agentId' | 'now'> {
  readonly limit: number
  /** The session of the viewer; that of the filter is where a memory is from. */
  readonly viewerSession?: string | undefined
  /** Also, after the others, what a list shows with all these words as they are typed: for a person. */
  readonly withListed?: boolean
}

/**
 * The memories for some words, best first, at most `limit`: the order of `ask`, without thresholds and budget. If none
 * has any of the words, those with words of the same meaning.
 */
export function searchByWords(store: Store, query: SearchQuery, openLive?: () => LiveStore): RecalledMemory[] {
  const { policy } = readActivePolicy(store)
  const { text, role, agentId, viewerSession, withPrivate, now } = query
  const own = buildRecallQuery({ text, role, agentId, session: viewerSession, now })
  const recallQuery = withPrivate ? { ...own, viewer: { ...own.viewer, isPerson: true as const } } : own
  // Which private memories the viewer sees is decided by the query.
  const filter = { ...query, withPrivate: true }
  const isWanted = query.kinds || query.tiers ? (memory: Memory) => matchesFilter(memory, filter) : undefined
  const ranked = withReader(
    store,
    (reader) => {
      const search = query.withListed ? searchQuestion : searchOrExpand
      const { hits } = search(recallQuery, reader, policy, { limit: query.limit, isWanted })
      return hits
        .slice(0, query.limit)
        .map(({ load, score, features, breakdown }) => ({ memory: load(), score, features, breakdown }))
    },
    openLive,
  )
  if (!query.withListed || ranked.length === query.limit) return ranked
  const known = new Set(ranked.map(({ memory }) => memory.id))
  const others = findAsTyped(store, query).filter(({ id }) => !known.has(id))
  const found = [...ranked, ...others.map((memory) => ({ memory, ...AS_TYPED }))]
  return found.length > 0
    ? found.slice(0, query.limit)
    : searchByWords(store, { ...query, withListed: false }, openLive)
}

/** It has all words, and no place in a ranking. */
const AS_TYPED = { score: 0, features: { coverage: 1 }, breakdown: { coverage: 0 } }

/** The listed memories with all these words, the latest first: also replaced ones, and those that only ask for them. */
function findAsTyped(store: Store, query: SearchQuery): Memory[] {
  const fold = (words: string): string => words.normalize('NFKC').toLowerCase()
  const words = fold(query.text).split(/\s+/).filter(Boolean)
  return listMemories(store, query).filter(({ content, knowledge, searchText = '' }) => {
    const folded = fold(`${knowledge?.line ?? ''}\n${content}\n${searchText}`)
    return words.every((word) => folded.includes(word))
  })
}

/** The memories for a question; if none has its words, those with words of the same meaning, as a prompt finds them. */
function searchOrExpand(query: RecallQuery, reader: SearchReader, policy: Policy, scope: SearchScope) {
  const ranking = searchQuestion(query, reader, policy, scope)
  if (ranking.hits.length > 0) return ranking
  const found = findCandidates({ ...query, moment: 'prompt' }, reader, policy)
  const { isWanted = () => true } = scope
  const candidates = found.filter(({ match, load }) => match.coverage > 0 && isWanted(load()))
  return { ...ranking, hits: rankByPolicy(candidates, query, policy, ({ match: { coverage } }) => ({ coverage })) }
}

export function buildRecallQuery(request: RecallRequest): RecallQuery {
  const { text, files, command, error, branch, taskId, role, agentId, session, now } = request
  return {
    moment: request.moment ?? 'ask',
    text: [text, command, error].filter(Boolean).join('\n'),
    files: files ?? findFilePaths(text),
    commandShape: command ? commandShape(command) : undefined,
    errorSignature: error ? errorSignature('Bash', error) : undefined,
    branch,
    taskId: taskId === undefined ? (findTaskReference(text) ?? findBranchReference(branch)) : normalizeTaskId(taskId),
    session: session as SessionId | undefined,
    viewer: { role: role ?? 'main', agentId, session },
    now,
  }
}

export interface KeywordMatch {
  /** Its share of the question's words, weighted by their rarity, 0 to 1. */
  readonly coverage: number
  /** 0 to 1, in the order of the ranking; scaled so that the best gets the greatest coverage of all. */
  readonly relevance: number
  /** Its position in the ranking, from 0. */
  readonly rank: number
}

/** The best memories with a word of the question, else of the same meaning: `limit` if there are as many, by id. */
export function findKeywordMatches(
  store: Store,
  reader: SearchReader,
  request: RecallRequest,
  scope: Omit<SearchScope, 'isHit'>,
): ReadonlyMap<MemoryId, KeywordMatch> {
  const { policy } = readActivePolicy(store)
  const own = { ...scope, isHit: sharesWords }
  const { hits, onceFactor } = searchOrExpand(buildRecallQuery(request), reader, policy, own)
  const coverages = hits.map(({ features }) => Math.min(1, onceFactor * (features['coverage'] ?? 0)))
  const best = hits[0]?.score ?? 0
  const scale = best > 0 ? Math.max(...coverages) / best : 0
  return new Map(
    hits.map(({ memory, score }, rank) => [
      memory.id,
      { coverage: coverages[rank] ?? 0, relevance: Math.max(0, scale * score), rank },
    ]),
  )
}
