// Events as tests append them: a memory stored, a prompt recorded.
import type { EventOf } from '../../src/model/event.ts'
import type { Memory } from '../../src/model/memory.ts'

export const storedEvent = (memory: Memory): EventOf<'memory.stored'> => ({
  id: memory.id.replaceAll('-', '').slice(16) as EventOf<'memory.stored'>['id'],
  at: memory.created,
  session: memory.session ?? ('s1' as EventOf<'memory.stored'>['session']),
  role: 'main',
  outcome: 'unknown',
  lessons: [],
  privacy: 'public',
  kind: 'memory.stored',
  memory,
})

/** A prompt as a hook records it. */
export const promptEvent = (text: string): EventOf<'prompt'> => ({
  id: '00000000000000aa' as EventOf<'prompt'>['id'],
  at: new Date(0).toISOString(),
  session: 's1' as EventOf<'prompt'>['session'],
  role: 'main',
  outcome: 'unknown',
  lessons: [],
  privacy: 'public',
  kind: 'prompt',
  text,
  signals: [],
})
