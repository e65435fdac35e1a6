// What is to be erased: from a request to the events of each store that are erased as a whole, and the copies of texts
// in all others; and what an erasure changes or would change. A preview and the erasure itself report the same.
import { type Event, type EventKind, eventTimeMs, isCallResult } from '../../model/event.ts'
import { listByPrefix, type MemoryId, type SessionId, selectByPrefix } from '../../model/id.ts'
import type { Memory, MemoryKind, MemoryMap } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import type { ErasedFile, EraseEvent } from '../../store/log/rewriteLog.ts'
import { parseLegacyEntrySource } from '../../store/snapshot/upgradeMemory.ts'
import { type CopyFinder, createCopyFinder, replaceCopies } from '../../text/copies/findCopies.ts'
import type { Store } from '../open/openStore.ts'
import { listStored } from '../projection/memoryReducer.ts'
import { withoutTexts } from '../projection/teamProjection.ts'
import { findSessionByPrefix, listMemories, MEMORY_IDS } from '../queries/browse.ts'
import { findMemorySources, type MemorySources, readEvents, replayLog } from './memorySources.ts'

/** What to erase: memories and a session, by their ids or the beginnings of them, and a text. */
export interface ErasureRequest {
  readonly memories?: readonly string[]
  readonly session?: string
  /** With all its copies: shortened, escaped and encoded ones too. */
  readonly text?: string
  /** Also in the entry files of this project, which belong to its repository. */
  readonly entries?: boolean
}

export interface ErasureOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly dryRun?: boolean
}

/** removed: as a whole. redacted: the text in it is replaced by asterisks. */
export type ErasureAction = 'removed' | 'redacted'

export interface ErasedEvent {
  /** The folder of the store in memctl's home; the log's file in it. */
  readonly store: string
  readonly file: string
  readonly kind: EventKind
  readonly at: string
  readonly session: string
  readonly action: ErasureAction
  /** The text around what is erased, 100 characters at most; empty for what is private. */
  readonly text: string
}

export interface ErasedMemory {
  readonly store: string
  readonly id: MemoryId
  readonly kind: MemoryKind
  /** redacted: its text changes, because some of its events are erased. */
  readonly action: ErasureAction
  /** Its beginning, 100 characters at most; empty for what is private. */
  readonly text: string
}

/** A file beside the logs. */
export interface ErasedOtherFile {
  readonly file: string
  readonly action: ErasureAction
}

export interface ErasureResult {
  readonly dryRun: boolean
  /** Numbers of events. */
  readonly removed: number
  readonly redacted: number
  readonly files: readonly (ErasedFile & { readonly store: string })[]
  /** The first 200. */
  readonly events: readonly ErasedEvent[]
  readonly memories: readonly ErasedMemory[]
  /** Damaged parts of logs, faults, temporary files, and entries for all projects. */
  readonly otherFiles: readonly ErasedOtherFile[]
  /** Entry files of this project; they are only changed if the request says so. */
  readonly entries: readonly ErasedOtherFile[]
  /** Files that still contain it, such as a config that the person wrote; of a preview: that would contain it. */
  readonly left: readonly string[]
}

export interface ErasurePlan {
  readonly erase: EraseEvent
  /** Whether bytes that are no event have a part of what is erased. */
  readonly isErasable: (bytes: Buffer) => boolean
  /** Finds copies outside of the logs. */
  readonly finder: CopyFinder
  readonly memories: ReadonlySet<MemoryId>
  /** Memories that are derived again with other words, and keep their state. */
  readonly kept?: readonly Memory[]
}

/**
 * The plan for the store of the request, and the one for all other stores of the person. Throws NOT_FOUND for unknown
 * ids and INPUT_INVALID for the memory of an entry.
 */
export function planErasure(store: Store, request: ErasureRequest) {
  const session = request.session === undefined ? undefined : findSessionByPrefix(store, request.session)
  const events = readEvents(store)
  const memories = (request.memories ?? []).map((prefix) => findErasable(store, events, prefix))
  const sources = memories.length === 0 ? undefined : findMemorySources(events, memories)
  const requested = request.text === undefined ? [] : [request.text]
  const everywhere = createCopyFinder([...requested, ...(sources?.storedTexts ?? [])])
  const nearby = createCopyFinder(sources?.derivedTexts ?? [])
  const own = combine([
    ...(sources ? [eraseMemories(events, sources), inSessions(sources.sessions, eraseTexts(nearby))] : []),
    ...(session === undefined ? [] : [eraseSession(session), ...eraseSessionMemories(events, session)]),
    eraseTexts(everywhere),
  ])
  const others = combine([...(session === undefined ? [] : [eraseSession(session)]), eraseTexts(everywhere)])
  const names = [...(sources?.events ?? []), ...(sources?.memories ?? [])]
  if (session !== undefined) names.push(`"session":${JSON.stringify(session)}`)
  const finders = [everywhere, nearby]
  const isErasable = (bytes: Buffer): boolean => {
    const text = bytes.toString('utf8')
    return names.some((name) => text.includes(name)) || finders.some((finder) => finder.find(text, true).length > 0)
  }
  // The log says that the session was erased, by the id of its summary: an import of its transcript leaves it out.
  const summaries = session === undefined ? [] : [deriveMemoryId('summary', session)]
  const ids: ReadonlySet<MemoryId> = new Set([...(sources?.memories ?? []), ...summaries])
  return {
    own: { erase: own, isErasable, finder: everywhere, memories: ids },
    others: { erase: others, isErasable, finder: everywhere, memories: ids },
  }
}

export const combine =
  (steps: readonly EraseEvent[]): EraseEvent =>
  (event) =>
    steps.reduce<Event | undefined>((rest, step) => rest && step(rest), event)

const inSessions =
  (sessions: ReadonlySet<string>, erase: EraseEvent): EraseEvent =>
  (event) =>
    sessions.has(event.session) ? erase(event) : event

const eraseSession =
  (session: SessionId): EraseEvent =>
  (event) =>
    event.session === session ? undefined : event

/** An existing memory, else a deleted one that is still in the log. Throws NOT_FOUND if none or several match. */
function findErasable(store: Store, events: readonly Event[], prefix: string): Memory {
  const existing = listByPrefix(listMemories(store, { withPrivate: true }), prefix)
  if (existing.length > 0) return assertNoEntry(selectByPrefix(existing, prefix, MEMORY_IDS))
  const stored = new Map(events.flatMap(listStored).map((memory) => [memory.id, memory]))
  return selectByPrefix(stored.values(), prefix, MEMORY_IDS)
}

/** Erasing an entry's memory is useless while its file exists: the next sync would add it again. */
function assertNoEntry(memory: Memory): Memory {
  if (!memory.entrySource) return memory
  throw new MemoryError('INPUT_INVALID', `${memory.id} is the entry ${memory.entrySource.key}`, {
    hint: 'Delete the entry first (`memctl entry delete`), or its file; then forget it.',
  })
}

/** A tool of memctl's MCP server. */
const MEMORY_TOOL = /__memory_\w+$/

/** Removes the events that stored these memories, and those they were made of, with their calls and recalls. */
function eraseMemories(events: readonly Event[], { memories, events: sources }: MemorySources): EraseEvent {
  const calls = new Set<string>()
  const recallTimes = new Set<string>()
  for (const event of events) {
    if (sources.has(event.id)) {
      recallTimes.add(sessionAndTime(event))
      if ('call' in event && event.call) calls.add(event.call)
    } else if (isCallResult(event) && (MEMORY_TOOL.test(event.tool) || isOwnCommand(event.input['command']))) {
      // Its arguments or its answer are about the memory.
      const text = JSON.stringify(event)
      if (event.call && [...memories].some((id) => text.includes(id))) calls.add(event.call)
    }
  }
  return (event) => {
    if (sources.has(event.id)) return undefined
    if ('call' in event && event.call && calls.has(event.call)) return undefined
    // The query of a recall repeats the event that started it.
    if (event.kind === 'recalled' && recallTimes.has(sessionAndTime(event))) return undefined
    return withoutMemories(event, memories)
  }
}

const isOwnCommand = (command: unknown): boolean => typeof command === 'string' && /\bmemctl\b/.test(command)

/** The event without what it says about these memories; undefined if nothing is left. */
export function withoutMemories(event: Event, ids: ReadonlySet<MemoryId>): Event | undefined {
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
    case 'team.published':
    case 'team.received':
      return withoutTexts(event, ids)
    default:
      return event
  }
}

const sessionAndTime = (event: Event): string => `${event.session} ${eventTimeMs(event)}`

const hasMemories = ({ kind }: Event): boolean => /^(?:memory|team)\.|^session\.distilled$/.test(kind)

/** Shorter texts of other memories may be the same by chance, in characters. */
const COPIED_CHARS_MIN = 24

/**
 * Memories of a session that other events have stored or changed: a person has edited them, or a tool has made one of
 * several. What exists without the session too keeps its changes.
 */
function eraseSessionMemories(events: readonly Event[], session: SessionId): EraseEvent[] {
  const own = new Map<MemoryId, Memory>()
  const collect = (memories: MemoryMap): void => {
    for (const memory of memories.values()) if (memory.session === session) own.set(memory.id, memory)
  }
  replayLog(events, (event) => event, collect)
  const remaining = replayLog(events, eraseSession(session))
  const ids = new Set([...own.keys()].filter((id) => (remaining.get(id)?.session ?? session) === session))
  for (const event of events) for (const { id, session: from } of listStored(event)) if (from === session) ids.add(id)
  const texts = [...own.values()].flatMap(({ content, lessons }) => [content, ...lessons])
  const finder = createCopyFinder(texts.filter((text) => text.length >= COPIED_CHARS_MIN))
  const inMemories = eraseTexts(finder)
  return [(event) => withoutMemories(event, ids), (event) => (hasMemories(event) ? inMemories(event) : event)]
}

/** Fields that say what an event is: an event with a copy in one of them is removed. */
const IDENTITY_FIELDS: ReadonlySet<string> = new Set('id at session kind moment outcome privacy'.split(' '))

/** Fields that are cut without an ellipsis. */
const CUT_FIELDS: ReadonlySet<string> = new Set(['errorSignature', 'commandShape', 'subject'])

/** An eraser that replaces copies by asterisks, in names of fields too. An entry with a copy in its key is left out. */
export function eraseTexts(finder: CopyFinder): EraseEvent {
  return (event) => {
    const rest = withoutMemories(event, findNamedEntries(event, finder))
    const clean = rest && (redactTexts(rest, finder) as Event)
    if (clean === event || clean === undefined) return clean
    for (const name of IDENTITY_FIELDS) if (Reflect.get(clean, name) !== Reflect.get(event, name)) return undefined
    return clean
  }
}

/** Entries with a copy in what identifies them: with asterisks there, nothing would lead from a memory to its file. */
function findNamedEntries(event: Event, finder: CopyFinder): ReadonlySet<MemoryId> {
  const named = listStored(event).filter(({ id, metadata, entrySource }) => {
    const source = entrySource ?? parseLegacyEntrySource(metadata ?? {}, id)
    return source !== undefined && [source.key, source.session ?? ''].some((name) => finder.find(name, true).length > 0)
  })
  return new Set(named.map(({ id }) => id))
}

/** A JSON value without copies; the same reference if it has none. */
export function redactTexts(value: unknown, finder: CopyFinder, isCut = false): unknown {
  if (typeof value === 'string') {
    const spans = finder.find(value, isCut)
    return spans.length === 0 ? value : replaceCopies(value, spans)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((item) => redactTexts(item, finder))
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  const fields = Object.entries(value)
  const clean = fields.map(([name, field]): [string, unknown] => [
    redactTexts(name, finder) as string,
    redactTexts(field, finder, CUT_FIELDS.has(name)),
  ])
  const changed = clean.filter(([name, field], i) => name !== fields[i]?.[0] || field !== fields[i]?.[1])
  if (changed.length === 0) return value
  // A vector that a caller supplied says what the text was about. With a copy cut out of it, it would be another one.
  const hasOther = changed.some(([name]) => name === 'content' || name === 'embedding')
  return Object.fromEntries(hasOther ? clean.filter(([name]) => name !== 'embedding') : clean)
}
