// Clean: a payload without what nobody may keep: secrets, and what stands between <private> tags.
import { lookAt } from './look.ts'
import { objectField, type Payload } from './payload.ts'
import { redactDeep, withoutPrivate } from './redact.ts'

/** The payload without secrets and private parts; for a file of KEY=value lines without any value. */
export function cleaned(payload: Payload): Payload {
  const look = lookAt(payload)
  const open = look.text === undefined || look.lower.includes('private') ? withoutPrivateDeep(payload) : payload
  return redactDeep(open, { ...envFileOf(payload), look }) as Payload
}

/** Commands that print a file: what they say of an env file is its values. One that only sources it prints other things. */
const PRINTING = /^\s*(?:cat|head|tail|less|more|bat|grep|rg|sed|awk|sort|nl)\b/

function envFileOf(payload: Payload): { fileName?: string } {
  const { file_path, command } = objectField(payload, 'tool_input')
  if (typeof file_path === 'string') return { fileName: file_path }
  return typeof command === 'string' && command.includes('.env') && PRINTING.test(command) ? { fileName: command } : {}
}

/** A value without what stands between <private> tags, in whatever text of it. */
export function withoutPrivateDeep(value: unknown): unknown {
  if (typeof value === 'string') return withoutPrivate(value)
  if (Array.isArray(value)) return value.map(withoutPrivateDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutPrivateDeep(one)]))
}
