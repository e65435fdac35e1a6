// Replay: recorded sessions run through the memory again, in process, with the recording's own clock.
//
// The same handlers as the hooks', the same files on disk. What a hook would have started in the background is done at once.
import { hookTable } from '../hook/events.ts'
import { MemoryError } from '../model/errors.ts'
import type { SessionId } from '../model/id.ts'
import { asPayload, type Payload } from '../record/payload.ts'
import { HANDLERS } from './hook/handlers.ts'
import { onRecord } from './hook/record.ts'
import { type Answer, visitTo } from './hook/visit.ts'
import { pinReader, unpinReader } from './search/indexReaderCache.ts'
import type { Store } from './store.ts'
import { upkeep } from './upkeep.ts'
import { load } from './view/save.ts'
import type { Loaded } from './view/saveMemories.ts'

/** One line of a recording: a payload and when it came. */
export interface Recorded {
  readonly at: number
  readonly payload: Payload
}

/** The payloads of a recording's text. Throws RECORDING_INVALID naming the line; blank lines are nothing. */
export function recordingOf(text: string, name: string): Recorded[] {
  return text.split('\n').flatMap((line, i) => (line.trim() ? [recordedLine(line, `${name}, line ${i + 1}`)] : []))
}

function recordedLine(line: string, where: string): Recorded {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw invalid(`${where} is not JSON`, cause)
  }
  const { at, payload } = (value ?? {}) as { at?: unknown; payload?: unknown }
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN
  if (Number.isNaN(time)) throw invalid(`${where} has no time in "at"`)
  const read = asPayload(payload)
  if (!read) throw invalid(`${where} has no payload with session_id and hook_event_name`)
  return { at: time, payload: read }
}

const invalid = (what: string, cause?: unknown): MemoryError =>
  new MemoryError('RECORDING_INVALID', what, {
    mend: 'A recording has one {"at": ISO time, "payload": {…}} a line; `memctl record` writes it.',
    cause,
  })

export interface ReplayOptions {
  /** Told after every payload. */
  readonly onAnswer?: (recorded: Recorded, answer: Answer) => void
}

/** Runs one session after the other; each is organised where it ended, and where it did not, after its last payload. */
export function replay(store: Store, sessions: readonly (readonly Recorded[])[], options: ReplayOptions = {}): void {
  pinReader(store)
  try {
    const loaded = load(store)
    for (const session of sessions) replaySession(store, loaded, session, options)
  } finally {
    unpinReader(store)
  }
}

function replaySession(store: Store, loaded: Loaded, session: readonly Recorded[], options: ReplayOptions): void {
  for (const recorded of session) {
    const answer = replayPayload(store, recorded)
    options.onAnswer?.(recorded, answer)
    if (answer.background) upkeep(store, { now: recorded.at }, loaded)
  }
  const last = session.at(-1)
  if (last) upkeep(store, { now: last.at, sessions: [last.payload.session_id as SessionId] }, loaded)
}

/**
 * Runs the hook of one payload, if the client would have started one. An unknown event is recorded as such. With `silent` the
 * payload is recorded and nothing is recalled.
 */
export function replayPayload(store: Store, { at, payload }: Recorded, silent = false): Answer {
  const wired = hookTable.find((one) => one.event === payload.hook_event_name)
  const tool = typeof payload['tool_name'] === 'string' ? payload['tool_name'] : ''
  if (wired?.matcher && !new RegExp(wired.matcher).test(tool)) return {}
  const name = payload.hook_event_name
  const handler = !silent && Object.hasOwn(HANDLERS, name) ? HANDLERS[name]! : onRecord
  return handler(payload, visitTo(store, at))
}
