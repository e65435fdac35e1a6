// What memories were made of: all events of their whole history, and the texts that other events may have copied.
//
// A memory names its latest 20 events. Earlier ones are found by replaying the log: whatever a memory has ever named is
// a source, and what is derived again without these sources names more of them.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { isCurrent, isPersonsText, type Knowledge } from '../../model/knowledge.ts'
import type { Memory, MemoryChange, MemoryMap } from '../../model/memory.ts'
import { readLog } from '../../store/log/readLog.ts'
import type { EraseEvent } from '../../store/log/rewriteLog.ts'
import { createCopyFinder, reduceToLetters, weighLetters } from '../../text/copies/findCopies.ts'
import type { Store } from '../open/openStore.ts'
import { applyEvent } from '../projection/applyEvent.ts'
import { listChanges, listStored } from '../projection/memoryReducer.ts'
import { organizeOpenSessions } from '../projection/openSessions.ts'
import { emptyProjection } from '../projection/projection.ts'

export interface MemorySources {
  readonly memories: ReadonlySet<MemoryId>
  readonly events: ReadonlySet<string>
  readonly sessions: ReadonlySet<string>
  /** What somebody stored or said: its copies are erased everywhere. */
  readonly storedTexts: readonly string[]
  /** What was derived, and the prose of the sources: its copies are erased in these sessions. */
  readonly derivedTexts: readonly string[]
}

/** Replays of the log, at most. Each finds up to 20 more sources of a memory in each session. */
const REPLAYS_MAX = 60

/** Shorter texts occur in unrelated events, for example in commands. In letters (`weighLetters`). */
const TEXT_WEIGHT_MIN = 14
const PROSE_WEIGHT_MIN = 30

const isLong = (text: string, weightMin = TEXT_WEIGHT_MIN): boolean =>
  weighLetters(reduceToLetters(text).text) >= weightMin

export function findMemorySources(events: readonly Event[], memories: readonly Memory[]): MemorySources {
  const ids = new Set<MemoryId>(memories.map((memory) => memory.id))
  const sources = new Set<string>()
  const sessions = new Set<string>()
  const versions = new Set<Memory>(memories)
  const shared = findSharedPrompts(events, ids)
  const collect = (memory: Memory): void => {
    versions.add(memory)
    for (const session of [memory.session, ...(memory.knowledge?.record.sessions ?? [])])
      if (session) sessions.add(session)
    // A summary is made of all events of a session: these are erased by session or by text, not because a sentence
    // about them is unwanted.
    if (memory.kind === 'summary') return
    for (const id of memory.events) if (!hasWords(shared.get(id), memory)) sources.add(id)
  }
  for (const memory of memories) collect(memory)
  for (let replays = 0; replays < REPLAYS_MAX; replays++) {
    const before = sources.size
    const visit = (known: MemoryMap): void => {
      for (const id of ids) {
        const memory = known.get(id)
        if (memory && !versions.has(memory)) collect(memory)
      }
    }
    replayLog(events, (event) => (sources.has(event.id) ? undefined : event), visit)
    if (sources.size === before) break
  }
  for (const event of events) if (sources.has(event.id)) sessions.add(event.session)
  return { memories: ids, events: sources, sessions, ...listTexts(events, { ids, sources, sessions, versions }) }
}

/**
 * The prompts in which the person has said something else that is known, by their ids: of these only the words of what
 * is forgotten are erased.
 */
function findSharedPrompts(events: readonly Event[], ids: ReadonlySet<MemoryId>): ReadonlyMap<string, string> {
  const others = [...replayLog(events, (event) => event).values()].filter(
    ({ id, knowledge }) => knowledge && isCurrent(knowledge) && isPersonsText(knowledge) && !ids.has(id),
  )
  const said = new Set<string>(others.flatMap((memory) => memory.events))
  return new Map(
    events.flatMap((event) => (event.kind === 'prompt' && said.has(event.id) ? [[event.id, event.text]] : [])),
  )
}

/** Whether the words of a rule can be found in a prompt, and so be erased there. */
function hasWords(prompt: string | undefined, { knowledge }: Memory): boolean {
  if (prompt === undefined || !knowledge || !isPersonsText(knowledge)) return false
  const words = knowledge.quote ?? knowledge.line
  return isLong(words) && createCopyFinder([words]).find(prompt).length > 0
}

interface Evidence {
  readonly ids: ReadonlySet<MemoryId>
  readonly sources: ReadonlySet<string>
  readonly sessions: ReadonlySet<string>
  readonly versions: ReadonlySet<Memory>
}

function listTexts(events: readonly Event[], { ids, sources, sessions, versions }: Evidence) {
  const stored: string[] = []
  const derived: string[] = []
  const fragments = new Set<string>()
  for (const event of events) {
    stored.push(...listStoredTexts(event, ids))
    if (sources.has(event.id)) derived.push(...listProse(event))
  }
  for (const memory of versions) {
    if (memory.monthlyRollup) continue // Its sentences belong to other memories.
    const isSaid = memory.kind === 'preference' || memory.kind === 'decision' || memory.source !== 'task'
    ;(isSaid ? stored : derived).push(...listMemoryTexts(memory))
    for (const fragment of listFragments(memory)) fragments.add(fragment)
  }
  // A command or a path that other sessions use too is not this memory's own.
  const others = events.filter((event) => !sessions.has(event.session)).map((event) => JSON.stringify(event))
  for (const fragment of fragments) {
    const inJson = JSON.stringify(fragment).slice(1, -1)
    if (!others.some((text) => text.includes(inJson))) derived.push(fragment)
  }
  return { storedTexts: selectTexts(stored), derivedTexts: selectTexts(derived) }
}

/** Each text with its lines, if they are long enough. */
const selectTexts = (texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap((text) => [text, ...text.split('\n')]).map((text) => text.trim()))].filter((text) =>
    isLong(text),
  )

function listStoredTexts(event: Event, ids: ReadonlySet<MemoryId>): string[] {
  if (event.kind === 'memory.scored') return ids.has(event.memory) ? [event.reason] : []
  const stored = listStored(event).filter(({ id }) => ids.has(id))
  const changes = listChanges(event).filter(({ memory }) => ids.has(memory))
  return [...stored.flatMap(listMemoryTexts), ...changes.flatMap(listChangeTexts)]
}

/** What the team's texts of these memories say, and the memories that they came to; each text with its lines. */
export function listTeamTexts(events: readonly Event[], ids: ReadonlySet<MemoryId>): string[] {
  const versions = new Set<Memory>()
  replayLog(
    events,
    (event) => event,
    (known) => {
      for (const id of ids) {
        const memory = known.get(id)
        if (memory) versions.add(memory)
      }
    },
  )
  const rows = events.flatMap((event) =>
    event.kind === 'team.published' || event.kind === 'team.received'
      ? event.operations.flatMap((operation) =>
          'fields' in operation && ids.has(operation.memory) ? [operation.fields as SpokenFields] : [],
        )
      : [],
  )
  return selectTexts([...versions, ...rows].flatMap(listMemoryTexts))
}

/** The fields of a memory that say something; a team's text has only some of them. */
type SpokenFields = Pick<Memory, 'content' | 'lessons' | 'learnings'> & {
  readonly knowledge?: Pick<Knowledge, 'line' | 'quote' | 'reason'> | undefined
} & Partial<Pick<Memory, 'metadata' | 'recorded' | 'searchText' | 'leftOpen'>>

function listMemoryTexts(memory: SpokenFields): string[] {
  const { content, lessons, metadata, learnings, recorded, knowledge, searchText, leftOpen = [] } = memory
  const texts = [content, ...lessons, ...listKnowledgeTexts(knowledge), searchText, ...leftOpen]
  return [...texts, ...listProseIn([metadata, learnings, recorded])].filter(isText)
}

const listKnowledgeTexts = (knowledge: SpokenFields['knowledge']): (string | undefined)[] => [
  knowledge?.line,
  knowledge?.quote,
  knowledge?.reason,
]

const listChangeTexts = ({ content, metadata, knowledge, leftOpen = [] }: MemoryChange): string[] =>
  [content, ...listKnowledgeTexts(knowledge), ...listProseIn(metadata), ...leftOpen].filter(isText)

const isText = (text: string | undefined): text is string => text !== undefined

function listProse(event: Event): string[] {
  if (event.kind !== 'prompt' && event.kind !== 'answer' && event.kind !== 'agent.stopped') return []
  return [event.text, ...event.text.split('\n')].filter((text) => isLong(text, PROSE_WEIGHT_MIN))
}

const listFragments = ({ knowledge }: Memory): string[] =>
  (knowledge?.when ?? []).flatMap(({ has = [], unless = [] }) => [...has, ...unless]).filter((text) => isLong(text))

/** The strings of a value that have words: a time or an id occurs in unrelated events. */
function listProseIn(value: unknown): string[] {
  if (typeof value === 'string') return /\s|[^\0-\x7f]/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(listProseIn)
}

export const readEvents = ({ files, layout }: Store): readonly Event[] => readLog(files, layout.events).events

/**
 * Applies the events that `erase` leaves, and returns the memories, with those of open sessions. `visit` is called
 * after each event that can create or change memories.
 */
export function replayLog(
  events: readonly Event[],
  erase: EraseEvent,
  visit: (memories: MemoryMap) => void = () => undefined,
): ReadonlyMap<MemoryId, Memory> {
  const projection = emptyProjection()
  for (const event of events) {
    const rest = erase(event)
    if (!rest) continue
    applyEvent(projection, rest)
    if (/^(?:memory|team)\.|^session\.organized$/.test(rest.kind)) visit(projection.memories)
  }
  const memories = new Map([...projection.memories, ...organizeOpenSessions(projection)])
  visit(memories)
  return memories
}
