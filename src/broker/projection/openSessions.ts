// What the sessions that are still open have learned so far: their events are organized as if they ended now.
//
// The result is provisional. It is in no event and not in the projection, so a rebuild gives the same memories with or
// without it. When a session ends, organizing gives its memories the same ids.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { organizeSession } from '../../organize/organizeSession.ts'
import { activePolicy } from './policyReducer.ts'
import type { Projection, SessionState } from './projection.ts'

/** Memories by id that open sessions would create or change, each complete. */
export type ProvisionalMemories = ReadonlyMap<MemoryId, Memory>

/**
 * The memories that the open sessions would create or change if they ended now, in the order of their last events. The
 * projection is the same afterwards. An unfinished session has no summary: one of earlier parts of it stays as it is.
 */
export function organizeOpenSessions(projection: Projection): ProvisionalMemories {
  const { memories } = projection
  const policy = activePolicy(projection)
  const changed = new Map<MemoryId, Memory>()
  const before = new Map<MemoryId, Memory | undefined>()
  const open = listOpenSessions(projection)
  try {
    for (const { id, pending } of open) {
      for (const memory of organizeSession({ session: id, events: pending }, memories, policy)) {
        if (memory.kind === 'summary') continue
        changed.set(memory.id, memory)
        // Later sessions learn from earlier ones.
        if (open.length === 1) continue
        if (!before.has(memory.id)) before.set(memory.id, memories.get(memory.id))
        memories.set(memory.id, memory)
      }
    }
  } finally {
    for (const [id, memory] of before) {
      if (memory) memories.set(id, memory)
      else memories.delete(id)
    }
  }
  return changed
}

/** The sessions with events that are not organized yet, in the order of their last events. */
function listOpenSessions({ sessions }: Projection): SessionState[] {
  const open = [...sessions.values()].filter(({ pending }) => pending.length > 0)
  return open.sort((a, b) => (a.lastAt < b.lastAt ? -1 : a.lastAt > b.lastAt ? 1 : a.id < b.id ? -1 : 1))
}

/** All memories of a projection with the provisional ones in their places, new ones last. */
export function* withProvisional(
  known: ReadonlyMap<MemoryId, Memory>,
  changed: ProvisionalMemories,
): Generator<Memory> {
  for (const memory of known.values()) yield changed.get(memory.id) ?? memory
  for (const memory of changed.values()) if (!known.has(memory.id)) yield memory
}
