// Commits events: the only way into the log, for hooks, commands, tools and the worker.
//
// An event is committed once its newline is in the file. The snapshot that it changes may be written later.
import { findInvalidValues } from '../../model/checkMemory.ts'
import type { Event, EventBody, EventEnvelope } from '../../model/event.ts'
import type { EventId, SessionId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { appendEvents, LOG_HEADER, logFileName } from '../../store/log/eventLog.ts'
import { coveredPosition } from '../../store/snapshot/manifest.ts'
import { toWellFormed } from '../../text/excerpt.ts'
import { hashHex } from '../../text/hash.ts'
import { readSyncChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'
import { applyEvent } from '../projection/applyEvent.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'

/** Events in one write: a few hundred kilobytes at most in practice, and a log file is closed soon after it is full. */
const EVENTS_PER_WRITE_MAX = 200

/**
 * Appends the events in order. Up to 200 are one write, so readers see all of them or none; a longer list is written
 * in parts. Waits for the disk if the config says so. Returns the bytes that were written.
 *
 * Throws the system's error when a write fails: what was written before it stays committed.
 */
export function commitEvents(store: Store, events: readonly Event[]): number {
  if (events.length === 0) return 0
  const { files, layout } = store
  const sync = readSyncChoice(store) === 'always'
  const batches = inBatches(events, EVENTS_PER_WRITE_MAX)
  return batches.reduce((bytes, batch) => bytes + appendEvents(files, layout.events, batch, sync), 0)
}

const MEMORIES_PER_EVENT_MAX = 20

/** A long list in parts; by default in as many memories as one event has. */
export const inBatches = <T>(items: readonly T[], max = MEMORIES_PER_EVENT_MAX): T[][] =>
  Array.from({ length: Math.ceil(items.length / max) }, (_, i) => items.slice(i * max, (i + 1) * max))

/** Appends the events, then applies them and all events that other processes have appended before them. */
export function commitAndApply(store: Store, loaded: LoadedProjection, events: readonly Event[]): void {
  if (events.length === 0) return
  commitEvents(store, events)
  applyLogTail(store, loaded)
}

/**
 * The same for events of a team, which are as the log gives them back and were searched for secrets before. They are
 * not read again if nobody else has appended meanwhile. The caller has applied the log's tail.
 */
export function commitTeamEvents(store: Store, loaded: LoadedProjection, events: readonly Event[]): void {
  const { files, layout } = store
  const { cursor } = loaded.projection
  const isSearched = JSON.stringify(loaded.searched ?? coveredPosition(loaded.manifest)) === JSON.stringify(cursor)
  const bytes = commitEvents(store, events)
  const sizeOf = (file: number): number | undefined => files.size(`${layout.events}/${logFileName(file)}`)
  // A full file is closed: the events are in the next one, behind its header.
  const isNext = sizeOf(cursor.file) === cursor.offset
  const next = { file: cursor.file + 1, offset: LOG_HEADER.length + bytes, previous: cursor.offset }
  const end = isNext ? next : { ...cursor, offset: cursor.offset + bytes }
  const isAlone = sizeOf(end.file) === end.offset && sizeOf(end.file + 1) === undefined
  if (!isAlone) return void applyLogTail(store, loaded)
  for (const event of events) applyEvent(loaded.projection, event)
  loaded.projection.cursor = end
  if (isSearched) loaded.searched = end
}

// Events that do not come from a hook's payload: of memctl itself, and of callers of tools, commands and the library.
//
// Ids are hashes of what the event is about, so the same event always has the same id.

/** The session of events that belong to none. */
export const SYSTEM_SESSION = 'memctl' as SessionId

interface EventOrigin {
  /** Milliseconds since 1970. */
  readonly now: number
  /** `SYSTEM_SESSION` where left out. */
  readonly session?: SessionId | undefined
  /** Makes the ids of events of one kind, session and time different. */
  readonly key?: readonly string[]
}

/** Who called a tool, a command or the library, and when. */
export interface Caller {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Makes the ids of two events in one millisecond different. */
  readonly nonce: string
  readonly session?: string | undefined
  /** The name that the calling agent gives itself. */
  readonly agentId?: string | undefined
}

/** An event that the worker or a command emits. */
export function systemEvent<Body extends EventBody>(body: Body, origin: EventOrigin): EventEnvelope & Body {
  const { now, session = SYSTEM_SESSION, key = [] } = origin
  const id = eventId([session, now, body.kind, ...key])
  return { ...eventEnvelope({ id, now, session }), ...toWellFormed(body) }
}

/** An event that a caller of a tool or of the library causes. Throws INPUT_INVALID for a value that is not valid. */
export function callerEvent<Body extends EventBody>(body: Body, caller: Caller): EventEnvelope & Body {
  const [invalid] = findInvalidValues(body)
  if (invalid !== undefined)
    throw new MemoryError('INPUT_INVALID', `invalid ${invalid}`, { hint: 'Nothing was stored. Give a valid value.' })
  const { now, nonce, session, agentId } = caller
  const id = eventId([body.kind, session ?? '', now, nonce])
  // The session and the body come from a caller: what a tool stores may hold anything.
  const envelope = eventEnvelope({ id, now, session: (session ?? SYSTEM_SESSION) as SessionId, agentId })
  return toWellFormed({ ...envelope, ...body })
}

type EnvelopeInput = Pick<EventEnvelope, 'id' | 'session' | 'agentId'> & Pick<Caller, 'now'>

/** The fields around a body, with defaults for all that is not known of this event. */
export const eventEnvelope = ({ id, now, session, agentId }: EnvelopeInput): EventEnvelope => ({
  id,
  at: new Date(now).toISOString(),
  session,
  ...(agentId !== undefined && { agentId }),
  role: 'main',
  outcome: 'unknown',
  lessons: [],
  privacy: 'public',
})

/** An id from all values that identify the event. */
export const eventId = (parts: readonly (string | number)[]): EventId => hashHex(parts.join('\0')) as EventId
