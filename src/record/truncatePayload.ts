// Truncation: what an event stores of a call's input and output. Long texts keep head and tail.
import type { Event } from '../model/event.ts'
import {
  ERROR_CHARS_MAX,
  EVENT_BYTES_MAX,
  EXTRA_CHARS_MAX,
  INPUT_CHARS_MAX,
  LOOKUP_CHARS_MAX,
  OUTPUT_CHARS_MAX,
  PROMPT_CHARS_MAX,
} from '../model/limits.ts'
import type { Fields } from '../model/unknownJson.ts'
import { truncateMiddle } from '../text/excerpt.ts'
import type { HookPayload } from './hookPayload.ts'

/** Tools whose output can be read again: only a short part of it is stored. */
const READ_TOOLS = new Set(['Read', 'Grep', 'Glob', 'LS', 'LSP', 'WebFetch', 'WebSearch', 'NotebookRead', 'ToolSearch'])

/** Tools whose output repeats their input. */
const WRITE_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'TodoWrite'])

/** Fields that an event never stores and that may be long. */
const UNSTORED_FIELDS = ['background_tasks', 'session_crons', 'custom_instructions']

/** The payload without what no event stores, so that it is not searched for secrets. */
export function withoutUnstored(payload: HookPayload): HookPayload {
  const unstored = WRITE_TOOLS.has(String(payload['tool_name']))
    ? [...UNSTORED_FIELDS, 'tool_response']
    : UNSTORED_FIELDS
  if (!unstored.some((name) => name in payload)) return payload
  const stored: Record<string, unknown> = { ...payload }
  for (const name of unstored) delete stored[name]
  return stored as HookPayload
}

const NAME_CHARS_MAX = 100

/** Values of a list; an object may have twice as many fields. */
const ITEMS_MAX = 20

/** Bytes of a line for what is added to an event later: importance, its terms, what it repeats, the checksum. */
const ADDED_BYTES_MAX = 512

/** Identifying fields are never truncated. Each is short by `getIdField`. */
const ID_FIELDS: ReadonlySet<string> = new Set(['id', 'at', 'session', 'kind', 'agentId', 'role', 'taskId', 'call'])

/** A call's input with every string truncated; lists keep their first 20 values, objects their first 40 fields. */
export const truncateInput = (value: Fields, charsMax = INPUT_CHARS_MAX): Record<string, unknown> =>
  truncateValue(value, charsMax, ITEMS_MAX, 6) as Record<string, unknown>

function truncateValue(value: unknown, charsMax: number, itemsMax: number, depth: number): unknown {
  if (typeof value === 'string') return truncateMiddle(value, charsMax)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    return value.slice(0, itemsMax).map((item) => truncateValue(item, Math.ceil(charsMax / 2), itemsMax, depth - 1))
  }
  const fields = Object.entries(value).slice(0, 2 * itemsMax)
  return Object.fromEntries(
    fields.map(([name, field]) => [
      truncateMiddle(name, NAME_CHARS_MAX),
      truncateValue(field, charsMax, itemsMax, depth - 1),
    ]),
  )
}

/**
 * The event, with its texts truncated further if its line would be longer than EVENT_BYTES_MAX: a Japanese character
 * takes three bytes, one that JSON escapes six, and a call may have many fields. All texts get the same limit, so
 * short ones stay complete.
 */
export function truncateEventToLine(event: Event): Event {
  let truncated = event
  for (let charsMax = 0.8 * PROMPT_CHARS_MAX; !fitsLine(truncated) && charsMax > 4; charsMax *= 0.8) {
    const itemsMax = Math.max(1, Math.min(ITEMS_MAX, Math.ceil(charsMax / 50)))
    const depth = charsMax > 300 ? 6 : 2
    const fields = Object.entries(event).map(([name, value]) =>
      ID_FIELDS.has(name) ? [name, value] : [name, truncateValue(value, Math.floor(charsMax), itemsMax, depth)],
    )
    truncated = Object.fromEntries(fields) as Event
  }
  return truncated
}

const fitsLine = (event: Event): boolean =>
  Buffer.byteLength(JSON.stringify(event)) <= EVENT_BYTES_MAX - ADDED_BYTES_MAX

export function truncateOutput(tool: string, response: unknown): string {
  if (WRITE_TOOLS.has(tool)) return ''
  return truncateMiddle(outputText(response), READ_TOOLS.has(tool) ? LOOKUP_CHARS_MAX : OUTPUT_CHARS_MAX)
}

export const truncateError = (error: string): string => truncateMiddle(error, ERROR_CHARS_MAX)

/** Fields of a payload that this version does not know; undefined if there are none or they are too large to store. */
export function truncateExtra(fields: Fields): Record<string, unknown> | undefined {
  if (Object.keys(fields).length === 0) return undefined
  const extra = Object.entries(truncateValue(fields, 200, ITEMS_MAX, 4) as Record<string, unknown>)
  while (JSON.stringify(Object.fromEntries(extra)).length > EXTRA_CHARS_MAX) extra.pop()
  return extra.length > 0 ? Object.fromEntries(extra) : undefined
}

/** The text of an output: the streams of Bash, the text blocks of an agent, file names; else its JSON. */
function outputText(response: unknown): string {
  if (typeof response === 'string') return response
  if (typeof response !== 'object' || response === null) return ''
  if (Array.isArray(response)) return response.map(outputText).filter(Boolean).join('\n')
  const { stdout, stderr, content, text, filenames } = response as Record<string, unknown>
  if (typeof stdout === 'string') return typeof stderr === 'string' && stderr ? `${stdout}\n${stderr}` : stdout
  if (typeof text === 'string') return text
  if (content !== undefined) return outputText(content)
  if (Array.isArray(filenames)) return filenames.filter((name) => typeof name === 'string').join('\n')
  return JSON.stringify(response)
}
