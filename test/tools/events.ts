// Events as tests append them: a memory stored, a prompt recorded.
import type { Event, EventOf } from '../../src/model/event.ts'
import type { Memory } from '../../src/model/memory.ts'

/** The fields of every event. */
const header = (nth: number, at: string, session: string) => ({
  ...{ at, role: 'main', outcome: 'unknown' as const, lessons: [], privacy: 'public' as const },
  id: nth.toString(16).padStart(16, '0') as Event['id'],
  session: session as Event['session'],
})

/** The event of a tool that stores a memory, the `nth` event of a test. */
export const storedEvent = (memory: Memory, nth: number): EventOf<'memory.stored'> => ({
  ...header(nth, memory.created, memory.session ?? 's1'),
  kind: 'memory.stored',
  memory,
})

/** A prompt as a hook records it; those of one test have different numbers. */
export const promptEvent = (text: string, nth = 0xaa): EventOf<'prompt'> => ({
  ...header(nth, new Date(0).toISOString(), 's1'),
  kind: 'prompt',
  text,
  signals: [],
})
