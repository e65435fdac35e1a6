// Browse: memories, events and sessions as they stand, for a person or a tool that looks around. Writes and counts nothing.

import { MemoryError } from '../model/errors.ts'
import { type Event, type EventKind, type EventOf, isCallEnded } from '../model/event.ts'
import type { SessionId } from '../model/id.ts'
import type { Kind, Memory, Status } from '../model/memory.ts'
import type { Tier } from '../model/tier.ts'
import { upgradeMemory } from '../store/legacyMemory.ts'
import { logFiles, understood } from '../store/logFiles.ts'
import { readLine } from '../store/logLine.ts'
import { firstLine } from '../text/excerpt.ts'
import { isOurs, openSessions } from './overview.ts'
import { closeReader, readerFor } from './search/indexReaderCache.ts'
import type { Store } from './store.ts'

const SORTS = ['updated', 'created', 'importance', 'strength', 'help'] as const
export type Sort = (typeof SORTS)[number]

/** What of the memories is wanted; a choice that is left out holds for all. */
export interface Choice {
  readonly kinds?: readonly Kind[] | undefined
  readonly tiers?: readonly Tier[] | undefined
  readonly status?: Status | undefined
  /** A session's id or the beginning of it. */
  readonly session?: string | undefined
}

/** Every memory chosen, in order: the latest, the most important, the strongest, the most helpful first. */
export function memoriesOf(store: Store, choice: Choice = {}, sort: Sort = 'updated'): Memory[] {
  const shelf = readerFor(store, upgradeMemory)
  try {
    const order = ORDER[sort]
    const chosen = [...shelf.all()].filter((memory) => isChosen(memory, choice))
    return chosen.sort((a, b) => compare(order(b), order(a)) || compare(a.id, b.id))
  } finally {
    closeReader(shelf)
  }
}

export const isChosen = (memory: Memory, choice: Choice): boolean =>
  (choice.kinds?.includes(memory.kind) ?? true) &&
  (choice.tiers?.includes(memory.tier) ?? true) &&
  (choice.status === undefined || choice.status === memory.status) &&
  (choice.session === undefined || (memory.session?.startsWith(choice.session) ?? false))

const ORDER: { readonly [S in Sort]: (memory: Memory) => string | number } = {
  updated: (memory) => memory.updated,
  created: (memory) => memory.created,
  importance: (memory) => memory.importance,
  strength: (memory) => memory.strength,
  help: (memory) => memory.help.contribution,
}

/** The memory whose id is, or begins with, `prefix`. Throws NOT_FOUND where none or more than one does. */
export function memoryNamed(store: Store, prefix: string): Memory {
  const wanted = prefix.toLowerCase()
  const found = memoriesOf(store).filter((memory) => memory.id.startsWith(wanted))
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    throw new MemoryError('NOT_FOUND', `No memory's id begins with "${prefix}"`, {
      mend: 'Run `memctl list` or `memctl search WORDS` for the ids there are.',
    })
  }
  const some = found.slice(0, 4).map((memory) => memory.id.slice(0, Math.max(12, wanted.length + 2)))
  throw new MemoryError('NOT_FOUND', `${found.length} memories' ids begin with "${prefix}": ${some.join(', ')}…`, {
    mend: 'Give more of the id.',
  })
}

/** The log's events from its end backwards; file by file, so that a long history costs what is looked at. */
export function* eventsBackwards(store: Store): Generator<Event> {
  const { files, layout } = store
  for (const file of logFiles(files, layout.events).reverse()) {
    const bytes = understood(files, layout.events, file)
    let end = bytes.lastIndexOf(0x0a)
    while (end > 0) {
      const start = bytes.lastIndexOf(0x0a, end - 1) + 1
      const line = readLine(bytes.subarray(start, end))
      if (line.kind === 'event') yield line.event
      end = start - 1
    }
  }
}

/** The latest events of this session (id or beginning of it) and kind, in the order of the log. */
export function eventsOf(
  store: Store,
  wanted: { readonly session?: string | undefined; readonly kind?: EventKind | undefined; readonly limit: number },
): Event[] {
  const found: Event[] = []
  for (const event of eventsBackwards(store)) {
    if (found.length >= wanted.limit) break
    if (wanted.session !== undefined && !event.session.startsWith(wanted.session)) continue
    if (wanted.kind !== undefined && event.kind !== wanted.kind) continue
    found.push(event)
  }
  return found.reverse()
}

/** Those events of the log that a memory was made of and that are still in it, in its order. */
export function sourcesOf(store: Store, memory: Memory): Event[] {
  const wanted = new Set<string>(memory.events)
  const found: Event[] = []
  for (const event of eventsBackwards(store)) {
    if (wanted.size === 0) break
    if (wanted.delete(event.id)) found.push(event)
  }
  return found.reverse()
}

/** The steps by which time opened a memory to more readers, in their order. The log is read back to the first of them. */
export function releasesOf(store: Store, memory: Memory): EventOf<'memory.released'>[] {
  const found: EventOf<'memory.released'>[] = []
  if (memory.privacySince === undefined) return found
  for (const event of eventsBackwards(store)) {
    if (event.at < memory.created) break
    if (event.kind === 'memory.released' && event.memory === memory.id) found.push(event)
  }
  return found.reverse()
}

export interface SessionLook {
  readonly id: SessionId
  readonly started: string
  readonly lastAt: string
  readonly branch: string | null
  readonly prompts: number
  readonly calls: number
  /** The first line of its summary; null where it has none, or none any more. */
  readonly summary: string | null
  readonly organised: boolean
}

/** Every session of the log, the latest first. */
export function sessionsOf(store: Store): SessionLook[] {
  const open = openSessions(store)
  const summaries = new Map(memoriesOf(store, { kinds: ['summary'] }).map((memory) => [memory.session, memory.content]))
  return [...tallied(store).values()]
    .sort((a, b) => compare(b.lastAt, a.lastAt) || compare(a.id, b.id))
    .map(({ prompts, calls, ...session }) => {
      const summary = summaries.get(session.id)
      return {
        ...session,
        prompts: prompts.size,
        calls: calls.size,
        summary: summary === undefined ? null : firstLine(summary.replace(/^(?:asked: |- )/, ''), 200),
        organised: !open.has(session.id),
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
  for (const event of eventsBackwards(store)) {
    if (isOurs(event.kind)) continue
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
    if (isCallEnded(event)) tally.calls.add(id)
  }
  return sessions
}

/** The whole id of the session that `prefix` is the beginning of. Throws NOT_FOUND where none or more than one is. */
export function sessionNamed(store: Store, prefix: string): SessionId {
  const found = sessionsOf(store).filter((session) => session.id.startsWith(prefix))
  if (found.length === 1) return found[0]!.id
  throw new MemoryError(
    'NOT_FOUND',
    found.length === 0
      ? `No session's id begins with "${prefix}"`
      : `${found.length} sessions' ids begin with "${prefix}"`,
    { mend: found.length === 0 ? 'Run `memctl sessions` for those there are.' : 'Give more of the id.' },
  )
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
