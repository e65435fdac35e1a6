// The tool by which the client runs hooks in this server, with `memctl init --hooks server`. It is not in the list of
// tools, so no model sees it. It does what the script of the hook does, without a process of its own.
//
//   hook input {"tool_input":{"command":"ls"},"duration_ms":9,"prompt":"Go on"}      what the script would get
//   arguments  {"tool_input":"{\"command\":\"ls\"}","duration_ms":"9","prompt":"Go on","error":""}    from the client
//
// The client fills in the fields as text: an object as JSON, a missing one as an empty text (measured in both).
import { findHookHandler } from '../broker/handlers/hookHandlers.ts'
import { answerHook, startPendingWork } from '../hook/answerHook.ts'
import { startWorker } from '../hook/startWorker.ts'
import { PAYLOAD_BYTES_MAX } from '../model/limits.ts'
import { type HookPayload, hookPayloadFromValue } from '../record/hookPayload.ts'
import { cutLongStrings } from '../text/cutString.ts'

export interface HookServer {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The script that starts workers. */
  readonly watchdog: string
}

/** No output. To an empty text the client adds a line of its own, which the model gets with each prompt. */
const NOTHING = '{}'

/** Runs a hook. Returns what its script would print, as JSON. Never throws. */
export function runHookTool(args: Readonly<Record<string, unknown>>, { env, now, watchdog }: HookServer): string {
  if (env['MEMCTL_OFF'] === '1') return NOTHING
  const started = now()
  const { payload, bytes } = readArguments(args)
  const eventName = payload?.hook_event_name ?? ''
  const { output = NOTHING, pendingWork } = answerHook(eventName, payload, findHookHandler(eventName), {
    env,
    now: started,
    elapsedMs: () => now() - started,
    bytes,
  })
  // After the answer, which the session waits for.
  if (pendingWork)
    setImmediate(() => {
      startPendingWork(eventName, pendingWork, env, (folder, _, task) => startWorker(folder, env, task, watchdog))
    })
  return output
}

/** Fields that are no texts. */
const JSON_FIELDS = ['tool_input', 'tool_response', 'duration_ms', 'is_interrupt']

/** The payload, undefined if it is none; a long one is shortened, as that of a script. */
function readArguments(args: Readonly<Record<string, unknown>>): { payload: HookPayload | undefined; bytes: number } {
  const given = Object.entries(args).flatMap(([name, text]) =>
    typeof text === 'string' && text !== '' ? [[name, text] as const] : [],
  )
  const bytes = given.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)
  const fields = given.map(([name, text]) => [name, JSON_FIELDS.includes(name) ? parseField(text) : text])
  const value: unknown = Object.fromEntries(fields)
  const isLong = bytes > PAYLOAD_BYTES_MAX
  return { payload: hookPayloadFromValue(isLong ? cutLongStrings(value, { chars: PAYLOAD_BYTES_MAX }) : value), bytes }
}

/** The result of a tool may also be a text, which stays one. */
function parseField(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
