// Clean: a payload without what nobody may keep: secrets, and what stands between <private> tags.

import { getObjectField, type HookPayload } from './hookPayload.ts'
import { buildPrefilterText } from './redact/prefilterText.ts'
import { redactDeep, removePrivateParts } from './redact/redact.ts'

/** The payload without secrets and private parts; for a file of KEY=value lines without any value. */
export function sanitizePayload(payload: HookPayload): HookPayload {
  const look = buildPrefilterText(payload)
  const open = look.text === undefined || look.lower.includes('private') ? removePrivateDeep(payload) : payload
  return redactDeep(open, { ...envFileOf(payload), look }) as HookPayload
}

/** Commands that print a file: what they say of an env file is its values. One that only sources it prints other things. */
const PRINTING = /^\s*(?:cat|head|tail|less|more|bat|grep|rg|sed|awk|sort|nl)\b/

function envFileOf(payload: HookPayload): { fileName?: string } {
  const { file_path, command } = getObjectField(payload, 'tool_input')
  if (typeof file_path === 'string') return { fileName: file_path }
  return typeof command === 'string' && command.includes('.env') && PRINTING.test(command) ? { fileName: command } : {}
}

/** A value without what stands between <private> tags, in whatever text of it. */
export function removePrivateDeep(value: unknown): unknown {
  if (typeof value === 'string') return removePrivateParts(value)
  if (Array.isArray(value)) return value.map(removePrivateDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, removePrivateDeep(one)]))
}
