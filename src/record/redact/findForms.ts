// Finds secrets by the words around them: in commands and in sentences. The forms are data.
import { isLocation, isPasswordInSentence, isPlaceholder, isRandom, isReference } from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'

/** What a value is like: no placeholder; letters with digits; what only a machine writes; four to eight digits. */
export type FormValue = 'any' | 'mixed' | 'random' | 'digits'

/**
 * A form: the words it begins with, in lower case with `|` between them; what the value is like; and a pattern of what
 * follows these words, in which `%` is the value and `_` white space. All quantifiers in it are bounded, so time is
 * linear in the text.
 */
export type SecretForm = readonly [anchors: string, value: FormValue, source: string]

/** A value ends at white space and at signs that end a word of a command. Quotes may be escaped by JSON. */
const VALUE =
  '(?:\\\\{0,3}["\'`「『(]{1,2})?([^\\s"\'`\\\\;|<>「」『』、。\\u3000-\\u9fff\\uff00-\\uffef]{3,256})'

/** Whether one of the forms can be in a text; `lower` is the text in lower case. */
export const mayHaveForm = (forms: readonly SecretForm[], lower: string): boolean =>
  forms.some(([anchors]) => anchors.split('|').some((anchor) => lower.includes(anchor)))

const patterns = new Map<string, RegExp>()

function patternOf(source: string): RegExp {
  const pattern =
    patterns.get(source) ?? new RegExp(source.replaceAll('_', '\\s{1,4}').replaceAll('%', VALUE), 'diy')
  patterns.set(source, pattern)
  return pattern
}

/** Adds the span of every secret in one of the forms. */
export function findForms(forms: readonly SecretForm[], text: string, spans: SecretSpan[]): void {
  const lower = text.toLowerCase()
  // The lower case of a few letters is longer: then only words in lower case are found.
  const searched = lower.length === text.length ? lower : text
  for (const [anchors, kind, source] of forms) {
    for (const anchor of anchors.split('|')) {
      for (let at = searched.indexOf(anchor); at !== -1; at = searched.indexOf(anchor, at + 1)) {
        if (isWordStart(searched, at)) findAt(text, at + anchor.length, { kind, pattern: patternOf(source) }, spans)
      }
    }
  }
}

/** Whether no word goes on at `at`; a line break that JSON escapes is none. */
const isWordStart = (lower: string, at: number): boolean =>
  !/[a-z0-9]/.test(lower[at] ?? '') || !/(?<!\\)[a-z0-9]$/.test(lower.slice(Math.max(0, at - 2), at))

function findAt(
  text: string,
  at: number,
  { kind, pattern }: { readonly kind: FormValue; readonly pattern: RegExp },
  spans: SecretSpan[],
): void {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  if (!match) return
  for (let group = 1; group < match.length; group += 1) {
    const start = match.indices?.[group]?.[0]
    const value = match[group]?.replace(/[,.:)\]}?]+$/, '')
    if (start !== undefined && value && isFormValue(value, kind))
      spans.push({ start, end: start + value.length, kind: kind === 'random' ? 'key' : 'password' })
  }
}

function isFormValue(value: string, kind: FormValue): boolean {
  if (value.includes(REDACTED_PREFIX) || isPlaceholder(value) || isReference(value) || isLocation(value)) return false
  if (kind === 'digits') return /^\d{4,8}$/.test(value)
  if (kind === 'random') return isRandom(value)
  return kind === 'mixed' ? isPasswordInSentence(value) : !/^-|^[\d.]{1,5}$/.test(value)
}
