// What some moments show before anything is ranked: the lessons that earlier agents of a role have reported, whatever
// their task was, and the files near a path that is not there.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { KnowledgeNote } from '../../model/knowledge.ts'
import { isAgentLesson, type Memory, newMemory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import {
  findExcludedMemories,
  type RecalledMemory,
  type RecallQuery,
  UNRANKED_FEATURE,
} from '../../model/recallQuery.ts'
import { roleTerm, sessionTerm, TERM_GROUPS } from '../../recall/indexTerms.ts'
import { describeNearFiles, findMissingPath, findNearFiles } from '../../recall/missingPath.ts'
import { type RankedCandidate, rankByPolicy } from '../../recall/rankByPolicy.ts'
import { canRecall, type RecallCandidate } from '../../recall/recallCandidate.ts'
import { hashNames, type MemoryRow } from '../../store/snapshot/memoryRow.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { fromSessionFiles, type IndexedCandidate } from './candidates.ts'

/** What is not searched by words, but shown before what is. */
export type FindLeading = (input: LeadingRecall) => RecalledMemory[]

/**
 * At a path that is not there: the files near it that earlier sessions edited, as a note of the session that did so
 * last. Only if no entry says more.
 */
export const recallNearFiles =
  (store: Store, event: Event): FindLeading =>
  ({ query, reader, deleted, knowledge, alreadyShown }) => {
    const missing = event.kind === 'call.failed' && knowledge.length === 0 ? findMissingPath(event) : undefined
    if (missing === undefined) return []
    const near = fromSessionFiles(store, (index) => findNearFiles(index, missing))
    if (near === undefined) return []
    const scores = reader.score([{ term: sessionTerm(near.session), weight: 1, group: GROUP }])
    const [ref] = scores.topDocs(1, (segment, doc) => reader.hasDoc({ segment, doc }))
    const summary = ref && reader.memoryAt(ref)
    if (summary === undefined || deleted.has(summary.id) || !canRecall(query, summary)) return []
    if (alreadyShown().has(summary.id)) return []
    const { id, created } = summary
    const memory = newMemory({ id, kind: 'fact', content: describeNearFiles(near), created })
    return [{ memory, score: 1, features: { [UNRANKED_FEATURE]: 1 }, breakdown: {} }]
  }

/** Reports of one role that are compared by their time, from their rows; the texts of a few are read. */
const REPORTS_MAX = 256

/** Reports ranked for each one that may be shown. */
const RANKED_EACH = 4

const GROUP = TERM_GROUPS.indexOf('speaker')

const NO_MATCH = { words: 0, window: 0, session: 0, files: 0, command: 0, error: 0, branch: 0, coverage: 0 }

export interface LeadingRecall {
  readonly query: RecallQuery
  readonly reader: SearchReader
  readonly policy: Policy
  /** Memories that were deleted after the snapshot. */
  readonly deleted: ReadonlySet<MemoryId>
  readonly alreadyShown: () => ReadonlySet<MemoryId>
  /** Whether the conversation itself has lived through it. */
  readonly isExcluded: (row: MemoryRow) => boolean
  /** The entries that are shown. */
  readonly knowledge: readonly KnowledgeNote[]
}

/** The reports with the lessons that an agent gets at its start; empty for the main conversation. */
export function recallRoleLessons(input: LeadingRecall): RecalledMemory[] {
  const { query, policy, alreadyShown } = input
  const { roleLessonsMax } = policy.recall
  if (query.viewer.role === 'main' || roleLessonsMax === 0) return []
  return selectRoleLessons(listLatestReports(input, RANKED_EACH * roleLessonsMax), query, policy, alreadyShown)
}

function listLatestReports({ query, reader, deleted, isExcluded }: LeadingRecall, limit: number): IndexedCandidate[] {
  const { role } = query.viewer
  const scores = reader.score([{ term: roleTerm(role), weight: 1, group: GROUP }])
  const names = hashNames('main', role, query.viewer.agentId, query.branch, query.taskId, query.session)
  const latest = scores
    .topDocs(REPORTS_MAX, (segment, doc) => reader.hasDoc({ segment, doc }))
    .map((ref) => ({ ref, row: reader.rowAt(ref, names) }))
    .sort((a, b) => b.row.updatedMs - a.row.updatedMs)
  const found: IndexedCandidate[] = []
  for (const { ref, row } of latest) {
    if (found.length >= limit) break
    if (deleted.has(row.id) || isExcluded(row)) continue
    const load = () => reader.memoryAt(ref)
    if (canRecall(query, row.privacy === 'public' ? row : load())) found.push({ memory: row, match: NO_MATCH, load })
  }
  return found
}

/** The best of these reports, at most `recall.roleLessonsMax` of the policy; of the same lessons only one report. */
function selectRoleLessons(
  reports: readonly RecallCandidate[],
  query: RecallQuery,
  policy: Policy,
  alreadyShown: () => ReadonlySet<MemoryId>,
): RecalledMemory[] {
  if (reports.length === 0) return []
  const shown: RecalledMemory[] = []
  const excluded = findExcludedMemories(policy.recall.exclusions, query)
  for (const candidate of rankByPolicy(reports, query, policy)) {
    if (shown.length >= policy.recall.roleLessonsMax) break
    const memory = candidate.load()
    if (!isForRole(memory, candidate, query) || excluded.has(memory.id)) continue
    if (alreadyShown().has(memory.id)) continue
    const known = new Set(shown.flatMap((other) => other.memory.lessons))
    if (memory.lessons.every((lesson) => known.has(lesson))) continue
    const { score, features, breakdown } = candidate
    shown.push({ memory, score, features, breakdown })
  }
  return shown
}

/** Showings without use, after which a start does not show a report's lessons any more. */
const PATIENCE = 4

function isForRole(memory: Memory, { memory: row }: RankedCandidate, query: RecallQuery): boolean {
  const { shown, used } = row.help
  const isUnused = used === 0 && shown >= PATIENCE
  return isAgentLesson(memory) && memory.role === query.viewer.role && !isUnused
}
