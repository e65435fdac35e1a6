// The second pass: what a hook has no time to search. The worker applies it to the events that hooks have appended.
//
// A mark is never longer than what it replaces, because the event is written to the place that it has in the log.
import type { Event } from '../../model/event.ts'
import { errorSignature } from '../../text/errorSignature.ts'
import { COMMAND_FORMS, FIELD_FORMS } from './commandForms.ts'
import { createFormFinder } from './findForms.ts'
import { findKubernetesSecrets } from './kubernetesSecrets.ts'
import { findPaymentNumbers } from './paymentNumbers.ts'
import { findSecrets as findSecretsOfHooks, redactDeep } from './redact.ts'
import { REDACTED_PREFIX, replaceSpans, type SecretSpan } from './secretSpan.ts'
import { findTableSecrets } from './tableSecrets.ts'
import { findInBase64, findInViews } from './textViews.ts'

/** Fields that say what an event is, not what happened. */
const KEPT_FIELDS: ReadonlySet<string> = new Set(
  'id at session kind moment outcome privacy source role agentId taskId call repeatOf tool terms'.split(' '),
)

/** In a shorter text there is no room for a secret and the words around it, in characters. */
const TEXT_CHARS_MIN = 12

/** The event without the secrets that the hook has left; the same reference if there are none. It is never longer. */
export function redactStoredEvent(event: Event): Event {
  const secrets = new Set<string>()
  const clean = mapTexts(event, (text) => redactThoroughly(text, secrets)) as Event
  if (clean === event) return event
  // Other fields repeat the text in parts: the files of a command and its shape.
  const repeated = [...secrets].filter((secret) => secret.length >= REPEATED_CHARS_MIN && /\d/.test(secret))
  const result = mapTexts(clean, (text) =>
    repeated.reduce((rest, part) => rest.replaceAll(part, markOf(part)), text),
  ) as Event
  if (result.kind !== 'call.failed' || event.kind !== 'call.failed') return result
  const signature = errorSignature(result.tool, result.error)
  return { ...result, errorSignature: signature?.slice(0, event.errorSignature?.length ?? 0) }
}

/** A JSON value with both passes: for commands and tools, which have more time than a hook. */
export const redactDeepThoroughly = <T>(value: T): T =>
  mapTexts(redactDeep(value), (text) => redactThoroughly(text), false) as T

/** Shorter secrets may be ordinary words elsewhere, in characters. */
const REPEATED_CHARS_MIN = 6

/** An event with each of its texts mapped, names included; the same reference if none changed. */
function mapTexts(value: unknown, map: (text: string) => string, isEvent = true): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((item) => mapTexts(item, map, false))
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  const fields = Object.entries(value)
  const mapped = fields.map(([name, field]): [string, unknown] =>
    isEvent && KEPT_FIELDS.has(name) ? [name, field] : [isEvent ? name : map(name), mapTexts(field, map, false)],
  )
  const isChanged = mapped.some(([name, field], i) => name !== fields[i]?.[0] || field !== fields[i]?.[1])
  return isChanged ? Object.fromEntries(mapped) : value
}

/** A replacement may uncover another secret. */
const PASSES_MAX = 4

/**
 * A text without secrets: also in commands, tables, Secrets of Kubernetes, behind encodings and escapes, and without
 * the numbers of cards. What was replaced is added to `secrets`.
 */
export function redactThoroughly(text: string, secrets?: Set<string>): string {
  if (text.length < TEXT_CHARS_MIN) return text
  let result = text
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const spans: SecretSpan[] = []
    findSecrets(result, spans)
    findPaymentNumbers(result, spans)
    findInViews(result, spans, findSecrets)
    findInBase64(result, spans, findSecrets)
    const source = result
    const next = replaceSpans(source, spans, ({ start, end, kind }) => {
      const secret = source.slice(start, end)
      secrets?.add(secret)
      return markOf(secret, kind)
    })
    if (next === result) break
    result = next
  }
  return result
}

/** The mark for a secret, or as many asterisks as it has characters if that is shorter. What has a mark keeps it. */
function markOf(secret: string, kind = 'secret'): string {
  if (/^\*+$/.test(secret)) return secret
  const mark = `${REDACTED_PREFIX}${kind}]`
  return mark.length <= secret.length ? mark : '*'.repeat(secret.length)
}

const FORMS = createFormFinder([...COMMAND_FORMS, ...FIELD_FORMS])

function findSecrets(text: string, spans: SecretSpan[]): void {
  findSecretsOfHooks(text, spans)
  if (FORMS.mayFind(text, text.toLowerCase())) FORMS.find(text, spans)
  findTableSecrets(text, spans)
  findKubernetesSecrets(text, spans)
}
