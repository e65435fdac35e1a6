// Lists memories, events and sessions, for people and tools. Writes nothing and counts no access.
import { isOpposedByTriggers, SUBJECT_SHARE, subjectWords } from '../../knowledge/compareRules.ts'
import { withoutAlternative } from '../../knowledge/ruleSentences.ts'
import { type Event, type EventKind, type EventOf, isCallResult } from '../../model/event.ts'
import { type IdKind, type MemoryId, type SessionId, selectByPrefix } from '../../model/id.ts'
import { isCurrent, type Knowledge, type KnowledgeLine } from '../../model/knowledge.ts'
import type { Memory, MemoryKind, MemoryMap, MemoryStatus, Tier } from '../../model/memory.ts'
import type { MemoryHead } from '../../model/memoryHead.ts'
import { isPrivate } from '../../model/privacy.ts'
import { compareValues } from '../../model/sorting.ts'
import type { MemoryTable } from '../../organize/memoryTable.ts'
import { checksum } from '../../store/disk/jsonFile.ts'
import { decodeLogLine } from '../../store/log/eventLog.ts'
import { type LogFile, listLogFiles, readSupportedLogFile } from '../../store/log/readLog.ts'
import { firstLine } from '../../text/excerpt.ts'
import { type LiveStore, openLiveStore } from '../live/liveStore.ts'
import type { Store } from '../open/openStore.ts'
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
export const listMemories = (store: Store, filter: MemoryFilter = {}, sort: MemorySort = 'updated'): Memory[] =>
  sortHeads(filterHeads(readHeads(store), filter), sort).map((head) => head.load())

/**
 * The memories that `listMemories` lists, from `offset` on, at most `limit`: only these are read. `total` match the
 * filter; `knownIds` are of those that may be listed, whatever the filter.
 */
export function listMemoryPage(
  store: Store,
  filter: MemoryFilter,
  { sort, offset, limit }: { readonly sort: MemorySort; readonly offset: number; readonly limit: number },
) {
  const all = readHeads(store)
  const found = filterHeads(all, filter)
  const page = takeFirst(found, sort, offset + limit).slice(offset)
  return { total: found.length, memories: page.map((head) => head.load()), knownIds: listIds(all, filter) }
}

/**
 * The ids of memories that are not private, as far as shortening an id needs them; empty if there are none. Open
 * sessions are organized for it only if nothing was found: that takes longer than a search.
 */
export const readKnownIds = (store: Store, isFound: boolean): MemoryId[] => listIds(readHeads(store, !isFound), {})

/** An id, and all that begin like another one: what is needed to shorten ids so that each stays different. */
function listIds(all: readonly MemoryHead[], { withPrivate }: MemoryFilter): MemoryId[] {
  const heads = filterHeads(all, { withPrivate })
  const starts = Int32Array.from(heads, ({ idStart }) => idStart)
  const sorted = starts.toSorted()
  const shared = new Set(sorted.filter((start, i) => start === sorted[i + 1]))
  return heads.filter((_, i) => i === 0 || shared.has(starts[i] ?? 0)).map(({ id }) => id)
}

/**
 * The one memory with an id that begins with `prefix`, what it is superseded by, and what it supersedes. Throws like
 * `findMemoryByPrefix`.
 */
export function findRelatedMemory(store: Store, prefix: string, filter: MemoryFilter = {}) {
  const all = readHeads(store)
  const open = filterHeads(all, filter)
  const memory = selectByPrefix(open, prefix, MEMORY_IDS).load()
  const superseded = all.filter(({ isSuperseded }) => isSuperseded).map((head) => head.load())
  const predecessors = superseded
    .filter((other) => other.supersededBy === memory.id && matchesFilter(other, filter))
    .sort(latestFirst)
  const successor = open.find(({ id }) => id === memory.supersededBy)?.load()
  return { memory, successor, predecessors, knownIds: listIds(all, filter) }
}

/** The memories about files of this name that `isWanted`, the latest first. */
export const listMemoriesOfFiles = (
  liveStore: LiveStore,
  name: string,
  isWanted?: (head: MemoryHead) => boolean,
): Memory[] => listOpen(liveStore.store, liveStore.memories().findByFileName(name, isWanted))

/** What a person wants, of what is not archived, the latest first. */
export const listPersonKnowledge = (liveStore: LiveStore): Memory[] =>
  listOpen(
    liveStore.store,
    liveStore.memories().select(({ isOfPerson, status }) => isOfPerson && status === 'active'),
  )

/**
 * The current entries that may say the same as this rule, or the opposite: those that have most of its words, or are
 * against its triggers.
 */
export function listNear(memories: MemoryTable, rule: Pick<Knowledge, 'line' | 'when'>): Memory[] {
  const isEntry = ({ hasKnowledge, status }: MemoryHead): boolean => hasKnowledge && status === 'active'
  const isAgainst = (line: KnowledgeLine | undefined): boolean => line !== undefined && isOpposedByTriggers(line, rule)
  const words = [...subjectWords(withoutAlternative(rule.line))]
  const isOfCalls = rule.when.some(({ at }) => at === 'call')
  const near = [
    ...(words.length > 0 ? memories.findByTerms(words, SUBJECT_SHARE, isEntry) : memories.select(isEntry)),
    ...(isOfCalls ? memories.select((head) => isEntry(head) && isAgainst(head.readLine())) : []),
  ]
  return [...new Set(near)].filter(({ knowledge }) => knowledge !== undefined && isCurrent(knowledge))
}

const listOpen = (store: Store, memories: readonly Memory[]): Memory[] =>
  memories.filter((memory) => mayList(store, memory) && matchesFilter(memory, {})).sort(latestFirst)

/** The heads of all memories that the log has now, and what open sessions have learned, that may be listed here. */
function readHeads(store: Store, withOpenSessions = true): MemoryHead[] {
  const live = openLiveStore(store)
  const memories = withOpenSessions ? live.memories() : live.loaded.projection.memories
  return memories.heads().filter((head) => mayList(store, head))
}

const mayList = (store: Store, { privacy }: Pick<Memory, 'privacy'>): boolean =>
  !store.isForSession || privacy === 'public'

/** Whether it may be shown here to somebody who has not asked for private memories. */
export const mayShow = (store: Store, memory: Pick<Memory, 'privacy'>): boolean =>
  !isPrivate(memory) && mayList(store, memory)

function filterHeads(all: readonly MemoryHead[], filter: MemoryFilter): MemoryHead[] {
  const isHeadEnough = filter.session === undefined && filter.origin === undefined
  return all.filter((head) => matchesHead(head, filter) && (isHeadEnough || matchesFilter(head.load(), filter)))
}

const sortHeads = (heads: readonly MemoryHead[], sort: MemorySort): MemoryHead[] =>
  heads.toSorted((a, b) => compareValues(SORT_KEYS[sort](b), SORT_KEYS[sort](a)) || compareValues(a.id, b.id))

/** The first of the sorted heads. Numbers are sorted much faster: most heads are left out by their number. */
function takeFirst(heads: readonly MemoryHead[], sort: MemorySort, count: number): MemoryHead[] {
  const values = Float64Array.from(heads, SORT_KEYS[sort])
  const least = values.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY
  const first = heads.filter((_, i) => !((values[i] ?? 0) < least))
  return sortHeads(first, sort).slice(0, count)
}

const latestFirst = (a: Memory, b: Memory): number => compareValues(b.updated, a.updated) || compareValues(a.id, b.id)

export const matchesFilter = (memory: Memory, filter: MemoryFilter): boolean =>
  matchesHead(memory, filter) &&
  (filter.session === undefined || (memory.session?.startsWith(filter.session) ?? false)) &&
  (filter.origin === undefined || isOfOrigin(memory, filter.origin))

const matchesHead = (memory: Pick<MemoryHead, 'kind' | 'tier' | 'status' | 'privacy'>, filter: MemoryFilter): boolean =>
  (filter.withPrivate === true || !isPrivate(memory)) &&
  (filter.kinds?.includes(memory.kind) ?? true) &&
  (filter.tiers?.includes(memory.tier) ?? true) &&
  (filter.status === undefined || filter.status === memory.status)

const isOfOrigin = ({ importSource }: Memory, origin: string): boolean =>
  importSource !== undefined &&
  (origin === 'import' || importSource.origin.slice('import:'.length) === origin.replace(/^import:/, ''))

const SORT_KEYS: { readonly [S in MemorySort]: (head: MemoryHead) => number } = {
  updated: (head) => head.updatedMs,
  created: (head) => head.createdMs,
  importance: (head) => head.importance,
  strength: (head) => head.strength,
  help: (head) => head.help.contribution,
}

/** What messages say about ids of memories. */
export const MEMORY_IDS: IdKind = { noun: 'memory', hint: 'Run `memctl list` or `memctl search WORDS` to get ids.' }

/** The one memory with an id that begins with `prefix`, in any case. Throws NOT_FOUND if none or several have it. */
export const findMemoryByPrefix = (store: Store, prefix: string): Memory =>
  selectByPrefix(filterHeads(readHeads(store), {}), prefix, MEMORY_IDS).load()

/**
 * The log's events from its end backwards, as far as they may be listed here. Reads file by file, so that a caller pays
 * only for what it reads. Files and lines that `mayConcern` refuses are left out, and cost a tenth of the others; what
 * `isNeeded` refuses is not read.
 */
export function* eventsNewestFirst(
  store: Store,
  mayConcern?: (line: Buffer) => boolean,
  isNeeded: (file: LogFile) => boolean = () => true,
): Generator<Event> {
  const { files, layout } = store
  for (const file of listLogFiles(files, layout.events).reverse()) {
    if (!isNeeded(file)) continue
    const bytes = readSupportedLogFile(files, layout.events, file)
    let end = mayConcern?.(bytes) === false ? -1 : bytes.lastIndexOf(0x0a)
    while (end > 0) {
      const start = bytes.lastIndexOf(0x0a, end - 1) + 1
      const text = bytes.subarray(start, end)
      end = start - 1
      if (mayConcern?.(text) === false) continue
      const line = decodeLogLine(text, checksum)
      if (line.kind === 'event' && (!store.isForSession || isForEveryone(line.event))) yield line.event
    }
  }
}

/** Recalls of a subagent repeat what it did. */
const isForEveryone = ({ privacy, role }: Event): boolean => privacy === 'public' && role === 'main'

/** The latest events of a session (an id or its beginning) and kind, in the order of the log; nothing private. */
export function listLatestEvents(
  store: Store,
  filter: { readonly session?: string | undefined; readonly kind?: EventKind | undefined; readonly limit: number },
): Event[] {
  const { session = '', kind, limit } = filter
  const found: Event[] = []
  let known: KnownMemories | undefined
  for (const event of eventsNewestFirst(store)) {
    if (found.length >= limit) break
    if (!event.session.startsWith(session) || (kind !== undefined && event.kind !== kind)) continue
    if (event.kind.startsWith('memory.')) known ??= openLiveStore(store).memories()
    const open = hidePrivateParts(store, event, known ?? new Map())
    if (open) found.push(open)
  }
  return found.reverse()
}

const ID_START = '{"id":"'.length

/** The events that memories were made of, as far as they are still in the log, in its order. */
export function listSourceEvents(store: Store, memories: readonly Memory[]): Event[] {
  const missing = new Set<string>(memories.flatMap(({ events }) => events))
  const found: Event[] = []
  if (missing.size === 0) return found
  // A line begins with the id of its event: many ids take no longer than one. A whole file has line ends.
  const mayBeSource = (line: Buffer): boolean =>
    line.includes(0x0a) || missing.has(line.toString('latin1', ID_START, line.indexOf('"', ID_START)))
  for (const event of eventsNewestFirst(store, mayBeSource)) {
    if (missing.delete(event.id)) found.push(event)
    if (missing.size === 0) break
  }
  return found.reverse()
}

/** The releases of a memory to more viewers, oldest first. */
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
    .sort((a, b) => compareValues(b.lastAt, a.lastAt) || compareValues(a.id, b.id))
    .map((session) => {
      const summary = summaries.get(session.id)
      return {
        ...session,
        summary: summary === undefined ? null : firstLine(summary.replace(/^(?:asked: |- )/, ''), 200),
        organized: !open.has(session.id),
      }
    })
}

type SessionEvents = Omit<SessionSummary, 'summary' | 'organized'>

function collectSessions(store: Store): Map<SessionId, SessionEvents> {
  const sessions = new Map<SessionId, { -readonly [Name in keyof SessionEvents]: SessionEvents[Name] }>()
  // Plugin and settings may both record the same event.
  const seen = new Set<string>()
  for (const event of eventsNewestFirst(store)) {
    const { session: id, at, origin } = event
    if (isSystemEventKind(event.kind) || seen.has(event.id)) continue
    seen.add(event.id)
    const session = sessions.get(id) ?? { id, started: at, lastAt: at, branch: null, prompts: 0, calls: 0 }
    sessions.set(id, session)
    // Hooks of parallel calls may write out of order.
    if (at < session.started) session.started = at
    if (at > session.lastAt) session.lastAt = at
    if (event.kind === 'prompt' || event.kind === 'session.started') session.branch ??= event.branch ?? null
    if (event.kind === 'prompt') session.prompts++
    if (isCallResult(event)) session.calls++
    if (origin !== undefined) session.origin = origin
  }
  return sessions
}

/** The id of the session whose id begins with `prefix`. Throws NOT_FOUND if none or several do. */
export const findSessionByPrefix = (store: Store, prefix: string): SessionId =>
  selectByPrefix(listSessions(store), prefix, { noun: 'session', hint: 'Run `memctl list --sessions` to list them.' })
    .id

type KnownMemories = Pick<MemoryMap, 'get'>

/** The event without hidden memories; undefined if nothing else is in it. `known` are the memories as of now. */
function hidePrivateParts(store: Store, event: Event, known: KnownMemories): Event | undefined {
  if (event.privacy === 'private') return undefined
  /** What is released by now is not private any more; what was deleted is as it was stored. */
  const isHidden = (memory: Memory): boolean => !mayShow(store, known.get(memory.id) ?? memory)
  const isKnownOpen = (id: MemoryId): boolean => {
    const memory = known.get(id)
    return memory !== undefined && mayShow(store, memory)
  }
  switch (event.kind) {
    case 'memory.stored':
    case 'memory.consolidated':
      return isHidden(event.memory) ? undefined : event
    case 'memory.updated':
      return isKnownOpen(event.change.memory) ? event : undefined
    case 'memory.scored':
    case 'memory.impact':
    case 'memory.released':
      return isKnownOpen(event.memory) ? event : undefined
    case 'memory.batch': {
      const stored = event.stored.filter((memory) => !isHidden(memory))
      const changes = event.changes.filter(({ memory }) => isKnownOpen(memory))
      return stored.length + changes.length === 0 ? undefined : { ...event, stored, changes }
    }
    case 'memory.accessed': {
      const memories = event.memories.filter(isKnownOpen)
      return memories.length === 0 ? undefined : { ...event, memories }
    }
    default:
      return event
  }
}
