// The second pass: what a hook has no time to search. The worker applies it to the events that hooks have appended.
import type { Event } from '../../model/event.ts'
import { findCardNumbers } from './cardNumbers.ts'
import { findSecrets, redact } from './redact.ts'
import { replaceSpans, type SecretSpan } from './secretSpan.ts'
import { findTableSecrets } from './tableSecrets.ts'
import { findInBase64, findInViews } from './textViews.ts'

/** Fields that say what an event is, not what happened. */
const KEPT_FIELDS: ReadonlySet<string> = new Set(
  'id at session kind moment outcome privacy source agentId taskId call repeatOf errorSignature'.split(' '),
)

/** Shorter texts are complete secrets at most under a name, which the hook has seen, in characters. */
const TEXT_CHARS_MIN = 12

/** The event without the secrets that the hook has left; the same reference if there are none. */
export function redactStoredEvent(event: Event): Event {
  const fields = Object.entries(event)
  const redacted = fields.map(([name, value]) => [name, KEPT_FIELDS.has(name) ? value : redactStored(value)] as const)
  return redacted.some(([, value], i) => value !== fields[i]?.[1]) ? (Object.fromEntries(redacted) as Event) : event
}

function redactStored(value: unknown): unknown {
  if (typeof value === 'string') return redactThoroughly(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map(redactStored)
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  const fields = Object.entries(value)
  const redacted = fields.map(([name, field]) => [redactThoroughly(name), redactStored(field)] as const)
  return redacted.some(([name, field], i) => name !== fields[i]?.[0] || field !== fields[i]?.[1])
    ? Object.fromEntries(redacted)
    : value
}

/** A text without secrets: also in tables, behind encodings and escapes, and without the numbers of cards. */
export function redactThoroughly(text: string): string {
  if (text.length < TEXT_CHARS_MIN) return text
  const spans: SecretSpan[] = []
  findTableSecrets(text, spans)
  findCardNumbers(text, spans)
  findInViews(text, spans, findSecrets)
  findInBase64(text, spans, findSecrets)
  return redact(replaceSpans(text, spans))
}
