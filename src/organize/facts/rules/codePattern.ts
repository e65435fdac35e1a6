// Code without the names of one project, so that a line of it can stand for others.
import { splitTokens } from './lineChanges.ts'

/** Keywords of many languages that one replaces by another. */
export const KEYWORDS = new Set(
  (
    'if else elif elsif switch case match when for foreach while loop var let const val static final readonly any ' +
    'unknown never object interface type function class try catch except finally with using defer async await yield ' +
    'return throw raise import require lambda def fn map filter is not in of == === != !== private protected public'
  ).split(' '),
)

/** Shortens texts and replaces the longer names that are not called and not in the message by letters. */
export function nameReplacer(message: string): (line: string) => string {
  const letters = new Map<string, string>()
  return (line) =>
    line
      .replace(/\s*(?:\/\/|#\s).*$/, '')
      .replace(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/g, (text, quote: string, inner: string) =>
        inner.length <= 3 ? text : `${quote}${shortenText(inner)}${quote}`,
      )
      .replace(
        /(["'`])(?:\\.|(?!\1)[^\\])*\1|[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*(?![\w$]|\.\w|::|->|\s*\()/g,
        (name, quote) => {
          if (quote !== undefined || name.length <= 4 || KEYWORDS.has(name) || COMMON.has(name)) return name
          if (namesToken(message, name)) return name
          const letter = letters.get(name) ?? 'xyzabcdefg'.charAt(letters.size)
          letters.set(name, letter)
          return letter === '' ? name : letter
        },
      )
}

const COMMON = new Set('string number boolean undefined false break continue default error Error'.split(' '))

/** A text with its words left out, but its placeholders kept: `…: %w`. */
const shortenText = (text: string): string => {
  const kept = /:? ?(?:%\+?[a-z]|\$?\{\w*\})$/.exec(text)?.[0] ?? ''
  return `…${kept}`
}

/** Whether the message names the token, with or without the path of its package. */
export const namesToken = (message: string, token: string): boolean =>
  new RegExp(`(?:^|[^\\w$])${token.replace(/[.$]/g, '\\$&')}(?![\\w$])`).test(message)

/** Whether the new code has a call, a keyword or an operator that the old code lacks, and is a whole statement. */
export function isUsefulExample(removed: string, added: string): boolean {
  const old = new Set(splitTokens(removed))
  const fresh = splitTokens(added).filter((token) => !old.has(token))
  if (!fresh.some((token) => /^(?:[\w$.:]{2,}|\.|[=!<>&|+*-]+=?)$/.test(token)) || !/[A-Za-z]/.test(added)) return false
  return !/[({[]$/.test(added) && !/^(?:\/\/|#|\/?\*|[)}\]])/.test(added) && /\w/.test(removed)
}

/** `fmt.Errorf("…: %w", err)` and `err` of `return nil, …`, if both are complete expressions. */
export function dropSharedStart(removed: string, added: string): readonly [string, string] {
  const starts = [...removed.matchAll(/[,=] |^return /g)].map(({ index, 0: text }) => index + text.length)
  for (const at of starts.toReversed()) {
    const [left, right] = [removed.slice(at), added.slice(at)]
    if (removed.slice(0, at) === added.slice(0, at) && left.length >= 3 && isBalanced(left) && isBalanced(right))
      return [left, right]
  }
  return [removed, added]
}

const isBalanced = (code: string): boolean =>
  ['()', '[]', '{}'].every(([open = '', close = '']) => code.split(open).length === code.split(close).length)
