// The lessons that earlier agents of a role have reported, whatever their task was: candidates for an agent's start.
import type { MemoryId } from '../../model/id.ts'
import type { Policy } from '../../model/policy.ts'
import type { RecalledMemory, RecallQuery } from '../../model/recallQuery.ts'
import { canRecall } from '../../recall/canRecall.ts'
import { roleTerm, TERM_GROUPS } from '../../recall/indexTerms.ts'
import { selectRoleLessons } from '../../recall/roleLessons.ts'
import { hashNames, type MemoryRow } from '../../store/snapshot/memoryRow.ts'
import type { SearchReader } from '../../store/snapshot/snapshotReader.ts'
import type { IndexedCandidate } from './candidates.ts'

/** Reports of one role that are compared by their time, from their rows; the texts of a few are read. */
const REPORTS_MAX = 256

/** Reports ranked for each one that may be shown. */
const RANKED_EACH = 4

const GROUP = TERM_GROUPS.indexOf('speaker')

const NO_MATCH = { words: 0, window: 0, session: 0, files: 0, command: 0, error: 0, branch: 0, coverage: 0 }

export interface RoleLessonRecall {
  readonly query: RecallQuery
  readonly reader: SearchReader
  readonly policy: Policy
  /** Memories that were deleted after the snapshot. */
  readonly deleted: ReadonlySet<MemoryId>
  readonly alreadyShown: () => ReadonlySet<MemoryId>
  /** Whether the agent itself has reported it. */
  readonly isExcluded: (row: MemoryRow) => boolean
}

/** The reports whose lessons an agent gets at its start. None for the main conversation. */
export function recallRoleLessons(input: RoleLessonRecall): RecalledMemory[] {
  const { query, policy, alreadyShown } = input
  const { roleLessonsMax } = policy.recall
  if (query.viewer.role === 'main' || roleLessonsMax === 0) return []
  return selectRoleLessons(listLatestReports(input, RANKED_EACH * roleLessonsMax), query, policy, alreadyShown)
}

/** The latest reports with lessons that the viewer may see. */
function listLatestReports(
  { query, reader, deleted, isExcluded }: RoleLessonRecall,
  limit: number,
): IndexedCandidate[] {
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
