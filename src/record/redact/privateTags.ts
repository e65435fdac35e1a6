// What a person marks as private never reaches the log.

/** What stands in its place. */
const LEFT_OUT = '[private]'

/**
 * `text` without what stands between `<private>` and `</private>`, tags included; `[private]` in its place.
 *
 * Any case. Nested marks count as one, and one that is never closed reaches to the end of the text: in doubt, more is
 * left out. A closing mark alone is ordinary text.
 */
export function removePrivateParts(text: string): string {
  if (!text.includes('<')) return text
  const mark = /<(\/?)private\s{0,8}>/gi
  let result = ''
  let kept = 0
  let depth = 0
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const closing = found[1] !== ''
    if (!closing && depth === 0) result += text.slice(kept, found.index) + LEFT_OUT
    if (!closing) depth += 1
    else if (depth > 0) {
      depth -= 1
      kept = mark.lastIndex
    }
  }
  if (depth > 0) return result
  return kept === 0 ? text : result + text.slice(kept)
}
