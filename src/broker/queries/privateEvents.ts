// Removes from events what only the agent of a private memory may see, before they are listed.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'

/** The event without private memories; undefined if nothing else is in it. `known` are the memories as of now. */
export function hidePrivateParts(event: Event, known: MemoryMap): Event | undefined {
  if (event.privacy === 'private') return undefined
  /** What is released by now is not private any more; what was deleted is as it was stored. */
  const isHidden = (memory: Memory): boolean => isPrivate(known.get(memory.id) ?? memory)
  const isKnownOpen = (id: MemoryId): boolean => {
    const memory = known.get(id)
    return memory !== undefined && !isPrivate(memory)
  }
  switch (event.kind) {
    case 'memory.stored':
    case 'memory.consolidated':
      return isHidden(event.memory) ? undefined : event
    case 'memory.updated':
      return isKnownOpen(event.change.memory) ? event : undefined
    case 'memory.scored':
    case 'memory.impact':
    case 'memory.released':
      return isKnownOpen(event.memory) ? event : undefined
    case 'memory.batch': {
      const stored = event.stored.filter((memory) => !isHidden(memory))
      const changes = event.changes.filter(({ memory }) => isKnownOpen(memory))
      return stored.length + changes.length === 0 ? undefined : { ...event, stored, changes }
    }
    case 'memory.accessed': {
      const memories = event.memories.filter(isKnownOpen)
      return memories.length === 0 ? undefined : { ...event, memories }
    }
    default:
      return event
  }
}
