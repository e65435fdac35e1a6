// Where a text stops being JSON. JSON.parse says that it does, but its message names the place only in some versions of Node.

export interface JsonBreak {
  /** Both from 1; the column in UTF-16 code units, as editors count. */
  readonly line: number
  readonly column: number
  /** What should stand there. */
  readonly expected: string
}

/** The first place where `text` is no JSON (RFC 8259); undefined where all of it is. */
export function jsonBreak(text: string): JsonBreak | undefined {
  const found = breakOf(text)
  if (!found) return undefined
  const lines = text.slice(0, found.at).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1, expected: found.expected }
}

const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

// One pass with a stack of open brackets, so that no depth of nesting can end it.
function breakOf(text: string): { at: number; expected: string } | undefined {
  let at = 0
  const open: ('{' | '[')[] = []
  const takes = (token: RegExp): boolean => {
    token.lastIndex = at
    const found = token.exec(text)
    if (found) at += found[0].length
    return found !== null
  }
  const takesSign = (sign: string): boolean => {
    takes(SPACE)
    if (text[at] !== sign) return false
    at++
    return true
  }
  const takesKey = (orElse = ''): string | undefined => {
    takes(SPACE)
    if (!takes(STRING)) return `a name in double quotes${orElse}`
    return takesSign(':') ? undefined : '":"'
  }

  for (;;) {
    takes(SPACE)
    if (takesSign('{')) {
      if (!takesSign('}')) {
        open.push('{')
        const missing = takesKey(' or "}"')
        if (missing) return { at, expected: missing }
        continue
      }
    } else if (takesSign('[')) {
      if (!takesSign(']')) {
        open.push('[')
        continue
      }
    } else if (!takes(STRING) && !takes(SCALAR)) return { at, expected: 'a value' }

    // A value is whole: close what ends here, until something goes on.
    for (;;) {
      const bracket = open.at(-1)
      if (bracket === undefined) {
        takes(SPACE)
        return at === text.length ? undefined : { at, expected: 'the end' }
      }
      if (takesSign(',')) {
        const missing = bracket === '{' ? takesKey() : undefined
        if (missing) return { at, expected: missing }
        break
      }
      const closing = bracket === '{' ? '}' : ']'
      if (!takesSign(closing)) return { at, expected: `"," or "${closing}"` }
      open.pop()
    }
  }
}
