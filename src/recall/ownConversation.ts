// What a conversation has lived through is in its context, so it is not injected there again, unless a compaction came
// after it. Others that may see it are shown it: subagents, other windows, agents of the same role.
import type { Memory } from '../model/memory.ts'
import type { RecallQuery } from '../model/recallQuery.ts'

/** The fields that decide this; a row of the store has them without the text. */
type LivedFields = Pick<Memory, 'kind' | 'retention' | 'session' | 'updated'> & Partial<Pick<Memory, 'agentId'>>

/** `compacted`: when the session's main thread was last compacted, ISO. */
export function isLivedThrough(query: RecallQuery, memory: LivedFields, compacted: string | undefined): boolean {
  // What a tool stored names the session, and may come from any conversation of it.
  if (memory.kind === 'entry' || memory.retention === 'working') return false
  const { session, agentId } = memory
  // Checked here too, because the time of a row is read as text.
  if (session !== query.session) return false
  return isOfConversation(query, { session, agentId, at: memory.updated }, compacted)
}

function isOfConversation(
  { session, viewer }: RecallQuery,
  origin: { readonly session: string | undefined; readonly agentId: string | undefined; readonly at: string },
  compacted: string | undefined,
): boolean {
  if (session === undefined || origin.session !== session || origin.agentId !== viewer.agentId) return false
  return viewer.agentId !== undefined || compacted === undefined || origin.at > compacted
}
