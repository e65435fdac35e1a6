// The first stage of every search: candidates for a cue from the index, only those the reader may see, each with how it matches. Hooks
// load this file; what only questions need is in findQuestionCandidates.ts.

import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecallMoment, RecallQuery } from '../../model/recallQuery.ts'
import { canRecall } from '../../recall/canRecall.ts'
import { buildQueryTerms, sessionTerm, TERM_GROUPS, type TermGroup } from '../../recall/indexTerms.ts'
import type { MatchScores, RecallCandidate } from '../../recall/recallCandidate.ts'
import type { RelatedSessions } from '../../recall/sessionFileIndex.ts'
import type { QueryScores, QueryTerm } from '../../store/index/bm25.ts'
import { hashNames, type MemoryRow } from '../../store/snapshot/memoryRow.ts'
import type { DocRef, SearchReader } from '../../store/snapshot/snapshotReader.ts'
import { extractQueryTerms, isCjkTerm } from '../../text/terms/extractTerms.ts'

/** Weight of each group's terms while candidates are gathered; ranking has its own weights. A speaker alone makes no candidate. */
export const GATHER_WEIGHTS: { readonly [G in TermGroup]: number } = {
  ...{ words: 1, files: 1, command: 0.7, error: 2, branch: 0.4 },
  speaker: 1e-4,
  // The work of a session is enough to make its summary a candidate.
  work: 2,
}

/** A pair of Japanese or Chinese characters says again what its characters say. Measured: docs/recall.md. */
const PAIR_WEIGHT = 0.4

/** So does a word with a hyphen, whose parts are asked for too; paths, flags and names of code are worth more whole. */
const HYPHENED_WEIGHT = 0.1
const HYPHENED = /^[a-z0-9]+(?:-[a-z0-9]+)+$/

export const WORD_GROUP = TERM_GROUPS.indexOf('words')
const FILES = TERM_GROUPS.indexOf('files')
const COMMAND = TERM_GROUPS.indexOf('command')
const ERROR = TERM_GROUPS.indexOf('error')
const BRANCH = TERM_GROUPS.indexOf('branch')
const WORK = TERM_GROUPS.indexOf('work')

/**
 * Postings a hook reads at most: 40,000 take it up to a millisecond more; of what 40 prompts among 10,000 memories were told it changes
 * 2 notes of 79.
 */
const POSTINGS_MAX = 20_000

/** Of the candidates this share may come by the work of their sessions. */
const WORK_SHARE = 0.25

/** A candidate from the index: ranked by its row, its text read only to be shown. */
export type IndexedCandidate = RecallCandidate & { readonly load: () => Memory }

/** What the index has for a query and one viewer. */
export interface Retrieval {
  readonly scores: QueryScores
  readonly isVisible: IsVisible
  /** The best by total score. */
  readonly best: readonly DocRef[]
  rowAt(ref: DocRef): MemoryRow
}

/** Whether the viewer may see the memory at a place. */
export type IsVisible = (segment: number, doc: number) => boolean

/** The `wanted` sessions whose work is nearest to a cue of these words; undefined where none is known. */
export type FindNearestSessions = (
  query: RecallQuery,
  words: Iterable<string>,
  wanted: number,
) => RelatedSessions | undefined

/** The best visible candidates for a moment of work, at most the policy's number; some come by the work of their sessions. */
export function findCandidates(
  cue: RecallQuery,
  reader: SearchReader,
  policy: Policy,
  relatedTo?: FindNearestSessions,
): IndexedCandidate[] {
  const { candidatesMax } = policy.recall
  const words = extractQueryTerms(cue.text)
  const query = buildIndexQuery(cue, words)
  const related = relatedTo?.(cue, words.keys(), Math.ceil(WORK_SHARE * candidatesMax))
  for (const session of related?.nearest ?? [])
    query.push({ term: sessionTerm(session), weight: GATHER_WEIGHTS.work, group: WORK })
  const { best, scores, rowAt } = retrieve(cue, reader, query, { max: candidatesMax, postingsMax: POSTINGS_MAX })
  const matchAt = matchFeatures(best, scores, reader)
  return best.map((place) => ({
    memory: rowAt(place),
    match: matchAt(place),
    work: related?.sessionFeatures(reader.sessionHashAt(place)),
    load: () => reader.memoryAt(place),
  }))
}

/** Candidates ranked for each note that may be shown: ranking fifty for two notes takes a cold process 2 ms. */
const CANDIDATES_A_NOTE = 8

/** The policy with as many candidates as the moment can make use of. */
export function policyForMoment(policy: Policy, moment: RecallMoment): Policy {
  const candidatesMax = Math.min(policy.recall.candidatesMax, CANDIDATES_A_NOTE * policy.recall.moments[moment].topK)
  return { ...policy, recall: { ...policy.recall, candidatesMax } }
}

interface RetrieveOptions {
  readonly max: number
  readonly postingsMax?: number
  /** A caller's own filter: only these become candidates. */
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
}

/** Queries the index. What the viewer may not see is left out before ranking: it must not take a place. */
export function retrieve(
  cue: RecallQuery,
  reader: SearchReader,
  query: readonly QueryTerm[],
  { max, postingsMax, isWanted }: RetrieveOptions,
): Retrieval {
  const scores = reader.score(query, postingsMax)
  const names = hashNames('main', cue.viewer.role, cue.branch, cue.taskId, cue.session)
  const rows = reader.docCounts.map(() => new Map<number, MemoryRow>())
  // What is public a row alone can admit.
  const isVisible: IsVisible = (segment, doc) => {
    if (rows[segment]!.has(doc)) return true
    if (!reader.hasDoc({ segment, doc })) return false
    const row = reader.rowAt({ segment, doc }, names)
    if (!canRecall(cue, row.privacy === 'public' ? row : reader.memoryAt({ segment, doc }))) return false
    rows[segment]!.set(doc, row)
    return true
  }
  const isEligible: IsVisible = isWanted
    ? (segment, doc) => isVisible(segment, doc) && isWanted(reader.memoryAt({ segment, doc }))
    : isVisible
  const best = scores.topDocs(max, isEligible)
  return { scores, isVisible, best, rowAt: ({ segment, doc }) => rows[segment]!.get(doc)! }
}

/** The query of a cue whose text has these words; words in `without` are left out. */
export function buildIndexQuery(
  cue: RecallQuery,
  words: ReadonlyMap<string, number>,
  without: ReadonlySet<string> = new Set(),
): QueryTerm[] {
  const terms = buildQueryTerms(cue, words)
  const query: QueryTerm[] = []
  TERM_GROUPS.forEach((name, group) => {
    for (const [term, count] of terms[name]) {
      if (group === WORD_GROUP && without.has(term)) continue
      const part = group === WORD_GROUP ? wordWeight(term) : 1
      query.push({ term, weight: count * GATHER_WEIGHTS[name] * part, group })
    }
  })
  return query
}

function wordWeight(term: string): number {
  if (term.length === 2 && isCjkTerm(term)) return PAIR_WEIGHT
  return term.indexOf('-', 1) !== -1 && HYPHENED.test(term) ? HYPHENED_WEIGHT : 1
}

/** How the memory at each of these places matches the cue. */
export function matchFeatures(
  refs: readonly DocRef[],
  scores: QueryScores,
  reader: SearchReader,
): (ref: DocRef) => MatchScores {
  const greatest = scores.maxGroupScore(WORD_GROUP)
  const sessions = sessionScores(refs, scores, reader)
  return (ref) => {
    const at = scores.offsetOf(ref.segment, ref.doc)
    const words = scores.values[at + WORD_GROUP]!
    return {
      words,
      window: 0,
      session: sessions.get(reader.sessionHashAt(ref)) ?? 0,
      files: scores.values[at + FILES]!,
      command: scores.values[at + COMMAND]!,
      error: scores.values[at + ERROR]!,
      branch: scores.values[at + BRANCH]!,
      coverage: greatest > 0 ? Math.min(1, words / greatest) : 0,
    }
  }
}

/** The best word score of each session: what the session as a whole has to do with the cue. */
function sessionScores(refs: readonly DocRef[], scores: QueryScores, reader: SearchReader): Map<number, number> {
  const best = new Map<number, number>()
  for (const place of refs) {
    const session = reader.sessionHashAt(place)
    const score = scores.groupScore(place.segment, place.doc, WORD_GROUP)
    best.set(session, Math.max(best.get(session) ?? 0, score))
  }
  return best
}
