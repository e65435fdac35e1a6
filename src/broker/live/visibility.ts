// Eyes: which of a desk's memories a caller may be told of now. Hidden, archived and expired ones are as good as not there.

import type { MemoryId, SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { RecallQuery } from '../../model/recallQuery.ts'
import { canRecall } from '../../recall/canRecall.ts'
import type { LiveStore } from './liveStore.ts'

export interface ViewingSession {
  /** The caller's session; a working memory is seen by its own alone. */
  readonly session: string | undefined
  /** The role of the caller; the main conversation where left out. */
  readonly role?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memory of this id; undefined where there is none that the caller may see. */
export function findVisible(liveStore: LiveStore, id: string, viewing: ViewingSession): Memory | undefined {
  const memory = liveStore.memories().get(id.toLowerCase() as MemoryId)
  return memory && visibilityFilter(viewing)(memory) ? memory : undefined
}

/** Every memory that the caller may see, in the order in which they were first made. */
export function listVisible(liveStore: LiveStore, viewing: ViewingSession): Memory[] {
  return [...liveStore.memories().values()].filter(visibilityFilter(viewing))
}

/** Whether these eyes may see a memory. */
export function visibilityFilter({ session, role = 'main', now }: ViewingSession): (memory: Memory) => boolean {
  const reader = { role, session }
  const query: RecallQuery = {
    moment: 'ask',
    text: '',
    files: [],
    session: session as SessionId | undefined,
    viewer: reader,
    now,
  }
  return (memory) => canRecall(query, memory)
}
