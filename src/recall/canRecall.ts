// Whether a memory may be recalled for a query. Checked before ranking: a hidden memory must not take a place.
import type { Memory } from '../model/memory.ts'
import { canSee } from '../model/privacy.ts'
import type { RecallQuery } from '../model/recallQuery.ts'

/** The fields of a memory that decide this; a row of the store has them without the text. */
type RecallAccessFields = Pick<Memory, 'privacy' | 'role' | 'agentId' | 'session' | 'status' | 'retention' | 'expires'>

/** Whether the memory is active, not expired, of this session if it is working memory, and visible to the viewer. */
export function canRecall(query: RecallQuery, memory: RecallAccessFields): boolean {
  if (memory.status !== 'active') return false
  if (memory.expires !== undefined && Date.parse(memory.expires) <= query.now) return false
  if (memory.retention === 'working' && memory.session !== query.session) return false
  return canSee(query.viewer, memory)
}
