// The second pass: what a hook has no time to search. The worker applies it to the events that hooks have appended.
//
// A mark is never longer than what it replaces, because the event is written to the place that it has in the log.

import { isEventId, isVector } from '../../model/checkMemory.ts'
import type { Event } from '../../model/event.ts'
import { errorSignature } from '../../text/errorSignature.ts'
import { COMMAND_FORMS, FIELD_FORMS, SENTENCE_FORMS } from './commandForms.ts'
import { createFormFinder } from './findForms.ts'
import { findGeneralSecrets, isSecretOutput, PART } from './generalSecrets.ts'
import { findGeneratedTokens } from './generatedTokens.ts'
import { findPaymentNumbers } from './paymentNumbers.ts'
import { findSecrets as findSecretsOfHooks, redactDeep } from './redact.ts'
import { REDACTED_PREFIX, replaceSpans, type SecretSpan } from './secretSpan.ts'
import { findSpokenPasswords } from './spokenPasswords.ts'
import { findTableSecrets } from './tableSecrets.ts'
import { findInBase64, findInViews } from './textViews.ts'

/** Fields that say what an event is, not what happened. */
const KEPT_FIELDS: ReadonlySet<string> = new Set(
  'id at session kind moment outcome privacy source role agentId taskId call repeatOf tool terms'.split(' '),
)

/** What an object is: it decides which of its fields are values and no text. */
type Place = 'event' | 'memory' | 'embedding' | 'importSource' | 'other'

/**
 * Whether a field holds a value that is no text. The base64 of a vector looks like tokens of providers now and then,
 * and one changed character changes the vector. Ids of events have 16 hex digits: some are the number of a card.
 */
function isTyped(place: Place, name: string, field: unknown): boolean {
  if (place === 'event') return KEPT_FIELDS.has(name) || (/^(?:recall|through)$/.test(name) && isEventId(field))
  if (place === 'memory') return name === 'events' && Array.isArray(field) && field.every(isEventId)
  // The hash of what a source said has the form of an id.
  return place === 'embedding' ? name === 'vector' && isVector(field) : place === 'importSource' && isEventId(field)
}

/** The place of a field's value. `memory` and `stored` of an event hold memories. */
function placeOf(place: Place, name: string): Place {
  if (place === 'event') return name === 'memory' || name === 'stored' ? 'memory' : 'other'
  return place === 'memory' && (name === 'embedding' || name === 'importSource') ? name : 'other'
}

/** In a shorter text there is no room for a secret and the words around it, in characters. */
const TEXT_CHARS_MIN = 12

/** The event without the secrets that the hook has left; the same reference if there are none. It is never longer. */
export function redactStoredEvent(event: Event): Event {
  const secrets = new Set<string>()
  const clean = redactOutput(mapTexts(event, (text) => redactThoroughly(text, secrets), 'event') as Event)
  // A name and its value may be in different fields.
  if ('input' in clean) redactThoroughly(JSON.stringify(clean.input), secrets)
  if (clean === event && secrets.size === 0) return event
  // Other fields repeat the text in parts: the files of a command and its shape.
  const repeated = [...secrets].filter((secret) => secret.length >= REPEATED_CHARS_MIN && /\d/.test(secret))
  const replaceRepeated = (text: string): string =>
    repeated.reduce((rest, part) => rest.replaceAll(part, markOf(part)), text)
  const result = mapTexts(clean, replaceRepeated, 'event') as Event
  if (result === event || result.kind !== 'call.failed' || event.kind !== 'call.failed') return result
  const signature = errorSignature(result.tool, result.error)
  return { ...result, errorSignature: signature?.slice(0, event.errorSignature?.length ?? 0) }
}

/** The event without an output that is nothing but a secret. */
function redactOutput(event: Event): Event {
  if (event.kind !== 'call.succeeded' || !isSecretOutput(event.output, String(event.input['command'] ?? '')))
    return event
  return { ...event, output: markOf(event.output) }
}

/** A JSON value with both passes: for commands and tools, which have more time than a hook. */
export const redactDeepThoroughly = <T>(value: T): T =>
  mapTexts(redactDeep(value), (text) => redactThoroughly(text), 'other') as T

/** What a person or a model is shown, without secrets: a text, or lines of JSON that stay JSON. */
export function hideSecrets(text: string): string {
  if (!/^[{[]/.test(text)) return redactThoroughly(text)
  return text.split('\n').map(hideInLine).join('\n')
}

function hideInLine(line: string): string {
  try {
    const value: unknown = JSON.parse(line)
    const clean = redactDeepThoroughly(value)
    return clean === value ? line : JSON.stringify(clean)
  } catch {
    return redactThoroughly(line)
  }
}

/** Shorter secrets may be ordinary words elsewhere, in characters. */
const REPEATED_CHARS_MIN = 6

/** A value with each of its texts mapped, names included; the same reference if none changed. */
function mapTexts(value: unknown, map: (text: string) => string, place: Place): unknown {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const list = value.map((item) => mapTexts(item, map, place))
    return list.some((item, i) => item !== value[i]) ? list : value
  }
  const fields = Object.entries(value)
  const mapped = fields.map(([name, field]): [string, unknown] =>
    isTyped(place, name, field)
      ? [name, field]
      : [place === 'event' ? name : map(name), mapTexts(field, map, placeOf(place, name))],
  )
  const changed = mapped.filter(([name, field], i) => name !== fields[i]?.[0] || field !== fields[i]?.[1])
  if (changed.length === 0) return value
  // A vector that a caller supplied is one of the text that had the secret.
  const isContentChanged = place === 'memory' && changed.some(([name]) => name === 'content')
  return Object.fromEntries(isContentChanged ? mapped.filter(([name]) => name !== 'embedding') : mapped)
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
      if (kind !== PART) secrets?.add(secret)
      return markOf(secret, kind === PART ? undefined : kind)
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

const FORMS = createFormFinder([...COMMAND_FORMS, ...SENTENCE_FORMS, ...FIELD_FORMS])

function findSecrets(text: string, spans: SecretSpan[]): void {
  findSecretsOfHooks(text, spans)
  if (FORMS.mayFind(text, text.toLowerCase())) FORMS.find(text, spans)
  findTableSecrets(text, spans)
  findGeneralSecrets(text, spans)
  findGeneratedTokens(text, spans)
  findSpokenPasswords(text, spans)
}
