// Removes from a payload what must not be stored: secrets, everything between <private> tags, and private memories.
import { getObjectField, type HookPayload } from './hookPayload.ts'
import { removePrivateMemories } from './privateMemories.ts'
import { removePrivateDeep } from './redact/privateTags.ts'
import { buildPrefilterText, redactDeep } from './redact/redact.ts'

/** The payload without secrets and private parts. A file of KEY=value lines loses all its values. */
export function sanitizePayload(payload: HookPayload): HookPayload {
  const prefilter = buildPrefilterText(payload)
  const mayBePrivate = prefilter.text === undefined || prefilter.lower.includes('private')
  const publicPayload = mayBePrivate ? removePrivateDeep(removePrivateMemories(payload)) : payload
  return redactDeep(publicPayload, { fileName: findEnvFileName(payload), prefilter }) as HookPayload
}

/** Commands that print a file, and so the values of an env file. Commands that source it do not. */
const PRINT_COMMAND = /^\s*(?:cat|head|tail|less|more|bat|grep|rg|sed|awk|sort|nl)\b/

/** The path of the file in a call, or the command if it may print an env file. */
function findEnvFileName(payload: HookPayload): string | undefined {
  const { file_path, command } = getObjectField(payload, 'tool_input')
  if (typeof file_path === 'string') return file_path
  return typeof command === 'string' && command.includes('.env') && PRINT_COMMAND.test(command) ? command : undefined
}
