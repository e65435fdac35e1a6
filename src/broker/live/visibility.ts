// Which memories of a live store a caller may see now. Hidden, archived and expired ones are treated as missing.
import type { MemoryId, SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { RecallQuery } from '../../model/recallQuery.ts'
import { canRecall } from '../../recall/canRecall.ts'
import type { LiveStore } from './liveStore.ts'

export interface ViewingSession {
  /** The caller's session. A working memory is visible only in its own session. */
  readonly session: string | undefined
  /** The caller's role; `main`, the main conversation, if left out. */
  readonly role?: string | undefined
  /** The caller's agent id; none for the main conversation. */
  readonly agentId?: string | undefined
  /** The person at the command line, who asked for private memories. */
  readonly isPerson?: true | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memory with this id; undefined if there is none that the caller may see. */
export function findVisible(liveStore: LiveStore, id: string, viewing: ViewingSession): Memory | undefined {
  const memory = liveStore.memories().get(id.toLowerCase() as MemoryId)
  return memory && visibilityFilter(viewing)(memory) ? memory : undefined
}

/** Every memory that the caller may see, in the order of creation. */
export function listVisible(liveStore: LiveStore, viewing: ViewingSession): Memory[] {
  return [...liveStore.memories().values()].filter(visibilityFilter(viewing))
}

/** A filter for memories that may be recalled in this session. */
export function visibilityFilter({
  session,
  role = 'main',
  agentId,
  isPerson,
  now,
}: ViewingSession): (memory: Memory) => boolean {
  const query: RecallQuery = {
    moment: 'ask',
    text: '',
    files: [],
    session: session as SessionId | undefined,
    viewer: { role, agentId, session, isPerson },
    now,
  }
  return (memory) => canRecall(query, memory)
}
