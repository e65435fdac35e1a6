// What a source file says in code, apart from its comments and strings. A reader of ours: TypeScript 7 has none to import.

/** Where an import leads, as it is written: `./log.ts`, `node:fs`, `lowdb`. Type-only imports and re-exports count. */
export interface Imported {
  readonly from: string
  readonly line: number
}

/**
 * The text with every comment, and the inside of every string and regular expression, as spaces: same length, same lines,
 * so a word found in it is code, and its place is its place in the file.
 */
export function codeOf(text: string): string {
  let code = ''
  let at = 0
  // One number an open `${`: how many braces are open inside it.
  const holes: number[] = []
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
    if (opens) holes.push(0)
  }

  while (at < text.length) {
    const comment = matchAt(COMMENT, text, at)
    const quoted = matchAt(QUOTED, text, at)
    const pattern = text[at] === '/' && VALUE_COMES.test(code) ? matchAt(PATTERN, text, at) : ''
    if (comment) blank(comment, 0)
    else if (quoted) blank(quoted, 1)
    else if (pattern) blank(pattern, 1)
    else if (text[at] === '`') template(1)
    else if (text[at] === '}' && holes.at(-1) === 0) {
      holes.pop()
      template(1)
    } else {
      if (holes.length > 0) holes[holes.length - 1]! += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0
      take(1)
    }
  }
  return code
}

/** Everything a file imports, in any form: from, side effect, `import()`, `require()`; `?` where the name is computed. */
export function importsOf(text: string): Imported[] {
  const code = codeOf(text)
  return [...code.matchAll(IMPORT)].map((match) => {
    const quote = match.index + match[0].length - 1
    const isNamed = /['"]/.test(code[quote]!)
    const end = isNamed ? code.indexOf(code[quote]!, quote + 1) : quote
    return { from: isNamed ? text.slice(quote + 1, end) : '?', line: lineAt(text, match.index) }
  })
}

/** Number of the line that a place in the text lies in, from 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const TEMPLATE_CHUNK = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y

// A slash begins a regular expression where a value is due; after a value it divides.
const VALUE_COMES = /(?:^|[(,=:[!&|?{};+*%<>~^-]|\b(?:return|typeof|case|of|in|yield|await))\s*$/

// The last character matched is the quote that opens the name, or the first one of a name that is computed.
const IMPORT = /\b(?:import|export)\b[^'"`()=]*?\bfrom\s*['"]|\bimport\s*['"]|\b(?:import|require)\s*\(\s*[^)\s]/g

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
