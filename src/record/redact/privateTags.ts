// Private tags: what a user marks with <private> never reaches the log.

/** What replaces a private part. */
const PLACEHOLDER = '[private]'

/** A JSON value, with the private parts removed from every string in it. */
export function removePrivateDeep(value: unknown): unknown {
  if (typeof value === 'string') return removePrivateParts(value)
  if (Array.isArray(value)) return value.map(removePrivateDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, removePrivateDeep(field)]))
}

/**
 * `text` with everything from `<private>` to `</private>` replaced by `[private]`.
 *
 * Any case. Nested tags count as one, and a tag that is never closed reaches to the end of the text: in doubt, more is
 * removed. A closing tag alone is ordinary text.
 */
export function removePrivateParts(text: string): string {
  if (!text.includes('<')) return text
  const tag = /<(\/?)private\s{0,8}>/gi
  let result = ''
  let publicStart = 0
  let depth = 0
  for (let match = tag.exec(text); match; match = tag.exec(text)) {
    const isClosing = match[1] !== ''
    if (!isClosing && depth === 0) result += text.slice(publicStart, match.index) + PLACEHOLDER
    if (!isClosing) depth += 1
    else if (depth > 0) {
      depth -= 1
      publicStart = tag.lastIndex
    }
  }
  if (depth > 0) return result
  return publicStart === 0 ? text : result + text.slice(publicStart)
}
