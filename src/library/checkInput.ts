// Checks what a program passes to the library, before anything is written. Types are not enough: programs in
// JavaScript, and values that come from elsewhere, have none. Names are returned without secrets, as they are stored.
import { isEmptyText, sanitize } from '../broker/commands/newMemory.ts'
import { MemoryError } from '../model/memoryError.ts'
import { AMOUNT_MAX, isAmount, isPerspective, NAME_CHARS_MAX } from '../model/strength.ts'
import { excerptOf } from '../text/plainJson.ts'

/** Whether a database can store a name: no U+0000, and no half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text)

/** The name of an agent or a source: a text that is not empty, 200 characters at most. Throws INPUT_INVALID. */
export function checkName(value: unknown, field: string): string {
  if (typeof value === 'string' && !isEmptyText(value) && value.length <= NAME_CHARS_MAX && isStorable(value))
    return sanitize(value)
  throw invalidValue(field, value, `a text of 1 to ${NAME_CHARS_MAX} characters`)
}

/** A text, which may be empty. Throws INPUT_INVALID. */
export function checkText(value: unknown, field: string): string {
  if (typeof value === 'string') return value
  throw invalidValue(field, value, 'a text')
}

/** A whole number from `min` to `max`. Throws INPUT_INVALID. */
export function checkWhole(value: unknown, field: string, { min, max }: { min: number; max: number }): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw invalidValue(field, value, `a whole number from ${min} to ${max}`)
}

/** A strength, or an increment of one. Throws INPUT_INVALID. */
export function checkAmount(value: unknown, field: string): number {
  if (isAmount(value)) return value
  throw invalidValue(field, value, `a number from 0 to ${AMOUNT_MAX}`)
}

/** The name of a perspective. Throws INPUT_INVALID. */
export function checkPerspective(value: unknown): string {
  if (isPerspective(value) && isStorable(value)) return sanitize(value)
  throw invalidValue('perspective', value, 'a name that is not a property of every object, such as constructor')
}

/** The error for a value that is not what it has to be. */
export const invalidValue = (field: string, value: unknown, wanted: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `${field} is ${excerptOf(value)}`, { hint: `Give ${wanted}.` })
