// An error without its text: the name or code that a language, a system or a protocol gives it. An error's text is
// outside text, so that only a note about this very failure quotes it.

/** Names of exceptions of at most three words, codes of systems, compilers and HTTP, exit codes. */
const CLASS = new RegExp(
  String.raw`\b(?:(?:[A-Z][a-z]{1,12}){1,3}(?:Error|Exception|Panic|Fault|Warning)|E[A-Z]{3,12}(?=[\s:,]|$)|` +
    String.raw`ERR_[A-Z]{2,12}(?:_[A-Z]{2,14}){0,3}|TS\d{3,5}|[A-Z]{1,4}\d{3,5}|(?:HTTP|status) [1-5]\d\d|` +
    String.raw`SIG[A-Z]{3,5}|exit code \d{1,3})\b`,
)

/** What an error without a name is called. */
export const NO_CLASS = 'an error'

/** `TypeError`, `ENOENT`, `TS2304`; "an error" if it has no such name. */
export const errorClass = (error: string): string => CLASS.exec(error.slice(0, 400))?.[0] ?? NO_CLASS

/** An error's line as a lesson has it: without the mark of a list and the colon before a text that is not shown. */
export const quotableError = (error: string): string => error.replace(/^[×✗✕✖●] /, '').replace(/:$/, '')

/** Characters of a quoted error. */
const QUOTE_CHARS_MAX = 160

/** The content of a lesson with its quotation of the error replaced by the error's class. */
export function withoutQuotedError(content: string, error = ''): string {
  if (content.includes('“')) return content.replace(/“([\s\S]*)”/, (_, quoted: string) => errorClass(quoted))
  // Lessons of earlier versions have no quotation marks.
  return error === '' ? content : content.replaceAll(error, errorClass(error))
}

/** The content of a lesson with its quotation marked as output and shortened; marks inside it are plain. */
export const withMarkedError = (content: string): string =>
  content.replace(/“([\s\S]*)”/, (_, quoted: string) => {
    const plain = quoted.replace(/[“”]/g, "'").replace(/\s+/g, ' ')
    return `output “${plain.length > QUOTE_CHARS_MAX ? `${plain.slice(0, QUOTE_CHARS_MAX - 1)}…` : plain}”`
  })
