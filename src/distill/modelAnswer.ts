// A model's answer: the JSON object in its text, checked field by field. An answer that breaks the schema is rejected
// as a whole, with the first error.
import { MemoryError } from '../model/memoryError.ts'
import { STATEMENT_SCOPES, STATEMENT_TYPES, type StatementScope, type StatementType } from '../model/statement.ts'
import { DECIDED_MAX, LEARNED_MAX, LIST_FACTOR, OPEN_MAX, STATEMENTS_MAX, TEXT_CHARS_MAX } from './answerLimits.ts'

/** A proposal cites the items of the digest that support it, by their numbers. */
interface Cited {
  readonly cites: readonly number[]
}

/** What the person said and meant to last. */
export interface ProposedStatement extends Cited {
  readonly type: StatementType
  readonly scope: StatementScope
  readonly strength: 1 | 2 | 3
  /** A sentence that is understood without the session. */
  readonly statement: string
  readonly short: string
  /** The words of the person. */
  readonly quote: string
}

/** What the assistant decided, and why. */
export interface ProposedDecision extends Cited {
  readonly text: string
  readonly reason: string
}

/** lesson: what failed, and what worked. fact: what will be met again. */
export interface ProposedLearning extends Cited {
  readonly kind: 'lesson' | 'fact'
  readonly text: string
  /** May be empty for a fact. */
  readonly remedy: string
}

export interface ProposedTask extends Cited {
  readonly text: string
}

export interface ModelAnswer {
  /** One line; empty if the model gave none. */
  readonly summary: string
  readonly statements: readonly ProposedStatement[]
  readonly decided: readonly ProposedDecision[]
  readonly learned: readonly ProposedLearning[]
  readonly leftOpen: readonly ProposedTask[]
}

/** The answer in a model's text. Throws ANSWER_INVALID, which names the first field that is wrong. */
export function parseModelAnswer(text: string): ModelAnswer {
  const value = parseObject(text)
  for (const name of Object.keys(value)) if (!LISTS.includes(name) && name !== 'summary') fail(name, 'is unknown')
  return {
    summary: textField(value, 'summary', '', ''),
    statements: listField(value, 'statements', STATEMENTS_MAX, (entry, at) => ({
      type: choiceField(entry, 'type', STATEMENT_TYPES, at),
      scope: choiceField(entry, 'scope', STATEMENT_SCOPES, at),
      strength: choiceField(entry, 'strength', [1, 2, 3] as const, at),
      statement: textField(entry, 'statement', at),
      short: textField(entry, 'short', at),
      quote: textField(entry, 'quote', at),
      cites: citesField(entry, at),
    })),
    decided: listField(value, 'decided', DECIDED_MAX, (entry, at) => ({
      text: textField(entry, 'text', at),
      reason: textField(entry, 'reason', at, ''),
      cites: citesField(entry, at),
    })),
    learned: listField(value, 'learned', LEARNED_MAX, (entry, at) => ({
      kind: choiceField(entry, 'kind', ['lesson', 'fact'] as const, at),
      text: textField(entry, 'text', at),
      remedy: textField(entry, 'remedy', at, ''),
      cites: citesField(entry, at),
    })),
    leftOpen: listField(value, 'leftOpen', OPEN_MAX, (entry, at) => ({
      text: textField(entry, 'text', at),
      cites: citesField(entry, at),
    })),
  }
}

const LISTS: readonly string[] = ['statements', 'decided', 'learned', 'leftOpen']

type Fields = Readonly<Record<string, unknown>>

/** The object between the first `{` and the last `}`: some models write a code fence or a sentence around it. */
function parseObject(text: string): Fields {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start === -1 || end < start) return fail('the answer', 'has no JSON object')
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1))
    if (isFields(value)) return value
  } catch {
    // Reported below like any other text that is no object.
  }
  return fail('the answer', 'is not one JSON object')
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The entries of a list; a missing list is empty, entries beyond `max` are dropped. */
function listField<T>(fields: Fields, name: string, max: number, parse: (entry: Fields, at: string) => T): T[] {
  const value = fields[name] ?? []
  if (!Array.isArray(value)) return fail(name, 'is not a list')
  if (value.length > max * LIST_FACTOR) return fail(name, `has ${value.length} entries, ${max} at most`)
  return value.slice(0, max).map((entry: unknown, i) => {
    const at = `${name}[${i}]`
    return isFields(entry) ? parse(entry, at) : fail(at, 'is not an object')
  })
}

/** A text with single spaces. Throws if it is empty and there is no `byDefault`. */
function textField(fields: Fields, name: string, at: string, byDefault?: string): string {
  const value = fields[name] ?? byDefault
  const where = at === '' ? name : `${at}.${name}`
  if (typeof value !== 'string') return fail(where, 'is not a text')
  const text = value.replace(/\s+/g, ' ').trim()
  if (text === '' && byDefault === undefined) return fail(where, 'is empty')
  if (text.length > TEXT_CHARS_MAX) return fail(where, `has ${text.length} characters, ${TEXT_CHARS_MAX} at most`)
  return text
}

function choiceField<T extends string | number>(fields: Fields, name: string, choices: readonly T[], at: string): T {
  const choice = choices.find((candidate) => candidate === fields[name])
  return choice ?? fail(`${at}.${name}`, `is none of ${choices.join(', ')}`)
}

function citesField(fields: Fields, at: string): readonly number[] {
  const value: unknown = fields['cites'] ?? []
  if (!Array.isArray(value)) return fail(`${at}.cites`, 'is not a list of numbers')
  return value.map((number: unknown) =>
    typeof number === 'number' && Number.isInteger(number) ? number : fail(`${at}.cites`, 'is not a list of numbers'),
  )
}

function fail(where: string, what: string): never {
  throw new MemoryError('ANSWER_INVALID', `${where} ${what}`, {
    hint: 'Nothing was stored. The session is tried once more; if it happens often, configure a larger model.',
  })
}
