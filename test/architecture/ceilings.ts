// Finds what a ceiling limits: each function returns the places, so that a test can count and print them.
import path from 'node:path'
import type { Tree } from './rules.ts'
import { codeOf, exportsOf, importsOf, lineAt } from './source.ts'

/** Non-null assertions: `value!`. A definite assignment of a field, `field!: Type`, is none. */
export const findNonNullAssertions = (tree: Tree): string[] => findMatches(tree, /(?<=[\w$)\]}])!(?![=:\w])/g)

/** Spreads of an object literal, `...{ a, b }`. They only pack several properties into one line. */
export const findPackingSpreads = (tree: Tree): string[] => findMatches(tree, /\.\.\.\{/g)

/** Functions, methods and function types with more than `parametersMax` parameters. */
export function findLongParameterLists(tree: Tree, parametersMax: number, mayExceed: RegExp = /(?!)/): string[] {
  return [...tree].flatMap(([file, text]) => {
    // An arrow would look like the end of a type argument.
    const code = codeOf(text).replaceAll('=>', '⇒ ')
    return [...code.matchAll(/\(/g)].flatMap(({ index }) => {
      const end = closingOf(code, index)
      if (end === -1 || !isParameterList(code, index, end)) return []
      const count = countParameters(code.slice(index + 1, end))
      const name = /([\w$]*)\s*(?:<[^()]*>)?\s*$/.exec(code.slice(Math.max(0, index - 120), index))?.[1] ?? ''
      const place = `${file}:${lineAt(text, index)}: ${name || 'function'}`
      return count > parametersMax && !mayExceed.test(place) ? [`${place} has ${count} parameters`] : []
    })
  })
}

/**
 * Exports that no file of `users` imports and that no exported signature of their own file needs. A file that imports
 * a whole module, such as with `import()`, uses the exports that it names.
 */
export function findUnusedExports(tree: Tree, users: Tree, entryFiles: readonly string[]): string[] {
  const used = new Map<string, Set<string>>()
  for (const [file, text] of users) {
    for (const { from, names } of importsOf(text)) {
      if (!from.startsWith('.')) continue
      const target = path.posix.join(path.posix.dirname(file), from)
      const all = names.includes('*') ? (codeOf(text).match(/[\w$]+/g) ?? []) : names
      const known = used.get(target) ?? new Set<string>()
      for (const name of all) known.add(name)
      used.set(target, known)
    }
  }
  return [...tree].flatMap(([file, text]) => {
    if (entryFiles.includes(file)) return []
    const exported = exportsOf(text)
    const isNeeded = (name: string): boolean =>
      exported.some((other) => other.name !== name && hasWord(other.signature, name))
    return exported
      .filter(({ name }) => !used.get(file)?.has(name) && !isNeeded(name))
      .map(({ name, line }) => `${file}:${line}: nobody imports ${name}`)
  })
}

/** Lines that are longer than `columnsMax`. A URL does not count; in Markdown neither do tables and code. */
export function findLongLines(tree: Tree, columnsMax: number): string[] {
  return [...tree].flatMap(([file, text]) => {
    let isFenced = false
    return text.split('\n').flatMap((line, index) => {
      if (file.endsWith('.md')) {
        if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
        if (isFenced || /^(?: {4}|\t|\s*\|)/.test(line)) return []
      }
      const columns = [...line.replace(/https?:\/\/[^\s)>\]]+/g, '')].length
      return columns > columnsMax ? [`${file}:${index + 1}: ${columns} columns`] : []
    })
  })
}

/** Empty catch blocks without a comment in the block, on its line or on the line before. */
export function findEmptyCatches(tree: Tree): string[] {
  return [...tree].flatMap(([file, text]) => {
    const lines = text.split('\n')
    return [...codeOf(text).matchAll(/\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}/g)].flatMap((match) => {
      const first = lineAt(text, match.index)
      const last = lineAt(text, match.index + match[0].length)
      const hasReason = lines.slice(Math.max(0, first - 2), last).some((line) => /\/\/|\/\*/.test(line))
      return hasReason ? [] : [`${file}:${first}: an empty catch without a reason`]
    })
  })
}

/** Number of lines of all files together. */
export const countLines = (tree: Tree): number =>
  [...tree.values()].reduce((sum, text) => sum + text.replace(/\n$/, '').split('\n').length, 0)

const findMatches = (tree: Tree, pattern: RegExp): string[] =>
  [...tree].flatMap(([file, text]) =>
    [...codeOf(text).matchAll(pattern)].map((match) => `${file}:${lineAt(text, match.index)}`),
  )

const hasWord = (code: string, word: string): boolean =>
  new RegExp(`(?<![\\w$.])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(code)

const NO_FUNCTION = /\b(?:if|for|while|switch|catch|with|return|await)\s*$/

/** Whether the parentheses from `start` to `end` hold parameters, by what stands around them in formatted code. */
function isParameterList(code: string, start: number, end: number): boolean {
  const before = code.slice(Math.max(0, start - 60), start)
  const after = code.slice(end + 1, end + 40)
  if (NO_FUNCTION.test(before)) return false
  // A return type follows without a space, the colon of a condition with one.
  return /\bfunction\b[^(){};]*$/.test(before) || /^\s*⇒/.test(after) || /^:/.test(after) || /^ \{/.test(after)
}

function closingOf(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1
    if (code[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

function countParameters(list: string): number {
  let depth = 0
  let isEmpty = true
  let count = 0
  for (const character of list) {
    if ('([{<'.includes(character)) depth += 1
    if (')]}>'.includes(character)) depth -= 1
    if (depth === 0 && character === ',') {
      count += 1
      isEmpty = true
    } else if (character.trim() !== '') isEmpty = false
  }
  return isEmpty ? count : count + 1
}

/** Places grouped by file, for the message of a failed test: `file: 3, 7`. */
export function groupByFile(places: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const place of places) {
    const [, file = place, rest = ''] = /^([^:]+):(.*)$/.exec(place) ?? []
    groups.set(file, [...(groups.get(file) ?? []), rest])
  }
  return [...groups].map(([file, rest]) => `${file}: ${rest.join(', ')}`).join('\n')
}
