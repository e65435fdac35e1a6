// Splits a source file into code, comments and strings. Our own reader, because TypeScript 7 has no API to import.

/** The target of an import as written: `./log.ts`, `node:fs`, `lowdb`. Type-only imports and re-exports count. */
export interface Imported {
  readonly from: string
  readonly line: number
}

/**
 * The text with every comment and the content of every string and regular expression replaced by spaces. Length and lines
 * stay, so a match in it is code, and its position is the position in the file.
 */
export function codeOf(text: string): string {
  let code = ''
  let at = 0
  // For each open `${` the number of open braces inside it.
  const openBraces: number[] = []
  const take = (length: number): void => {
    code += text.slice(at, at + length)
    at += length
  }
  const blank = (token: string, edges: number): void => {
    const inside = token.slice(edges, token.length - edges).replace(/[^\n]/g, ' ')
    code += token.slice(0, edges) + inside + token.slice(token.length - edges)
    at += token.length
  }
  const template = (edge: number): void => {
    const chunk = matchAt(TEMPLATE_CHUNK, text, at + edge)
    const opens = text.startsWith('${', at + edge + chunk.length)
    code += text.slice(at, at + edge) + chunk.replace(/[^\n]/g, ' ')
    at += edge + chunk.length
    take(opens ? 2 : 1)
    if (opens) openBraces.push(0)
  }

  while (at < text.length) {
    const comment = matchAt(COMMENT, text, at)
    const quoted = matchAt(QUOTED, text, at)
    const pattern = text[at] === '/' && BEFORE_VALUE.test(code) ? matchAt(PATTERN, text, at) : ''
    if (comment) blank(comment, 0)
    else if (quoted) blank(quoted, 1)
    else if (pattern) blank(pattern, 1)
    else if (text[at] === '`') template(1)
    else if (text[at] === '}' && openBraces.at(-1) === 0) {
      openBraces.pop()
      template(1)
    } else {
      if (openBraces.length > 0) openBraces[openBraces.length - 1]! += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0
      take(1)
    }
  }
  return code
}

/** All imports of a file: from, side effect, `import()`, `require()`; `?` for a computed name. */
export function importsOf(text: string): Imported[] {
  const code = codeOf(text)
  return [...code.matchAll(IMPORT)].map((match) => {
    const quote = match.index + match[0].length - 1
    const isNamed = /['"]/.test(code[quote]!)
    const end = isNamed ? code.indexOf(code[quote]!, quote + 1) : quote
    return { from: isNamed ? text.slice(quote + 1, end) : '?', line: lineAt(text, match.index) }
  })
}

/** The line of a position in the text, from 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const TEMPLATE_CHUNK = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y

// A slash starts a regular expression where a value is expected; after a value it is a division.
const BEFORE_VALUE = /(?:^|[(,=:[!&|?{};+*%<>~^-]|\b(?:return|typeof|case|of|in|yield|await))\s*$/

// The last character matched is the quote that opens the name, or the first one of a name that is computed.
const IMPORT = /\b(?:import|export)\b[^'"`()=]*?\bfrom\s*['"]|\bimport\s*['"]|\b(?:import|require)\s*\(\s*[^)\s]/g

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
