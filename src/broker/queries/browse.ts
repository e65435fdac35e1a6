// Browse: memories, events and sessions as they stand, for a person or a tool that looks around. Writes and counts nothing.

import { type Event, type EventKind, type EventOf, isCallResult } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import type { Memory, MemoryKind, MemoryStatus } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Tier } from '../../model/tier.ts'
import { listLogFiles, readSupportedLogFile } from '../../store/log/logFiles.ts'
import { decodeLogLine } from '../../store/log/logLine.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import { firstLine } from '../../text/excerpt.ts'
import { acquireReader, releaseReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { isSystemEventKind, listUnorganizedSessions } from './storeStatus.ts'

const SORTS = ['updated', 'created', 'importance', 'strength', 'help'] as const
export type MemorySort = (typeof SORTS)[number]

/** What of the memories is wanted; a choice that is left out holds for all. */
export interface MemoryFilter {
  readonly kinds?: readonly MemoryKind[] | undefined
  readonly tiers?: readonly Tier[] | undefined
  readonly status?: MemoryStatus | undefined
  /** A session's id or the beginning of it. */
  readonly session?: string | undefined
}

/** Every memory chosen, in order: the latest, the most important, the strongest, the most helpful first. */
export function listMemories(store: Store, filter: MemoryFilter = {}, sort: MemorySort = 'updated'): Memory[] {
  const reader = acquireReader(store, upgradeMemory)
  try {
    const order = ORDER[sort]
    const chosen = [...reader.allMemories()].filter((memory) => matchesFilter(memory, filter))
    return chosen.sort((a, b) => compare(order(b), order(a)) || compare(a.id, b.id))
  } finally {
    releaseReader(reader)
  }
}

export const matchesFilter = (memory: Memory, filter: MemoryFilter): boolean =>
  (filter.kinds?.includes(memory.kind) ?? true) &&
  (filter.tiers?.includes(memory.tier) ?? true) &&
  (filter.status === undefined || filter.status === memory.status) &&
  (filter.session === undefined || (memory.session?.startsWith(filter.session) ?? false))

const ORDER: { readonly [S in MemorySort]: (memory: Memory) => string | number } = {
  updated: (memory) => memory.updated,
  created: (memory) => memory.created,
  importance: (memory) => memory.importance,
  strength: (memory) => memory.strength,
  help: (memory) => memory.help.contribution,
}

/** The memory whose id is, or begins with, `prefix`. Throws NOT_FOUND where none or more than one does. */
export function findMemoryByPrefix(store: Store, prefix: string): Memory {
  const wanted = prefix.toLowerCase()
  const found = listMemories(store).filter((memory) => memory.id.startsWith(wanted))
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    throw new MemoryError('NOT_FOUND', `No memory's id begins with "${prefix}"`, {
      hint: 'Run `memctl list` or `memctl search WORDS` for the ids there are.',
    })
  }
  const some = found.slice(0, 4).map((memory) => memory.id.slice(0, Math.max(12, wanted.length + 2)))
  throw new MemoryError('NOT_FOUND', `${found.length} memories' ids begin with "${prefix}": ${some.join(', ')}…`, {
    hint: 'Give more of the id.',
  })
}

/** The log's events from its end backwards; file by file, so that a long history costs what is looked at. */
export function* eventsNewestFirst(store: Store): Generator<Event> {
  const { files, layout } = store
  for (const file of listLogFiles(files, layout.events).reverse()) {
    const bytes = readSupportedLogFile(files, layout.events, file)
    let end = bytes.lastIndexOf(0x0a)
    while (end > 0) {
      const start = bytes.lastIndexOf(0x0a, end - 1) + 1
      const line = decodeLogLine(bytes.subarray(start, end))
      if (line.kind === 'event') yield line.event
      end = start - 1
    }
  }
}

/** The latest events of this session (id or beginning of it) and kind, in the order of the log. */
export function listLatestEvents(
  store: Store,
  wanted: { readonly session?: string | undefined; readonly kind?: EventKind | undefined; readonly limit: number },
): Event[] {
  const found: Event[] = []
  for (const event of eventsNewestFirst(store)) {
    if (found.length >= wanted.limit) break
    if (wanted.session !== undefined && !event.session.startsWith(wanted.session)) continue
    if (wanted.kind !== undefined && event.kind !== wanted.kind) continue
    found.push(event)
  }
  return found.reverse()
}

/** Those events of the log that a memory was made of and that are still in it, in its order. */
export function listSourceEvents(store: Store, memory: Memory): Event[] {
  const wanted = new Set<string>(memory.events)
  const found: Event[] = []
  for (const event of eventsNewestFirst(store)) {
    if (wanted.size === 0) break
    if (wanted.delete(event.id)) found.push(event)
  }
  return found.reverse()
}

/** The steps by which time opened a memory to more readers, in their order. The log is read back to the first of them. */
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
  /** The first line of its summary; null where it has none, or none any more. */
  readonly summary: string | null
  readonly organized: boolean
}

/** Every session of the log, the latest first. */
export function listSessions(store: Store): SessionSummary[] {
  const open = listUnorganizedSessions(store)
  const summaries = new Map(
    listMemories(store, { kinds: ['summary'] }).map((memory) => [memory.session, memory.content]),
  )
  return [...tallied(store).values()]
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

interface Tally {
  id: SessionId
  started: string
  lastAt: string
  branch: string | null
  /** Ids, since plugin and settings may both have told of one event. */
  prompts: Set<string>
  calls: Set<string>
}

function tallied(store: Store): Map<SessionId, Tally> {
  const sessions = new Map<SessionId, Tally>()
  for (const event of eventsNewestFirst(store)) {
    if (isSystemEventKind(event.kind)) continue
    const { id, at, session } = event
    const tally = sessions.get(session) ?? {
      ...{ id: session, started: at, lastAt: at, branch: null },
      ...{ prompts: new Set(), calls: new Set() },
    }
    sessions.set(session, tally)
    // Backwards, but not strictly: hooks of parallel calls may write out of order.
    if (at < tally.started) tally.started = at
    if (at > tally.lastAt) tally.lastAt = at
    if (event.kind === 'prompt' || event.kind === 'session.started') tally.branch ??= event.branch ?? null
    if (event.kind === 'prompt') tally.prompts.add(id)
    if (isCallResult(event)) tally.calls.add(id)
  }
  return sessions
}

/** The whole id of the session that `prefix` is the beginning of. Throws NOT_FOUND where none or more than one is. */
export function findSessionByPrefix(store: Store, prefix: string): SessionId {
  const found = listSessions(store).filter((session) => session.id.startsWith(prefix))
  if (found.length === 1) return found[0]!.id
  throw new MemoryError(
    'NOT_FOUND',
    found.length === 0
      ? `No session's id begins with "${prefix}"`
      : `${found.length} sessions' ids begin with "${prefix}"`,
    { hint: found.length === 0 ? 'Run `memctl sessions` for those there are.' : 'Give more of the id.' },
  )
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
