// Erases memories, sessions and texts from the log and everything derived from it. This cannot be undone.

import { type Event, eventTimeMs } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { type ErasedFile, type EraseEvent, eraseInLog } from '../../store/log/eraseLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { assertLogComplete, rebuildStore } from '../maintenance/rebuild.ts'
import type { Store } from '../open/openStore.ts'
import { eventsNewestFirst, findMemoryByPrefix, findSessionByPrefix } from '../queries/browse.ts'

/** What to erase: memories and a session, by their ids or the beginnings of them, and a text. */
interface ErasureRequest {
  readonly memories?: readonly string[]
  readonly session?: string
  /** Exactly as it occurs in events. */
  readonly text?: string
}

interface ErasureOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Only count the events. */
  readonly dryRun?: boolean
}

export interface ErasureResult {
  readonly files: readonly ErasedFile[]
  readonly removed: number
  readonly redacted: number
  readonly dryRun: boolean
}

/** An erased text is replaced by as many asterisks as it has characters, but no more than this. */
const ASTERISKS_MAX = 8

/**
 * Erases from the log, compressed files included, and rebuilds everything else. Throws NOT_FOUND for unknown ids and
 * STORE_BUSY while another process writes.
 */
export function eraseFromLog(
  store: Store,
  request: ErasureRequest,
  { now, dryRun = false }: ErasureOptions,
): ErasureResult {
  assertLogComplete(store)
  const memories = (request.memories ?? []).map((prefix) => findErasable(store, prefix))
  const session = request.session === undefined ? undefined : findSessionByPrefix(store, request.session)
  const requestedTexts = request.text === undefined ? [] : [request.text]
  const texts = [...requestedTexts, ...listStoredTexts(store, memories)].flatMap(withJsonForm)
  const steps: EraseEvent[] = [
    ...(memories.length > 0 ? [withoutMemories(store, memories)] : []),
    ...(session === undefined ? [] : [withoutSession(session)]),
    ...texts.map(withoutText),
  ]
  const eraseEvent: EraseEvent = (event) => steps.reduce<Event | undefined>((rest, step) => rest && step(rest), event)
  const files = rewriteLog(store, eraseEvent, texts, dryRun)
  if (!dryRun) {
    if (memories.length > 0) commitEvents(store, [deletionEvent(memories, now)])
    rebuildDerived(store, now)
  }
  const sum = (field: 'removed' | 'redacted'): number => files.reduce((total, file) => total + file[field], 0)
  return { files, removed: sum('removed'), redacted: sum('redacted'), dryRun }
}

/** An existing memory, else a deleted one that is still in the log. */
function findErasable(store: Store, prefix: string): Memory {
  try {
    return assertNoEntry(findMemoryByPrefix(store, prefix))
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'NOT_FOUND') throw error
    for (const event of eventsNewestFirst(store)) {
      const stored = event.kind === 'memory.batch' ? event.stored : 'memory' in event ? [event.memory] : []
      for (const memory of stored) if (typeof memory === 'object' && memory.id.startsWith(prefix)) return memory
    }
    throw error
  }
}

/** Erasing an entry's memory is useless while its file exists: the next sync would add it again. */
function assertNoEntry(memory: Memory): Memory {
  if (!memory.entrySource) return memory
  throw new MemoryError('INPUT_INVALID', `${memory.id} is the entry ${memory.entrySource.key}`, {
    hint: 'Delete the entry first (`memctl entry delete`), or its file; then forget it.',
  })
}

/** A text, and its form inside of JSON, in which most tools answer. */
const withJsonForm = (text: string): string[] => [...new Set([text, JSON.stringify(text).slice(1, -1)])]

/** Shorter stored texts occur in unrelated events, for example in commands. In UTF-16 code units. */
const STORED_CHARS_MIN = 16

/**
 * All contents that these memories have had, the longest first. They occur in other events too: the tool call or
 * command that stored a memory is recorded like any other.
 */
function listStoredTexts(store: Store, memories: readonly Memory[]): string[] {
  if (memories.length === 0) return []
  const ids = new Set<MemoryId>(memories.map((memory) => memory.id))
  const texts = new Set<string>()
  const collect = (id: MemoryId, content = ''): void => {
    if (ids.has(id) && content.length >= STORED_CHARS_MIN) texts.add(content)
  }
  for (const event of eventsNewestFirst(store)) {
    if (event.kind === 'memory.stored' || event.kind === 'memory.consolidated')
      collect(event.memory.id, event.memory.content)
    else if (event.kind === 'memory.updated') collect(event.change.memory, event.change.content)
    else if (event.kind === 'memory.batch') {
      for (const { id, content } of event.stored) collect(id, content)
      for (const { memory, content } of event.changes) collect(memory, content)
    }
  }
  return [...texts].sort((a, b) => b.length - a.length)
}

function rewriteLog(
  { files, layout }: Store,
  eraseEvent: EraseEvent,
  texts: readonly string[],
  dryRun: boolean,
): ErasedFile[] {
  const isErasable = (bytes: Buffer): boolean => texts.some((text) => bytes.includes(text))
  if (dryRun) return eraseInLog(files, layout.events, { eraseEvent, isErasable, dryRun })
  const lock = acquireLock(files, layout.lock)
  if (!lock) throw storeBusyError()
  try {
    // Files that a repair has set aside may contain the texts, and nothing reads them.
    if (texts.length > 0) {
      for (const name of files.list(layout.events))
        if (name.startsWith('damaged-')) files.remove(`${layout.events}/${name}`)
    }
    return eraseInLog(files, layout.events, { eraseEvent, isErasable })
  } finally {
    lock.release()
  }
}

/** Leaves no derived file of before, not even the learner state that is kept for slow readers. */
function rebuildDerived(store: Store, now: number): void {
  if (rebuildStore(store, now).busy) throw storeBusyError()
  const { files, layout } = store
  files.remove(layout.work(readManifest(files, layout).generation - 1))
}

/** Removes the events that stored these memories, and those they were made of, with their calls and recalls. */
function withoutMemories(store: Store, memories: readonly Memory[]): EraseEvent {
  const ids = new Set<MemoryId>(memories.map((memory) => memory.id))
  const sources = new Set<string>(memories.flatMap((memory) => memory.events))
  const calls = new Set<string>()
  const recallTimes = new Set<string>()
  const collect: EraseEvent = (event) => {
    if (sources.has(event.id)) {
      recallTimes.add(sessionAndTime(event))
      if ('call' in event && event.call) calls.add(event.call)
    }
    return event
  }
  eraseInLog(store.files, store.layout.events, { eraseEvent: collect, isErasable: () => false, dryRun: true })
  return (event) => {
    if (sources.has(event.id)) return undefined
    if ('call' in event && event.call && calls.has(event.call)) return undefined
    // The query of a recall repeats the event that started it.
    if (event.kind === 'recalled' && recallTimes.has(sessionAndTime(event))) return undefined
    switch (event.kind) {
      case 'memory.stored':
      case 'memory.consolidated':
        return ids.has(event.memory.id) ? undefined : event
      case 'memory.updated':
        return ids.has(event.change.memory) ? undefined : event
      case 'memory.scored':
        return ids.has(event.memory) ? undefined : event
      case 'memory.batch': {
        const stored = event.stored.filter((memory) => !ids.has(memory.id))
        const changes = event.changes.filter((change) => !ids.has(change.memory))
        const left = stored.length + changes.length
        if (left === event.stored.length + event.changes.length) return event
        return left === 0 ? undefined : { ...event, stored, changes }
      }
      default:
        return event
    }
  }
}

const sessionAndTime = (event: Event): string => `${event.session} ${eventTimeMs(event)}`

const withoutSession =
  (session: SessionId): EraseEvent =>
  (event) =>
    event.session === session ? undefined : event

/** Fields that say what an event is, not what happened. */
const UNREDACTED_FIELDS: ReadonlySet<string> = new Set('id at session kind moment outcome privacy source'.split(' '))

/** Replaces the text wherever it occurs. */
function withoutText(text: string): EraseEvent {
  const asterisks = '*'.repeat(Math.min(ASTERISKS_MAX, text.length))
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(text, asterisks)
    if (Array.isArray(value)) return value.map(redact)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name.replaceAll(text, asterisks), redact(field)]),
    )
  }
  return (event) => {
    // A quick check: most events do not contain the text.
    if (!JSON.stringify(event).includes(JSON.stringify(text).slice(1, -1))) return event
    const fields = Object.entries(event).filter(([name]) => !UNREDACTED_FIELDS.has(name))
    return { ...event, ...(redact(Object.fromEntries(fields)) as Partial<Event>) } as Event
  }
}

const deletionEvent = (memories: readonly Memory[], now: number): Event => {
  const ids = memories.map((memory) => memory.id)
  return systemEvent({ kind: 'memory.deleted', memories: ids }, { now, key: ids })
}
