// An error without its text: the name or code that a language, a system or a protocol gives it. An error's text is
// outside text, so no note quotes it.

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

/** An error's line as an entry quotes it: without the mark of a list and the colon before a text that is not shown. */
export const quotableError = (error: string): string => error.replace(/^[×✗✕✖●] /, '').replace(/:$/, '')

/** A line with its quotation of an error replaced by the error's class. */
export const withoutQuotedError = (line: string): string =>
  line.replace(/“([\s\S]*)”/, (_, quoted: string) => errorClass(quoted))
