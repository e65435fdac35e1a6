// The short form and the subject of a statement, from its text.
import { firstLine } from './excerpt.ts'
import { extractTerms } from './terms/extractTerms.ts'

/** Characters of the short form: one line of a note. */
const SHORT_CHARS_MAX = 200

/** Terms of a subject: enough to tell two statements apart. */
const SUBJECT_TERMS_MAX = 12

/** What a statement derives from its text; a text of several lines becomes one. */
export const describeStatement = (text: string): { readonly short: string; readonly subject: readonly string[] } => ({
  short: firstLine(text.replace(/\s+/g, ' '), SHORT_CHARS_MAX),
  subject: [...new Set(extractTerms(text))].slice(0, SUBJECT_TERMS_MAX),
})
