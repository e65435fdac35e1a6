// The first stage of every search: the candidates that the index finds for a query and the viewer may see, with their
// match scores. Hooks load this file; what only questions need is in questionCandidates.ts.
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecallMoment, RecallQuery } from '../../model/recallQuery.ts'
import { buildQueryTerms, sessionTerm, TERM_GROUPS, type TermGroup, taskTerm } from '../../recall/indexTerms.ts'
import { canRecall, type MatchScores, type RecallCandidate } from '../../recall/recallCandidate.ts'
import {
  findRelatedSessions,
  findSessionsNearFile,
  type RelatedSessions,
  type SessionFileIndex,
} from '../../recall/sessionFileIndex.ts'
import { readJson } from '../../store/disk/readJson.ts'
import type { ExpansionQuery, QueryScores, QueryTerm } from '../../store/index/bm25.ts'
import { hashName, hashNames, type MemoryRow } from '../../store/snapshot/memoryRow.ts'
import type { DocRef, SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { findTaskReference } from '../../text/taskReference.ts'
import { extractExpansionKeys, extractQueryTerms, isCjkTerm } from '../../text/terms/extractTerms.ts'
import type { Store } from '../open/openStore.ts'

/**
 * Weight of each group's terms in the choice of candidates; ranking has its own. A speaker alone makes no candidate.
 */
export const GATHER_WEIGHTS: { readonly [Group in TermGroup]: number } = {
  words: 1,
  files: 1,
  command: 0.7,
  error: 2,
  branch: 0.4,
  speaker: 1e-4,
  // The work of a session is enough to make its summary a candidate, and the issue that a prompt names its work.
  work: 2,
}

/** A pair of Japanese or Chinese characters repeats what its characters match. */
const PAIR_WEIGHT = 0.4

/**
 * So does a word with a hyphen, as its parts are queried too. Paths, flags and names of code are worth more as a whole.
 */
const HYPHENED_WEIGHT = 0.1
const HYPHENED = /^[a-z0-9]+(?:-[a-z0-9]+)+$/

export const WORD_GROUP = TERM_GROUPS.indexOf('words')
const FILES = TERM_GROUPS.indexOf('files')
const COMMAND = TERM_GROUPS.indexOf('command')
const ERROR = TERM_GROUPS.indexOf('error')
const BRANCH = TERM_GROUPS.indexOf('branch')
const WORK = TERM_GROUPS.indexOf('work')

/**
 * Postings a hook reads at most. 40,000 would take up to a millisecond more, and change 2 of the 79 notes that 40
 * prompts among 10,000 memories show.
 */
const POSTINGS_MAX = 20_000

/** The group of expansions: after those of the terms. */
const EXPANSION_GROUP = TERM_GROUPS.length

const buildExpansionQuery = ({ text }: RecallQuery, words: Iterable<string>, { expansion }: Policy) =>
  expansion.weight > 0
    ? { keys: extractExpansionKeys(text, words), weight: expansion.weight, group: EXPANSION_GROUP }
    : undefined

/** The share of candidates that may come from sessions with related work. */
const WORK_SHARE = 0.25

/** A candidate from the index: ranked by its row; its text is read only if it is shown. */
export type IndexedCandidate = RecallCandidate & { readonly load: () => Memory }

/** What the index finds for a query and its viewer. */
export interface Retrieval {
  readonly scores: QueryScores
  readonly isVisible: IsVisible
  /** Whether a document may be a candidate, beside being visible. */
  readonly isEligible: IsVisible
  /** The best by total score. */
  readonly best: readonly DocRef[]
  rowAt(ref: DocRef): MemoryRow
}

/** Whether the viewer may see a document. */
export type IsVisible = (segment: number, doc: number) => boolean

/** The `wanted` sessions whose work is nearest to a query of these words; undefined if no work is known. */
export type FindNearestSessions = (
  query: RecallQuery,
  words: Iterable<string>,
  wanted: number,
) => RelatedSessions | undefined

interface CandidateOptions {
  readonly findSessions?: FindNearestSessions | undefined
  /** Memories of the query's session that this conversation must not be shown; none by default. */
  readonly isExcluded?: ((row: MemoryRow) => boolean) | undefined
}

/** The best visible candidates for a hook's query, at most `candidatesMax` of the policy. */
export function findCandidates(
  query: RecallQuery,
  reader: SearchReader,
  policy: Policy,
  { findSessions, isExcluded }: CandidateOptions = {},
): IndexedCandidate[] {
  const { candidatesMax } = policy.recall
  const words = extractQueryTerms(query.text)
  const terms = buildIndexQuery(query, words)
  const wanted = Math.ceil(WORK_SHARE * candidatesMax)
  const related = findSessions?.(query, words.keys(), wanted)
  for (const session of related?.nearest.slice(0, wanted) ?? [])
    terms.push({ term: sessionTerm(session), weight: GATHER_WEIGHTS.work, group: WORK })
  const task = query.moment === 'prompt' ? findTaskReference(query.text) : undefined
  if (task !== undefined) terms.push({ term: taskTerm(task), weight: GATHER_WEIGHTS.work, group: WORK })
  const { best, scores, rowAt } = retrieve(query, reader, terms, {
    max: candidatesMax,
    postingsMax: POSTINGS_MAX,
    isExcluded,
    expansion: buildExpansionQuery(query, words.keys(), policy),
  })
  // A prompt in other words has hardly a word of the memory: in its relevance they count as the words themselves.
  const meant = query.moment === 'prompt' ? 1 / policy.expansion.weight : 1
  const matchAt = matchFeatures(best, scores, reader, meant)
  return best.map((ref) => ({
    memory: rowAt(ref),
    match: matchAt(ref),
    work: related?.sessionFeatures(reader.sessionHashAt(ref)),
    load: () => reader.memoryAt(ref),
  }))
}

/** Candidates ranked for each note that may be shown: to rank fifty for two notes takes a cold process 2 ms. */
const CANDIDATES_A_NOTE = 8

/** The policy with only as many candidates as the moment can use. */
export function policyForMoment(policy: Policy, moment: RecallMoment): Policy {
  const candidatesMax = Math.min(policy.recall.candidatesMax, CANDIDATES_A_NOTE * policy.recall.moments[moment].topK)
  return { ...policy, recall: { ...policy.recall, candidatesMax } }
}

interface RetrieveOptions {
  readonly max: number
  readonly postingsMax?: number
  readonly expansion?: ExpansionQuery | undefined
  /** A caller's own filter: only these become candidates. */
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
  /** Decided by the row: these memories of the query's session become no candidates. */
  readonly isExcluded?: ((row: MemoryRow) => boolean) | undefined
}

/**
 * Queries the index. Hidden memories are left out before ranking, so that they take no place and influence no order.
 */
export function retrieve(
  query: RecallQuery,
  reader: SearchReader,
  terms: readonly QueryTerm[],
  { max, postingsMax, expansion, isWanted, isExcluded }: RetrieveOptions,
): Retrieval {
  const scores = reader.score(terms, { postingsMax, expansion })
  const { role, agentId } = query.viewer
  const names = hashNames('main', role, query.branch, query.taskId, query.session)
  // Compared as a number: of most rows the session need not become a text.
  const session = hashName(query.session)
  if (agentId !== undefined) names.set(hashName(agentId.toLowerCase()), agentId)
  const rows = reader.docCounts.map(() => new Map<number, MemoryRow>())
  // For a public memory its row is enough to decide.
  const isVisible: IsVisible = (segment, doc) => {
    if (rows[segment]!.has(doc)) return true
    if (!reader.hasDoc({ segment, doc })) return false
    const row = reader.rowAt({ segment, doc }, names)
    if (isExcluded && reader.sessionHashAt({ segment, doc }) === session && isExcluded(row)) return false
    if (!canRecall(query, row.privacy === 'public' ? row : reader.memoryAt({ segment, doc }))) return false
    rows[segment]!.set(doc, row)
    return true
  }
  const isEligible: IsVisible = (segment, doc) =>
    isVisible(segment, doc) &&
    (query.moment !== 'ask' || !rows[segment]?.get(doc)?.questionOnly) &&
    (isWanted === undefined || isWanted(reader.memoryAt({ segment, doc })))
  const best = scores.topDocs(max, isEligible)
  return { scores, isVisible, isEligible, best, rowAt: ({ segment, doc }) => rows[segment]!.get(doc)! }
}

/** The index terms of a query whose text has these words; words in `without` are left out. */
export function buildIndexQuery(
  query: RecallQuery,
  words: ReadonlyMap<string, number>,
  without: ReadonlySet<string> = new Set(),
): QueryTerm[] {
  const byGroup = buildQueryTerms(query, words)
  const terms: QueryTerm[] = []
  TERM_GROUPS.forEach((name, group) => {
    for (const [term, count] of byGroup[name]) {
      if (group === WORD_GROUP && without.has(term)) continue
      const factor = group === WORD_GROUP ? wordWeight(term) : 1
      terms.push({ term, weight: count * GATHER_WEIGHTS[name] * factor, group })
    }
  })
  return terms
}

function wordWeight(term: string): number {
  if (term.length === 2 && isCjkTerm(term)) return PAIR_WEIGHT
  return term.indexOf('-', 1) !== -1 && HYPHENED.test(term) ? HYPHENED_WEIGHT : 1
}

/** The match scores of each of these documents. `meant` is the weight in `coverage` of words of the same meaning. */
export function matchFeatures(refs: readonly DocRef[], scores: QueryScores, reader: SearchReader, meant = 1) {
  const wordsMax = scores.maxGroupScore(WORD_GROUP)
  const sessions = sessionScores(refs, scores, reader)
  return (ref: DocRef): MatchScores => {
    const offset = scores.offsetOf(ref.segment, ref.doc)
    const words = scoreOfWords(scores, ref)
    const others = scores.groupScore(ref.segment, ref.doc, EXPANSION_GROUP)
    const about = others > 0 ? words + (meant - 1) * others : words
    return {
      words,
      window: 0,
      session: sessions.get(reader.conversationAt(ref)) ?? words,
      files: scores.values[offset + FILES]!,
      command: scores.values[offset + COMMAND]!,
      error: scores.values[offset + ERROR]!,
      branch: scores.values[offset + BRANCH]!,
      coverage: wordsMax > 0 ? Math.min(1, about / wordsMax) : 0,
    }
  }
}

const scoreOfWords = (scores: QueryScores, { segment, doc }: DocRef): number =>
  scores.groupScore(segment, doc, WORD_GROUP) + scores.groupScore(segment, doc, EXPANSION_GROUP)

/** The best word score of each conversation: how much it has to do with the query as a whole. */
function sessionScores(refs: readonly DocRef[], scores: QueryScores, reader: SearchReader): Map<number, number> {
  const best = new Map<number, number>()
  for (const ref of refs) {
    const session = reader.conversationAt(ref)
    if (session !== 0) best.set(session, Math.max(best.get(session) ?? 0, scoreOfWords(scores, ref)))
  }
  return best
}

// The sessions with work related to a prompt or an edit, from the small file that maintenance writes after a session.
// None if the file is missing or damaged: `doctor` reports that, and recall goes on without it.

export const relatedIn =
  (store: Store): FindNearestSessions =>
  (query, words, wanted) =>
    query.moment === 'prompt'
      ? fromSessionFiles(store, (index) => findRelatedSessions(index, query, words, wanted))
      : undefined

/** The sessions that edited a file or files like it, the nearest first. */
export const sessionsNearFile = (store: Store, file: string): readonly number[] =>
  fromSessionFiles(store, (index) => findSessionsNearFile(index, file)) ?? []

export function fromSessionFiles<T>({ files, layout }: Store, find: (index: SessionFileIndex) => T): T | undefined {
  try {
    const index = readJson<SessionFileIndex>(files, layout.worked)
    return index && find(index)
  } catch {
    return undefined
  }
}
