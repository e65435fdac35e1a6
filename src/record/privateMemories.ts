// The texts of private memories in the calls that store or read them, and of what is forgotten: the log is for every
// agent of the project.
import { getObjectField, type HookPayload } from './hookPayload.ts'

const PLACEHOLDER = '[private]'

/** A tool of memctl's MCP server. */
const MEMORY_TOOL = /__memory_\w+$/

/** A command of memctl that stores a private memory. */
const STORES_PRIVATE = /\bmemctl\b[\s\S]*--privacy[=\s]+["']?private\b/

/** It would record again what is erased, and its answer names it. */
const FORGETS = /\bmemctl forget\b/

/** What a memory says; the other fields tell nothing about it. */
const TEXT_FIELDS = ['content', 'lessons', 'tags', 'metadata', 'task_id']

/** The payload without these texts. Only called for a payload with the words `private` or `memctl forget`. */
export function removePrivateMemories(payload: HookPayload): HookPayload {
  const input = getObjectField(payload, 'tool_input')
  const { command } = input
  if (typeof command === 'string' && FORGETS.test(command)) {
    return { ...payload, tool_input: { command: `memctl forget ${PLACEHOLDER}` }, ...withoutResults(payload) }
  }
  if (typeof command === 'string' && STORES_PRIVATE.test(command)) {
    const tool_input = { command: `memctl --privacy private ${PLACEHOLDER}` }
    return { ...payload, tool_input, ...withoutResults(payload) }
  }
  if (typeof payload['tool_name'] !== 'string' || !MEMORY_TOOL.test(payload['tool_name'])) return payload
  const tool_input = hideTexts(input)
  const isPrivate =
    tool_input !== input || /\\*"privacy\\*":\s*\\*"private/.test(JSON.stringify(payload['tool_response']) ?? '')
  return isPrivate ? { ...payload, tool_input, ...withoutResults(payload) } : payload
}

const withoutResults = (payload: HookPayload) => ({
  ...(payload['tool_response'] !== undefined && { tool_response: PLACEHOLDER }),
  ...(payload['error'] !== undefined && { error: PLACEHOLDER }),
})

/** A memory to store, or several, without its texts if it is private; the same object if none is. */
function hideTexts(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (input['privacy'] === 'private') {
    const hidden = TEXT_FIELDS.filter((name) => input[name] !== undefined).map((name) => [name, PLACEHOLDER])
    return { ...input, ...Object.fromEntries(hidden) }
  }
  const { items } = input
  if (!Array.isArray(items)) return input
  const open = items.map((item) => (typeof item === 'object' && item !== null ? hideTexts(item) : item))
  return open.some((item, i) => item !== items[i]) ? { ...input, items: open } : input
}
