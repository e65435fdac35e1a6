// Whether a value can be stored as JSON: no cycles, not too deep, not too long, and no code that runs while it is read.
// And a value as a message quotes it.
import { firstChars } from './excerpt.ts'

/** Levels of lists and objects in stored data: more is no data of a person. */
const DEPTH_MAX = 32

/** A copy of the value as JSON has it, or what is wrong with it, for a message. `charsMax` is that of its JSON. */
export function copyAsJson(
  value: unknown,
  charsMax: number,
): { readonly copy: unknown } | { readonly problem: string } {
  try {
    if (depthOf(value, DEPTH_MAX) > DEPTH_MAX) return { problem: `has more than ${DEPTH_MAX} levels` }
    const json = JSON.stringify(value)
    if (json === undefined) return { problem: `is a ${typeof value}` }
    return json.length > charsMax ? { problem: `has ${json.length} characters of JSON` } : { copy: JSON.parse(json) }
  } catch {
    return { problem: 'is not JSON' } // A getter that throws, or a BigInt.
  }
}

/** Levels of lists and objects, at most `max` + 1: a cycle has no end. */
function depthOf(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (max === 0) return 1
  let deepest = 0
  for (const field of Object.values(value)) deepest = Math.max(deepest, depthOf(field, max - 1))
  return 1 + deepest
}

const EXCERPT_CHARS_MAX = 60

/** The value as JSON, cut to fit a message. Functions, cycles and unreadable values are named by their type. */
export function excerptOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  let json: string | undefined
  try {
    json = JSON.stringify(typeof value === 'string' ? value.slice(0, 2 * EXCERPT_CHARS_MAX) : value)
  } catch {
    // A cycle, a getter that throws, or too deep.
  }
  const text = json ?? `a ${typeof value}`
  return text.length > EXCERPT_CHARS_MAX ? `${firstChars(text, EXCERPT_CHARS_MAX)}…` : text
}
