// Records the payloads of one transcript as the hooks would have: the same event, with its novelty and its repeats. It
// appends nothing and recalls nothing. Secrets are removed by both passes, before anything is stored.
//
// And what a store's log has of each session already, from hooks and from earlier imports: an import adds only the
// rest.
//
//   hooks     ├──── run ────┤         ├─ run ─┤        between its first and its last event a run is complete
//   import    ■■■■■■■■■■■■■■■■■■■■│                    up to its last event it is done; a killed import goes on there
//
// What is missing inside of both was left out on purpose, or forgotten later: it does not come back.
import { CALL_RESULT_KINDS, type Event, type EventKind } from '../../model/event.ts'
import type { EventId, MemoryId, SessionId } from '../../model/id.ts'
import { RECENT_TAIL_BYTES } from '../../model/limits.ts'
import { deriveMemoryId } from '../../organize/derivedId.ts'
import { getTextField } from '../../record/hookPayload.ts'
import { NOVELTY_EVENTS_MAX } from '../../record/initialImportance.ts'
import { recordPayload } from '../../record/recordPayload.ts'
import { redactStoredEvent } from '../../record/redact/secondPass.ts'
import { readLog } from '../../store/log/readLog.ts'
import { readReport } from '../../text/agentReport.ts'
import { detectUserSignals } from '../../text/intent/userSignals.ts'
import type { Store } from '../open/openStore.ts'
import { isSystemEventKind } from '../queries/storeStatus.ts'
import type { TimedPayload } from './convertTranscript.ts'

export const TRANSCRIPT_ORIGIN = 'import:transcript'

/** With which of the session's latest events the hook of an event compares it; those of a compaction with calls. */
const COMPARED_KINDS: Readonly<Record<string, readonly EventKind[]>> = {
  UserPromptSubmit: ['prompt'],
  PostToolUse: CALL_RESULT_KINDS,
  PostToolUseFailure: ['call.failed'],
  PreCompact: CALL_RESULT_KINDS,
  SessionStart: CALL_RESULT_KINDS,
  PostCompact: CALL_RESULT_KINDS,
}

/** Earlier calls of the same input or command that are compared, at most. */
const SAME_CALLS_MAX = 8

export class TranscriptRecorder {
  readonly #root: string
  /** The session's latest events that others are compared with, oldest first, and the bytes of their lines. */
  readonly #recent: { readonly event: Event; readonly bytes: number }[] = []
  #recentBytes = 0

  /** `root` is that of the project. */
  constructor(root: string) {
    this.#root = root
  }

  /** The event of a payload; undefined for what hooks do not record. */
  record({ at, payload }: TimedPayload): Event | undefined {
    const kinds = COMPARED_KINDS[payload.hook_event_name] ?? []
    const recorded = recordPayload(payload, {
      now: at,
      root: this.#root,
      branch: getTextField(payload, 'git_branch'),
      recent: (event) => this.#findCompared(event, kinds),
      detectSignals: payload.hook_event_name === 'UserPromptSubmit' ? detectUserSignals : undefined,
      readReport,
    })
    if (!recorded) return undefined
    const event = redactStoredEvent({ ...recorded, origin: TRANSCRIPT_ORIGIN })
    this.#keep(event)
    return event
  }

  /** As hooks read them from the log's tail: the newest of the first kind, and calls of the same input or command. */
  #findCompared(event: Event, kinds: readonly EventKind[]): Event[] {
    const found: Event[] = []
    let newestLeft = NOVELTY_EVENTS_MAX + 1
    let sameLeft = 'input' in event ? SAME_CALLS_MAX : 0
    for (const { event: other } of this.#recent.toReversed()) {
      if (newestLeft <= 0 && sameLeft <= 0) break
      if (!kinds.includes(other.kind)) continue
      if (newestLeft <= 0) {
        if (!isSameCall(event, other)) continue
        sameLeft--
      }
      found.push(other)
      if (other.kind === kinds[0]) newestLeft--
    }
    return found.reverse()
  }

  #keep(event: Event): void {
    const bytes = Buffer.byteLength(JSON.stringify(event))
    this.#recentBytes += bytes
    this.#recent.push({ event, bytes })
    while (this.#recentBytes > RECENT_TAIL_BYTES) this.#recentBytes -= this.#recent.shift()?.bytes ?? 0
  }
}

function isSameCall(event: Event, other: Event): boolean {
  if (!('input' in event) || !('input' in other)) return false
  if (event.commandShape !== undefined && event.commandShape === other.commandShape) return true
  return JSON.stringify(event.input) === JSON.stringify(other.input)
}

/** Between two lifetimes of a client hooks have recorded nothing. Milliseconds since 1970. */
interface HookRun {
  readonly from: number
  to: number
  isEnded: boolean
}

interface KnownEvent {
  readonly session: string
  readonly kind: EventKind
  readonly call: string | undefined
  /** Milliseconds since 1970. */
  readonly at: number
  readonly id?: EventId
}

/** The transcript has a prompt some milliseconds before its hook, and a result after it. Milliseconds. */
const RUN_MARGIN_MS = 2_000

export class RecordedSessions {
  readonly #sessions = new Map<string, ReturnType<typeof newRecord>>()
  /** Calls by their own id, in all sessions: one that a forked session repeats is known. */
  readonly #calls = new Set<string>()
  readonly #deleted = new Map<MemoryId, number>()
  /** The latest time of an organized session, in milliseconds since 1970. */
  lastOrganized = 0

  add(event: Event): void {
    const at = Date.parse(event.at)
    const known = this.#sessions.get(event.session)
    if (event.kind === 'session.organized') {
      this.lastOrganized = Math.max(this.lastOrganized, at)
      if (known) known.organizedTo = at
    }
    if (event.kind === 'memory.deleted') for (const id of event.memories) this.#deleted.set(id, at)
    if (isSystemEventKind(event.kind) || event.kind.startsWith('recall') || event.kind === 'agent.slept') return
    // A summary that was deleted before all events of its session: `memctl forget` has erased the earlier ones.
    const record = known ?? newRecord(this.#deleted.get(deriveMemoryId('summary', event.session)) ?? 0)
    this.#sessions.set(event.session, record)
    if ('call' in event) this.#calls.add(`${event.kind} ${event.call}`)
    record.isStarted ||= event.kind === 'session.started'
    record.isEnded = event.kind === 'session.ended'
    if (event.origin === undefined) addToRuns(record.runs, event, at)
    else if (at >= record.importedTo) {
      if (at > record.importedTo) record.importedIds = new Set()
      record.importedTo = at
      record.importedIds.add(event.id)
    }
  }

  has(session: string): boolean {
    return this.#sessions.has(session)
  }

  /** Whether somebody has deleted what was made of this session: `memctl forget` has erased its events. */
  isForgotten(session: string): boolean {
    return this.#deleted.has(deriveMemoryId('summary', session as SessionId)) && !this.#sessions.has(session)
  }

  /** Whether an event of a transcript is in the log, or was left out of it. Without an id it may be either. */
  isKnown({ session, kind, call, at, id }: KnownEvent): boolean {
    if (call !== undefined && this.#calls.has(`${kind} ${call}`)) return true
    const record = this.#sessions.get(session)
    if (!record) return false
    if (at <= record.forgottenTo) return true
    if (kind === 'session.started' && record.isStarted) return true
    if (at < record.importedTo) return true
    if (at === record.importedTo && (id === undefined || record.importedIds.has(id))) return true
    return record.runs.some(({ from, to }) => from - RUN_MARGIN_MS <= at && at <= to + RUN_MARGIN_MS)
  }

  /** Up to when nothing of a session can be missing: what is not in the log was left out, or forgotten later. */
  completeTo(session: string): number {
    const { forgottenTo, organizedTo } = this.#sessions.get(session) ?? newRecord(0)
    return Math.max(forgottenTo, organizedTo)
  }

  /** Whether the imported part of a session is its last one, and has no end yet. */
  needsEnd(session: string): boolean {
    const record = this.#sessions.get(session)
    return record !== undefined && !record.isEnded && !record.runs.some(({ to }) => to >= record.importedTo)
  }

  /** Whether the last run that hooks have recorded has no end: its client may be running. */
  isRecordedOpen(session: string): boolean {
    return this.#sessions.get(session)?.runs.at(-1)?.isEnded === false
  }
}

const newRecord = (forgottenTo: number) => ({
  runs: [] as HookRun[],
  isStarted: false,
  isEnded: false,
  /** The time of the last imported event, and the ids of those that have it. */
  importedTo: 0,
  importedIds: new Set<EventId>(),
  /** When `memctl forget` has erased what came before, and when the latest was organized; 0 for never. */
  forgottenTo,
  organizedTo: 0,
})

/** A start begins a run, except after a compaction: the client has not changed. */
function addToRuns(runs: HookRun[], event: Event, at: number): void {
  const run = runs.at(-1)
  const isStart = event.kind === 'session.started' && event.source !== 'compact'
  if (!run || isStart) runs.push({ from: at, to: at, isEnded: false })
  else {
    run.to = Math.max(run.to, at)
    run.isEnded = event.kind === 'session.ended'
  }
}

/** Reads the whole log of a store. */
export function readRecordedSessions({ files, layout }: Store): RecordedSessions {
  const recorded = new RecordedSessions()
  for (const event of readLog(files, layout.events).events) recorded.add(event)
  return recorded
}
