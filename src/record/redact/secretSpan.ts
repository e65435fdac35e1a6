// The span of a secret in a text. Finders only return spans and one function replaces them, so finders run in any
// order.

/** Start (inclusive) and end (exclusive) of a secret in a text, in UTF-16 units. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** Every replacement of a secret begins with this; a value that contains it was redacted before. */
export const REDACTED_PREFIX = '[redacted:'

/**
 * `text` with every span replaced by `[redacted:KIND]`. Spans that overlap are merged; the kind is that of the first
 * among them in `spans`, so the most specific finder comes first. `markOf` is the text that replaces a span.
 */
export function replaceSpans(
  text: string,
  spans: readonly SecretSpan[],
  markOf: (span: SecretSpan) => string = ({ kind }) => `${REDACTED_PREFIX}${kind}]`,
): string {
  const [first, ...others] = spans.map((span, rank) => ({ ...span, rank })).sort((a, b) => a.start - b.start)
  if (first === undefined) return text
  let result = ''
  let end = 0
  let merged = first
  const replaceMerged = (): void => {
    result += text.slice(end, merged.start) + markOf(merged)
    end = merged.end
  }
  for (const span of others) {
    if (span.start >= merged.end) {
      replaceMerged()
      merged = span
      continue
    }
    const { kind, rank } = span.rank < merged.rank ? span : merged
    merged = { start: merged.start, end: Math.max(merged.end, span.end), kind, rank }
  }
  replaceMerged()
  return result + text.slice(end)
}

/** What a sticky pattern matches at `at`; undefined if it does not. */
export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
