// A conversation: the main thread of a session, or one of its subagents. What one contains, the others do not know.
import type { SessionId } from './id.ts'

export interface Conversation {
  readonly session: SessionId
  /** Absent for the main thread. */
  readonly agentId?: string | undefined
}

export const isSameConversation = (a: Conversation, b: Conversation): boolean =>
  a.session === b.session && a.agentId === b.agentId

/** Its name in a file: the session id of a main thread, as in earlier versions, which had one list for a session. */
export const conversationKey = ({ session, agentId }: Conversation): string =>
  agentId === undefined ? session : `${session}/${agentId}`
