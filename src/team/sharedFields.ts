// The fields of a memory that are shared: which, how long, and how they are cleaned. The same readers take them from
// one's own memory and from a row of the hub, so what one machine sends the others read unchanged: each returns a clean
// copy of an untrusted value, or throws InvalidField. Unknown fields are left out, texts lose what nobody sees, and
// nothing is longer than its limit.
import {
  FRAGMENT_CHARS_MAX,
  FRAGMENTS_MAX,
  KNOWLEDGE_CHARS_MAX,
  KNOWLEDGE_SCOPES,
  KNOWLEDGE_STATES,
  KNOWLEDGE_TYPES,
  type KnownWay,
  TRIGGER_MOMENTS,
  TRIGGERS_MAX,
  type Trigger,
} from '../model/knowledge.ts'
import {
  CONTENT_TYPES,
  MEMORY_KINDS,
  MEMORY_SCOPES,
  MEMORY_SOURCES,
  OUTCOMES,
  PROVENANCES,
  TRUST_LEVELS,
} from '../model/memory.ts'
import { AMOUNT_MAX, isPerspective } from '../model/strength.ts'
import { isObject } from '../model/unknownJson.ts'
import { firstChars } from '../text/excerpt.ts'
import { keepByText } from '../text/pattern.ts'
import { foldLetters, removeHidden, sanitizeText } from '../text/sanitizeText.ts'
import type { SharedFields, SharedKnowledge } from './teamRow.ts'

/** `clips`: too long texts and lists are cut, for one's own memories; received ones that are too long are refused. */
export interface ReadMode {
  readonly clips: boolean
  /** Removes secrets from a text; absent to read texts as they are: to compare or merge them with clean ones. */
  readonly cleanText?: ((text: string) => string) | undefined
}

export class InvalidField extends Error {}

/** Throws InvalidField. */
export type Reader<Value> = (value: unknown, mode: ReadMode) => Value

/** What `reader` reads; undefined if the value is not valid. */
export function readIfValid<Value>(reader: Reader<Value>, value: unknown, mode: ReadMode): Value | undefined {
  try {
    return reader(value, mode)
  } catch (error) {
    if (error instanceof InvalidField) return undefined
    throw error
  }
}

/** What was cut may grow again when it is cleaned: a mark is quoted. */
const CLEANED_SHARE = 2

/** A text that people or the model read. */
const prose = (charsMax: number): Reader<string> => textReader(charsMax, sanitizeText)

/** A text that is compared with others: paths, commands, signatures. */
const name = (charsMax: number): Reader<string> => textReader(charsMax, removeHidden)

const textReader =
  (charsMax: number, sanitize: (text: string) => string): Reader<string> =>
  (value, { clips, cleanText }) => {
    if (typeof value !== 'string') throw new InvalidField()
    if (clips) return sanitize(firstChars(cleanText?.(value) ?? value, charsMax))
    // The length comes first: cleaning a huge text takes long.
    if (value.length > CLEANED_SHARE * charsMax) throw new InvalidField()
    return cleanText === undefined ? value : sanitize(cleanText(value))
  }

/** A number in this range. One's own is moved into it. */
export const number =
  (min: number, max: number): Reader<number> =>
  (value, { clips }) => {
    if (typeof value !== 'number' || Number.isNaN(value)) throw new InvalidField()
    if (clips) return Math.min(max, Math.max(min, value)) + 0 // No -0, which JSON does not keep.
    if (value < min || value > max) throw new InvalidField()
    return value + 0
  }

export const whole =
  (max: number): Reader<number> =>
  (value, mode) => {
    const read = number(0, max)(value, mode)
    if (!Number.isInteger(read) && !mode.clips) throw new InvalidField()
    return Math.floor(read)
  }

export const oneOf =
  <Value extends string | number | boolean>(values: readonly Value[]): Reader<Value> =>
  (value) => {
    const found = values.find((other) => other === value)
    if (found === undefined) throw new InvalidField()
    return found
  }

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** ISO 8601 in UTC with milliseconds. */
const isoTimeText: Reader<string> = (value) => {
  if (typeof value !== 'string' || !ISO_TIME.test(value) || Number.isNaN(Date.parse(value))) throw new InvalidField()
  return value
}

/** A list; of one's own too long ones the first items. */
const list =
  <Item>(item: Reader<Item>, max: number): Reader<readonly Item[]> =>
  (value, mode) => {
    if (!Array.isArray(value) || (value.length > max && !mode.clips)) throw new InvalidField()
    return value.slice(0, max).map((each: unknown) => item(each, mode))
  }

/** An object with names as keys, sorted: no database keeps their order. */
const record =
  <Value>(item: Reader<Value>, max: number, keyCharsMax: number): Reader<Readonly<Record<string, Value>>> =>
  (value, mode) => {
    if (!isObject(value)) throw new InvalidField()
    const keys = Object.keys(value)
    if (keys.length > max && !mode.clips) throw new InvalidField()
    const entries = keys.slice(-max).flatMap((key) => {
      const clean = name(keyCharsMax)(key, mode)
      return isPerspective(clean) ? [[clean, item(value[key], mode)] as const] : []
    })
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  }

/** Absent, null or what `item` reads. */
export const optional =
  <Value>(item: Reader<Value>): Reader<Value | undefined> =>
  (value, mode) =>
    value === undefined || value === null ? undefined : item(value, mode)

type Shape<Value> = { readonly [Name in keyof Value]-?: Reader<Value[Name]> }

/** An object with these fields; absent ones are left out. */
export function object<Value extends object>(shape: Shape<Value>): Reader<Value> {
  const fields = Object.entries<Reader<unknown>>(shape)
  return (value, mode) => {
    if (!isObject(value)) throw new InvalidField()
    const read: Record<string, unknown> = {}
    for (const [field, reader] of fields) {
      const item = reader(Object.hasOwn(value, field) ? value[field] : undefined, mode)
      if (item !== undefined) read[field] = item
    }
    return read as Value
  }
}

/** Whether an entry is proposed or standing follows from the sessions of all. */
const state: Reader<SharedKnowledge['state']> = (value, mode) =>
  oneOf(KNOWLEDGE_STATES)(value, mode) === 'retired' ? 'retired' : 'standing'

/** Ways of a failure, the best first; a machine counts fewer. */
export const WAYS_MAX = 8

/** Triggers of earlier versions have longer and more fragments; without one of them a trigger would mean more. */
const fragments = list(name(5 * FRAGMENT_CHARS_MAX), 4 * FRAGMENTS_MAX)

const triggers = list(
  object<Trigger>({
    at: oneOf(TRIGGER_MOMENTS),
    tool: optional(name(400)),
    has: optional(fragments),
    unless: optional(fragments),
    signature: optional(name(600)),
  }),
  TRIGGERS_MAX,
)

const way = object<KnownWay>({
  way: prose(KNOWLEDGE_CHARS_MAX),
  line: prose(KNOWLEDGE_CHARS_MAX),
  when: triggers,
  sessions: whole(AMOUNT_MAX),
  sessionsMin: oneOf([1, 2] as const),
  last: isoTimeText,
})

const readSharedKnowledge = object<SharedKnowledge>({
  type: oneOf(KNOWLEDGE_TYPES),
  scope: oneOf(KNOWLEDGE_SCOPES),
  state,
  line: prose(KNOWLEDGE_CHARS_MAX),
  quote: optional(prose(800)),
  asked: optional(oneOf([true] as const)),
  reason: optional(prose(800)),
  when: triggers,
  expected: optional(number(0, 1)),
  ways: optional(list(way, WAYS_MAX)),
})

const names = (max: number) => list(name(300), max)

/** The shared part of a memory, or of what another machine sent as such. Throws InvalidField. */
export const readSharedFields: Reader<SharedFields> = (value, { clips, cleanText }) =>
  // A memory has the same sentence in several fields, and to search it for secrets takes long.
  readFields(value, { clips, cleanText: cleanText && keepByText(cleanText) })

const readFields = object<SharedFields>({
  kind: oneOf(MEMORY_KINDS),
  content: prose(8_000),
  lessons: list(prose(1_000), 20),
  tags: list(prose(100), 50),
  files: names(50),
  commandShape: optional(name(400)),
  errorSignature: optional(name(600)),
  branch: optional(name(200)),
  outcome: oneOf(OUTCOMES),
  scope: oneOf(MEMORY_SCOPES),
  scopeDomain: optional(name(200)),
  role: name(200),
  trust: oneOf(TRUST_LEVELS),
  provenance: optional(oneOf(PROVENANCES)),
  contentType: oneOf(CONTENT_TYPES),
  source: oneOf(MEMORY_SOURCES),
  created: isoTimeText,
  updated: isoTimeText,
  expires: optional(isoTimeText),
  learnings: record(prose(1_000), 20, 200),
  searchOnly: optional(oneOf([true] as const)),
  privacy: oneOf(['agent-only', 'public'] as const),
  retention: oneOf(['long_term', 'short_term'] as const),
  importance: number(0, 1),
  knowledge: optional(readSharedKnowledge),
})

/** All but letters, digits, spaces and . _ ' -: a name stands in the notes of others, and must be no sentence. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N} ._'-]+/gu
const NAME_CHARS_MAX = 40

/** A role is no name, and neither is a sentence: `said by you` would be the words of the person who reads it. */
const ROLES = new RegExp(
  '^(?:(?:the|your|our) )?(?:you(?:rself)?|me|myself|i|person|user|human|owner|admin|developer|system|assistant|' +
    'claude(?: code)?|anthropic|memctl)$|^(?:あなた|本人|ユーザー?|人間|システム|私)$',
)
const NAME_WORDS_MAX = 4

/**
 * The name that the team is shown, without other signs: `someone` if nothing is left, `teammate you` for a role. The
 * hub knows which role has the name `Aki`, and takes `Aki!` for another name: so this is `teammate Aki`.
 */
export const personName: Reader<string> = (value, mode) => {
  const words = shortName(prose(80)(value, mode).replace(NOT_IN_NAMES, '')).split(/\s+/)
  if (words[0] === '') return 'someone'
  const plain = words
    .join(' ')
    .replace(/[ ._'-]+/g, ' ')
    .trim()
  const isWhole = words.join(' ') === value
  const isName = isWhole && !ROLES.test(foldLetters(plain)) && !ROLES.test(plain) && words.length <= NAME_WORDS_MAX
  return shortName((isName ? words : ['teammate', ...words.slice(0, NAME_WORDS_MAX - 1)]).join(' '))
}

const shortName = (text: string): string => [...text].slice(0, NAME_CHARS_MAX).join('').trim()
