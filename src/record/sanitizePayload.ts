// Removes from a payload what must not be stored: secrets, everything between <private> tags, and the texts of private
// memories in the calls that store or read them, and of what is forgotten: the log is for every agent of the project.
import { type Fields, isObject, objectOf } from '../model/unknownJson.ts'
import { hasCut, trimCuts } from '../text/cutString.ts'
import type { HookPayload } from './hookPayload.ts'
import { buildPrefilterText, redactDeep } from './redact/redact.ts'

/** The payload without secrets and private parts. A file of KEY=value lines loses all its values. */
export function sanitizePayload(received: HookPayload): HookPayload {
  const prefilter = buildPrefilterText(received)
  const payload = prefilter.text === undefined ? (limitDepth(received, DEPTH_MAX) as HookPayload) : received
  const { text, lower } = prefilter
  const mayBePrivate = text === undefined || lower.includes('private') || lower.includes('memctl forget')
  const publicPayload = mayBePrivate ? removePrivateDeep(removePrivateMemories(payload)) : payload
  const redacted = redactDeep(publicPayload, { fileName: findEnvFileName(payload), prefilter })
  return (hasCut(prefilter.text ?? '') ? trimCuts(redacted) : redacted) as HookPayload
}

/** A payload deeper than JSON.stringify can go loses what is below this level: an event stores six. */
const DEPTH_MAX = 64

function limitDepth(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, limitDepth(field, depth - 1)]))
}

/** What only loads, lists or removes an env file. Its values are not printed, unless a command prints all variables. */
const UNPRINTED = new RegExp(
  '(?:(?<=^|[;&|(\\s])\\.|--env-file[= ]?|\\b(?:source|rm|ls|touch|stat|chmod \\S{1,10}|git (?:add|rm))|-[ef])' +
    '(?:\\s{1,4}-{1,2}\\w{1,20})?\\s{0,4}["\']?[^\\s;|&"\']{0,200}\\.env[^\\s;|&]{0,60}',
  'g',
)
const PRINTS_VARIABLES = /(?:^|[;&|]\s{0,4})(?:env|printenv|export -p|set)(?:\s{0,4}[;|]|\s{0,4}$)/m

const FILE_FIELDS = ['file_path', 'path', 'glob', 'filename', 'notebook_path', 'uri']

/** The env file that a call names, or the command that may print or write one. */
function findEnvFileName(payload: HookPayload): string | undefined {
  const input = objectOf(payload['tool_input'])
  for (const name of FILE_FIELDS) {
    const file = input[name]
    if (typeof file === 'string' && file.includes('.env')) return file
  }
  const { command } = input
  if (typeof command !== 'string' || !command.includes('.env')) return undefined
  return PRINTS_VARIABLES.test(command) ? command : command.replace(UNPRINTED, ' ')
}

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
function removePrivateMemories(payload: HookPayload): HookPayload {
  const input = objectOf(payload['tool_input'])
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
function hideTexts(input: Fields): Fields {
  if (input['privacy'] === 'private') {
    const hidden = TEXT_FIELDS.filter((name) => input[name] !== undefined).map((name) => [name, PLACEHOLDER])
    return { ...input, ...Object.fromEntries(hidden) }
  }
  const { items } = input
  if (!Array.isArray(items)) return input
  const open = items.map((item) => (isObject(item) ? hideTexts(item) : item))
  return open.some((item, i) => item !== items[i]) ? { ...input, items: open } : input
}

export function removePrivateDeep(value: unknown): unknown {
  if (typeof value === 'string') return removePrivateParts(value)
  if (Array.isArray(value)) return value.map(removePrivateDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, removePrivateDeep(field)]))
}

/**
 * A tag, with attributes. Its signs may be written as HTML entities or in full width. Group 1 is the slash of a closing
 * tag, group 2 what follows the name.
 */
const TAG =
  /(?:<|&lt;|＜)\s{0,8}([/／]?)\s*(?:\w+:)?private(?![\w-])((?:"[^"]{0,99}"|'[^']{0,99}'|[^"'<>＞&]){0,60}?)(?:>|&gt;|＞)/gi

/** Attributes as in HTML. Other words need a closing tag, because `<private key>` is a placeholder. */
const ATTRIBUTES = /^\s*(?:[\w:-]{1,40}\s?=\s?(?:"[^"]*"|'[^']*'|[^\s"']+)\s*)*$/

/**
 * `text` with everything from `<private>` to `</private>` replaced by `[private]`.
 *
 * Any case. Nested tags count as one, and a tag that is never closed reaches to the end of the text: in doubt, more is
 * removed. A closing tag alone is ordinary text, like a tag that closes itself.
 */
export function removePrivateParts(text: string): string {
  if (!/[<＜&]/.test(text)) return text
  const tags = [...text.matchAll(TAG)]
  const lastClosing = tags.findLast((tag) => tag[1] !== '')?.index ?? -1
  let result = ''
  let publicStart = 0
  let depth = 0
  for (const tag of tags) {
    const [all, slash, attributes = ''] = tag
    const isClosing = slash !== ''
    if (!isClosing && (attributes.endsWith('/') || (!ATTRIBUTES.test(attributes) && lastClosing < tag.index))) continue
    if (!isClosing && depth === 0) result += text.slice(publicStart, tag.index) + PLACEHOLDER
    if (!isClosing) depth += 1
    else if (depth > 0) {
      depth -= 1
      publicStart = tag.index + all.length
    }
  }
  if (depth > 0) return result
  return publicStart === 0 ? text : result + text.slice(publicStart)
}
