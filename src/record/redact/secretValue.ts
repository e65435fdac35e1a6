// The value after a name: where it begins and ends, and whether it is a secret.
import {
  isLikelySecret,
  isPasswordInSentence,
  type NameStrength,
  RANDOM_CHARS_MIN,
  type ValueContext,
} from './secretHeuristics.ts'
import { matchAt, type SecretSpan } from './secretSpan.ts'

/** A name with its leading dashes, if it is an option. */
export interface SecretName {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Where a value begins. */
export interface ValueStart {
  readonly at: number
  /** The quote that opens the value: plain, escaped or Japanese; or empty. */
  readonly quote: string
  /** The text between name and value. */
  readonly separator: string
}

/** What separates a name from its value. */
const SEPARATOR =
  /\\?["'`]?\]?(?:\s{0,8}(?:=>|:=|\?=|[=!]==?|=|:(?![:/])|：)\s{0,8}|\s{0,2}は\s{0,2}|\s{1,4}is\s{1,4}|>(?=[^\s<]{1,512}<\/)|["'],?\s{1,8}value\s?[=:]\s?|["']?\s{0,4}\n\s{1,40}(?:-\s)?["']?value["']?:\s{0,4}|["'],\s{0,40}["']value["']:\s{0,4}|\s{1,4}(?=["'])|:-|\s?(?:\|\||\?\?)\s?(?=["']))/y

/** The value of a pair: `"name": "DB_PASSWORD", "type": "text", "value": "…"`; the next column of a table. */
const PAIR = new RegExp(
  'Q,\\s{0,40}(?:Q\\w{1,20}Q:\\s?Q[\\w-]{0,40}Q,\\s{0,40})?Q(?:Parameter|String)?(?:[vV]alue|content|text)Q:\\s{0,4}|'
    .concat('Q\\s{1,4}type=Q\\w{1,12}Q\\s{1,4}value=|[ \\t`]{1,60}\\|[ \\t`]{1,60}(?=[^\\s|])')
    .replaceAll('Q', '\\\\{0,7}["\']'),
  'y',
)

/** A type or a wrapping call before the value: `token: string = "…"`, `SecretStr("…")`. */
const WRAPPED =
  /(?:[A-Za-z&][\w.<>[\]|&?]{0,40}(?: \| \w{1,20})?\s?=\s?|(?:\w{1,20}[.:]{1,2})?(?:String|SecretStr|Some|Secret|str|from)\()(?=["'`])/y

/** Where the value of `name` begins; undefined if no value follows. */
export function findValueStart(text: string, name: SecretName): ValueStart | undefined {
  const separator = separatorAfter(text, name)
  if (separator === undefined) return undefined
  let at = name.end + separator.length
  let quote = quoteAt(text, at)
  // A word before a quote belongs to a sentence, unless it is written as a constant.
  if (quote !== '' && separator.trim() === '' && !name.text.startsWith('-') && /[a-z]/.test(name.text)) return undefined
  if (quote === '') {
    at += matchAt(WRAPPED, text, at)?.length ?? 0
    quote = quoteAt(text, at)
  }
  // The prefix of a string, as in `b"…"`.
  if (quote === '' && /^[bBrRfFuU@]["']/.test(text.slice(at, at + 2))) quote = text.slice(at, at + 2)
  return { at: at + quote.length, quote: quote.slice(quote.length === 2 && quote[0] !== '\\' ? 1 : 0), separator }
}

function quoteAt(text: string, at: number): string {
  const char = text[at] ?? ''
  if (char === '\\') return '"\'`'.includes(text[at + 1] ?? ' ') ? text.slice(at, at + 2) : ''
  return '"\'`「『'.includes(char) ? char : ''
}

function separatorAfter(text: string, name: SecretName): string | undefined {
  if (name.text.startsWith('-')) return optionGap(text, name.end)
  return (
    (mayHaveValue(text, name.end)
      ? (matchAt(SEPARATOR, text, name.end) ?? matchAt(PAIR, text, name.end))
      : undefined) ?? wordGap(text, name)
  )
}

/** A cheap check of what follows, since most names are in sentences and calls. */
function mayHaveValue(text: string, at: number): boolean {
  let next = at
  while (next - at < 12 && ' "\'`\\]\n\t,'.includes(text[next] ?? '.')) next += 1
  const char = text[next] ?? '.'
  return '=:?!>：は-v|t'.includes(char) || text.startsWith('is ', next) || /["']/.test(text.slice(at, next))
}

/** Words that follow the name of an option in a sentence or a usage text, instead of a value. */
const NO_VALUE =
  / {1,4}(?:-|(?:the|a|an|to|is|are|was|if|or|and|for|in|on|of|with|without|when|which|that|this|from|by|as|via|also|not|must|should|can|will|flags?|options?|instead|using|does|requires?|values?|arguments?|parameters?|string|before|after|then)(?![\w-]))/y

const optionGap = (text: string, at: number): string | undefined =>
  matchAt(NO_VALUE, text, at) ? undefined : matchAt(/=| {1,4}/y, text, at)

/** The white space before a value: after `password` in a netrc file, after `ENV` and a name in a Dockerfile. */
function wordGap(text: string, name: SecretName): string | undefined {
  if (!' \t\n'.includes(text[name.end] ?? '.')) return undefined
  const before = text.slice(Math.max(0, name.start - 120), name.start)
  const isNetrc = name.text === 'password' && /\b(?:login|machine|default)\s+\S+\s*$/.test(before)
  // A column of names and one of values.
  const isColumn = /^[A-Z][A-Z0-9_]*$/.test(name.text) && /(?:^|\n|\\n)[ \t]{0,4}$/.test(before)
  if (isColumn) return matchAt(/[ \t]{2,60}(?=\S{16})/y, text, name.end)
  const isDockerfile = /(?:^|\n|\\n)ENV[ \t]$/.test(before)
  return isNetrc || isDockerfile ? matchAt(/[^\S\n]{1,8}|\n[ \t]{1,8}/y, text, name.end) : undefined
}

/** A bare value ends at white space or at a sign that ends values; at a comma if another field follows. */
const BARE =
  '(?:[^\\s"\'`;&<>|\\\\,\\u3000-\\u9fff\\uff00-\\uffef]|,(?!\\s|$|[\\w.-]{1,40}\\s?[=:])|\\\\(?![nrtu"\'\\\\]))'

/** One character of a value between such quotes. */
const QUOTED: Readonly<Record<string, string>> = {
  '"': '(?:[^"\\\\\\n]|\\\\[^\\n])',
  "'": "(?:[^'\\\\\\n]|\\\\[^\\n])",
  '`': '(?:[^`\\\\\\n]|\\\\[^\\n])',
  '\\"': '(?:[^"\\\\\\n]|\\\\(?!")[^\\n])',
  "\\'": "(?:[^'\\\\\\n]|\\\\(?!')[^\\n])",
  '\\`': '(?:[^`\\\\\\n]|\\\\(?!`)[^\\n])',
  '「': '[^」\\n]',
  '『': '[^』\\n]',
}

/** A value is classified by its first characters, at most this many; all of it is replaced. */
const CLASSIFIED_CHARS = 512

const patterns = new Map<string, RegExp>()

function valuePattern(quote: string, quantifier: string): RegExp {
  const key = quote + quantifier
  const pattern = patterns.get(key) ?? new RegExp((QUOTED[quote] ?? BARE) + quantifier, 'y')
  patterns.set(key, pattern)
  return pattern
}

/** What the name before a value says. */
interface ValueExpectation {
  readonly strength: NameStrength
  /** The kind in the replacement. */
  readonly kind: string
  readonly context: () => ValueContext
}

/** The span of the value if it is a secret. */
export function findSecretValue(
  text: string,
  { at, quote, separator }: ValueStart,
  { strength, kind, context: findContext }: ValueExpectation,
): SecretSpan | undefined {
  const head = matchAt(valuePattern(quote, `{1,${CLASSIFIED_CHARS}}`), text, at)
  if (head === undefined || head.length < (strength === 'weak' ? RANDOM_CHARS_MIN : 4)) return undefined
  const value = quote === '' ? trimBareValue(head) : head
  const context = findContext()
  const isAloneOnLine = context.isAloneOnLine && endsLine(text, at + value.length)
  const isSecret = /^\s+is\s|は/.test(separator)
    ? strength === 'password' && isPasswordInSentence(value)
    : isLikelySecret(value, strength, { ...context, isAloneOnLine })
  if (!isSecret) return undefined
  const complete = head.length < CLASSIFIED_CHARS ? undefined : matchAt(valuePattern(quote, '+'), text, at)
  const end = at + (complete ?? value).length
  return {
    start: at,
    end: end + (value.length < WRAPPED_CHARS_MIN ? 0 : (matchAt(WRAPPED_REST, text, end)?.length ?? 0)),
    kind,
  }
}

/** A terminal or an editor has wrapped a value at least this long, in characters; the next line has the rest alone. */
const WRAPPED_CHARS_MIN = 40
const WRAPPED_REST = /\r?\n(?=[\w+/-]{0,60}\d)[\w+/-]{8,512}={0,2}(?=\s*(?:\n|$))/y

/** A bare value without trailing signs that end a sentence or close a bracket. */
function trimBareValue(head: string): string {
  let end = head.length
  while (end > 0 && ',.:)]}'.includes(head.charAt(end - 1))) end -= 1
  return head.slice(0, end)
}

const endsLine = (text: string, at: number): boolean =>
  matchAt(/["']?[ \t]{0,8}(?:#|\r?\n|\\n|$)/y, text, at) !== undefined
