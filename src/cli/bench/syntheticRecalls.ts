// Made-up recalls: what a session's hooks would have told it and written down, so that improving has something to judge.
import type { Event, EventOf } from '../../model/event.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import type { Random } from './seededRandom.ts'

/** Memories a recall shows, at most. */
const SHOWN_MAX = 3

/** One recall in so many moments that may have one: the others stayed silent. */
const SILENT_OF = 2

/** The events with recalls of these memories in between, some after a prompt and some after a failure. */
export function addSyntheticRecalls(chance: Random, events: readonly Event[], memories: readonly MemoryId[]): Event[] {
  if (memories.length === 0) return [...events]
  return events.flatMap((event): Event[] => {
    if (event.kind !== 'prompt' && event.kind !== 'call.failed') return [event]
    return chance.isOneIn(SILENT_OF) ? [event] : [event, recalledAt(chance, event, memories)]
  })
}

function recalledAt(
  chance: Random,
  cause: EventOf<'prompt'> | EventOf<'call.failed'>,
  memories: readonly MemoryId[],
): EventOf<'recalled'> {
  const { at, session, role, taskId } = cause
  const shown = Array.from({ length: 1 + chance.below(SHOWN_MAX) }, () => ({
    memory: chance.pick(memories),
    score: share(chance),
    features: { words: share(chance), files: share(chance), recency: share(chance), importance: share(chance) },
  }))
  return {
    ...{ id: chance.hex(16) as EventId, at, session, role, taskId, outcome: 'unknown', lessons: [], privacy: 'public' },
    kind: 'recalled',
    moment: cause.kind === 'prompt' ? 'prompt' : 'failure',
    cue: cause.kind === 'prompt' ? cause.text.slice(0, 300) : cause.error.slice(0, 300),
    shown,
    withheld: false,
    others: [],
    policy: 0,
  }
}

const share = (chance: Random): number => Math.round(chance.next() * 1000) / 1000
