// Any value in an error message: short, on one line, whatever it is.

/** Characters of an excerpt. */
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
  return text.length > EXCERPT_CHARS_MAX ? `${text.slice(0, EXCERPT_CHARS_MAX).replace(/[\ud800-\udbff]$/, '')}…` : text
}
