// The memories that a log would give if events were erased. Writes nothing.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import type { EraseEvent } from '../../store/log/eraseLog.ts'
import { readLog } from '../../store/log/readLog.ts'
import type { Store } from '../open/openStore.ts'
import { applyEvent } from '../projection/applyEvent.ts'
import { organizeOpenSessions } from '../projection/openSessions.ts'
import { emptyProjection } from '../projection/projection.ts'

/** The intact events of a store's log, in its order. */
export const readEvents = ({ files, layout }: Store): readonly Event[] => readLog(files, layout.events).events

/**
 * Applies the events that `erase` leaves, and returns the memories, with those of open sessions. `visit` is called
 * after each event that can create or change memories.
 */
export function replayLog(
  events: readonly Event[],
  erase: EraseEvent,
  visit: (memories: MemoryMap) => void = () => undefined,
): ReadonlyMap<MemoryId, Memory> {
  const projection = emptyProjection()
  for (const event of events) {
    const rest = erase(event)
    if (!rest) continue
    applyEvent(projection, rest)
    if (/^(?:memory|team)\.|^session\.organized$/.test(rest.kind)) visit(projection.memories)
  }
  const memories = new Map([...projection.memories, ...organizeOpenSessions(projection)])
  visit(memories)
  return memories
}
