// Fields: what a tool may be given, said once. From it come its JSON schema, its check, its type and its options on the command line.
import { MemoryError } from '../../model/memoryError.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** One parameter. `read` gives the value a handler works with, or throws INPUT_INVALID; `at` is its name, for the message. */
export interface Field<T> {
  readonly schema: JsonSchema
  readonly required: boolean
  readonly read: (value: unknown, at: string) => T
}

export type Fields = Readonly<Record<string, Field<unknown>>>

/** What a handler is given: every field by its name, undefined where an optional one was left out. */
export type InputOf<F extends Fields> = { readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never }

interface TextLimits<Choice extends string> {
  readonly charsMax?: number
  readonly choices?: readonly Choice[]
  /** May be nothing but blanks. */
  readonly blank?: boolean
}

/** A text that says something: not empty, unless `blank`. */
export function text<Choice extends string = string>(
  description: string,
  { charsMax, choices, blank }: TextLimits<Choice> = {},
): Field<Choice> {
  const limits = { ...(choices ? { enum: choices } : {}), ...(charsMax ? { maxLength: charsMax } : {}) }
  return {
    schema: { type: 'string', description, ...(blank || choices ? {} : { minLength: 1 }), ...limits },
    required: true,
    read(value, at) {
      if (typeof value !== 'string') throw wrong(at, 'a string', value)
      if (choices && !choices.some((choice) => choice === value)) {
        throw invalidInput(`Invalid ${at}: ${shown(value)}`, `Use one of ${choices.join(', ')}.`)
      }
      if (!blank && value.trim() === '') throw invalidInput(`${sentence(at)} cannot be empty`, `Give ${at} some text.`)
      if (charsMax !== undefined && value.length > charsMax) {
        throw invalidInput(
          `${sentence(at)} has ${value.length} characters`,
          `Use at most ${charsMax}, or several memories.`,
        )
      }
      return value as Choice
    },
  }
}

interface NumberRange {
  readonly min: number
  /** No upper limit where left out. */
  readonly max?: number
}

export const number = (description: string, range: NumberRange): Field<number> => numeric(description, 'number', range)
export const integer = (description: string, range: NumberRange): Field<number> =>
  numeric(description, 'integer', range)

function numeric(description: string, type: 'number' | 'integer', { min, max }: NumberRange): Field<number> {
  const allowed = max === undefined ? `${min} or greater` : `between ${min} and ${max}`
  return {
    schema: { type, description, minimum: min, ...(max === undefined ? {} : { maximum: max }) },
    required: true,
    read(value, at) {
      if (typeof value !== 'number' || Number.isNaN(value)) throw wrong(at, 'a number', value)
      if (type === 'integer' && !Number.isInteger(value)) throw wrong(at, 'a whole number', value)
      if (value < min || value > (max ?? Number.POSITIVE_INFINITY)) {
        throw invalidInput(`${at} must be ${allowed}, and is ${value}`, `Use a ${type} ${allowed}.`)
      }
      return value
    },
  }
}

export const flag = (description: string): Field<boolean> => ({
  schema: { type: 'boolean', description },
  required: true,
  read(value, at) {
    if (typeof value !== 'boolean') throw wrong(at, 'true or false', value)
    return value
  },
})

/** A moment as ISO 8601 says it; read as UTC with milliseconds. One without a zone is UTC. */
export const dateTime = (description: string): Field<string> => ({
  schema: { type: 'string', format: 'date-time', description },
  required: true,
  read(value, at) {
    const zoned = typeof value === 'string' && /T[\d:.]+$/.test(value) ? `${value}Z` : value
    const ms = typeof zoned === 'string' && /^\d{4}-\d\d/.test(zoned) ? Date.parse(zoned) : Number.NaN
    if (Number.isNaN(ms)) {
      throw invalidInput(`${at} is no ISO 8601 date: ${shown(value)}`, 'Write it like 2025-01-15T10:30:00Z.')
    }
    return new Date(ms).toISOString()
  },
})

/** Any JSON object. */
export const anyObject = (description: string): Field<Readonly<Record<string, unknown>>> => ({
  schema: { type: 'object', description, additionalProperties: true },
  required: true,
  read(value, at) {
    if (!isObject(value)) throw wrong(at, 'an object', value)
    return value
  },
})

/** A list of these; each is read, and the first that is wrong fails the whole. */
export function list<T>(description: string, item: Field<T>, counts: Partial<NumberRange> = {}): Field<readonly T[]> {
  const rough = uncheckedList(description, item.schema, counts)
  return {
    ...rough,
    read: (value, at) => rough.read(value, at).map((one, i) => item.read(one, `${at}[${i}]`)),
  }
}

/** A list whose items the handler reads one by one with `readInput`, for a call that goes on where one of them is wrong. */
export function uncheckedList(
  description: string,
  item: JsonSchema,
  { min = 0, max }: Partial<NumberRange> = {},
): Field<readonly unknown[]> {
  const limits = { ...(min > 0 ? { minItems: min } : {}), ...(max === undefined ? {} : { maxItems: max }) }
  return {
    schema: { type: 'array', description, items: item, ...limits },
    required: true,
    read(value, at) {
      if (!Array.isArray(value)) throw wrong(at, 'a list', value)
      if (value.length < min || value.length > (max ?? Number.POSITIVE_INFINITY)) {
        const allowed = max === undefined ? `${min} or more` : `${min} to ${max}`
        throw invalidInput(`${at} has ${value.length} items`, `Give ${allowed}.`)
      }
      return value
    },
  }
}

/** May be left out, or be null: both are undefined. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
  schema: field.schema,
  required: false,
  read: (value, at) => (value === undefined || value === null ? undefined : field.read(value, at)),
})

/** May be left out, or be null: then it is this. */
export const withDefault = <T>(field: Field<T>, value: T): Field<T> => ({
  schema: { ...field.schema, default: value },
  required: false,
  read: (given, at) => (given === undefined || given === null ? value : field.read(given, at)),
})

/** The JSON schema of an object of these fields, and of no others. */
export const buildJsonSchema = (fields: Fields): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
  required: Object.entries(fields).flatMap(([name, field]) => (field.required ? [name] : [])),
  additionalProperties: false,
})

/** Reads an object of these fields; throws INPUT_INVALID for what is missing, wrong or not known. `inside` names where it stands. */
export function readInput<F extends Fields>(fields: F, given: unknown, inside = ''): InputOf<F> {
  if (!isObject(given)) throw wrong(inside || 'the input', 'an object', given)
  const at = (name: string) => (inside ? `${inside}.${name}` : name)
  const stray = Object.keys(given).find((name) => !Object.hasOwn(fields, name))
  if (stray !== undefined) throw invalidInput(`There is no ${at(stray)}`, `Use of ${Object.keys(fields).join(', ')}.`)
  const input: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name]
    if (field.required && (value === undefined || value === null)) {
      throw invalidInput(`${sentence(at(name))} is missing`, `Give ${at(name)}.`)
    }
    input[name] = field.read(value, at(name))
  }
  return input as InputOf<F>
}

export const invalidInput = (what: string, hint: string): MemoryError =>
  new MemoryError('INPUT_INVALID', what, { hint })

const wrong = (at: string, wanted: string, value: unknown): MemoryError =>
  invalidInput(`${at} must be ${wanted}, and is ${shown(value)}`, `Give ${wanted}.`)

const shown = (value: unknown): string => {
  const json = JSON.stringify(value) ?? String(value)
  return json.length > 60 ? `${json.slice(0, 60)}…` : json
}

const sentence = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
