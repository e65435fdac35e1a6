// Lists memories, events and sessions, for people and tools. Writes nothing and counts no access.

import { type Event, type EventKind, type EventOf, isCallResult } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { type IdKind, selectByPrefix } from '../../model/idPrefix.ts'
import type { Memory, MemoryKind, MemoryMap, MemoryStatus } from '../../model/memory.ts'
import { isPrivate } from '../../model/privacy.ts'
import type { Tier } from '../../model/tier.ts'
import { listLogFiles, readSupportedLogFile } from '../../store/log/logFiles.ts'
import { decodeLogLine } from '../../store/log/logLine.ts'
import { firstLine } from '../../text/excerpt.ts'
import { openLiveStore } from '../live/liveStore.ts'
import { acquireCurrentReader, releaseReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { hidePrivateParts } from './privateEvents.ts'
import { isSystemEventKind, listUnorganizedSessions } from './storeStatus.ts'

export type MemorySort = 'updated' | 'created' | 'importance' | 'strength' | 'help'

/** Which memories to list. A field that is left out matches all. */
export interface MemoryFilter {
  readonly kinds?: readonly MemoryKind[] | undefined
  readonly tiers?: readonly Tier[] | undefined
  readonly status?: MemoryStatus | undefined
  /** A session's id, or its beginning. */
  readonly session?: string | undefined
  /** Imported ones from this source: `import:claude-mem`; `import` for all. */
  readonly origin?: string | undefined
  /** Private memories too: only for the person who asks for them. */
  readonly withPrivate?: boolean | undefined
}

/** The memories that match the filter, with the highest value of `sort` first. */
export function listMemories(store: Store, filter: MemoryFilter = {}, sort: MemorySort = 'updated'): Memory[] {
  const key = SORT_KEYS[sort]
  const matching = readMemories(store).filter((memory) => matchesFilter(memory, filter))
  return matching.sort((a, b) => compare(key(b), key(a)) || compare(a.id, b.id))
}

/** Every memory with all events that the log has, and what open sessions have learned. */
function readMemories(store: Store): Memory[] {
  const memories = readAllMemories(store)
  return store.isForSession ? memories.filter(({ privacy }) => privacy === 'public') : memories
}

function readAllMemories(store: Store): Memory[] {
  const reader = acquireCurrentReader(store)
  if (!reader) return [...openLiveStore(store).memories().values()]
  try {
    return [...reader.allMemories()]
  } finally {
    releaseReader(reader)
  }
}

export const matchesFilter = (memory: Memory, filter: MemoryFilter): boolean =>
  (filter.withPrivate === true || !isPrivate(memory)) &&
  (filter.kinds?.includes(memory.kind) ?? true) &&
  (filter.tiers?.includes(memory.tier) ?? true) &&
  (filter.status === undefined || filter.status === memory.status) &&
  (filter.session === undefined || (memory.session?.startsWith(filter.session) ?? false)) &&
  (filter.origin === undefined || isOfOrigin(memory, filter.origin))

const isOfOrigin = ({ importSource }: Memory, origin: string): boolean =>
  importSource !== undefined &&
  (origin === 'import' || importSource.origin.slice('import:'.length) === origin.replace(/^import:/, ''))

const SORT_KEYS: { readonly [S in MemorySort]: (memory: Memory) => string | number } = {
  updated: (memory) => memory.updated,
  created: (memory) => memory.created,
  importance: (memory) => memory.importance,
  strength: (memory) => memory.strength,
  help: (memory) => memory.help.contribution,
}

/** What messages say about ids of memories. */
export const MEMORY_IDS: IdKind = { noun: 'memory', hint: 'Run `memctl list` or `memctl search WORDS` to get ids.' }

/** The memory whose id begins with `prefix`, in any case. Throws NOT_FOUND if none or several do. */
export const findMemoryByPrefix = (store: Store, prefix: string, filter?: MemoryFilter): Memory =>
  selectByPrefix(listMemories(store, filter), prefix, MEMORY_IDS)

/**
 * The log's events from its end backwards, as far as they may be listed here. Reads file by file, so that a caller pays
 * only for what it reads.
 */
export function* eventsNewestFirst(store: Store): Generator<Event> {
  const { files, layout } = store
  for (const file of listLogFiles(files, layout.events).reverse()) {
    const bytes = readSupportedLogFile(files, layout.events, file)
    let end = bytes.lastIndexOf(0x0a)
    while (end > 0) {
      const start = bytes.lastIndexOf(0x0a, end - 1) + 1
      const line = decodeLogLine(bytes.subarray(start, end))
      if (line.kind === 'event' && (!store.isForSession || isForEveryone(line.event))) yield line.event
      end = start - 1
    }
  }
}

/** Recalls of a subagent repeat what it did. */
const isForEveryone = ({ privacy, role }: Event): boolean => privacy === 'public' && role === 'main'

const NO_MEMORIES: MemoryMap = new Map()

/** The latest events of a session (an id or its beginning) and kind, in the order of the log; nothing private. */
export function listLatestEvents(
  store: Store,
  filter: { readonly session?: string | undefined; readonly kind?: EventKind | undefined; readonly limit: number },
): Event[] {
  const { session = '', kind, limit } = filter
  const found: Event[] = []
  let known: MemoryMap | undefined
  for (const event of eventsNewestFirst(store)) {
    if (found.length >= limit) break
    if (!event.session.startsWith(session) || (kind !== undefined && event.kind !== kind)) continue
    if (event.kind.startsWith('memory.')) known ??= new Map(readMemories(store).map((memory) => [memory.id, memory]))
    const open = hidePrivateParts(event, known ?? NO_MEMORIES)
    if (open) found.push(open)
  }
  return found.reverse()
}

/** The events that a memory was made of, as far as they are still in the log, in its order. */
export function listSourceEvents(store: Store, memory: Memory): Event[] {
  const missing = new Set<string>(memory.events)
  const found: Event[] = []
  for (const event of eventsNewestFirst(store)) {
    if (missing.size === 0) break
    if (missing.delete(event.id)) found.push(event)
  }
  return found.reverse()
}

/** The events that released a memory to more viewers, oldest first. */
export function listReleaseEvents(store: Store, memory: Memory): EventOf<'memory.released'>[] {
  const found: EventOf<'memory.released'>[] = []
  if (memory.privacySince === undefined) return found
  for (const event of eventsNewestFirst(store)) {
    if (event.at < memory.created) break
    if (event.kind === 'memory.released' && event.memory === memory.id) found.push(event)
  }
  return found.reverse()
}

export interface SessionSummary {
  readonly id: SessionId
  readonly started: string
  readonly lastAt: string
  readonly branch: string | null
  readonly prompts: number
  readonly calls: number
  /** The first line of its summary; null if it has none. */
  readonly summary: string | null
  readonly organized: boolean
  /** Where it, or a part of it, was taken over from; absent for what hooks have recorded. */
  readonly origin?: string
}

/** Every session of the log, the latest first. */
export function listSessions(store: Store): SessionSummary[] {
  const open = listUnorganizedSessions(store)
  const summaries = new Map(
    listMemories(store, { kinds: ['summary'] }).map((memory) => [memory.session, memory.content]),
  )
  return [...collectSessions(store).values()]
    .sort((a, b) => compare(b.lastAt, a.lastAt) || compare(a.id, b.id))
    .map(({ prompts, calls, ...session }) => {
      const summary = summaries.get(session.id)
      return {
        ...session,
        prompts: prompts.size,
        calls: calls.size,
        summary: summary === undefined ? null : firstLine(summary.replace(/^(?:asked: |- )/, ''), 200),
        organized: !open.has(session.id),
      }
    })
}

interface SessionEvents {
  id: SessionId
  started: string
  lastAt: string
  branch: string | null
  /** Ids, because plugin and settings may both record the same event. */
  prompts: Set<string>
  calls: Set<string>
  origin?: string
}

function collectSessions(store: Store): Map<SessionId, SessionEvents> {
  const sessions = new Map<SessionId, SessionEvents>()
  for (const event of eventsNewestFirst(store)) {
    if (isSystemEventKind(event.kind)) continue
    const { id, at } = event
    const session = sessions.get(event.session) ?? newSession(event)
    sessions.set(session.id, session)
    // Hooks of parallel calls may write out of order.
    if (at < session.started) session.started = at
    if (at > session.lastAt) session.lastAt = at
    if (event.kind === 'prompt' || event.kind === 'session.started') session.branch ??= event.branch ?? null
    if (event.kind === 'prompt') session.prompts.add(id)
    if (isCallResult(event)) session.calls.add(id)
    if (event.origin !== undefined) session.origin = event.origin
  }
  return sessions
}

const newSession = ({ session: id, at }: Event): SessionEvents => ({
  id,
  started: at,
  lastAt: at,
  branch: null,
  prompts: new Set(),
  calls: new Set(),
})

/** The id of the session whose id begins with `prefix`. Throws NOT_FOUND if none or several do. */
export const findSessionByPrefix = (store: Store, prefix: string): SessionId =>
  selectByPrefix(listSessions(store), prefix, { noun: 'session', hint: 'Run `memctl sessions` to list them.' }).id

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
