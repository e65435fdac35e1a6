// What may be shown unasked of text from outside: the class of an error instead of its text, and plain names. An
// error's text is outside text, so no note quotes it; a name can be a sentence, and a sentence an order.
import type { Knowledge } from '../model/knowledge.ts'

/** Names of exceptions of at most three words, codes of systems, compilers and HTTP, exit codes. */
const CLASS = new RegExp(
  String.raw`\b(?:(?:[A-Z][a-z]{1,12}){1,3}(?:Error|Exception|Panic|Fault|Warning)|E(?!RROR)[A-Z]{3,12}(?=[\s:,]|$)|` +
    String.raw`ERR_[A-Z]{2,12}(?:_[A-Z]{2,14}){0,3}|TS\d{3,5}|[A-Z]{1,4}\d{3,5}|(?:HTTP|status) [1-5]\d\d|` +
    String.raw`SIG[A-Z]{3,5}|exit code \d{1,3})\b`,
)

/** What an error without a name is called. */
export const NO_CLASS = 'an error'

/** `TypeError`, `ENOENT`, `TS2304`; undefined for an error without such a name. */
export const errorName = (error: string): string | undefined => CLASS.exec(error.slice(0, 400))?.[0]

/** The same; "an error" without a name. */
export const errorClass = (error: string): string => errorName(error) ?? NO_CLASS

/** An error's line as an entry quotes it: without the mark of a list and the colon before a text that is not shown. */
export const quotableError = (error: string): string => error.replace(/^[×✗✕✖●] /, '').replace(/:$/, '')

/** The line of an entry; of one that quotes an error, as rules write them, with only its name, if it has one. */
export const withoutQuotedError = ({ author, line }: Pick<Knowledge, 'author' | 'line'>): string =>
  author === 'rule' || author === 'teammate'
    ? line
        .replace(/(: )?“[\s\S]*(?:”|…$)/, (quoted, named) => (named ? '' : errorClass(quoted)))
        .replace(/ with an error(?=\.?$)/, '')
    : line

/** Words that a part of a name may have before it reads like a sentence. */
const NAME_WORDS_MAX = 6
const NAME_CHARS_MAX = 80
const JAPANESE_CHARS_MAX = 14

/** Whether a path or branch has only short parts of ordinary characters. */
export const isPlainName = (path: string): boolean => path.split('/').every(isPlainPart)

function isPlainPart(part: string): boolean {
  if (part.length > NAME_CHARS_MAX || /[\p{Cc}\p{Cf}]/u.test(part)) return false
  if ((part.match(/[\u3040-\u30ff\u3400-\u9fff]/g) ?? []).length > JAPANESE_CHARS_MAX) return false
  if (part.split(' ').length > 3) return false
  const words = part.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/\p{L}{2,}/gu) ?? []
  return words.length < NAME_WORDS_MAX
}

/** Whether every word of a command is plain: no quoted sentence, no name that is one. */
export const isPlainCommand = (command: string): boolean =>
  !/(["'])[^"']*\s[^"']*\s[^"']*\s[^"']*\1/.test(command) &&
  !/[\u3040-\u30ff\u3400-\u9fff]{15}/.test(command) &&
  command.split(/[\s"'=]+/).every(isPlainName)
