// Readers of untrusted values: each returns a clean copy of a value, or throws InvalidField. Unknown fields are left
// out, texts lose what nobody sees, and nothing is longer than its limit.
import { isPerspective } from '../model/strength.ts'
import { isObject } from '../model/unknownJson.ts'
import { firstChars } from '../text/excerpt.ts'
import { removeHidden, sanitizeText } from '../text/sanitizeText.ts'

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
export const prose = (charsMax: number): Reader<string> => textReader(charsMax, sanitizeText)

/** A text that is compared with others: paths, commands, signatures. */
export const name = (charsMax: number): Reader<string> => textReader(charsMax, removeHidden)

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
export const isoTimeText: Reader<string> = (value) => {
  if (typeof value !== 'string' || !ISO_TIME.test(value) || Number.isNaN(Date.parse(value))) throw new InvalidField()
  return value
}

/** A list; of one's own too long ones the first items. */
export const list =
  <Item>(item: Reader<Item>, max: number): Reader<readonly Item[]> =>
  (value, mode) => {
    if (!Array.isArray(value) || (value.length > max && !mode.clips)) throw new InvalidField()
    return value.slice(0, max).map((each: unknown) => item(each, mode))
  }

/** An object with names as keys, sorted: no database keeps their order. */
export const record =
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
