// Fields: the parameters of tools. A field is the source of its JSON schema, its validation, its type and its command
// option. What is read has no secrets and private parts: a name finds what was stored under it.
import { isEmptyText, sanitize } from '../../broker/commands/newMemory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isObject } from '../../model/unknownJson.ts'
import { capitalize } from '../../text/excerpt.ts'
import { parseCalendarTime } from '../../text/isoTime.ts'
import { copyAsJson, excerptOf } from '../../text/plainJson.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** One parameter. `read` returns the value for a handler or throws INPUT_INVALID; `name` is for the message. */
export interface Field<T> {
  readonly schema: JsonSchema
  readonly isOptional?: true
  readonly read: (value: unknown, name: string) => T
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/** A handler's input: every field by its name, undefined for an optional one that was left out. */
export type InputOf<F extends Fields> = { readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never }

/** A text with something that a person sees. */
export function text<Choice extends string = string>(
  description: string,
  { charsMax, choices }: { readonly charsMax?: number; readonly choices?: readonly Choice[] } = {},
): Field<Choice> {
  return {
    schema: {
      type: 'string',
      description,
      ...(choices ? { enum: choices } : { minLength: 1 }),
      ...(charsMax !== undefined && { maxLength: charsMax }),
    },
    read(value, name) {
      if (typeof value !== 'string') throw wrongType(name, 'a string', value)
      if (choices && !choices.some((choice) => choice === value)) {
        throw invalidInput(`Invalid ${name}: ${excerptOf(value)}`, `Use one of ${choices.join(', ')}.`)
      }
      if (isEmptyText(value)) throw invalidInput(`${capitalize(name)} cannot be empty`, `Give ${name} some text.`)
      if (charsMax !== undefined && value.length > charsMax) {
        throw invalidInput(
          `${capitalize(name)} has ${value.length} characters`,
          `Use at most ${charsMax}, or several memories.`,
        )
      }
      return (choices ? value : sanitize(value)) as Choice
    },
  }
}

interface NumberRange {
  readonly min: number
  /** No upper limit by default. */
  readonly max?: number
}

export const number = (description: string, range: NumberRange): Field<number> => numeric(description, 'number', range)
export const integer = (description: string, range: NumberRange): Field<number> =>
  numeric(description, 'integer', range)

function numeric(description: string, type: 'number' | 'integer', { min, max }: NumberRange): Field<number> {
  const allowed = max === undefined ? `${min} or greater` : `between ${min} and ${max}`
  return {
    schema: { type, description, minimum: min, ...(max !== undefined && { maximum: max }) },
    read(value, name) {
      if (typeof value !== 'number' || Number.isNaN(value)) throw wrongType(name, 'a number', value)
      if (type === 'integer' && !Number.isInteger(value)) throw wrongType(name, 'a whole number', value)
      if (value < min || value > (max ?? Number.POSITIVE_INFINITY)) {
        throw invalidInput(
          `${name} must be ${allowed}, but is ${value}`,
          `Use a ${type === 'integer' ? 'whole number' : 'number'} ${allowed}.`,
        )
      }
      return value
    },
  }
}

export const flag = (description: string): Field<boolean> => ({
  schema: { type: 'boolean', description },
  read(value, name) {
    if (typeof value !== 'boolean') throw wrongType(name, 'true or false', value)
    return value
  },
})

/** A time in ISO 8601, read as UTC with milliseconds. Without a zone it is UTC. */
export const dateTime = (description: string): Field<string> => ({
  schema: { type: 'string', format: 'date-time', description },
  read(value, name) {
    const ms = typeof value === 'string' ? parseCalendarTime(value) : undefined
    if (ms === undefined) {
      throw invalidInput(`${name} is not an ISO 8601 date: ${excerptOf(value)}`, 'Write it like 2025-01-15T10:30:00Z.')
    }
    return new Date(ms).toISOString()
  },
})

/** Length of an object with any fields, in characters of JSON: as much as a hook stores of an event. */
const OBJECT_CHARS_MAX = 16_384

/** Any JSON object of limited depth and length. */
export const anyObject = (description: string): Field<Readonly<Record<string, unknown>>> => ({
  schema: { type: 'object', description, additionalProperties: true },
  read(value, name) {
    if (!isObject(value)) throw wrongType(name, 'an object', value)
    const read = copyAsJson(value, OBJECT_CHARS_MAX)
    if ('copy' in read) return sanitize(read.copy) as Readonly<Record<string, unknown>>
    throw invalidInput(
      `${capitalize(name)} ${read.problem}`,
      `Give at most ${OBJECT_CHARS_MAX} characters of plain JSON.`,
    )
  },
})

/** A list of items, which its own description describes. The first invalid item fails the list. */
export function list<T>(description: string, item: Field<T>, counts: Partial<NumberRange> = {}): Field<readonly T[]> {
  const unchecked = uncheckedList(description, { ...item.schema, description: undefined }, counts)
  return {
    ...unchecked,
    read: (value, name) => unchecked.read(value, name).map((element, i) => item.read(element, `${name}[${i}]`)),
  }
}

/** A list whose handler reads the items with `readInput`, so that it can go on after an invalid one. */
export function uncheckedList(
  description: string,
  item: JsonSchema,
  { min = 0, max }: Partial<NumberRange> = {},
): Field<readonly unknown[]> {
  return {
    schema: {
      type: 'array',
      description,
      items: item,
      ...(min > 0 && { minItems: min }),
      ...(max !== undefined && { maxItems: max }),
    },
    read(value, name) {
      if (!Array.isArray(value)) throw wrongType(name, 'a list', value)
      if (value.length < min || value.length > (max ?? Number.POSITIVE_INFINITY)) {
        const allowed = max === undefined ? `${min} or more` : `${min} to ${max}`
        throw invalidInput(`${name} has ${value.length} items`, `Give ${allowed}.`)
      }
      return value
    },
  }
}

/** May be left out or null: both are read as undefined. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
  schema: field.schema,
  isOptional: true,
  read: (value, name) => (value === undefined || value === null ? undefined : field.read(value, name)),
})

/** May be left out or null: both are read as `value`. */
export const withDefault = <T>(field: Field<T>, value: T): Field<T> => ({
  schema: { ...field.schema, default: value },
  isOptional: true,
  read: (given, name) => (given === undefined || given === null ? value : field.read(given, name)),
})

export const buildJsonSchema = (fields: Fields): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
  required: Object.entries(fields).flatMap(([name, field]) => (field.isOptional ? [] : [name])),
  additionalProperties: false,
})

/**
 * Reads an object of these fields. Throws INPUT_INVALID for missing, invalid and unknown ones. `path` is the object's
 * path in the input, for messages.
 */
export function readInput<F extends Fields>(fields: F, value: unknown, path = ''): InputOf<F> {
  if (!isObject(value)) throw wrongType(path || 'the input', 'an object', value)
  const pathOf = (name: string) => (path ? `${path}.${name}` : name)
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) {
    throw invalidInput(`Unknown parameter: ${pathOf(unknown)}`, `Use only ${Object.keys(fields).join(', ')}.`)
  }
  const input: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!field.isOptional && (value[name] === undefined || value[name] === null)) {
      throw invalidInput(`${capitalize(pathOf(name))} is missing`, `Give ${pathOf(name)}.`)
    }
    input[name] = field.read(value[name], pathOf(name))
  }
  return input as InputOf<F>
}

export const invalidInput = (message: string, hint: string): MemoryError =>
  new MemoryError('INPUT_INVALID', message, { hint })

const wrongType = (name: string, expected: string, value: unknown): MemoryError =>
  invalidInput(`${name} must be ${expected}, but is ${excerptOf(value)}`, `Give ${expected}.`)
