// One pass over the log for `memctl report`: sessions, recalls, failed and passed calls, times of hooks, and what the
// memories of the report were derived from. Reads only, and leaves out what is private.
import { type PreparedCall, prepareCall } from '../../knowledge/updateRecords.ts'
import type { Occasion } from '../../knowledge/when.ts'
import { type CallResult, callCommand, type Event, type EventOf, isCallResult, isShellTool } from '../../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import { isCurrent } from '../../model/knowledge.ts'
import { addTo, compareValues, groupBy } from '../../model/sorting.ts'
import { coreCommand } from '../../text/command.ts'
import { findCommits, showPushed } from '../../text/commitCommands.ts'
import { salientLine } from '../../text/errorSignature.ts'
import { firstLine } from '../../text/excerpt.ts'
import { revealFailure } from '../../text/hiddenFailure.ts'
import { keepByText } from '../../text/pattern.ts'
import { jaccard, splitPlainWords } from '../../text/similarity.ts'
import { SYSTEM_SESSION } from '../commit/commitEvents.ts'
import type { Store } from '../open/openStore.ts'
import { listChanges } from '../projection/memoryReducer.ts'
import { eventsNewestFirst } from './browse.ts'
import { isSystemEventKind } from './storeStatus.ts'

export type ScannedSession = ReturnType<typeof newSession>

export type ScannedRecall = Readonly<ReturnType<typeof scanRecall>>

/** A call that ended; interruptions are left out. */
export interface ScannedCall {
  readonly at: string
  readonly session: SessionId
  /** The tool_use_id. */
  readonly call: string
  /** The tool, and its command or file. */
  readonly text: string
  /** To judge it; absent for a call before the latest CALLS_JUDGED_MAX. */
  readonly prepared?: PreparedCall | undefined
  /** Of a call that failed, also behind a pipe: to compare it with triggers. */
  readonly failure?: Occasion | undefined
  /** Of such a call: the line of its output that names the error, else the first one. */
  readonly error?: string | undefined
  /** Of such a call: the text of the next such call of its session that passed. */
  readonly passed?: string | undefined
}

export type ScannedSource = Readonly<ReturnType<typeof describeSource>>

export type Ending = Readonly<ReturnType<typeof endingOf>>

export type ReportScan = ReturnType<typeof scanLog>

interface ScanOptions {
  /** ISO; earlier events count only as sources. */
  readonly since?: string | undefined
  readonly wantedSources: ReadonlySet<EventId>
  readonly withPrivate: boolean
}

/** Characters of a source and of a recall's cause. */
const EXCERPT_CHARS = 200

/** Characters of a command that are looked at. */
const COMMAND_CHARS = 4000

/** The latest calls, which are judged: their texts stay in memory, a few kilobytes each. */
const CALLS_JUDGED_MAX = 50_000

/** All lists are oldest first. Plugin and settings may record the same event: it counts once. */
export function scanLog(store: Store, { since = '', wantedSources, withPrivate }: ScanOptions) {
  const [sessions, days] = [new Map<string, ScannedSession>(), new Map<string, ScannedSession>()]
  const recalls: ScannedRecall[] = []
  const calls: ScannedCall[] = []
  const sources = new Map<EventId, ScannedSource>()
  const hookTimes = new Map<Event['kind'], number[]>()
  const endings = new Map<MemoryId, Ending>()
  const read = new Map<SessionId, EventOf<'session.distilled'>[]>()
  const seen = new Set<EventId>()
  for (const event of eventsNewestFirst(store)) {
    if (seen.has(event.id) || (event.privacy === 'private' && !withPrivate)) continue
    seen.add(event.id)
    if (wantedSources.has(event.id)) sources.set(event.id, describeSource(event))
    for (const memory of listEnded(event)) if (!endings.has(memory)) endings.set(memory, endingOf(event))
    if (event.kind === 'session.distilled' && event.at >= since) addTo(read, event.session, event)
    if (event.at < since || isSystemEventKind(event.kind)) continue
    if (event.hookMs !== undefined) addTo(hookTimes, event.kind, event.hookMs)
    const isEnded = isCallResult(event) && !(event.kind === 'call.failed' && event.interrupted)
    const call = isEnded ? scanCall(event, calls.length < CALLS_JUDGED_MAX) : undefined
    if (call) calls.push(call)
    countIn(sessions, event.session, event, call)
    countIn(days, `${event.session} ${event.at.slice(0, 10)}`, event, call)
    // What chance held back was not shown: the experiment counts it.
    if (event.kind === 'recalled' && event.shown.length > 0 && !event.withheld) recalls.push(scanRecall(event))
  }
  return {
    sessions: [...sessions.values()].sort((a, b) => compareValues(a.started, b.started)),
    days,
    recalls: recalls.sort(byTime),
    calls: markPassed(calls.sort(byTime)),
    sources,
    endings,
    reading: sumReadings(read),
    /** Milliseconds of hooks, by the kind of the event that they wrote. */
    hookTimes,
  }
}

const listEnded = (event: Event): MemoryId[] =>
  listChanges(event).flatMap(({ memory, knowledge, supersededBy }) =>
    typeof supersededBy === 'string' || (knowledge && !isCurrent(knowledge)) ? memory : [],
  )

/** The change that superseded or retired an entry; a person's command belongs to no session. */
const endingOf = ({ at, session }: Event) => ({ at, ...(session !== SYSTEM_SESSION && { session }) })

function sumReadings(read: ReadonlyMap<SessionId, readonly EventOf<'session.distilled'>[]>) {
  const sum = (part: 'input' | 'output'): number =>
    [...read.values()].flat().reduce((total, { tokens }) => total + tokens[part], 0)
  return { sessions: read.size, input: sum('input'), output: sum('output') }
}

const newSession = ({ session, at }: Event) => ({
  id: session,
  /** ISO times of its first and last event. */
  started: at,
  last: at,
  prompts: 0,
  calls: 0,
  failed: 0,
  /** Notes that it was shown, with those of its subagents, and their tokens. */
  notes: 0,
  tokens: 0,
  /** What its calls did. */
  done: new Set<'committed' | 'pushed'>(),
  /** Hooks recorded it, with their times: it was not imported or replayed. */
  isTimed: false,
})

function countIn(sessions: Map<string, ScannedSession>, key: string, event: Event, call?: ScannedCall): void {
  const session = sessions.get(key) ?? newSession(event)
  sessions.set(key, session)
  // Hooks of parallel calls may write out of order.
  if (event.at < session.started) session.started = event.at
  if (event.at > session.last) session.last = event.at
  if (event.hookMs !== undefined) session.isTimed = true
  if (event.kind === 'prompt') session.prompts++
  if (isCallResult(event)) session.calls++
  if (event.kind === 'call.succeeded') {
    const line = { command: callCommand(event), output: event.output }
    if (findCommits(line.command, line.output).length > 0) session.done.add('committed')
    if (/\bpush\b/.test(line.command) && showPushed([line])) session.done.add('pushed')
  }
  if (call?.failure) session.failed++
  if (event.kind === 'recalled' && !event.withheld) {
    session.notes += event.shown.length
    session.tokens += event.tokens ?? 0
  }
}

const scanRecall = (event: EventOf<'recalled'>) => ({
  id: event.id,
  at: event.at,
  session: event.session,
  moment: event.moment,
  /** The tool_use_id of the call that it is about. */
  call: event.call,
  cue: firstLine(event.cue, EXCERPT_CHARS),
  shown: event.shown.map(({ memory }) => memory) as readonly MemoryId[],
  scores: event.shown.map(({ score }) => score) as readonly number[],
  blocked: event.held === true,
})

function scanCall(event: CallResult, isJudged: boolean): ScannedCall {
  const prepared = prepareCall(event)
  const shown = prepared.failure ? revealFailure(event) : event
  return {
    at: event.at,
    session: event.session,
    call: event.call,
    text: isJudged ? callName(event) : firstLine(callName(event), EXCERPT_CHARS),
    prepared: isJudged ? prepared : undefined,
    failure: prepared.failure,
    error: shown.kind === 'call.failed' ? firstLine(salientLine(shown.error), EXCERPT_CHARS) : undefined,
  }
}

/** Calls after a failed one among which the next such call is looked for. */
const CALLS_AFTER = 60
/** Shared words of all words of two commands, from which one is the other again, or a form of it. */
const SAME_COMMAND_SHARE = 0.6

/** The calls, those that failed with the next such call of their session that passed. */
export function markPassed(calls: readonly ScannedCall[]): ScannedCall[] {
  const later = new Map<string, string>()
  for (const own of groupBy(calls, ({ session }) => session).values()) {
    for (const [i, call] of own.entries()) {
      if (!call.failure) continue
      const next = own.slice(i + 1, i + 1 + CALLS_AFTER).find((other) => !other.failure && isSuch(call, other))
      if (next) later.set(call.call, next.text)
    }
  }
  return calls.map((call) => ({ ...call, passed: later.get(call.call) }))
}

/** The same tool with the same file, or with most words of the command. A tool's name alone says nothing. */
function isSuch(call: ScannedCall, other: ScannedCall): boolean {
  const [tool = '', ...words] = call.text.split(' ')
  if (words.length === 0 || !other.text.startsWith(`${tool} `)) return false
  if (call.text === other.text) return true
  if (hasOtherPipe(call, other)) return false
  return isShellTool(tool) && jaccard(commandWords(call), commandWords(other)) >= SAME_COMMAND_SHARE
}

/** A pipe with what comes after it, but not `||`. */
const PIPE = /(?<!\|)\|(?!\|).*/s
const REDIRECTION = /\d*>&?\s*\S+/g

/** Whether only what is behind a pipe differs: that may hide that the same command failed again. */
function hasOtherPipe(call: ScannedCall, other: ScannedCall): boolean {
  const [own, again] = [call, other].map((each) => commandOf(each).replace(PIPE, '').replace(REDIRECTION, '').trim())
  return PIPE.test(commandOf(other)) && own === again
}

/** Of the main command. */
const commandWords = (call: ScannedCall): ReadonlySet<string> => wordsOf(commandOf(call))

/** Without the messages that it writes. */
const commandOf = ({ prepared }: ScannedCall): string => prepared?.occasion.command ?? prepared?.occasion.text ?? ''

const wordsOf = keepByText((command) => splitPlainWords(coreCommand(command)))

function describeSource(event: Event) {
  const shown = isCallResult(event) ? revealFailure(event) : event
  const { id, at, session, kind } = shown
  return { id, at, session, kind, text: firstLine(sourceText(shown), EXCERPT_CHARS) }
}

function sourceText(event: Event): string {
  if (event.kind === 'prompt' || event.kind === 'answer' || event.kind === 'agent.stopped') return event.text
  if (event.kind === 'call.failed') return `${callName(event)}: ${event.error}`
  return isCallResult(event) || event.kind === 'call.started' ? callName(event) : ''
}

const callName = (event: CallResult | EventOf<'call.started'>): string =>
  `${event.tool} ${(callCommand(event) || event.files[0] || '').slice(0, COMMAND_CHARS).replace(/\s+/g, ' ')}`.trim()

const byTime = (a: { readonly at: string }, b: { readonly at: string }): number => compareValues(a.at, b.at)
