// A model's answer: the JSON object in its text, read as far as it can be read. One bad entry is dropped with its
// reason; only a text without such an object is no answer.

import {
  FRAGMENT_CHARS_MAX,
  FRAGMENTS_MAX,
  KNOWLEDGE_CHARS_MAX,
  KNOWLEDGE_SCOPES,
  KNOWLEDGE_TYPES,
  type KnowledgeScope,
  type KnowledgeType,
  TRIGGER_MOMENTS,
  TRIGGERS_MAX,
  type Trigger,
} from '../model/knowledge.ts'
import { MemoryError } from '../model/memoryError.ts'
import { type Fields, isObject, objectOf, parseObject } from '../model/unknownJson.ts'
import { firstChars } from '../text/excerpt.ts'

/** Bytes of an answer. A longer one is no answer. */
const ANSWER_BYTES_MAX = 1_000_000

/** Entries that say what the person wants, and those of all other types. */
export const STATEMENTS_MAX = 8
export const FINDINGS_MAX = 6

/** Entries, open tasks and judgements of known entries that are looked at. */
const LIST_MAX = 40

export const OPEN_MAX = 4

/** Numbers of items that one entry may cite. */
const CITES_MAX = 12

export const SUMMARY_CHARS_MAX = 200
export const QUOTE_CHARS_MAX = 300
const OPEN_CHARS_MAX = 300

/** What a session shows of an entry that exists. obeyed, broken: of a rule. */
const JUDGEMENTS = ['confirmed', 'wrong', 'outdated', 'obeyed', 'broken'] as const

/** An entry as the model wrote it. */
export interface ProposedEntry {
  readonly type: KnowledgeType
  readonly scope: KnowledgeScope
  readonly line: string
  /** The words of the person. */
  readonly quote?: string | undefined
  /** Keys of the entries that it replaces: `k3f2a1`. */
  readonly replaces: readonly string[]
  readonly when: readonly Trigger[]
  /** How surely it is met again: 0 to 1. */
  readonly expected: number
  /** Numbers of the items of the digest that support it. */
  readonly cites: readonly number[]
}

export type ModelAnswer = ReturnType<typeof parseModelAnswer>

export interface DroppedProposal {
  /** Its text, or its place in the answer. */
  readonly what: string
  readonly reason: string
}

/** The answer in a model's text. Throws ANSWER_INVALID if the text has no JSON object or is too long. */
export function parseModelAnswer(text: string) {
  const fields = parseAnswer(text)
  const dropped: DroppedProposal[] = []
  const entries = listOf(fields['entries']).flatMap((value, i) => {
    const read = readEntry(value)
    if (typeof read !== 'string') return [read]
    const { line } = objectOf(value)
    dropped.push({ what: typeof line === 'string' ? cut(line, KNOWLEDGE_CHARS_MAX) : `entries[${i}]`, reason: read })
    return []
  })
  const known = listOf(fields['known']).flatMap((value) => {
    const { id, is } = objectOf(value)
    const judgement = JUDGEMENTS.find((name) => name === wordOf(is))
    return typeof id === 'string' && judgement !== undefined ? [{ key: keyOf(id), is: judgement }] : []
  })
  const open = listOf(fields['open']).map((value) => textOf(isObject(value) ? value['text'] : value, OPEN_CHARS_MAX))
  return {
    /** One line; empty if the model gave none. */
    summary: textOf(fields['summary'], SUMMARY_CHARS_MAX),
    /** Keys of the open tasks of earlier sessions that are done: `o4c81d`. */
    closed: [...new Set(listOf(fields['closed']).flatMap((key) => (typeof key === 'string' ? keyOf(key) : [])))],
    open: [...new Set(open.filter((task) => task !== ''))].slice(0, OPEN_MAX),
    known,
    entries,
    dropped,
  }
}

/** A list; a model may leave out the brackets of a single object. */
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, LIST_MAX) : Object.keys(objectOf(value)).length > 0 ? [value] : []
const wordOf = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '')
/** A key in any form a model writes it: `K3F2A1`, `[k3f2a1]`. */
const keyOf = (value: string): string => value.toLowerCase().replace(/[^a-z0-9]/g, '')

/** A text with single spaces, cut; empty for anything else. */
const textOf = (value: unknown, charsMax: number): string =>
  typeof value === 'string' ? cut(value.replace(/\s+/g, ' ').trim(), charsMax) : ''

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${firstChars(text, charsMax - 1)}…`

/** A number, also one that is written as a text. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value.replace(/[[\]\s]/g, '')) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Models write a code fence, a sentence before the object, and sometimes a second object or a remark after it. */
function parseAnswer(text: string): Fields {
  if (text.length > ANSWER_BYTES_MAX) return fail(`has ${text.length} characters, ${ANSWER_BYTES_MAX} at most`)
  const start = text.indexOf('{')
  if (start === -1) return fail('has no JSON object')
  const value = parseObject(text.slice(start, findObjectEnd(text, start)))
  if (!value) return fail('is not one JSON object')
  return isAnswer(value) ? value : fail(`has none of ${ANSWER_FIELDS.join(', ')}`)
}

const ANSWER_FIELDS = ['summary', 'open', 'known', 'entries']

/** An object of something else, such as an error, is no answer; an empty one is. */
const isAnswer = (fields: Fields): boolean =>
  Object.keys(fields).length === 0 || ANSWER_FIELDS.some((name) => Object.hasOwn(fields, name))

/** Behind the bracket that closes the object at `start`; the end of the text if none does. */
function findObjectEnd(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let i = start; i < text.length; i++) {
    const char = text[i]
    if (isQuoted) {
      if (char === '\\') i++
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return i + 1
  }
  return text.length
}

function fail(what: string): never {
  throw new MemoryError('ANSWER_INVALID', `the answer ${what}`, {
    hint: 'Nothing was stored. The session is tried once more; if it happens often, configure a larger model.',
  })
}

/** An entry, or why it is none. */
function readEntry(value: unknown): ProposedEntry | string {
  const fields = objectOf(value)
  const type = KNOWLEDGE_TYPES.find((name) => name === wordOf(fields['type']))
  const line = withoutPlace(textOf(fields['line'], KNOWLEDGE_CHARS_MAX + 1))
  if (!type) return 'unknown type'
  if (line === '') return 'no line'
  if (line.length > KNOWLEDGE_CHARS_MAX) return 'line too long'
  const quote = textOf(fields['quote'], QUOTE_CHARS_MAX)
  const again = numberOf(fields['again']) ?? 1
  return {
    type,
    scope: KNOWLEDGE_SCOPES.find((name) => name === wordOf(fields['scope'])) ?? 'project',
    line,
    ...(quote !== '' && { quote }),
    replaces: textsOf(fields['replaces']).map(keyOf),
    when: itemsOf(fields['when']).slice(0, TRIGGERS_MAX).flatMap(readTrigger),
    expected: Math.min(3, Math.max(0, again)) / 3,
    cites: itemsOf(fields['cites'])
      .slice(0, CITES_MAX)
      .flatMap((cite) => numberOf(cite) ?? []),
  }
}

/** Without the placeholder that a request has for the project's folder: `PROJECT/src` is `src` for its readers. */
const withoutPlace = (text: string): string => text.replace(/(?<![\w$/<.-])PROJECT[\\/](?=[\w.@])/g, '')

/** The items of a list; one value that is no list counts as a list of one. */
const itemsOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value.slice(0, LIST_MAX) : [value]

const textsOf = (value: unknown): string[] => itemsOf(value).flatMap((item) => (typeof item === 'string' ? [item] : []))

/** A trigger of the answer; none if it can never fire. */
function readTrigger(value: unknown): Trigger[] {
  const { at: moment, tool, has, unless } = objectOf(value)
  const at = TRIGGER_MOMENTS.find((name) => name === wordOf(moment))
  if (at === undefined) return []
  if (at === 'start') return [{ at }]
  const fragments = readFragments(has)
  if (fragments.length === 0) return []
  const excluded = readFragments(unless)
  const isOfCall = at !== 'prompt' && typeof tool === 'string' && /^[\w|-]{1,120}$/.test(tool)
  return [{ at, ...(isOfCall && { tool }), has: fragments, ...(excluded.length > 0 && { unless: excluded }) }]
}

/** Fragments that can be found: at least two characters besides the stars. */
const readFragments = (value: unknown): string[] =>
  textsOf(value)
    .map((text) => withoutPlace(text.replace(/\s+/g, ' ').trim()))
    .filter((text) => text.length <= FRAGMENT_CHARS_MAX && text.replace(/\*/g, '').length >= 2)
    .slice(0, FRAGMENTS_MAX)
