// The language of the lines for a person: a table of English texts and their translation, as in gettext.
//
//   "{n} {memory|memories} of {x}": "{x} の記憶 {n} 件"
//
// English texts stay in the code. `translate` is called where all of them pass: cells, wrapped texts, printed lines,
// the help, errors. What memctl has not written itself, and what is translated already, is isolated: no row changes it.
import { pattern } from '../text/pattern.ts'

/**
 * By its English text. `{n}` is a number, `{t}` a text with a row of its own, `{w}` a word, `{x}` anything; `{a|b}` one
 * of these words.
 */
export type TextTable = Readonly<Record<string, string>>

interface Row {
  readonly pattern: RegExp
  /** The placeholders of the pattern, in its order. */
  readonly names: readonly string[]
  readonly translation: string
  /** Characters beside the placeholders. */
  readonly chars: number
}

interface Texts {
  readonly plain: ReadonlyMap<string, string>
  /** Those with placeholders, the row with the longest words first. */
  readonly rows: readonly Row[]
}

let texts: Texts | undefined

/** Uses this table from now on; without a table, texts stay English. */
export function setTexts(table: TextTable | undefined): void {
  const entries = Object.entries(table ?? {})
  const rows = entries.filter(([text]) => PLACEHOLDER.test(text)).map(compileRow)
  texts = table && { plain: new Map(entries), rows: rows.sort((a, b) => b.chars - a.chars) }
}

export const isEnglish = (): boolean => texts === undefined

/** A word that a person types, such as a kind; in another language than English with its name there. */
export const inBothLanguages = (word: string): string => (texts ? `${word} ${translate(word)}` : word)

/** A placeholder in a row, or several words of which one is there. */
const PLACEHOLDER = /\{(?:([ntwx]\d?)|([^{}]*\|[^{}]*))\}/

const PATTERNS: Readonly<Record<string, string>> = {
  n: String.raw`([+-]?\d[\d,.]*)`,
  t: '(.+?)',
  w: String.raw`([^\s,]+)`,
  x: '(.+?)',
}

/** The same, or a character that means something in a pattern. */
const PLACEHOLDER_OR_SIGN = new RegExp(String.raw`${PLACEHOLDER.source}|[.*+?^$()|[\]\\{}]`, 'g')

function compileRow([text, translation]: readonly [string, string]): Row {
  const names = [...text.matchAll(PLACEHOLDER_OR_SIGN)].flatMap(([, name = []]) => name)
  const chars = text.replaceAll(new RegExp(PLACEHOLDER, 'g'), '').length
  const source = text.replaceAll(PLACEHOLDER_OR_SIGN, (part: string, name?: string, words?: string) =>
    name ? `${PATTERNS[name.charAt(0)]}` : words ? `(?:${words})` : `\\${part}`,
  )
  return { pattern: new RegExp(`^${source}$`, 's'), names, translation, chars }
}

/** Begin and end of a text that stays as it is. Neither can be in such a text, and no line is printed with them. */
const [OPEN, CLOSE] = ['\u2068', '\u2069']

/** Keeps a text from being translated, in whatever line it is. */
export const isolate = (text: string): string => (texts ? `${OPEN}${removeMarks(text)}${CLOSE}` : text)

const removeMarks = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '')

/** The text in the language of the terminal, or as it is if it has no row. Colours and spaces around it stay. */
export function translate(text: string): string {
  if (!texts) return text
  const kept: string[] = []
  const open = text.replaceAll(/\u2068[^\u2069]*\u2069?/g, (part) => `${OPEN}${kept.push(part) - 1}${CLOSE}`)
  const translated = findTranslation(open, texts) ?? open
  return removeMarks(translated.replaceAll(/\u2068(\d+)\u2069/g, (_, at) => kept[Number(at)] ?? ''))
}

/** The kinds of memories that memctl words itself, around the words of others; all else is in somebody's words. */
const OWN_KINDS = ['summary', 'experience']
/** What memctl writes there. */
const OWN_CLAUSE = pattern(
  String.raw`^(?:Nothing was changed$|A prompt without words|Changed |[Cc]ommitted "|[Oo]pened |
    (?:[Oo]pen|At its end|[Aa]sked|Worked on|Changed|Commits|Plan|changed after the last commit|not done|not answered|
    left for later|question to the person):\s|(?:tests|lint|types|build|format)\b[\w, ]* (?:pass|fail))`,
)

/** The text of a memory of this kind, with these clauses in the language of the terminal. */
export function translateStored(text: string, kind: string | undefined): string {
  if (!texts || kind === undefined || !OWN_KINDS.includes(kind)) return text
  const clauses = text.split(/(\n|; | → |(?<=^|; |\n)(?:[Oo]pen|At its end): )/)
  return clauses.map((clause) => (OWN_CLAUSE.test(clause) ? translate(clause) : clause)).join('')
}

/** Colours, spaces and the mark of a list item, then words, then the same. */
const AROUND = /^((?:\u001b\[\d+m|\s|[-•] )*)(.*?)((?:\u001b\[\d+m|\s)*)$/s

/** Undefined for a text without a row. What has no letters needs none. */
function findTranslation(text: string, { plain, rows }: Texts): string | undefined {
  const [, before = '', words = '', after = ''] = AROUND.exec(text) ?? []
  const same = /[A-Za-z]/.test(words) ? plain.get(words) : words
  if (same !== undefined) return before + same + after
  for (const { pattern: row, names, translation } of rows) {
    const [match, ...found] = row.exec(words) ?? []
    const values = found.map((value, i) =>
      names[i]?.startsWith('t') ? findTranslation(value, { plain, rows }) : value,
    )
    if (match === undefined || values.includes(undefined)) continue
    return (
      before +
      translation.replaceAll(/\{([ntwx]\d?)\}/g, (_, name: string) => values[names.indexOf(name)] ?? '') +
      after
    )
  }
  return undefined
}
