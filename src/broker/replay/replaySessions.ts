// Replays recorded sessions in this process, with the clock of the recording and the handlers of the hooks. Maintenance
// that a hook would start in the background runs at once.
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import type { SessionId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { type HookPayload, hookPayloadFromValue } from '../../record/hookPayload.ts'
import { type HookOutput, openHookContext } from '../handlers/hookContext.ts'
import { findHookHandler } from '../handlers/hookHandlers.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import { refreshRecent } from '../maintenance/refreshRecent.ts'
import { pinReader, type Store, unpinReader } from '../open/openStore.ts'
import type { LoadedProjection, Projection } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** One line of a recording: a payload and its time, in milliseconds since 1970. */
export interface RecordedPayload {
  /** The time of the payload, in milliseconds since 1970. */
  readonly at: number
  /** What Claude Code sent to the hook. */
  readonly payload: HookPayload
}

/** The payloads of a recording's text. Blank lines are skipped. Throws RECORDING_INVALID, which names the line. */
export function parseRecording(text: string, name: string): RecordedPayload[] {
  return text.split('\n').flatMap((line, i) => (line.trim() ? [recordedLine(line, `${name}, line ${i + 1}`)] : []))
}

function recordedLine(line: string, where: string): RecordedPayload {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw invalid(`${where} is not JSON`, cause)
  }
  const { at, payload } = (value ?? {}) as { at?: unknown; payload?: unknown }
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(time)) throw invalid(`${where} has no time in "at"`)
  const read = hookPayloadFromValue(payload)
  if (!read) throw invalid(`${where} has no payload with session_id and hook_event_name`)
  return { at: time, payload: read }
}

const invalid = (what: string, cause?: unknown): MemoryError =>
  new MemoryError('RECORDING_INVALID', what, {
    hint: 'A recording has one {"at": ISO time, "payload": {…}} a line; `npm run -s dev -- record` writes it.',
    cause,
  })

export interface ReplayOptions {
  /** Called after every payload. */
  readonly onOutput?: (recorded: RecordedPayload, output: HookOutput) => void
  /** Changes the verdicts of each session before anything is learned from them: for a control. */
  readonly adjustFeedback?: Projection['adjustFeedback'] | undefined
  /** Payloads that this store has replayed already: the first ones, counted over all sessions. */
  readonly skip?: number | undefined
  /** Called after sessions were organized, with the time. False ends the replay there. */
  readonly onOrganized?: ((sessions: readonly SessionId[], at: number) => boolean) | undefined
}

/**
 * Replays sessions one after the other. Each is organized at its end, or else after its last payload. Returns how many
 * payloads the store has replayed: all of them, unless `onOrganized` ended the replay.
 */
export function replaySessions(
  store: Store,
  sessions: readonly (readonly RecordedPayload[])[],
  options: ReplayOptions = {},
): number {
  const replay = replayEach(store, sessions, options)
  for (let step = replay.next(); ; step = replay.next()) if (step.done) return step.value
}

/** The same, session by session: the caller may wait or end after each of them. */
export function* replayEach(
  store: Store,
  sessions: readonly (readonly RecordedPayload[])[],
  options: ReplayOptions = {},
): Generator<void, number> {
  pinReader(store)
  try {
    const loaded = loadProjection(store)
    if (options.adjustFeedback) loaded.projection.adjustFeedback = options.adjustFeedback
    let done = 0
    for (const session of sessions) {
      const skipped = Math.min(session.length, Math.max(0, (options.skip ?? 0) - done))
      const left = session.slice(skipped)
      const { count, isStopped } = replaySession(store, loaded, left, options)
      done += skipped + count
      if (isStopped) return done
      yield
    }
    return done
  } finally {
    unpinReader(store)
  }
}

interface ReplayedSession {
  /** Payloads that were replayed. */
  readonly count: number
  /** Whether `onOrganized` ended the replay behind them. */
  readonly isStopped: boolean
}

function replaySession(
  store: Store,
  loaded: LoadedProjection,
  session: readonly RecordedPayload[],
  options: ReplayOptions,
): ReplayedSession {
  let awaited: RecordedPayload | undefined
  for (const [i, recorded] of session.entries()) {
    if (awaited && mayReadRefresh(recorded.payload, awaited.payload)) {
      refreshRecent(store, awaited.at, loaded)
      awaited = undefined
    }
    const output = replayPayload(store, recorded)
    options.onOutput?.(recorded, output)
    const isLast = i === session.length - 1
    if (output.needsMaintenance || isLast) {
      const { at, payload } = recorded
      const sessions = isLast ? [payload.session_id as SessionId] : []
      if (!maintain(store, loaded, { now: at, sessions }, options)) return { count: i + 1, isStopped: true }
      awaited = undefined
    } else if (output.refresh) awaited = recorded
  }
  return { count: session.length, isStopped: false }
}

/** What the worker does, and a model after it. False if the replay ends here. */
function maintain(
  store: Store,
  loaded: LoadedProjection,
  due: { readonly now: number; readonly sessions: readonly SessionId[] },
  { onOrganized }: ReplayOptions,
): boolean {
  const { organized } = runMaintenance(store, due, loaded)
  if (!onOrganized || organized.length === 0) return true
  const goesOn = onOrganized(organized, due.now)
  runMaintenance(store, { now: due.now, sessions: [] }, loaded)
  return goesOn
}

/**
 * Whether a hook may be shown what a conversation has learned since the last refresh: that of another conversation, and
 * of the same one after a compaction. A conversation is not shown its own work, so the refresh can wait until then. In
 * hooks it does not wait, and the words of that work count in the statistics of the index: of 568 notes on recorded
 * sessions, 5 differ. To refresh each time took a third of a replay.
 */
const mayReadRefresh = (reader: HookPayload, writer: HookPayload): boolean =>
  reader['agent_id'] !== writer['agent_id'] || reader.hook_event_name === 'SessionStart'

/** Runs the hook of one payload, if the client would have started one. */
export function replayPayload(store: Store, { at, payload }: RecordedPayload): HookOutput {
  if (!startsHook(payload)) return {}
  return findHookHandler(payload.hook_event_name)(payload, openHookContext(store, at))
}

/** Whether the client would have started a hook for this payload. */
export function startsHook(payload: HookPayload): boolean {
  const registration = HOOK_REGISTRATIONS.find(({ event }) => event === payload.hook_event_name)
  const tool = typeof payload['tool_name'] === 'string' ? payload['tool_name'] : ''
  return !registration?.matcher || new RegExp(registration.matcher).test(tool)
}
