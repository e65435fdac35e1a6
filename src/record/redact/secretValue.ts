// The value after a name: where it begins, how far it goes, whether it is a secret.
import {
  isLikelySecret,
  isReference,
  type NameStrength,
  RANDOM_CHARS_MIN,
  type ValueContext,
} from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'

/** A name with its dashes, which tell an option. */
export interface SecretName {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Where a value begins. */
export interface ValueStart {
  readonly at: number
  /** What opened the value: a quote, an escaped or Japanese one, or nothing. */
  readonly quote: string
  /** What stood between name and value. */
  readonly separator: string
}

/** Between a name and its value. */
const SEPARATOR =
  /\\?["'`]?\]?(?:\s{0,8}(?:=>|:=|\?=|[=!]==?|=|:(?![:/])|：)\s{0,8}|\s{0,2}は\s{0,2}|\s{1,4}is\s{1,4}|>(?=[^\s<]{1,512}<\/)|["'],?\s{1,8}value\s?[=:]\s?|["']?\s{0,4}\n\s{1,40}(?:-\s)?["']?value["']?:\s{0,4}|["'],\s{0,40}["']value["']:\s{0,4}|\s{1,4}(?=["']))/y

/** A type or a wrapping call before the value: `token: string = "…"`, `SecretStr("…")`. */
const WRAPPED =
  /(?:[A-Za-z&][\w.<>[\]|&?]{0,40}(?: \| \w{1,20})?\s?=\s?|(?:\w{1,20}[.:]{1,2})?(?:String|SecretStr|Some|Secret|str|from)\()(?=["'`])/y

/** Where the value of `name` begins; undefined where none follows. */
export function findValueStart(text: string, name: SecretName): ValueStart | undefined {
  const separator = separatorAfter(text, name)
  if (separator === undefined) return undefined
  let at = name.end + separator.length
  let quote = quoteAt(text, at)
  // A word before a quote is a sentence's, unless it is written as a constant.
  if (quote !== '' && separator.trim() === '' && !name.text.startsWith('-') && /[a-z]/.test(name.text)) return undefined
  if (quote === '') {
    at += stick(WRAPPED, text, at)?.length ?? 0
    quote = quoteAt(text, at)
  }
  // A string's prefix, as in `b"…"`.
  if (quote === '' && /^[bBrRfFuU@]["']/.test(text.slice(at, at + 2))) quote = text.slice(at, at + 2)
  return { at: at + quote.length, quote: quote.slice(quote.length === 2 && quote[0] !== '\\' ? 1 : 0), separator }
}

function quoteAt(text: string, at: number): string {
  const sign = text[at] ?? ''
  if (sign === '\\') return '"\'`'.includes(text[at + 1] ?? ' ') ? text.slice(at, at + 2) : ''
  return '"\'`「『'.includes(sign) ? sign : ''
}

function separatorAfter(text: string, name: SecretName): string | undefined {
  if (name.text.startsWith('-')) return optionGap(text, name.end)
  return (mayHaveValue(text, name.end) ? stick(SEPARATOR, text, name.end) : undefined) ?? wordGap(text, name)
}

/** A cheap look at what follows, since most names stand in sentences and calls. */
function mayHaveValue(text: string, at: number): boolean {
  let place = at
  while (place - at < 12 && ' "\'`\\]\n\t,'.includes(text[place] ?? '.')) place += 1
  const sign = text[place] ?? '.'
  return (
    '=:?!>：は-'.includes(sign) || sign === 'v' || text.startsWith('is ', place) || /["']/.test(text.slice(at, place))
  )
}

/** Words that follow an option's name in a sentence or a usage text, where no value stands. */
const NO_VALUE =
  / {1,4}(?:-|(?:the|a|an|to|is|are|was|if|or|and|for|in|on|of|with|without|when|which|that|this|from|by|as|via|also|not|must|should|can|will|flags?|options?|instead|using|does|requires?|values?|arguments?|parameters?|string|before|after|then)(?![\w-]))/y

const optionGap = (text: string, at: number): string | undefined =>
  stick(NO_VALUE, text, at) ? undefined : stick(/=| {1,4}/y, text, at)

/** In netrc a password stands after its login and white space, in a Dockerfile after `ENV` and its name. */
function wordGap(text: string, name: SecretName): string | undefined {
  if (!' \t\n'.includes(text[name.end] ?? '.')) return undefined
  const before = text.slice(Math.max(0, name.start - 120), name.start)
  const netrc = name.text === 'password' && /\b(?:login|machine|default)\s+\S+\s*$/.test(before)
  const docker = /(?:^|\n|\\n)ENV[ \t]$/.test(before)
  return netrc || docker ? stick(/[^\S\n]{1,8}|\n[ \t]{1,8}/y, text, name.end) : undefined
}

/** A bare value ends at white space or a sign that ends values; a comma counts where another field follows. */
const BARE =
  '(?:[^\\s"\'`;&<>|\\\\,\\u3000-\\u9fff\\uff00-\\uffef]|,(?!\\s|$|[\\w.-]{1,40}\\s?[=:])|\\\\(?![nrtu"\'\\\\]))'

/** What a value between such quotes is made of, without the closing one. */
const BETWEEN: Readonly<Record<string, string>> = {
  '"': '(?:[^"\\\\\\n]|\\\\[^\\n])',
  "'": "(?:[^'\\\\\\n]|\\\\[^\\n])",
  '`': '(?:[^`\\\\\\n]|\\\\[^\\n])',
  '\\"': '(?:[^"\\\\\\n]|\\\\(?!")[^\\n])',
  "\\'": "(?:[^'\\\\\\n]|\\\\(?!')[^\\n])",
  '\\`': '(?:[^`\\\\\\n]|\\\\(?!`)[^\\n])',
  '「': '[^」\\n]',
  '『': '[^』\\n]',
}

/** A value is judged by so many characters; when it is a secret, all of it goes. */
const VALUE_CHARS_JUDGED = 512

const patterns = new Map<string, RegExp>()

function between(quote: string, quantifier: string): RegExp {
  const key = quote + quantifier
  const pattern = patterns.get(key) ?? new RegExp((BETWEEN[quote] ?? BARE) + quantifier, 'y')
  patterns.set(key, pattern)
  return pattern
}

/** The value at `at` as a secret's place; undefined where it is none. */
export function findSecretValue(
  text: string,
  { quote, separator }: Pick<ValueStart, 'quote' | 'separator'>,
  at: number,
  grade: NameStrength,
  kind: string,
  standingOf: () => ValueContext,
): SecretSpan | undefined {
  const head = stick(between(quote, `{1,${VALUE_CHARS_JUDGED}}`), text, at)
  if (head === undefined || head.length < (grade === 'weak' ? RANDOM_CHARS_MIN : 4)) return undefined
  const value = quote === '' ? trimmed(head) : head
  const told = /^\s+is\s|は/.test(separator)
  const standing = standingOf()
  const alone = standing.isAloneOnLine && endsLine(text, at + value.length)
  if (told ? !isTold(value, grade) : !isLikelySecret(value, grade, { ...standing, isAloneOnLine: alone }))
    return undefined
  const length = head.length < VALUE_CHARS_JUDGED ? value.length : stick(between(quote, '+'), text, at)!.length
  return { start: at, end: at + length, kind }
}

/** A bare value without the signs that end a sentence or close a bracket. */
function trimmed(head: string): string {
  let end = head.length
  while (end > 0 && ',.:)]}'.includes(head[end - 1]!)) end -= 1
  return head.slice(0, end)
}

const endsLine = (text: string, at: number): boolean =>
  stick(/["']?[ \t]{0,8}(?:#|\r?\n|\\n|$)/y, text, at) !== undefined

/** What a sentence says of how passwords are kept, whole: `Shanghai2024` is none. */
const ALGORITHM =
  /^((base|sha|utf|aes)-?\d{1,3}|md5|argon2i?d?|[bs]crypt|pbkdf2|oauth2)([-_./]([a-z]+|(sha)?\d{1,3}))*$/i

/** A password told in a sentence has letters and digits, and is no algorithm's name. */
const isTold = (value: string, grade: NameStrength): boolean =>
  grade === 'password' &&
  /^(?=.*\d)(?=.*[a-z])[!-~]{6,}$/i.test(value) &&
  !ALGORITHM.test(value) &&
  !value.includes(REDACTED_PREFIX) &&
  !isReference(value)

function stick(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
