// A memory as the event that stores it.
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
