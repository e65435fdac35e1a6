// What an answer changes: entries to store, and changes of entries that exist. A model never changes what a person has
// asked for or said to last, and nothing is stored twice.
import { type CheckedAnswer, checkAnswer, normalizeText, type SupportedEntry } from '../../distill/checkAnswer.ts'
import { isTyped, type KnownEntry } from '../../distill/knownEntries.ts'
import type { DroppedProposal, ModelAnswer } from '../../distill/modelAnswer.ts'
import { isOpposedByPerson } from '../../knowledge/compareRules.ts'
import { type ProofNumbers, type ProvenCall, proveKnowledge } from '../../knowledge/proof.ts'
import { type CallResult, type Event, isCallResult } from '../../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import { computeImportance } from '../../model/importance.ts'
import {
  isCurrent,
  isOfPerson,
  type Knowledge,
  newKnowledgeRecord,
  TRIGGERS_MAX,
  type Trigger,
} from '../../model/knowledge.ts'
import { kindOfKnowledge, type Memory, type MemoryChange, type MemoryMap, newMemory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import { storeBusyError, withLockWaiting } from '../../store/disk/lock.ts'
import { mayStateLasting } from '../../text/promptText.ts'
import { sanitize } from '../commands/newMemory.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import type { Store } from '../open/openStore.ts'
import { readActivePolicy } from '../policy/activePolicy.ts'
import { isStillThere, type PreparedSession, readCommittedMemories } from './prepareSession.ts'

/** The tag of every memory that a model proposed. */
const MODEL_TAG = 'model'

const EVENTS_MAX = 20
const FILES_MAX = 8
const SESSIONS_MAX = 8

interface AnswerContext {
  readonly session: SessionId
  /** The session's events that the model has read. */
  readonly events: readonly Event[]
  /** The entries that the request showed. */
  readonly known: readonly KnownEntry[]
  readonly memories: MemoryMap
  /** The calls of the log, oldest first. */
  readonly calls: readonly ProvenCall[]
  readonly numbers: ProofNumbers
}

/** What a checked answer changes. Every text is cleaned once more. */
export function answerChanges(answer: CheckedAnswer, context: AnswerContext) {
  const stored = new Map<MemoryId, Memory>()
  const changed = new Map<MemoryId, Knowledge>()
  const successors = new Map<MemoryId, MemoryId | null>()
  const dropped: DroppedProposal[] = [...answer.dropped]
  const at = context.events.at(-1)?.at ?? ''
  const current = (id: MemoryId): Knowledge | undefined => changed.get(id) ?? context.memories.get(id)?.knowledge
  const byKey = new Map(context.known.map(({ key, memory }) => [key, memory]))
  /** Whether only a person may change it: what is theirs, what they have pinned, and what came from a teammate. */
  const isProtected = (id: MemoryId, { author, asked }: Knowledge): boolean =>
    author === 'person' || author === 'teammate' || asked === true || context.memories.get(id)?.pinned !== undefined

  for (const { key, is } of answer.known) {
    const id = byKey.get(key)
    const before = id && current(id)
    if (!id || !before) dropped.push({ what: key, reason: 'is not known' })
    else if (isProtected(id, before)) {
      if (is !== 'wrong' && is !== 'outdated') continue
      // Only found by a pattern: the person may never have meant it as a rule.
      if (isTyped(before) && !isLasting(before)) changed.set(id, { ...before, state: 'proposed' })
      else dropped.push({ what: before.line, reason: 'belongs to the person' })
    } else if (is === 'wrong' || is === 'outdated') changed.set(id, { ...before, state: 'retired' })
    else changed.set(id, confirm(before, context.session, at))
  }

  for (const proposed of answer.entries) {
    const { knowledge, failed } = proveKnowledge(
      newKnowledge(proposed, context, at),
      context.calls,
      failedEvents(proposed),
      context.numbers,
    )
    for (const { trigger, why } of failed) dropped.push({ what: formatTrigger(trigger), reason: `trigger ${why}` })
    const memory = sanitize(knowledgeMemory(knowledge, proposed, context))
    const same = findSame(memory, context.memories, stored) ?? findTyped(proposed, context.known)
    const before = same && (stored.get(same)?.knowledge ?? current(same))
    const successor = same && context.memories.get(same)?.supersededBy
    if (successor !== undefined && !proposed.replaces.some((key) => byKey.get(key) === successor)) {
      dropped.push({ what: knowledge.line, reason: 'no longer holds: it was superseded' })
      continue
    }
    if (same && successor !== undefined) successors.set(same, null)
    if (!before && memory.knowledge && isOpposedByPerson(memory.knowledge, context.memories.values())) {
      dropped.push({ what: knowledge.line, reason: 'the person has said the opposite' })
      continue
    }
    if (same !== undefined && before && memory.knowledge) {
      if (before.author === 'rule' || (isTyped(before) && !isLasting(before))) {
        // A model has understood the words that a pattern has found: “no breaking changes” was one wish of a task.
        stored.set(memory.id, memory)
        replaceBy(same, before, memory.id)
      } else if (isTyped(before)) changed.set(same, withOccasions(before, memory.knowledge))
      else if (isProtected(same, before)) dropped.push({ what: knowledge.line, reason: 'the person has said it' })
      else if (!stored.has(same)) changed.set(same, merge(before, memory.knowledge, context.session, at))
    } else stored.set(memory.id, memory)
    for (const key of proposed.replaces) {
      const id = byKey.get(key)
      const replaced = id && current(id)
      if (!id || !replaced) dropped.push({ what: key, reason: 'is not known' })
      else if (id === memory.id || id === same) continue
      // What only a model says replaces no word of a person.
      else if (isProtected(id, replaced) || (isOfPerson(replaced) && !isOfPerson(knowledge)))
        dropped.push({ what: replaced.line, reason: 'belongs to the person' })
      else replaceBy(id, replaced, same ?? memory.id)
    }
  }
  for (const [id, knowledge] of listUnconfirmed(answer, context)) if (!changed.has(id)) changed.set(id, knowledge)
  return {
    stored: [...stored.values()],
    changes: [...changed].map(([memory, knowledge]): MemoryChange => {
      const supersededBy = successors.get(memory)
      return { memory, knowledge, ...(supersededBy !== undefined && { supersededBy }) }
    }),
    dropped,
  }

  function replaceBy(id: MemoryId, before: Knowledge, successor: MemoryId): void {
    changed.set(id, { ...before, state: 'superseded' })
    successors.set(id, successor)
  }
}

/**
 * What a pattern took for a rule of the person in this session, and the model did not: found by search only, until the
 * person says it again. What says itself that it lasts stays.
 */
function listUnconfirmed(answer: CheckedAnswer, { memories, session, known }: AnswerContext): [MemoryId, Knowledge][] {
  const judged = new Set(answer.known.map(({ key }) => known.find((entry) => entry.key === key)?.memory))
  const quotes = answer.entries.flatMap(({ quote }) => (quote === undefined ? [] : [normalizeText(quote)]))
  return [...memories.values()].flatMap(({ id, session: from, knowledge }): [MemoryId, Knowledge][] => {
    if (!knowledge || from !== session || knowledge.author !== 'person' || knowledge.asked) return []
    const own = normalizeText(knowledge.quote ?? knowledge.line)
    const isConfirmed = judged.has(id) || quotes.some((quote) => quote.includes(own) || own.includes(quote))
    if (isConfirmed || knowledge.state !== 'standing' || isLasting(knowledge)) return []
    return [[id, { ...knowledge, state: 'proposed' }]]
  })
}

/** The person's words say themselves that they last. */
const isLasting = ({ quote, line }: Knowledge): boolean => mayStateLasting(quote ?? line)

/** The person's words with what the model understood of them: what they are, and when they matter. */
const withOccasions = (typed: Knowledge, { type, when, expected }: Knowledge): Knowledge => ({
  ...typed,
  type,
  expected,
  when: when.length > 0 ? when : typed.when,
})

/** The entry after a session in which it held or was met. Once for each session. */
function confirm(before: Knowledge, session: SessionId, at: string): Knowledge {
  const { record } = before
  if (record.sessions.includes(session)) return before
  return {
    ...before,
    state: 'standing',
    record: {
      ...record,
      met: record.met + 1,
      sessions: [...record.sessions, session].slice(-SESSIONS_MAX),
      lastMet: at > record.lastMet ? at : record.lastMet,
    },
  }
}

/** The entry with the evidence of another session that says the same. What was retired is proposed again. */
function merge(before: Knowledge, said: Knowledge, session: SessionId, at: string): Knowledge {
  const known = new Set(before.when.map((trigger) => JSON.stringify(trigger)))
  const added = said.when.filter((trigger) => !known.has(JSON.stringify(trigger)))
  const merged = {
    ...confirm(before, session, at),
    when: [...before.when, ...added].slice(0, TRIGGERS_MAX),
    quote: before.quote ?? said.quote,
  }
  return isCurrent(before) ? merged : { ...merged, state: said.state }
}

/** An entry with the same line, or with the same words of the person. */
function findSame(memory: Memory, memories: MemoryMap, stored: MemoryMap): MemoryId | undefined {
  if (memories.get(memory.id)?.knowledge || stored.has(memory.id)) return memory.id
  const quote = normalizeText(memory.knowledge?.quote ?? '')
  if (quote === '') return undefined
  for (const { id, knowledge, events } of [...stored.values(), ...memories.values()]) {
    if (!knowledge?.quote || !isCurrent(knowledge)) continue
    // A pattern may take a sentence with the word before it: “and please no more …”.
    const own = [knowledge.quote, ...(isTyped(knowledge) ? [knowledge.line] : [])].map(normalizeText)
    // A choice in a menu may be quoted with its question.
    const isChoice = knowledge.author === 'rule' && events.some((event) => memory.events.includes(event))
    if (own.some((words) => isSameQuote(quote, words) || (isChoice && quote.includes(words)))) return id
  }
  return undefined
}

/** What a pattern found in this session, and the model says in other words of the person. */
const findTyped = ({ quote, replaces }: SupportedEntry, known: readonly KnownEntry[]): MemoryId | undefined =>
  quote === undefined ? undefined : known.find(({ key, isTypedHere }) => isTypedHere && replaces.includes(key))?.memory

/** Letters of a quote; a shorter one may be a part of anything. */
const PART_CHARS_MIN = 16

const isSameQuote = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= PART_CHARS_MIN && (a.includes(b) || b.includes(a)))

const failedEvents = ({ items }: SupportedEntry): ReadonlySet<EventId> =>
  new Set(items.flatMap(({ kind, events }) => (kind === 'failed' || kind === 'rejection' ? events : [])))

function newKnowledge(entry: SupportedEntry, { session }: AnswerContext, at: string): Knowledge {
  const { type, scope, line, quote, when, expected } = entry
  return {
    type,
    // Of what is known to hold in all projects only a person can say so.
    scope: scope === 'person' ? 'project' : scope,
    author: 'model',
    state: quote === undefined ? 'proposed' : 'standing',
    line,
    ...(quote !== undefined && { quote }),
    when,
    expected,
    record: { ...newKnowledgeRecord(at, session), cost: Math.max(1, failedEvents(entry).size) },
  }
}

function knowledgeMemory(knowledge: Knowledge, { items }: SupportedEntry, context: AnswerContext): Memory {
  const { line, quote, type, scope } = knowledge
  const ids = [...new Set(items.flatMap((item) => item.events))].slice(-EVENTS_MAX)
  const byId = new Map(context.events.map((event) => [event.id, event]))
  const cited = ids.flatMap((id) => byId.get(id) ?? [])
  const failure = cited.find((event) => event.kind === 'call.failed')
  const terms = { outcome: 0.1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal: quote ? 0.75 : 0, costSaved: 0 }
  return newMemory({
    id: deriveMemoryId('knowledge', normalizeText(line)),
    kind: kindOfKnowledge(type),
    content: quote === undefined ? line : `${line} ("${quote}")`,
    created: items[0]?.at ?? cited[0]?.at ?? '',
    session: context.session,
    taskId: cited[0]?.taskId,
    branch: scope === 'branch' ? findBranch(context.events) : undefined,
    trust: 'tools',
    tags: [MODEL_TAG],
    events: ids,
    files: listFiles(cited, failure),
    commandShape: failure?.commandShape,
    errorSignature: failure?.commandShape === undefined ? undefined : failure.errorSignature,
    importance: computeImportance(terms),
    importanceTerms: terms,
    knowledge,
  })
}

const listFiles = (cited: readonly Event[], failure: CallResult | undefined): readonly string[] =>
  [...new Set([failure, ...cited.filter(isCallResult)].flatMap((call) => call?.files ?? []))].slice(0, FILES_MAX)

const findBranch = (events: readonly Event[]): string | undefined =>
  events.filter((event) => event.kind === 'prompt').findLast(({ branch }) => branch !== undefined)?.branch

const formatTrigger = ({ at, tool, has = [], unless = [], signature }: Trigger): string =>
  [at, tool, ...has.map((part) => `"${part}"`), ...unless.map((part) => `not "${part}"`), signature]
    .filter(Boolean)
    .join(' ')

interface AnswerOrigin {
  readonly answer: ModelAnswer
  /** claude, anthropic, openai, or import. */
  readonly by: string
  readonly model: string
  readonly tokens: { readonly input: number; readonly output: number }
  /** Milliseconds since 1970. */
  readonly now: number
}

export type DistillResult = ReturnType<typeof commitReading>

/** Dropped proposals that a result lists. */
const DROPPED_MAX = 20

/** How long an answer waits for a worker, or for what is being forgotten, in milliseconds. */
const LOCK_WAIT_MS = 30_000

/**
 * Commits both events in one write. An answer that stores nothing is committed too: the session has been read.
 * Undefined, and nothing is stored, if the store no longer has what the model was shown: the session is read again.
 * Throws STORE_BUSY.
 */
export function commitAnswer(store: Store, prepared: PreparedSession, origin: AnswerOrigin): DistillResult | undefined {
  // With the lock, so that nothing is forgotten between the check and the commit.
  const done = withLockWaiting(store.files, store.layout.lock, LOCK_WAIT_MS, () => ({
    result: isStillThere(store, prepared) ? commitReading(store, prepared, origin) : undefined,
  }))
  if (!done) throw storeBusyError()
  return done.result
}

function commitReading(store: Store, prepared: PreparedSession, origin: AnswerOrigin) {
  const { session, events, digest, known, open, calls } = prepared
  const { answer, by, model, tokens, now } = origin
  const through = events.at(-1)?.id
  if (through === undefined) throw new MemoryError('NOT_FOUND', `Session ${session} has no events`, { hint: NO_EVENTS })
  const { stored, changes, dropped } = answerChanges(checkAnswer(answer, digest), {
    session,
    events,
    known,
    memories: readCommittedMemories(store),
    calls,
    numbers: readActivePolicy(store).policy.knowledge,
  })
  const { headline, leftOpen } = sanitize({ headline: answer.summary, leftOpen: [...answer.open] })
  const closed = answer.closed.filter((key) => open.some((task) => task.key === key))
  const body = {
    kind: 'session.distilled',
    by,
    model,
    through,
    ...(headline !== '' && { headline }),
    ...(leftOpen.length > 0 && { leftOpen }),
    ...(closed.length > 0 && { closed }),
    tokens,
    dropped: dropped.length,
  } as const
  commitEvents(store, [
    ...(stored.length + changes.length === 0
      ? []
      : [systemEvent({ kind: 'memory.batch', stored, changes } as const, { now, session, key: [through] })]),
    systemEvent(body, { now, session, key: [through] }),
  ])
  return {
    session,
    by,
    model,
    headline,
    memories: stored.map(({ id, kind, content }) => ({ id, kind, content })),
    leftOpen,
    /** Entries that were stored, and known ones that were confirmed, replaced or retired. */
    stored: stored.length,
    changed: changes.length,
    dropped: dropped.slice(0, DROPPED_MAX),
    tokens,
  }
}

const NO_EVENTS = 'Run `memctl list --sessions` to list the sessions of this store.'
