// A command in a general form, the same in every session: numbers, hashes, ids and texts become placeholders.
import { commandFamily } from '../../text/command.ts'
import { shellQuote } from './shellQuote.ts'

/** Longest form in characters; the rest is cut at a word. */
const FORM_CHARS_MAX = 90

/** The words as one line, quoted where needed, with `<n>`, `<id>` and `<text>` for values that differ each time. */
export function formatForm(words: readonly string[]): string {
  const shown: string[] = []
  let chars = 0
  for (const word of words.map(generalizeWord)) {
    chars += word.length + 1
    if (chars > FORM_CHARS_MAX && shown.length > 1) {
      shown.push('…')
      break
    }
    shown.push(word)
  }
  return shown.join(' ')
}

/** A word with placeholders: `pulls/12/comments` → `pulls/<n>/comments`, a sentence → `<text>`. */
export function generalizeWord(word: string): string {
  const at = word.indexOf('=')
  const [name, value] =
    at > 0 && /^-{0,2}[\w-]+$/.test(word.slice(0, at)) ? [word.slice(0, at + 1), word.slice(at + 1)] : ['', word]
  if (/\n/.test(value) || value.length > 60 || /\s\S+\s\S+\s/.test(value)) return `${name}<text>`
  const general = value
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '<id>')
    .replace(/(?<![\w.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w.-])/gi, '<id>')
    .replace(/(?<=^|[/#])\d+(?=$|[/?])/g, '<n>')
  return `${name}${shellQuote(general)}`
}

/** The family of a simple command: `git show`, `npm run lint`, `cat`. */
export const familyOf = (words: readonly string[]): string =>
  commandFamily(words.map((word) => `'${word.replaceAll("'", '')}'`).join(' '))
