// Replays recorded sessions in this process, with the clock of the recording and the handlers of the hooks. Maintenance
// that a hook would start in the background runs at once.
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import type { SessionId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { type HookPayload, hookPayloadFromValue } from '../../record/hookPayload.ts'
import { type HookOutput, openHookContext } from '../handlers/hookContext.ts'
import { findHookHandler } from '../handlers/hookHandlers.ts'
import { onRecordOnly } from '../handlers/recordHandlers.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import { refreshRecent } from '../maintenance/refreshRecent.ts'
import { pinReader, unpinReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'
import { createFeedbackShuffler } from './shuffleFeedback.ts'

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
    hint: 'A recording has one {"at": ISO time, "payload": {…}} a line; `memctl record` writes it.',
    cause,
  })

export interface ReplayOptions {
  /** Called after every payload. */
  readonly onOutput?: (recorded: RecordedPayload, output: HookOutput) => void
  /** The seed with which verdicts are given to the wrong memories: a control for learning. */
  readonly shuffleFeedback?: number | undefined
}

/** Replays sessions one after the other. Each is organized at its end, or else after its last payload. */
export function replaySessions(
  store: Store,
  sessions: readonly (readonly RecordedPayload[])[],
  options: ReplayOptions = {},
): void {
  const replay = replayEach(store, sessions, options)
  while (!replay.next().done);
}

/** The same, session by session: the caller may wait or end after each of them. */
export function* replayEach(
  store: Store,
  sessions: readonly (readonly RecordedPayload[])[],
  options: ReplayOptions = {},
): Generator<void> {
  pinReader(store)
  try {
    const loaded = loadProjection(store)
    if (options.shuffleFeedback !== undefined)
      loaded.projection.adjustFeedback = createFeedbackShuffler(options.shuffleFeedback)
    for (const session of sessions) {
      replaySession(store, loaded, session, options)
      yield
    }
  } finally {
    unpinReader(store)
  }
}

function replaySession(
  store: Store,
  loaded: LoadedProjection,
  session: readonly RecordedPayload[],
  options: ReplayOptions,
): void {
  let awaited: RecordedPayload | undefined
  for (const recorded of session) {
    if (awaited && mayReadRefresh(recorded.payload, awaited.payload)) {
      refreshRecent(store, awaited.at, loaded)
      awaited = undefined
    }
    const output = replayPayload(store, recorded)
    options.onOutput?.(recorded, output)
    if (output.needsMaintenance) {
      runMaintenance(store, { now: recorded.at }, loaded)
      awaited = undefined
    } else if (output.refresh) awaited = recorded
  }
  const last = session.at(-1)
  if (last) runMaintenance(store, { now: last.at, sessions: [last.payload.session_id as SessionId] }, loaded)
}

/**
 * Whether a hook may be shown what a conversation has learned since the last refresh: that of another conversation, and
 * of the same one after a compaction. A conversation is not shown its own work, so the refresh can wait until then. In
 * hooks it does not wait, and the words of that work count in the statistics of the index: of 568 notes on recorded
 * sessions, 5 differ. To refresh each time took a third of a replay.
 */
const mayReadRefresh = (reader: HookPayload, writer: HookPayload): boolean =>
  reader['agent_id'] !== writer['agent_id'] || reader.hook_event_name === 'SessionStart'

/** Runs the hook of one payload, if the client would have started one. With `silent` it records and recalls nothing. */
export function replayPayload(store: Store, { at, payload }: RecordedPayload, silent = false): HookOutput {
  if (!startsHook(payload)) return {}
  const handler = silent ? onRecordOnly : findHookHandler(payload.hook_event_name)
  return handler(payload, openHookContext(store, at))
}

/** Whether the client would have started a hook for this payload. */
export function startsHook(payload: HookPayload): boolean {
  const registration = HOOK_REGISTRATIONS.find(({ event }) => event === payload.hook_event_name)
  const tool = typeof payload['tool_name'] === 'string' ? payload['tool_name'] : ''
  return !registration?.matcher || new RegExp(registration.matcher).test(tool)
}
