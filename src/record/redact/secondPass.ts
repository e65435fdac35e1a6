// The second pass: what a hook has no time to search. The worker applies it to the events that hooks have appended.
import type { Event } from '../../model/event.ts'
import { errorSignature } from '../../text/errorSignature.ts'
import { findCardNumbers } from './cardNumbers.ts'
import { COMMAND_FORMS, FIELD_FORMS } from './commandForms.ts'
import { createFormFinder } from './findForms.ts'
import { findSecrets as findInHook, redact } from './redact.ts'
import { replaceSpans, type SecretSpan } from './secretSpan.ts'
import { findTableSecrets } from './tableSecrets.ts'
import { findInBase64, findInViews } from './textViews.ts'

/** Fields that say what an event is, not what happened. */
const KEPT_FIELDS: ReadonlySet<string> = new Set(
  'id at session kind moment outcome privacy source agentId taskId call repeatOf errorSignature'.split(' '),
)

const OTHER_FORMS = createFormFinder([...COMMAND_FORMS, ...FIELD_FORMS])

function findSecrets(text: string, spans: SecretSpan[]): void {
  findInHook(text, spans)
  OTHER_FORMS.find(text, spans)
}

/** Shorter texts are complete secrets at most under a name, which the hook has seen, in characters. */
const TEXT_CHARS_MIN = 12

/** The event without the secrets that the hook has left; the same reference if there are none. */
export function redactStoredEvent(event: Event): Event {
  const fields = Object.entries(event)
  const redacted = fields.map(([name, value]) => [name, KEPT_FIELDS.has(name) ? value : redactStored(value)] as const)
  if (redacted.every(([, value], i) => value === fields[i]?.[1])) return event
  const clean = Object.fromEntries(redacted) as Event
  // The signature repeats the error.
  return clean.kind === 'call.failed' ? { ...clean, errorSignature: errorSignature(clean.tool, clean.error) } : clean
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

/** The values in a Secret of Kubernetes, which are base64. */
const SECRET_KIND = /\bkind["']?:\s?["']?Secret\b/
const DATA_LINE = /^([ \t]{1,8}["']?[\w.-]{1,100}["']?:\s?["']?)((?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2,3}={1,2})?)["']?,?[ \t\r]*$/gm

function findKubernetesSecrets(text: string, spans: SecretSpan[]): void {
  if (!SECRET_KIND.test(text)) return
  for (const { 0: line, 1: name = '', 2: value = '', index } of text.matchAll(DATA_LINE)) {
    if (!/\d|=|[a-z][A-Z]/.test(value) || line.length === 0) continue
    spans.push({ start: index + name.length, end: index + name.length + value.length, kind: 'secret' })
  }
}

/** A text without secrets: also in tables, behind encodings and escapes, and without the numbers of cards. */
export function redactThoroughly(text: string): string {
  if (text.length < TEXT_CHARS_MIN) return text
  const spans: SecretSpan[] = []
  OTHER_FORMS.find(text, spans)
  findTableSecrets(text, spans)
  findCardNumbers(text, spans)
  findKubernetesSecrets(text, spans)
  findInViews(text, spans, (view, found) => {
    findTableSecrets(view, found)
    findKubernetesSecrets(view, found)
    findSecrets(view, found)
  })
  findInBase64(text, spans, findSecrets)
  return redact(replaceSpans(text, spans))
}
