// The second pass: what a hook has no time to search. The worker applies it to the events that hooks have appended.
//
// A mark is never longer than what it replaces, because the event is written to the place that it has in the log.
import { isEventId, isVector } from '../../model/checkMemory.ts'
import type { Event } from '../../model/event.ts'
import { errorSignature } from '../../text/errorSignature.ts'
import { COMMAND_FORMS, findSpokenPasswords } from './commandForms.ts'
import { anchorPattern, createFormFinder, FIELD_FORMS, SETTING_FORMS } from './findForms.ts'
import { classifyGenerated, findGeneralSecrets, JOINT, listSecretOutputs, PART } from './generalSecrets.ts'
import { findGeneratedTokens } from './generatedTokens.ts'
import { findEvidentPasswords, gradePassword } from './likelyPasswords.ts'
import { findOtherKeys } from './privateKeys.ts'
import { FINDERS, redactDeep } from './redact.ts'
import { matchesOf, REDACTED_PREFIX, replaceSpans, type SecretSpan } from './secretHeuristics.ts'
import { findArguments, findListed, findPaymentNumbers, findPlacedSecrets, findTableSecrets } from './tableSecrets.ts'

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

/** The event without the lines of its output that are nothing but a secret. */
function redactOutput(event: Event): Event {
  if (event.kind !== 'call.succeeded') return event
  const secrets = listSecretOutputs(event.output, String(event.input['command'] ?? ''))
  if (secrets.length === 0) return event
  return { ...event, output: secrets.reduce((rest, secret) => rest.replace(secret, markOf(secret)), event.output) }
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
    findInViews(result, spans)
    findInBase64(result, spans)
    if (spans.length === 0) break
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

const FORMS = [...COMMAND_FORMS, ...SETTING_FORMS, ...FIELD_FORMS]
const FORM_FINDER = createFormFinder(FORMS)
const FORM_ANCHOR = anchorPattern(FORMS)

function findSecrets(text: string, spans: SecretSpan[]): void {
  const lower = text.toLowerCase()
  for (const { mayFind, find } of FINDERS) if (mayFind(text, lower)) find(text, spans)
  if (FORM_ANCHOR.test(lower)) FORM_FINDER.find(text, spans)
  findOtherKeys(text, spans)
  findTableSecrets(text, spans)
  findPlacedSecrets(text, spans)
  findListed(text, spans)
  findArguments(text, spans)
  findGeneralSecrets(text, spans)
  findGeneratedTokens(text, spans)
  findSpokenPasswords(text, spans)
  findEvidentPasswords(text, spans)
}

/** What a view leaves out, or decodes if a match has a value. */
type Decode = (match: string) => string

interface ViewKind {
  /** A cheap check, and a cheaper one before it. */
  readonly trigger: RegExp
  readonly sign: RegExp
  readonly pattern: RegExp
  readonly decode: Decode
}

const remove: Decode = () => ''

/** A token may go on in the next line or string if this much of it precedes, in characters. */
const VIEWS: readonly ViewKind[] = [
  // JSON, also inside of JSON.
  {
    sign: /\\/,
    trigger: /\\[nt"/]/,
    pattern: /\\{1,15}([nrt"'/])|":"(?=[^"\\]{1,200}\\{1,3}n)|"\}{1,4}$/g,
    // Three or six backslashes before `n` are a backslash at the end of a line.
    decode: (match) =>
      match.length % 3 === 1 && match.endsWith('n')
        ? ''
        : match.startsWith('"')
          ? '\n'
          : ({ n: '\n', t: '\t', r: '\r' }[match.slice(-1)] ?? match.slice(-1)),
  },
  // Colours, zero-width characters, and a line that goes on after a backslash.
  {
    sign: /[^\n -[\]-~]/,
    trigger: /[\u001b\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\\u001b|\\\n/,
    pattern: /(?:\u001b|\\u001b)\[[\d;?]{0,20}[A-Za-z]|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|\\\r?\n[ \t]{0,20}/g,
    decode: remove,
  },
  // A long value that a terminal has wrapped, and strings that code joins.
  {
    sign: /["'`\n]/,
    trigger: new RegExp(`[\\w+/=-]{32}["']?\\r?\\n|\\w{8}${JOINT}\\w{8}`),
    pattern: new RegExp(
      `(?<=[\\w+/=-]{40})\\r?\\n(?=[\\w+/=-]{8,}\\s{0,8}(?:\\n|$))|(?<=\\w{8})${JOINT}(?=\\w{8})`,
      'g',
    ),
    decode: remove,
  },
  // A list of the arguments of a command.
  {
    sign: /-/,
    trigger: /["']-{1,2}\w[\w-]{0,40}["'],\s{0,20}["']|["'],\s{0,20}["']-p\w/,
    pattern: /(["']),\s{0,20}["']/g,
    decode: () => ' ',
  },
  // Lines of files, with the name and the number that a search prints before each, or with their number.
  {
    sign: /\d[:\t→-]/,
    trigger: /^(?:[\w./@-]{1,200}[:-]\d{1,6}[:-]|[ \t]{0,8}\d{1,6}[\t→])/m,
    pattern: /^(?:[\w./@-]{1,200}[:-]\d{1,6}[:-]|[ \t]{0,8}\d{1,6}[\t→])/gm,
    decode: remove,
  },
  // Percent codes, and Unicode escapes of ASCII.
  {
    sign: /[%\\]/,
    trigger: /%(?:25)?(?:3[AaDd]|40|2[2Ff]|5[Dd])|\\(?:u00|x)[2-7][0-9a-f]/i,
    pattern: /%(?:25)?[2-7][0-9a-f]|\\{1,3}(?:u00|x)[2-7][0-9a-f]/gi,
    decode: (match) => String.fromCharCode(Number.parseInt(match.slice(-2), 16)),
  },
  // A name and its value in two elements, and in two fields or calls: `{ name: 'DB_PASSWORD', value: '…' }`.
  {
    sign: /<\//,
    trigger: /(?:key|name)>\s{0,60}<|"[^<>]{0,60}>\s{0,60}<value>/i,
    pattern:
      /<\/(?:[\w:]{1,20}-)?(?:key|name)>\s{0,60}<\w[^<>]{0,20}>|"(?:\s[^<>]{0,40})?>\s{0,60}<value>|<\/[\w:-]{1,30}>/gi,
    decode: (match) => (/^<\/(?:[\w:-]+)>$/.test(match) ? '"' : '="'),
  },
  {
    sign: /["'`]v|value/i,
    trigger:
      /["'`](?:,[^;\n]{0,160}|,\s{0,40}[^;\n]{0,40}|\)\s{0,40}\.\w{0,5})(?:value|\bv(?:al)?)["'`]?(?:\s?[:=(]|\s=>)/i,
    pattern: new RegExp(
      '["\'`](?<=(?:(?:name|key|\\bk|id|label|field|variable)["\'`]?\\s?(?:=>|[:=(])\\s{0,4}["\'`:]?[\\w./ -]{1,60}|' +
        '(?:type|kind)["\'`]?\\s?[:=]\\s?["\'`](?:password|secret)).)' +
        '(?:,\\s{0,40}(?:["\'`]?\\w{1,20}["\'`]?\\s?[:=]\\s?(?:["\'][^"\'\\n]{0,40}["\']|\\w{1,12}),\\s{0,40}){0,4}' +
        '[:"\'`]?(?:\\w{0,12}value|\\bv(?:al)?)["\'`]?\\s?(?:=>|[:=])\\s?|\\)\\s{0,40}\\.\\w{0,5}value\\()["\'`]',
      'gi',
    ),
    decode: (match) => `${match.slice(0, 1)}: ${match.slice(-1)}`,
  },
  // Quotes of web pages.
  {
    sign: /&/,
    trigger: /&(?:quot|#3[49]|apos);/,
    pattern: /&(?:quot|#34|apos|#39);/g,
    decode: (match) => (/q|4/.test(match) ? '"' : "'"),
  },
]

function findInViews(text: string, spans: SecretSpan[], views: readonly ViewKind[] = VIEWS): void {
  for (const [i, { sign, trigger, pattern, decode }] of views.entries()) {
    if (!sign.test(text) || !trigger.test(text)) continue
    const view = createView(text, pattern, decode)
    const found: SecretSpan[] = []
    findSecrets(view.text, found)
    // What was escaped may have been encoded before.
    findInViews(view.text, found, views.slice(i + 1))
    for (const { start, end, kind } of found) {
      spans.push({ start: view.starts[start] ?? 0, end: view.starts[end] ?? text.length, kind })
    }
  }
}

function createView(text: string, pattern: RegExp, decode: Decode) {
  let result = ''
  // Where each character of the view begins in the text, and behind the last one its length.
  const starts: number[] = []
  let end = 0
  const copy = (to: number): void => {
    for (let at = end; at < to; at += 1) starts.push(at)
    result += text.slice(end, to)
  }
  for (const match of text.matchAll(pattern)) {
    copy(match.index)
    const decoded = decode(match[0])
    for (let i = 0; i < decoded.length; i += 1) starts.push(match.index)
    result += decoded
    end = match.index + match[0].length
  }
  copy(text.length)
  starts.push(text.length)
  return { text: result, starts }
}

/** Longer runs are not decoded, in characters. */
const BASE64_CHARS_MAX = 16_384
const BASE64 = /(?<![\w+/])[A-Za-z0-9+/_-]{16,}={0,2}/g

/** Adds the span of every text in base64 or hexadecimal digits that has a secret, or has a name that says so. */
function findInBase64(text: string, spans: SecretSpan[]): void {
  for (const { 0: run, index } of matchesOf(text, BASE64)) {
    if (run.length > BASE64_CHARS_MAX) continue
    const isHex = run.length % 2 === 0 && /^[\da-f]+$/i.test(run)
    const bytes = Buffer.from(run, isHex ? 'hex' : 'base64')
    const decoded = bytes.toString(bytes[1] === 0 && bytes[3] === 0 ? 'utf16le' : 'latin1')
    if (!/^[\t\n\r -~]{10,}$/.test(decoded)) continue
    const [, password = decoded] = /^[A-Za-z][\w.@-]{1,40}:(\S+)$/.exec(decoded) ?? []
    if (
      gradePassword(password) === 2 ||
      classifyGenerated(password) === 'mixed' ||
      ((password !== decoded || isHex) && gradePassword(password) > 0)
    ) {
      spans.push({ start: index, end: index + run.length, kind: 'secret' })
      continue
    }
    const found: SecretSpan[] = []
    findSecrets(decoded, found)
    if (found.length > 0) spans.push({ start: index, end: index + run.length, kind: found[0]?.kind ?? 'secret' })
  }
}
