// What a session teaches without a model: rules that the person typed, and failures that were overcome. And what it
// shows about the entries that are known. Everything else is written by the model that reads the session.
import { contradicts, findCorrected, isOpposed, isOpposedByPerson, isSameStatement } from '../knowledge/compareRules.ts'
import { findOvercomeFailures, isProven, mergeOvercome, type OvercomeFailure } from '../knowledge/overcomeFailures.ts'
import { findCorrections, findTypedRules, type TypedCorrection, type TypedRule } from '../knowledge/typedRules.ts'
import { updateRecords } from '../knowledge/updateRecords.ts'
import type { CallResult, Event, EventOf } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import {
  isCurrent,
  KNOWLEDGE_CHARS_MAX,
  type Knowledge,
  type KnownWay,
  NO_SUCCESSOR,
  newKnowledgeRecord,
} from '../model/knowledge.ts'
import { kindOfKnowledge, type Memory, newMemory } from '../model/memory.ts'
import type { KnowledgePolicy } from '../model/policy.ts'
import { audienceOf, isMorePrivate } from '../model/privacy.ts'
import { isRefusable } from '../model/provenance.ts'
import { listCallResults, listChoices, type SessionSlice, type SessionTask } from '../model/sessionTask.ts'
import { firstLine } from '../text/excerpt.ts'
import { deriveKnowledgeId, deriveMemoryId } from './derivedId.ts'
import type { MemoryTable } from './memoryTable.ts'

const EVENTS_MAX = 20

/** Entries that the session's events create or change, each complete. */
export function extractKnowledge(
  { session, events }: SessionSlice,
  tasks: readonly SessionTask[],
  known: MemoryTable,
  numbers: Pick<KnowledgePolicy, 'retireAfter'>,
): Memory[] {
  const changed = new Map<MemoryId, Memory>()
  const standing = new Map(known.listGroup('knowledge').map((memory) => [memory.id, memory]))
  for (const memory of updateRecords(standing.values(), events, session, numbers)) put(memory)
  const recorded = events.filter((event) => event.kind !== 'recalled' && event.privacy !== 'private')
  for (const audience of [...new Set(recorded.map(audienceOf))]) {
    const calls = listCallResults(recorded.filter((event) => audienceOf(event) === audience))
    for (const found of findOvercomeFailures(calls)) {
      const lesson = toLesson(found, calls, (id) => standing.get(id) ?? known.get(id))
      const isForbidden = lesson?.knowledge && isOpposedByPerson(lesson.knowledge, standing.values())
      if (lesson && !isForbidden) put(lesson)
    }
  }
  const taskOf = (event: Event) => tasks.find((task) => task.events.includes(event))
  const all = tasks.flatMap((task) => task.events)
  for (const memory of all.flatMap((event) => toDecisions(event, taskOf(event)))) put(memory)
  for (const spoken of listSpokenTexts(all)) {
    const { text, before, event } = spoken
    for (const correction of findCorrections(text, { before }))
      for (const memory of toCorrected(correction, event, taskOf(event), standing)) put(memory)
    for (const rule of findTypedRules(text, { before, reply: event.kind === 'call.failed' }))
      for (const memory of toRules(rule, event, taskOf(event), standing)) put(memory)
  }
  return [...changed.values()]

  function put(memory: Memory): void {
    changed.set(memory.id, memory)
    standing.set(memory.id, memory)
  }
}

/** The rule as a memory, after the entries of the person that it replaces. */
function toRules(
  rule: TypedRule,
  event: Event,
  task: SessionTask | undefined,
  standing: ReadonlyMap<MemoryId, Memory>,
): Memory[] {
  const own = [...standing.values()].filter(({ knowledge }) => knowledge && isCurrent(knowledge))
  const same = own.find(({ knowledge, team }) => knowledge && team?.own !== false && isSameStatement(rule, knowledge))
  const memory = same ? saidAgain(same, rule, event) : newRule(rule, event, standing, task)
  const outdated = own.filter(
    (other) =>
      other.id !== memory.id &&
      other.knowledge !== undefined &&
      ((isRule(other.knowledge) && contradicts(rule, other.knowledge)) || isOpposed(other.knowledge, rule)),
  )
  return [...outdated.map((other) => supersede(other, memory)), memory]
}

/** The rule that holds no longer, and what holds instead, if it is said. Nothing if no known rule is meant. */
function toCorrected(
  { about, now }: TypedCorrection,
  event: Event,
  task: SessionTask | undefined,
  standing: ReadonlyMap<MemoryId, Memory>,
): Memory[] {
  const earlier = [...standing.values()].filter(({ created }) => created < event.at)
  const outdated = findCorrected(about, now, earlier)
  if (outdated?.knowledge === undefined) return []
  const { type, scope } = outdated.knowledge
  const later = now && newRule({ ...now, type, scope: scope === 'person' ? scope : 'project' }, event, standing, task)
  return later ? [supersede(outdated, later), later] : [supersede(outdated, { id: NO_SUCCESSOR, updated: event.at })]
}

const isRule = ({ type }: Knowledge): boolean => type !== 'fact' && type !== 'lesson'

function newRule(
  { line, quote, type, scope, when }: TypedRule,
  event: Event,
  standing: ReadonlyMap<MemoryId, Memory>,
  task?: SessionTask,
): Memory {
  return newMemory({
    id: deriveKnowledgeId(line, (id) => standing.get(id)),
    kind: kindOfKnowledge(type),
    content: quote,
    created: event.at,
    session: event.session,
    taskId: task?.id,
    role: event.role,
    branch: scope === 'person' ? undefined : task?.prompt?.branch,
    trust: 'user',
    tags: [type],
    events: [event.id],
    knowledge: {
      type,
      scope,
      author: 'person',
      state: 'standing',
      line,
      quote,
      when,
      record: newKnowledgeRecord(event.at, event.session),
    },
  })
}

/** The latest words count. What a model had written of it becomes the person's. */
function saidAgain(known: Memory, { line, quote, when }: TypedRule, event: Event): Memory {
  const { knowledge } = known
  if (!knowledge || known.events.includes(event.id)) return known
  return {
    ...known,
    content: quote,
    updated: event.at,
    trust: 'user',
    tags: known.tags.filter((tag) => tag !== 'model'),
    sessionCount: known.sessionCount + (known.session === event.session ? 0 : 1),
    events: [...known.events, event.id].slice(-EVENTS_MAX),
    knowledge: {
      ...knowledge,
      author: 'person',
      state: 'standing',
      line,
      quote,
      when: when.length > 0 ? when : knowledge.when,
      record: { ...knowledge.record, lastMet: event.at },
    },
  }
}

/** Archived, with its successor: the text stays in the history. */
function supersede(memory: Memory, later: { readonly id: string; readonly updated: string }): Memory {
  const { knowledge } = memory
  return {
    ...memory,
    status: 'archived',
    updated: later.updated,
    supersededBy: later.id,
    ...(knowledge && { knowledge: { ...knowledge, state: 'superseded' as const } }),
  }
}

/** A failure that was overcome, merged with what is known of it. */
function toLesson(
  found: OvercomeFailure,
  calls: readonly CallResult[],
  find: (id: MemoryId) => Memory | undefined,
): Memory | undefined {
  const first = calls.find((call) => found.events.includes(call.id))
  if (!first) return undefined
  const id = deriveMemoryId('knowledge', 'failure', audienceOf(first), found.signature, found.subject)
  const known = find(id)
  if (known?.knowledge) {
    // Somebody has replaced it, or it was released and stays as it was then: what is new is not released yet.
    if (known.status === 'archived' || isMorePrivate(first.privacy, known.privacy)) return undefined
    // The same session, organized in parts, is one piece of evidence.
    if (found.events.some((event) => known.events.includes(event))) return known
    const best = sayBest(known.knowledge, mergeOvercome(known.knowledge.ways ?? [], found))
    const isReworded = known.knowledge.author === 'person'
    return {
      ...known,
      updated: found.created,
      sessionCount: known.sessionCount + (known.session === first.session ? 0 : 1),
      events: [...new Set([...known.events, ...found.events])].slice(-EVENTS_MAX),
      // A person's words for it stay.
      ...(isReworded ? { searchOnly: best.searchOnly } : best),
    }
  }
  return newMemory({
    id,
    kind: 'lesson',
    created: found.created,
    session: first.session,
    taskId: first.taskId,
    agentId: found.agentId,
    role: first.role,
    privacy: first.privacy,
    files: found.files,
    commandShape: found.commandShape,
    errorSignature: found.signature,
    outcome: 'success',
    events: found.events.slice(-EVENTS_MAX),
    ...sayBest(
      {
        type: 'lesson',
        scope: found.isAboutPath ? 'path' : 'project',
        author: 'rule',
        state: 'proposed',
        line: found.line,
        when: found.when,
        record: {
          ...newKnowledgeRecord(found.created, first.session),
          met: 1,
          failed: found.failures,
          fired: found.failures,
          cost: found.cost,
        },
      },
      mergeOvercome([], found),
    ),
  })
}

/** The entry with its best way. Until one has worked often enough only search finds it. */
function sayBest(
  knowledge: Knowledge,
  ways: readonly KnownWay[],
): Pick<Memory, 'content' | 'lessons' | 'knowledge' | 'searchOnly'> {
  const [best] = ways
  const { line, when } = best ?? knowledge
  return {
    content: line,
    lessons: [line],
    searchOnly: best !== undefined && isProven(best) ? undefined : true,
    knowledge: { ...knowledge, line, when, ways },
  }
}

/** Questions about how the session goes on: their answers are no decisions that a later one needs. */
const OF_SESSION = /\b(?:would you like|check in with you|ready to proceed|phasing|(?:do|what's|the) next)\b/i

/** What the person chose or typed in the client's menus: search finds it, by the question too, and no hook shows it. */
function toDecisions(event: Event, task: SessionTask | undefined): Memory[] {
  if (event.role !== 'main') return []
  return listChoices(event).flatMap(({ header, question, options, answer: chosen }) => {
    const answer = chosen.replace(' (Recommended)', '').trim()
    if (/[?？]$/.test(answer) || OF_SESSION.test(`${header}\n${question}`)) return []
    const line = firstLine(`${header}: ${answer}`, KNOWLEDGE_CHARS_MAX)
    // An answer may name options by their numbers.
    const named = /\b\d\b/.test(answer) ? options : []
    const labels = named.map(({ label }, i) => ` ${i + 1}: ${label}`)
    const rule = { line, quote: answer, type: 'decision', scope: 'project', when: [] } as const
    const { knowledge, ...memory } = newRule(rule, event, new Map(), task)
    return {
      ...memory,
      // The same question may be decided anew.
      id: deriveMemoryId('knowledge', 'choice', question),
      content: `${line} (${question}${labels})`,
      searchOnly: true,
      provenance: 'person',
      // A model that understands the answer may replace it.
      knowledge: knowledge && { ...knowledge, author: 'rule' },
    }
  })
}

interface SpokenText {
  readonly event: EventOf<'prompt'> | EventOf<'call.failed'>
  readonly text: string
  /** What the person or the assistant said just before, which may announce a pasted text. */
  readonly before: string
}

const REJECTED = /^The user doesn't want to (?:proceed with this tool use|take this action)|^(?:User|The user) rejected/
/** The reason follows; what a client adds about its questions is not the person's. */
const REASON = /(?:the user said|provided the following reason(?: for the rejection)?):\s*/i
const CLIENT_REASON = /^The user wants to clarify these questions/

/** The texts of the main conversation. */
function listSpokenTexts(events: readonly Event[]): SpokenText[] {
  let [prompt, answer] = ['', '']
  const spoken: SpokenText[] = []
  for (const event of events) {
    if (event.role !== 'main') continue
    const text = findText(event)
    if (text !== undefined) spoken.push({ event: event as SpokenText['event'], text, before: `${prompt}\n${answer}` })
    if (event.kind === 'prompt') [prompt, answer] = [event.text, '']
    else if (event.kind === 'answer') answer = event.text
  }
  return spoken
}

function findText(event: Event): string | undefined {
  if (event.kind === 'prompt') return event.text
  if (event.kind !== 'call.failed' || !REJECTED.test(event.error) || !isRefusable(event.tool)) return undefined
  const reason = event.error.split(REASON).slice(1).join(' ').trim()
  return reason === '' || CLIENT_REASON.test(reason) ? undefined : reason
}
