// Imports sessions into a store: record ─▶ organize, as if hooks had been there, with the times of the transcripts.
//
//   for each session, oldest first:  commit its missing events ─▶ commit session.improved, session.organized
//   now and then, and at the end:    save the snapshot
//
// The log itself says how far an import has come, so a killed one goes on where it was.
import type { Event, EventKind } from '../../model/event.ts'
import { startsHook } from '../../model/hookEvents.ts'
import type { SessionId } from '../../model/id.ts'
import { isCompaction } from '../../record/recordPayload.ts'
import { withLockOrThrow } from '../../store/disk/lock.ts'
import { commitAndApply } from '../commit/commitEvents.ts'
import { guardLog } from '../maintenance/guardLog.ts'
import { loadOrRebuild } from '../maintenance/loadFromLog.ts'
import { commitDueReleases, endSession, saveSnapshot } from '../maintenance/maintenance.ts'
import { redactUnsaved } from '../maintenance/redactLog.ts'
import type { Environment, Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail } from '../projection/projectionFiles.ts'
import { isIncomplete, readFaults } from '../queries/storeStatus.ts'
import type { TimedPayload } from './convertTranscript.ts'
import { findTranscripts, transcriptFolder } from './findTranscripts.ts'
import { type RecordedSessions, readRecordedSessions, TranscriptRecorder } from './recordTranscript.ts'
import {
  type DroppedPayload,
  findOrigin,
  findUnansweredHooks,
  lineKey,
  mergePayloads,
  scanTranscripts,
  type TranscriptSession,
} from './scanTranscripts.ts'
import type { TranscriptLine } from './transcriptLine.ts'

/** A session, and what of it is not in the store yet. */
export interface SessionPlan {
  readonly session: TranscriptSession
  /** `known` has nothing new; `forgotten` was erased with `memctl forget`, and stays so. */
  readonly state: 'new' | 'partly' | 'known' | 'forgotten'
  /** Numbers of prompts, finished calls and all payloads that would be recorded. */
  readonly prompts: number
  readonly calls: number
  readonly payloads: number
}

export interface ImportReport {
  /** Sessions with at least one new event. */
  readonly sessions: number
  readonly events: number
}

/** What each session would add to a store. Writes nothing. */
export function planSessions(store: Store, sessions: readonly TranscriptSession[]): SessionPlan[] {
  const recorded = readRecordedSessions(store)
  const seen = new Set<number>()
  return sessions.map((session) => {
    const counts = { ...NOTHING }
    for (const timed of mergePayloads(store.files, session, createCopyCheck(seen, recorded, session))) {
      const kind = KINDS[timed.payload.hook_event_name]
      const call = timed.payload['tool_use_id']
      if (!startsHook(timed.payload) || kind === undefined) continue
      const known = { session: session.id, kind, call: typeof call === 'string' ? call : undefined, at: timed.at }
      if (recorded.isKnown(known)) continue
      counts.payloads++
      if (kind === 'prompt') counts.prompts++
      if (kind === 'call.succeeded' || kind === 'call.failed') counts.calls++
    }
    if (recorded.isForgotten(session.id)) return { session, ...NOTHING, state: 'forgotten' }
    // A start alone is nothing new.
    if (counts.prompts + counts.calls === 0) return { session, ...NOTHING, state: 'known' }
    return { session, ...counts, state: recorded.has(session.id) ? 'partly' : 'new' }
  })
}

const NOTHING = { prompts: 0, calls: 0, payloads: 0 }

const KINDS: Readonly<Record<string, EventKind>> = {
  SessionStart: 'session.started',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'call.started',
  PostToolUse: 'call.succeeded',
  PostToolUseFailure: 'call.failed',
  SubagentStart: 'agent.started',
  SubagentStop: 'agent.stopped',
  Stop: 'answer',
  PreCompact: 'compaction',
  PostCompact: 'compaction',
}

/**
 * Whether a line is among those with these keys, of earlier sessions and of its own: it is from then on. Or whether it
 * is copied from a session that the store knows: the transcript of that one may be gone, or not be read.
 */
const createCopyCheck =
  (seen: Set<number>, recorded: RecordedSessions, session: TranscriptSession) =>
  ({ uuid, at }: TranscriptLine): boolean => {
    const origin = findOrigin(session, at)
    const isForeign = origin !== undefined && (recorded.has(origin) || recorded.isForgotten(origin))
    if (uuid === undefined) return isForeign
    const key = lineKey(uuid)
    const isKnown = seen.has(key)
    seen.add(key)
    return isKnown || isForeign
  }

interface ImportOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly onSession?: (plan: SessionPlan) => void
}

const BATCH_EVENTS = 200

/** After this many sessions the snapshot is saved: an import that is killed then does not organize them again. */
const SESSIONS_PER_SNAPSHOT = 100

/** Imports what the plans have. Throws STORE_BUSY while another process writes. */
export function importSessions(store: Store, plans: readonly SessionPlan[], options: ImportOptions): ImportReport {
  return withLockOrThrow(store.files, store.layout.lock, () => {
    guardLog(store, options.now)
    const { loaded, isFromLog } = loadOrRebuild(store)
    redactUnsaved(store, loaded, () => loadOrRebuild(store).loaded)
    // What a killed import has organized is in the log alone.
    let unsaved = applyLogTail(store, loaded) || isFromLog ? 1 : 0
    const run = new ImportRun(store, loaded)
    for (const plan of plans) {
      if (run.importSession(plan)) unsaved++
      if (unsaved >= SESSIONS_PER_SNAPSHOT) {
        saveSnapshot(store, loaded, options.now)
        unsaved = 0
      }
      options.onSession?.(plan)
    }
    if (unsaved > 0) saveSnapshot(store, loaded, options.now)
    return run.report
  })
}

class ImportRun {
  readonly #store: Store
  readonly #loaded: LoadedProjection
  readonly #recorded: RecordedSessions
  readonly #lines = new Set<number>()
  /** Nothing is organized at an earlier time than what the store has organized before. */
  readonly #organizedFrom: number
  #sessions = 0
  #events = 0

  constructor(store: Store, loaded: LoadedProjection) {
    this.#store = store
    this.#loaded = loaded
    this.#recorded = readRecordedSessions(store)
    this.#organizedFrom = this.#recorded.lastOrganized
  }

  get report(): ImportReport {
    return { sessions: this.#sessions, events: this.#events }
  }

  /** Commits what is missing of a session and organizes it. Returns whether anything has changed. */
  importSession({ session, state }: SessionPlan): boolean {
    const before = this.#events
    if (state === 'new' || state === 'partly') this.#commitMissing(session)
    // Its lines are repeated by later sessions all the same.
    else for (const key of session.keys) this.#lines.add(key)
    if (this.#events > before) this.#sessions++
    return this.#finish(session) || this.#events > before
  }

  #commitMissing(session: TranscriptSession): void {
    const recorder = new TranscriptRecorder(this.#store.project.root)
    let batch: Event[] = []
    const isCopy = createCopyCheck(this.#lines, this.#recorded, session)
    for (const timed of mergePayloads(this.#store.files, session, isCopy)) {
      const event = startsHook(timed.payload) ? recorder.record(timed) : undefined
      if (!event || this.#isKnown(event, timed)) continue
      batch.push(event)
      if (batch.length < BATCH_EVENTS) continue
      this.#commit(batch)
      batch = []
    }
    this.#commit(batch)
  }

  #isKnown(event: Event, { at }: TimedPayload): boolean {
    const call = 'call' in event ? event.call : undefined
    const kind = isCompaction(event) ? 'compaction' : event.kind
    return this.#recorded.isKnown({ id: event.id, session: event.session, kind, call, at })
  }

  #commit(events: readonly Event[]): void {
    commitAndApply(this.#store, this.#loaded, events)
    for (const event of events) this.#recorded.add(event)
    this.#events += events.length
  }

  /** Ends and organizes a session with imported events, also those of an import that was killed before it came here. */
  #finish({ id }: TranscriptSession): boolean {
    const session = id as SessionId
    const state = this.#loaded.projection.sessions.get(session)
    const hasImported = state?.pending.some(({ origin }) => origin !== undefined)
    if (!state || !hasImported) return false
    if (this.#recorded.needsEnd(id)) this.#commit([this.#createEnd(state.lastAt, session)])
    // Hooks have recorded a later part: its own end organizes all of it.
    else if (!state.ended && this.#recorded.isRecordedOpen(id)) return true
    const now = Math.max(Date.parse(state.lastAt), this.#organizedFrom)
    endSession(this.#store, this.#loaded, { session, now, movesPolicy: false })
    commitDueReleases(this.#store, this.#loaded, now)
    return true
  }

  #createEnd(lastAt: string, session: SessionId): Event {
    const payload = { session_id: session, hook_event_name: 'SessionEnd', reason: 'other' }
    const event = new TranscriptRecorder(this.#store.project.root).record({ at: Date.parse(lastAt), payload })
    if (!event) throw new Error('The end of a session is always an event.')
    return event
  }
}

/**
 * The time between a payload of a transcript and the hook that did not get it, in milliseconds: on a busy machine the
 * client waits for a process to start, and writes a result after its hook.
 */
const DROPPED_MARGIN_MS = 30_000

/**
 * Returns what adds the payloads that its hooks did not get to a session, from the client's transcript: for each the
 * nearest event that the log does not have. Nothing else is added: a transcript also has calls without a hook, such as
 * refused ones, and what is not in the log may have been forgotten, as all that was organized or erased before.
 */
export function openDropped(store: Store, env: Environment): (loaded: LoadedProjection, session: SessionId) => void {
  const { files } = store
  const faults = readFaults(store).filter(isIncomplete)
  return (loaded, id) => {
    const { pending, client } = loaded.projection.sessions.get(id) ?? {}
    const isByServer = client?.hooks === 'server'
    const own = isByServer || faults.length > 0 ? findSession(files, transcriptFolder(env), id) : undefined
    if (!own || !pending) return
    const during = faults.filter(({ at }) => Date.parse(at) >= own.first - DROPPED_MARGIN_MS)
    const dropped: readonly DroppedPayload[] = [...during, ...(isByServer ? findUnansweredHooks(files, own) : [])]
    if (dropped.length === 0) return
    const recorder = new TranscriptRecorder(store.project.root)
    const missing = new Map<Event, string>()
    const completeTo = readRecordedSessions(store).completeTo(id)
    for (const timed of mergePayloads(files, own, (line) => findOrigin(own, line.at) !== undefined)) {
      const event = startsHook(timed.payload) ? recorder.record(timed) : undefined
      if (!event || timed.at <= completeTo) continue
      if (!pending.some((other) => isSame(event, other))) missing.set(event, timed.payload.hook_event_name)
    }
    for (const { where, at, call } of dropped) {
      const isDropped = (event: Event): boolean =>
        isNear(event.at, at) && (call === undefined || !('call' in event) || event.call === call)
      const near = [...missing].flatMap(([event, name]) => (name === where && isDropped(event) ? [event] : []))
      const [nearest] = near.sort((a, b) => distanceMs(a.at, at) - distanceMs(b.at, at))
      if (!nearest) continue
      missing.delete(nearest)
      commitAndApply(store, loaded, [nearest])
    }
  }
}

function findSession(files: Store['files'], folder: string, id: SessionId): TranscriptSession | undefined {
  const names = /^[\w-]+$/.test(id) ? files.list(folder) : []
  const paths = names.flatMap((name) => [`${folder}/${name}/${id}.jsonl`, `${folder}/${name}/${id}`])
  const found = paths.flatMap((path) => (files.permissions(path) ? findTranscripts(files, path) : []))
  return scanTranscripts(files, found).find((session) => session.id === id)
}

const distanceMs = (a: string, b: string): number => Math.abs(Date.parse(a) - Date.parse(b))
const isNear = (a: string, b: string): boolean => distanceMs(a, b) <= DROPPED_MARGIN_MS

/** Whether both are the same event, of a hook and of a transcript: the same call, or the same text at the same time. */
function isSame(event: Event, other: Event): boolean {
  if ('call' in event) {
    const isStart = event.kind === 'call.started'
    return 'call' in other && other.call === event.call && (other.kind === 'call.started') === isStart
  }
  if (event.id === other.id) return true
  if (event.kind !== other.kind || event.agentId !== other.agentId) return false
  return isNear(event.at, other.at) && (!('text' in event && 'text' in other) || event.text === other.text)
}
