// What the events have in common that memctl itself tells, for a person or by the worker, about no session of its own.
import type { EventBase } from '../model/event.ts'
import type { EventId, SessionId } from '../model/id.ts'
import { hashPair } from '../text/hash.ts'

/** The session of what a person asked of memctl outside any. */
const MEMCTL_SESSION = 'memctl' as SessionId

/** `parts` tell this event from every other at the same moment; `now` in milliseconds since 1970. */
export function ownEvent(parts: readonly string[], now: number, session: SessionId = MEMCTL_SESSION): EventBase {
  const [high, low] = hashPair([session, now, ...parts].join('\0'))
  return {
    id: (high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')) as EventId,
    at: new Date(now).toISOString(),
    session,
    role: 'main',
    outcome: 'unknown',
    lessons: [],
    privacy: 'public',
  }
}
