// Where a text holds a secret. Finders only say where; one place replaces, so that they need not agree on an order.

/** A secret's place in a text, `start` inclusive, `end` exclusive, in UTF-16 units. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** What stands in a secret's place begins with this; a value that holds it has been judged already. */
export const REDACTED_PREFIX = '[redacted:'

/**
 * `text` with every span replaced by `[redacted:KIND]`. Spans that overlap become one, named by the first in `spans`
 * among them: finders come in the order of how much their kind tells.
 */
export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  if (spans.length === 0) return text
  const ordered = spans.map((span, rank) => ({ ...span, rank })).sort((one, other) => one.start - other.start)
  let result = ''
  let done = 0
  let open = ordered[0]!
  const close = (): void => {
    result += `${text.slice(done, open.start)}${REDACTED_PREFIX}${open.kind}]`
    done = open.end
  }
  for (const span of ordered.slice(1)) {
    if (span.start >= open.end) {
      close()
      open = span
      continue
    }
    const telling = span.rank < open.rank ? span : open
    open = { start: open.start, end: Math.max(open.end, span.end), kind: telling.kind, rank: telling.rank }
  }
  close()
  return result + text.slice(done)
}
