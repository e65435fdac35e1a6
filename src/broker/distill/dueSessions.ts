// Which sessions a model has not read yet, and the part of a session's events that is new since it did.
import { type Event, eventTimeMs } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { readLog } from '../../store/log/readLog.ts'
import type { Store } from '../open/openStore.ts'
import { eventsNewestFirst } from '../queries/browse.ts'
import { readDistillConfig } from './distillConfig.ts'
import { findExceededBudget, isRejected, readDistillUsage } from './distillUsage.ts'

/** How far back a session is looked for, in days: enabling the model does not read a year of sessions. */
const LOOK_BACK_DAYS = 14

/**
 * Sessions that were organized in the last days before `now` (milliseconds since 1970), have a prompt, and were not
 * read since; the newest first, because a day's budget may not be enough for all.
 */
export function listDueSessions(store: Store, now: number): readonly SessionId[] {
  const seen = new Set<SessionId>()
  const organized: SessionId[] = []
  const prompted = new Set<SessionId>()
  for (const event of eventsNewestFirst(store)) {
    const { kind, session } = event
    if (now - eventTimeMs(event) > LOOK_BACK_DAYS * 86_400_000) break
    if (kind === 'prompt') prompted.add(session)
    if ((kind !== 'session.organized' && kind !== 'session.distilled') || seen.has(session)) continue
    seen.add(session)
    if (kind === 'session.organized') organized.push(session)
  }
  return organized.filter((session) => prompted.has(session))
}

/** Whether a model is configured, has something to read, and may be asked today. Throws CONFIG_INVALID. */
export function hasDueSessions(store: Store, now: number): boolean {
  const config = readDistillConfig(store)
  if (!config) return false
  const usage = readDistillUsage(store, now)
  if (findExceededBudget(usage, config, 1) !== undefined) return false
  return listDueSessions(store, now).some((session) => !isRejected(usage, session))
}

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
