// Which sessions a model has not read yet, and the part of a session's events that is new since it did.
import { type Event, eventTimeMs } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { readLog } from '../../store/log/readLog.ts'
import type { Store } from '../open/openStore.ts'
import { eventsNewestFirst } from '../queries/browse.ts'
import { readDistillConfig } from './distillConfig.ts'

/** How far back a session is looked for, in milliseconds: enabling the model does not read a year of sessions. */
const LOOK_BACK_MS = 86_400_000

/** Sessions organized within a day of `now` (milliseconds since 1970) and not read by the model since; oldest first. */
export function listDueSessions(store: Store, now: number): readonly SessionId[] {
  const seen = new Set<SessionId>()
  const due: SessionId[] = []
  for (const event of eventsNewestFirst(store)) {
    if (now - eventTimeMs(event) > LOOK_BACK_MS) break
    if ((event.kind !== 'session.organized' && event.kind !== 'session.distilled') || seen.has(event.session)) continue
    seen.add(event.session)
    if (event.kind === 'session.organized') due.unshift(event.session)
  }
  return due
}

/** Whether a model is configured and has something to read. Throws CONFIG_INVALID. */
export const hasDueSessions = (store: Store, now: number): boolean =>
  readDistillConfig(store) !== undefined && listDueSessions(store, now).length > 0

/** A session's events that the model has not read; all of them for a session that it has not read at all. */
export function readUndistilledEvents({ files, layout }: Store, session: SessionId): readonly Event[] {
  const all = readLog(files, layout.events).events.filter((event) => event.session === session)
  const last = all.findLast((event) => event.kind === 'session.distilled')
  // With hooks in plugin and settings an event is in the log twice.
  const unique = [...new Map(all.map((event) => [event.id, event])).values()]
  const events = unique.filter((event) => event.kind !== 'session.distilled' && !event.kind.startsWith('memory.'))
  if (last?.kind !== 'session.distilled') return events
  return events.slice(events.findIndex((event) => event.id === last.through) + 1)
}
