// Forgetting: what somebody wants gone leaves the log and all that is made of it. Nothing brings it back, so it is told first.

import type { Event } from '../../model/event.ts'
import { eventTimeMs } from '../../model/event.ts'
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

/** What is to be forgotten: memories, a session, everything that says a text; ids or their beginnings. */
interface ErasureRequest {
  readonly memories?: readonly string[]
  readonly session?: string
  /** As it stands in what happened, letter for letter. */
  readonly text?: string
}

export interface ErasureResult {
  readonly files: readonly ErasedFile[]
  readonly removed: number
  readonly redacted: number
  readonly dryRun: boolean
}

/** Of a forgotten text as many stars as it has letters, eight at most. */
const STARS_MAX = 8

/**
 * Takes it out of the log, compressed files included, and makes everything else anew. With `dryRun` it only says how many events would
 * go or lose a part. Throws NOT_FOUND for ids that are none, STORE_BUSY while another process writes.
 */
export function eraseFromLog(store: Store, unwanted: ErasureRequest, now: number, dryRun: boolean): ErasureResult {
  assertLogComplete(store)
  const named = (unwanted.memories ?? []).map((prefix) => memoryMeant(store, prefix))
  const session = unwanted.session === undefined ? undefined : findSessionByPrefix(store, unwanted.session)
  const texts = [...(unwanted.text === undefined ? [] : [unwanted.text]), ...textsOf(store, named)].flatMap(asSaid)
  const steps: EraseEvent[] = [
    ...(named.length > 0 ? [withoutMemories(store, named)] : []),
    ...(session === undefined ? [] : [withoutSession(session)]),
    ...texts.map(withoutText),
  ]
  const erasing: EraseEvent = (event) => steps.reduce<Event | undefined>((left, step) => left && step(left), event)
  const files = erased(store, erasing, texts, dryRun)
  if (!dryRun) {
    if (named.length > 0) commitEvents(store, [deletion(named, now)])
    rebuildFrom(store, now)
  }
  const sum = (of: 'removed' | 'redacted'): number => files.reduce((total, file) => total + file[of], 0)
  return { files, removed: sum('removed'), redacted: sum('redacted'), dryRun }
}

/** Of those there are, else of those there once were: a deleted one is in the log still. */
function memoryMeant(store: Store, prefix: string): Memory {
  try {
    return assertNoEntry(findMemoryByPrefix(store, prefix))
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'NOT_FOUND') throw error
    for (const event of eventsNewestFirst(store)) {
      const stored = event.kind === 'memory.batch' ? event.stored : 'memory' in event ? [event.memory] : []
      for (const one of stored) if (typeof one === 'object' && one.id.startsWith(prefix)) return one
    }
    throw error
  }
}

/** A text, and how it stands in a JSON text: what a tool answers is mostly one. */
const asSaid = (text: string): string[] => [...new Set([text, JSON.stringify(text).slice(1, -1)])]

/** A shorter text that somebody stored stands in what has nothing to do with it, such as a command. In UTF-16 code units. */
const STORED_CHARS_MIN = 16

/**
 * What was said when these memories were stored and changed, each of their states, the longest first. It stands in other events as well:
 * the call of a tool or the command that stored it is recorded like any other.
 */
function textsOf(store: Store, memories: readonly Memory[]): string[] {
  if (memories.length === 0) return []
  const ids = new Set<MemoryId>(memories.map((memory) => memory.id))
  const said = new Set<string>()
  const take = (id: MemoryId, content = ''): unknown =>
    ids.has(id) && content.length >= STORED_CHARS_MIN && said.add(content)
  for (const event of eventsNewestFirst(store)) {
    if (event.kind === 'memory.stored' || event.kind === 'memory.consolidated')
      take(event.memory.id, event.memory.content)
    else if (event.kind === 'memory.updated') take(event.change.memory, event.change.content)
    else if (event.kind === 'memory.batch') {
      for (const { id, content } of event.stored) take(id, content)
      for (const { memory, content } of event.changes) take(memory, content)
    }
  }
  return [...said].sort((a, b) => b.length - a.length)
}

/** An entry's file would only be taken up again. */
function assertNoEntry(memory: Memory): Memory {
  const mark = memory.entrySource
  if (!mark) return memory
  throw new MemoryError('INPUT_INVALID', `${memory.id} is the entry ${mark.key}`, {
    hint: 'Delete the entry first (`memctl entry delete`), or its file; then forget it.',
  })
}

function erased(
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
    // What a repair has set aside is of no use to anybody but who looks into it by hand.
    if (texts.length > 0) {
      for (const name of files.list(layout.events))
        if (name.startsWith('damaged-')) files.remove(`${layout.events}/${name}`)
    }
    return eraseInLog(files, layout.events, { eraseEvent, isErasable })
  } finally {
    lock.release()
  }
}

/** Nothing derived from before stays: not the work of the generation before either, which a view leaves for slow readers. */
function rebuildFrom(store: Store, now: number): void {
  if (rebuildStore(store, now).busy) throw storeBusyError()
  const { files, layout } = store
  const { generation } = readManifest(files, layout)
  files.remove(layout.work(generation - 1))
}

/** What says these memories goes: what stored them, and what they were made of, calls with their start and their recalls. */
function withoutMemories(store: Store, memories: readonly Memory[]): EraseEvent {
  const ids = new Set<MemoryId>(memories.map((memory) => memory.id))
  const sources = new Set<string>(memories.flatMap((memory) => memory.events))
  const calls = new Set<string>()
  const moments = new Set<string>()
  const collectCalls: EraseEvent = (event) => {
    if (sources.has(event.id)) {
      moments.add(momentOf(event))
      if ('call' in event && event.call) calls.add(event.call)
    }
    return event
  }
  eraseInLog(store.files, store.layout.events, {
    eraseEvent: collectCalls,
    isErasable: () => false,
    dryRun: true,
  })
  return (event) => {
    if (sources.has(event.id)) return undefined
    if ('call' in event && event.call && calls.has(event.call)) return undefined
    // Its cue repeats what it was asked with.
    if (event.kind === 'recalled' && moments.has(momentOf(event))) return undefined
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

const momentOf = (event: Event): string => `${event.session} ${eventTimeMs(event)}`

const withoutSession =
  (session: SessionId): EraseEvent =>
  (event) =>
    event.session === session ? undefined : event

/** What an event is, not what it says. */
const KEPT: ReadonlySet<string> = new Set(['id', 'at', 'session', 'kind', 'moment', 'outcome', 'privacy', 'source'])

/** Every text without it, wherever it stands. */
function withoutText(text: string): EraseEvent {
  const stars = '*'.repeat(Math.min(STARS_MAX, text.length))
  const strip = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(text, stars)
    if (Array.isArray(value)) return value.map(strip)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.replaceAll(text, stars), strip(one)]))
  }
  return (event) => {
    // Names, values and what a JSON text says of itself: most events say nothing of it, and are not taken apart.
    if (!JSON.stringify(event).includes(JSON.stringify(text).slice(1, -1))) return event
    const rest = Object.entries(event).filter(([name]) => !KEPT.has(name))
    return { ...event, ...(strip(Object.fromEntries(rest)) as Partial<Event>) } as Event
  }
}

const deletion = (memories: readonly Memory[], now: number): Event => {
  const ids = memories.map((memory) => memory.id)
  return systemEvent({ kind: 'memory.deleted', memories: ids }, { now, key: ids })
}
