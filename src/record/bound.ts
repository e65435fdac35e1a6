// Bounded size: what an event keeps of a call's input and of what came back. Large texts keep head and tail.
import {
  ERROR_CHARS_MAX,
  EXTRA_CHARS_MAX,
  INPUT_CHARS_MAX,
  LOOKED_UP_CHARS_MAX,
  OUTPUT_CHARS_MAX,
} from '../model/limits.ts'
import { headAndTail } from '../text/excerpt.ts'

/** Tools whose answer can be had again by asking: their answer is kept as a glimpse only. */
const LOOKING = new Set(['Read', 'Grep', 'Glob', 'LS', 'LSP', 'WebFetch', 'WebSearch', 'NotebookRead', 'ToolSearch'])

/** Tools whose answer repeats their input. */
const WRITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'TodoWrite'])

/** A call's input with every string bounded; lists keep their first 20 values, objects their first 40 fields. */
export function boundedInput(
  value: Readonly<Record<string, unknown>>,
  charsMax = INPUT_CHARS_MAX,
): Record<string, unknown> {
  return bounded(value, charsMax, 6) as Record<string, unknown>
}

function bounded(value: unknown, charsMax: number, depth: number): unknown {
  if (typeof value === 'string') return headAndTail(value, charsMax)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, 20).map((one) => bounded(one, Math.ceil(charsMax / 2), depth - 1))
  const fields = Object.entries(value).slice(0, 40)
  return Object.fromEntries(fields.map(([name, one]) => [name, bounded(one, charsMax, depth - 1)]))
}

/** The text of a tool's answer, bounded by what kind of tool it is. */
export function boundedOutput(tool: string, response: unknown): string {
  if (WRITING.has(tool)) return ''
  return headAndTail(answerText(response), LOOKING.has(tool) ? LOOKED_UP_CHARS_MAX : OUTPUT_CHARS_MAX)
}

export const boundedError = (error: string): string => headAndTail(error, ERROR_CHARS_MAX)

/** Fields of a payload that this version does not know; undefined where there are none or they are too large to keep. */
export function boundedExtra(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  if (Object.keys(fields).length === 0) return undefined
  const kept = bounded(fields, 200, 4) as Record<string, unknown>
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
  if (Array.isArray(filenames)) return filenames.join('\n')
  return JSON.stringify(response)
}
