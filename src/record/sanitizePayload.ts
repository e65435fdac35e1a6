// Removes from a payload what must not be stored: secrets, everything between <private> tags, and private memories.
import { hasCut, trimCuts } from '../text/cutString.ts'
import { getObjectField, type HookPayload } from './hookPayload.ts'
import { removePrivateMemories } from './privateMemories.ts'
import { removePrivateDeep } from './redact/privateTags.ts'
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

/** Fields of a call that name its file. */
const FILE_FIELDS = ['file_path', 'path', 'glob', 'filename', 'notebook_path', 'uri']

/** The env file that a call names, or the command that may print or write one. */
function findEnvFileName(payload: HookPayload): string | undefined {
  const input = getObjectField(payload, 'tool_input')
  for (const name of FILE_FIELDS) {
    const file = input[name]
    if (typeof file === 'string' && file.includes('.env')) return file
  }
  const { command } = input
  if (typeof command !== 'string' || !command.includes('.env')) return undefined
  return PRINTS_VARIABLES.test(command) ? command : command.replace(UNPRINTED, ' ')
}
