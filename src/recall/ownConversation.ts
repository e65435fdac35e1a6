// What a conversation has lived through is in its context, so it is not injected there again, unless a compaction came
// after it. Other conversations are shown it: subagents, other windows, and the main thread what a subagent learned.
import type { Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'

/** The fields that decide this; a row of the store has them without the text. */
type LivedFields = Pick<Memory, 'kind' | 'retention' | 'session' | 'updated'> & Partial<Pick<Memory, 'agentId'>>

/** `compacted`: when the session's main thread was last compacted, ISO. */
export function isLivedThrough(query: RecallQuery, memory: LivedFields, compacted: string | undefined): boolean {
  const { session, viewer } = query
  if (session === undefined || memory.session !== session || memory.agentId !== viewer.agentId) return false
  // What a tool stored names the session, and may come from any conversation of it.
  if (memory.kind === 'entry' || memory.retention === 'working') return false
  return viewer.agentId !== undefined || compacted === undefined || memory.updated > compacted
}
