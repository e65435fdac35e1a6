// Replay: recorded sessions run through the memory again, in process, with the recording's own clock.
//
// The same handlers as the hooks', the same files on disk. What a hook would have started in the background is done at once.
import { HOOK_REGISTRATIONS } from '../../model/hookEvents.ts'
import type { SessionId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { type HookPayload, hookPayloadFromValue } from '../../record/hookPayload.ts'
import { type HookOutput, openHookContext } from '../handlers/hookContext.ts'
import { HOOK_HANDLERS } from '../handlers/hookHandlers.ts'
import { onRecordOnly } from '../handlers/recordHandlers.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import { pinReader, unpinReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'

/** One line of a recording: a payload and when it came. */
export interface RecordedPayload {
  readonly at: number
  readonly payload: HookPayload
}

/** The payloads of a recording's text. Throws RECORDING_INVALID naming the line; blank lines are nothing. */
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
  /** Told after every payload. */
  readonly onOutput?: (recorded: RecordedPayload, answer: HookOutput) => void
}

/** Runs one session after the other; each is organised where it ended, and where it did not, after its last payload. */
export function replaySessions(
  store: Store,
  sessions: readonly (readonly RecordedPayload[])[],
  options: ReplayOptions = {},
): void {
  pinReader(store)
  try {
    const loaded = loadProjection(store)
    for (const session of sessions) replaySession(store, loaded, session, options)
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
  for (const recorded of session) {
    const answer = replayPayload(store, recorded)
    options.onOutput?.(recorded, answer)
    if (answer.needsMaintenance) runMaintenance(store, { now: recorded.at }, loaded)
  }
  const last = session.at(-1)
  if (last) runMaintenance(store, { now: last.at, sessions: [last.payload.session_id as SessionId] }, loaded)
}

/**
 * Runs the hook of one payload, if the client would have started one. An unknown event is recorded as such. With `silent` the
 * payload is recorded and nothing is recalled.
 */
export function replayPayload(store: Store, { at, payload }: RecordedPayload, silent = false): HookOutput {
  const wired = HOOK_REGISTRATIONS.find((one) => one.event === payload.hook_event_name)
  const tool = typeof payload['tool_name'] === 'string' ? payload['tool_name'] : ''
  if (wired?.matcher && !new RegExp(wired.matcher).test(tool)) return {}
  const name = payload.hook_event_name
  const handler = !silent && Object.hasOwn(HOOK_HANDLERS, name) ? HOOK_HANDLERS[name]! : onRecordOnly
  return handler(payload, openHookContext(store, at))
}
