// Finds retired words in the names of files, in exported names, and in the texts that users read.
import type { Tree } from './rules.ts'
import { exportsOf, literalsOf } from './source.ts'

/** Files and folders, and exports, with a retired word in their name. */
export function findRetiredNames(tree: Tree, retired: readonly string[]): string[] {
  const pattern = wordPattern(retired)
  return [...tree].flatMap(([file, text]) => [
    ...findWords(splitName(file), pattern).map((word) => `${file}: "${word}" in the name of the file`),
    ...exportsOf(text).flatMap(({ name, line }) =>
      findWords(splitName(name), pattern).map((word) => `${file}:${line}: "${word}" in the export ${name}`),
    ),
  ])
}

/**
 * Texts for users with a retired word. A text for users is a literal of several words, or an argument that describes a
 * command. Any other literal is data: a key, a path, a stored value. `allowed` maps a file, or `file: word`, to the
 * reason why its literals may contain the words.
 */
export function findRetiredTexts(
  tree: Tree,
  retired: readonly string[],
  allowed: Readonly<Record<string, string>> = {},
): string[] {
  const pattern = wordPattern(retired)
  return [...tree].flatMap(([file, text]) =>
    literalsOf(text)
      .filter((literal) => SEVERAL_WORDS.test(literal.text) || COMMAND_ARGUMENT.test(literal.before))
      .flatMap((literal) =>
        findWords(literal.text.toLowerCase(), pattern)
          .filter((word) => !(file in allowed) && !(`${file}: ${word}` in allowed))
          .map((word) => `${file}:${literal.line}: "${word}" in the text ${JSON.stringify(literal.text.slice(0, 80))}`),
      ),
  )
}

/** Allowed entries that allow nothing, because the file or its word is gone. */
export function findUnusedAllowances(
  tree: Tree,
  retired: readonly string[],
  allowed: Readonly<Record<string, string>>,
): string[] {
  const found = findRetiredTexts(tree, retired)
  return Object.keys(allowed).filter((key) => {
    const [file = '', word = ''] = key.split(': ')
    return !found.some((breach) => breach.startsWith(`${file}:`) && breach.includes(`: "${word}`))
  })
}

// Two words with a space between them; `…` stands for an expression in a template.
const SEVERAL_WORDS = /[\p{L}…)\]"'`,:;.]\s+["'`(<[]?[\p{L}…]/u

const COMMAND_ARGUMENT = /\.(?:command|alias|argument|option|requiredOption|description|summary)\(\s*(?:'[^']*',\s*)?$/

/** `src/store/logFile.ts` → `src store log file ts`, `HOOK_REGISTRATIONS` → `hook table`, `SEEN_MAX` → `seen max`. */
const splitName = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .toLowerCase()

const wordPattern = (words: readonly string[]): RegExp =>
  words.length === 0 ? /(?!)/g : new RegExp(`\\b(?:${words.join('|').replaceAll(' ', '[ -]')})\\b`, 'g')

const findWords = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern) ?? [])]
