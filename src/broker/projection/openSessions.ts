// What the sessions that are still open have learned so far: their events are organized as if they ended now.
//
// The result is provisional. It is in no event and not in the projection, so a rebuild gives the same memories with or
// without it. When a session ends, organizing gives its memories the same ids.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory, MemoryMap } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { compareValues } from '../../model/sorting.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import type { MemoryTable } from '../../organize/memoryTable.ts'
import { organizeSession } from '../../organize/organizeSession.ts'
import {
  activePolicy,
  type LoadedProjection,
  type Projection,
  type ProvisionalMemories,
  type SessionState,
} from './projection.ts'
import { isForgottenByTeam } from './teamReducer.ts'

/**
 * The memories that the open sessions would create or change if they ended now, in the order of their last events. The
 * projection is the same afterwards. What is not finished has no account yet: neither a session nor its running task.
 * A summary of earlier parts of the session stays as it is.
 */
export function organizeOpenSessions(projection: Projection): ProvisionalMemories {
  const { memories } = projection
  const policy = activePolicy(projection)
  const changed = new Map<MemoryId, Memory>()
  const before = new Map<MemoryId, Memory | undefined>()
  const open = listOpenSessions(projection)
  try {
    for (const state of open) {
      const running = findRunningTask(state)
      for (const memory of organizePending(state, memories, policy)) {
        if (memory.kind === 'summary' || memory.id === running || isForgottenByTeam(projection, memory.id)) continue
        if (isOnlyCounted(memories.get(memory.id), memory)) continue
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

/** What a session only counts in an entry waits for its end. */
const isOnlyCounted = (before: Memory | undefined, { knowledge, content }: Memory): boolean =>
  before?.knowledge !== undefined &&
  knowledge !== undefined &&
  before.content === content &&
  before.knowledge.state === knowledge.state

function findRunningTask({ pending }: SessionState): MemoryId | undefined {
  const last = pending.findLast((event) => event.kind === 'prompt' || event.kind === 'answer')
  return last?.kind === 'prompt' ? deriveMemoryId('experience', last.session, last.id) : undefined
}

/**
 * The memories that a session's pending events create or change. What somebody has edited, superseded or deleted since
 * the session began is not derived from it again.
 */
export function organizePending({ id, pending, settled }: SessionState, known: MemoryMap, policy: Policy): Memory[] {
  const memories = organizeSession({ session: id, events: inOrder(pending) }, known, policy)
  return settled ? memories.filter((memory) => !settled.includes(memory.id)) : memories
}

/** An import adds what hooks have missed, possibly after what they have recorded later. */
const inOrder = (events: readonly Event[]): readonly Event[] =>
  events.some(({ origin }) => origin !== undefined) ? [...events].sort((a, b) => compareValues(a.at, b.at)) : events

function listOpenSessions({ sessions }: Projection): SessionState[] {
  const open = [...sessions.values()].filter(({ pending }) => pending.length > 0)
  return open.sort((a, b) => compareValues(a.lastAt, b.lastAt) || compareValues(a.id, b.id))
}

/** What open sessions have learned up to the cursor of the projection. Computed once for each cursor. */
export function findProvisional(loaded: LoadedProjection): ProvisionalMemories {
  const cursor = JSON.stringify(loaded.projection.cursor)
  if (loaded.provisional?.cursor === cursor) return loaded.provisional.memories
  const memories = organizeOpenSessions(loaded.projection)
  loaded.provisional = { cursor, memories }
  return memories
}

/** All memories of a projection with the provisional ones in their places, new ones last. */
export const withProvisional = (known: MemoryTable, changed: ProvisionalMemories): MemoryTable =>
  changed.size === 0 ? known : known.with(changed)
