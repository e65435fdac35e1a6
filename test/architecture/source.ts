// Splits a source file into code, comments and strings. Our own reader, because TypeScript 7 has no API to import.

/** An import, with its target as written: `./log.ts`, `node:fs`, `lowdb`. Type-only imports and re-exports count. */
export interface Imported {
  readonly from: string
  readonly line: number
  /** The imported names in their module, or `*` for all of them. */
  readonly names: readonly string[]
}

/** A string, or a template with `…` in place of each expression. */
export interface Literal {
  readonly text: string
  readonly line: number
  /** The code before the literal on its line, or on the line before if there is none. */
  readonly before: string
}

/** A declaration at the top level that starts with `export`. */
export interface Exported {
  readonly name: string
  readonly isType: boolean
  readonly line: number
  /** Code of the declaration; of a function without its body. */
  readonly signature: string
}

/**
 * The text with every comment and the content of every string and regular expression replaced by spaces. Length and
 * lines stay, so a match in it is code, and its position is the position in the file.
 */
export const codeOf = (text: string): string => parse(text).code

/** Every string and template of a file. */
export function literalsOf(text: string): Literal[] {
  const { code, literals } = parse(text)
  return literals.map((literal) => ({
    text: literal.text,
    line: lineAt(text, literal.at),
    before: lastLineOf(code.slice(0, literal.at)),
  }))
}

/** All imports of a file: from, side effect, `import()`, `require()`; `?` for a computed name. */
export function importsOf(text: string): Imported[] {
  const code = codeOf(text)
  return [...code.matchAll(IMPORT)].map((match) => {
    const quote = match.index + match[0].length - 1
    const isNamed = /['"]/.test(code[quote] ?? '')
    const end = isNamed ? code.indexOf(code[quote] ?? '', quote + 1) : quote
    return {
      from: isNamed ? text.slice(quote + 1, end) : '?',
      line: lineAt(text, match.index),
      names: namesOf(match[0]),
    }
  })
}

/** Every export of a file, except re-exports of other files. */
export function exportsOf(text: string): Exported[] {
  const code = codeOf(text)
  return [...code.matchAll(EXPORT)].map((match) => {
    const [, kind = '', name = ''] = match
    const rest = code.slice(match.index)
    const end = rest.slice(1).search(kind === 'function' ? FUNCTION_BODY : NEXT_STATEMENT)
    const signature = end === -1 ? rest : rest.slice(0, end + 1)
    return { name, isType: kind === 'type' || kind === 'interface', line: lineAt(text, match.index), signature }
  })
}

/** The line of a position in the text, from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) line += 1
  return line
}

interface Parsed {
  readonly code: string
  readonly literals: readonly { readonly text: string; readonly at: number }[]
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const TEMPLATE_CHUNK = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y
const PLAIN = /[^'"`/{}]+/y

// A slash starts a regular expression where a value is expected; after a value it is a division.
const BEFORE_VALUE = /(?:^|[(,=:[!&|?{};+*%<>~^-]|\b(?:return|typeof|case|of|in|yield|await))\s*$/

// The last character matched is the quote that opens the name, or the first one of a name that is computed.
const IMPORT = /\b(?:import|export)\b[^'"`()=]*?\bfrom\s*['"]|\bimport\s*['"]|\b(?:import|require)\s*\(\s*[^)\s]/g

const EXPORT =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function|const|let|class|interface|type)\b\s*\*?\s*([\w$]+)/gm

// Formatted code starts top-level statements in the first column, and the body of a function with ` {` at the line end.
const NEXT_STATEMENT = /\n(?=[^\s)}\]])/
const FUNCTION_BODY = /(?<=[^:(=&|,]) \{\n/

// Every rule reads every file, so each text is parsed once.
const parsed = new Map<string, Parsed>()

function parse(text: string): Parsed {
  const known = parsed.get(text)
  if (known) return known
  const result = parseText(text)
  parsed.set(text, result)
  return result
}

function parseText(text: string): Parsed {
  let code = ''
  let at = 0
  const literals: { text: string; at: number }[] = []
  // For each open `${` the number of open braces inside it, and its template so far.
  const openTemplates: { braces: number; template: { text: string; at: number } }[] = []
  const take = (length: number): void => {
    code += text.slice(at, at + length)
    at += length
  }
  const blank = (token: string, edges: number): void => {
    const inside = token.slice(edges, token.length - edges).replace(/[^\n]/g, ' ')
    code += token.slice(0, edges) + inside + token.slice(token.length - edges)
    at += token.length
  }
  const readTemplate = (template: { text: string; at: number }): void => {
    const chunk = matchAt(TEMPLATE_CHUNK, text, at + 1)
    const opens = text.startsWith('${', at + 1 + chunk.length)
    code += text.slice(at, at + 1) + chunk.replace(/[^\n]/g, ' ')
    at += 1 + chunk.length
    take(opens ? 2 : 1)
    template.text += chunk + (opens ? '…' : '')
    if (opens) openTemplates.push({ braces: 0, template })
    else literals.push(template)
  }

  while (at < text.length) {
    const plain = matchAt(PLAIN, text, at)
    if (plain) {
      take(plain.length)
      continue
    }
    const comment = matchAt(COMMENT, text, at)
    const quoted = matchAt(QUOTED, text, at)
    const pattern = text[at] === '/' && BEFORE_VALUE.test(lastLineOf(code)) ? matchAt(PATTERN, text, at) : ''
    const open = openTemplates.at(-1)
    if (comment) blank(comment, 0)
    else if (quoted) {
      literals.push({ text: quoted.slice(1, -1), at })
      blank(quoted, 1)
    } else if (pattern) blank(pattern, 1)
    else if (text[at] === '`') readTemplate({ text: '', at })
    else if (text[at] === '}' && open?.braces === 0) {
      openTemplates.pop()
      readTemplate(open.template)
    } else {
      if (open) open.braces += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0
      take(1)
    }
  }
  return { code, literals: literals.sort((a, b) => a.at - b.at) }
}

/** The last line with anything on it. */
function lastLineOf(code: string): string {
  const trimmed = code.trimEnd()
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1)
}

function namesOf(statement: string): string[] {
  const braces = /\{([^}]*)\}/.exec(statement)?.[1]
  if (braces === undefined) return ['*']
  return braces
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^type\s+/, '')
        .replace(/\s+as\s[\s\S]*$/, ''),
    )
    .filter(Boolean)
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
