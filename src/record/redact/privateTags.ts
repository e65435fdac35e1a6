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
 * A tag, with attributes. Its signs may be written as HTML entities or in full width. Group 1 is the slash of a closing
 * tag, group 2 what follows the name.
 */
const TAG =
  /(?:<|&lt;|＜)\s{0,8}([/／]?)\s*(?:\w+:)?private(?![\w-])((?:"[^"]{0,99}"|'[^']{0,99}'|[^"'<>＞&]){0,60}?)(?:>|&gt;|＞)/gi

/** Attributes as in HTML. Other words need a closing tag, because `<private key>` is a placeholder. */
const ATTRIBUTES = /^\s*(?:[\w:-]{1,40}\s?=\s?(?:"[^"]*"|'[^']*'|[^\s"']+)\s*)*$/

/**
 * `text` with everything from `<private>` to `</private>` replaced by `[private]`.
 *
 * Any case. Nested tags count as one, and a tag that is never closed reaches to the end of the text: in doubt, more is
 * removed. A closing tag alone is ordinary text, like a tag that closes itself.
 */
export function removePrivateParts(text: string): string {
  if (!/[<＜&]/.test(text)) return text
  const tags = [...text.matchAll(TAG)]
  const lastClosing = tags.findLast((tag) => tag[1] !== '')?.index ?? -1
  let result = ''
  let publicStart = 0
  let depth = 0
  for (const tag of tags) {
    const [all, slash, attributes = ''] = tag
    const isClosing = slash !== ''
    if (!isClosing && (attributes.endsWith('/') || (!ATTRIBUTES.test(attributes) && lastClosing < tag.index))) continue
    if (!isClosing && depth === 0) result += text.slice(publicStart, tag.index) + PLACEHOLDER
    if (!isClosing) depth += 1
    else if (depth > 0) {
      depth -= 1
      publicStart = tag.index + all.length
    }
  }
  if (depth > 0) return result
  return publicStart === 0 ? text : result + text.slice(publicStart)
}
