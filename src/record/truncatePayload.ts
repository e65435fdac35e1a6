// Bounded size: what an event keeps of a call's input and of what came back. Large texts keep head and tail.
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
import { truncateMiddle } from '../text/excerpt.ts'

/** Tools whose answer can be had again by asking: their answer is kept as a glimpse only. */
const LOOKING = new Set(['Read', 'Grep', 'Glob', 'LS', 'LSP', 'WebFetch', 'WebSearch', 'NotebookRead', 'ToolSearch'])

/** Tools whose answer repeats their input. */
const WRITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'TodoWrite'])

/** Field names longer than this are cut, in characters: they are words, not texts. */
const NAME_CHARS_MAX = 100

/** Values of a list kept, and of an object twice as many. */
const ITEMS_MAX = 20

/** Room in a line for what is added to an event later (importance, its terms, what it repeats, the checksum), in bytes. */
const ADDED_BYTES_MAX = 512

/** What names an event and its like: cut, it would name another. Each is short by `getIdField`. */
const IDS: ReadonlySet<string> = new Set(['id', 'at', 'session', 'kind', 'agentId', 'role', 'taskId', 'call'])

/** A call's input with every string bounded; lists keep their first 20 values, objects their first 40 fields. */
export function truncateInput(
  value: Readonly<Record<string, unknown>>,
  charsMax = INPUT_CHARS_MAX,
): Record<string, unknown> {
  return bounded(value, charsMax, ITEMS_MAX, 6) as Record<string, unknown>
}

function bounded(value: unknown, charsMax: number, itemsMax: number, depth: number): unknown {
  if (typeof value === 'string') return truncateMiddle(value, charsMax)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) {
    return value.slice(0, itemsMax).map((one) => bounded(one, Math.ceil(charsMax / 2), itemsMax, depth - 1))
  }
  const fields = Object.entries(value).slice(0, 2 * itemsMax)
  return Object.fromEntries(
    fields.map(([name, one]) => [truncateMiddle(name, NAME_CHARS_MAX), bounded(one, charsMax, itemsMax, depth - 1)]),
  )
}

/**
 * The event, its texts cut further where its line would be longer than EVENT_BYTES_MAX: a character of Japanese takes three
 * bytes, one that JSON escapes six, and a call may have many fields. All are cut to the same length, so the short ones stay whole.
 */
export function truncateEventToLine(event: Event): Event {
  let fitted = event
  for (let charsMax = 0.8 * PROMPT_CHARS_MAX; !isWithinLine(fitted) && charsMax > 4; charsMax *= 0.8) {
    const [itemsMax, depth] = [Math.max(1, Math.min(ITEMS_MAX, Math.ceil(charsMax / 50))), charsMax > 300 ? 6 : 2]
    const fields = Object.entries(event).map(([name, value]) =>
      IDS.has(name) ? [name, value] : [name, bounded(value, Math.floor(charsMax), itemsMax, depth)],
    )
    fitted = Object.fromEntries(fields) as Event
  }
  return fitted
}

const isWithinLine = (event: Event): boolean =>
  Buffer.byteLength(JSON.stringify(event)) <= EVENT_BYTES_MAX - ADDED_BYTES_MAX

/** The text of a tool's answer, bounded by what kind of tool it is. */
export function truncateOutput(tool: string, response: unknown): string {
  if (WRITING.has(tool)) return ''
  return truncateMiddle(answerText(response), LOOKING.has(tool) ? LOOKUP_CHARS_MAX : OUTPUT_CHARS_MAX)
}

export const truncateError = (error: string): string => truncateMiddle(error, ERROR_CHARS_MAX)

/** Fields of a payload that this version does not know; undefined where there are none or they are too large to keep. */
export function truncateExtra(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  if (Object.keys(fields).length === 0) return undefined
  const kept = bounded(fields, 200, ITEMS_MAX, 4) as Record<string, unknown>
  while (JSON.stringify(kept).length > EXTRA_CHARS_MAX) delete kept[Object.keys(kept).at(-1)!]
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** The words of an answer: Bash's streams, an agent's text blocks, file names; else its JSON. */
function answerText(response: unknown): string {
  if (typeof response === 'string') return response
  if (typeof response !== 'object' || response === null) return ''
  if (Array.isArray(response)) return response.map(answerText).filter(Boolean).join('\n')
  const { stdout, stderr, content, text, filenames } = response as Record<string, unknown>
  if (typeof stdout === 'string') return typeof stderr === 'string' && stderr ? `${stdout}\n${stderr}` : stdout
  if (typeof text === 'string') return text
  if (content !== undefined) return answerText(content)
  if (Array.isArray(filenames)) return filenames.filter((name) => typeof name === 'string').join('\n')
  return JSON.stringify(response)
}
