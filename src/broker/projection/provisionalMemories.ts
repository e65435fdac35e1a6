// The memories of open sessions beside those of the projection.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { organizeOpenSessions, type ProvisionalMemories } from './openSessions.ts'
import type { LoadedProjection } from './saveMemories.ts'

/** What open sessions have learned up to the cursor of the projection. Computed once for each cursor. */
export function findProvisional(loaded: LoadedProjection): ProvisionalMemories {
  const cursor = JSON.stringify(loaded.projection.cursor)
  if (loaded.provisional?.cursor === cursor) return loaded.provisional.memories
  const memories = organizeOpenSessions(loaded.projection)
  loaded.provisional = { cursor, memories }
  return memories
}

/** All memories of a projection with the provisional ones in their places, new ones last. */
export function* withProvisional(
  known: ReadonlyMap<MemoryId, Memory>,
  changed: ProvisionalMemories,
): Generator<Memory> {
  for (const memory of known.values()) yield changed.get(memory.id) ?? memory
  for (const memory of changed.values()) if (!known.has(memory.id)) yield memory
}
