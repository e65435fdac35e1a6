// Admit: who may see what, and what is worth ranking at all. Before ranking: a hidden memory must not take a place.

import type { Memory } from '../model/memory.ts'
import { canSee } from '../model/privacy.ts'
import type { RecallQuery } from '../model/recallQuery.ts'

/** What of a memory decides whether it may be a candidate; a row of the store says this much without its text. */
type RecallAccessFields = Pick<Memory, 'privacy' | 'role' | 'agentId' | 'session' | 'status' | 'retention' | 'expires'>

/** Whether the cue's reader may be told of it now. */
export function canRecall(query: RecallQuery, memory: RecallAccessFields): boolean {
  if (memory.status !== 'active') return false
  if (memory.expires !== undefined && Date.parse(memory.expires) <= query.now) return false
  if (memory.retention === 'working' && memory.session !== query.session) return false
  return canSee(query.viewer, memory)
}
