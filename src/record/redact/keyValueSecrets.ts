// Secrets found by the name before them: assignments, JSON and YAML fields, options, query strings, headers, netrc.
// Then where the value after a name begins and ends.
import { findCookiesAfter, findCredentialAfter } from './inlineCredentials.ts'
import {
  CLASSIFIED_CHARS,
  classifySecretName,
  isLikelySecret,
  isPasswordInSentence,
  isWordLike,
  matchAt,
  type NameStrength,
  RANDOM_CHARS_MIN,
  REDACTED_PREFIX,
  type SecretSpan,
  stickyPattern,
  type ValueContext,
} from './secretHeuristics.ts'

/**
 * What the name of a secret contains. Literals, because to compile one pattern with all of them takes a cold process
 * longer than to search a payload for each.
 */
const NAME_WORDS =
  'passw passphr passcode pwd secret token credential authorization _auth "auth basicauth .auth bearer cookie sig='
    .concat(' signature= key パスワード パスフレーズ トークン 秘密鍵 シークレット apiキー 暗証番号')
    .split(' ')

/** Short words at the end of a name. A text has them often, so a separator and a value must follow. */
const SHORT_WORDS =
  'pass pw pin otp salt seed mnemonic phrase keys key-data code codes sid sessid sessionid session'.split(' ')

/** What precedes `key` in the name of a secret: `apikey`, `access_key`, `functions-key`. */
const KEY_PREFIX = new RegExp(
  '(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription' +
    '|functions?|certificate)[_-]?$',
)

/** The last two letters of these words: a search in a string needs no pattern. */
const KEY_ENDINGS = ' pi pp ss nt th te ng on er ce ge se ed ns '

function isLongKey(lower: string, at: number): boolean {
  const joined = lower[at - 1] === '_' || lower[at - 1] === '-' ? at - 1 : at
  if (!KEY_ENDINGS.includes(` ${lower.slice(Math.max(0, joined - 2), joined)} `)) return false
  return KEY_PREFIX.test(lower.slice(Math.max(0, at - 14), at))
}

/** A cheap check that is true for every text with such a secret, also in JSON. Most payloads then need no pattern. */
export const mayHaveKeyValueSecret = (text: string, lower = text.toLowerCase()): boolean =>
  NAME_WORDS.some((word) => (word === 'key' ? hasWord(text, lower, word) : lower.includes(word))) ||
  SHORT_WORDS.some((word) => hasWord(text, lower, word))

function hasWord(text: string, lower: string, word: string): boolean {
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
    if (isName(text, lower, at, at + word.length)) return true
  }
  return false
}

const isLetter = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')

/** Whether the word at `at` is the name of a secret, and not a part of a sentence: by what is before and after it. */
function isName(text: string, lower: string, at: number, end: number): boolean {
  const word = lower.slice(at, end)
  if (word === 'key' && isLongKey(lower, at)) return true
  if (!SHORT_WORDS.includes(word) && word !== 'key') return isLongName(lower, at, word)
  // `apiKey` and `MAPS_KEY`, but not `monkey`; and not `key` alone.
  const before = text[at - 1] ?? ' '
  const isStart = !isLetter(before) || (text[at] !== lower[at] && before === lower[at - 1])
  if (!isStart && word !== 'pass' && word !== 'pw' && word !== 'sessid') return false
  if (/^(?:keys?|key-data|codes?|phrase|session)$/.test(word) && !isLetter(before) && !'_-.'.includes(before))
    return false
  return isBeforeValue(text, end, /^(?:pass|pw|mnemonic|phrase)$/.test(word))
}

function isLongName(lower: string, at: number, word: string): boolean {
  if (word.endsWith('auth')) return !isLetter(lower[at + word.length] ?? ' ')
  if (word === 'bearer') return /[ \\\t\n\r]/.test(lower[at + 6] ?? 'x')
  return !word.endsWith('=') || /[?&](?:x-amz-|x-goog-)?$/.test(lower.slice(Math.max(0, at - 9), at))
}

/** Whether a separator follows, and after it something with a digit, if the value is not a password. */
function isBeforeValue(text: string, end: number, mayBeWord: boolean): boolean {
  let next = end
  while (next - end < 30 && '_0123456789 \\"\'`[]\t'.includes(text[next] ?? '.')) next += 1
  const sign = text[next] ?? '.'
  const isSeparated = '=:|：,>'.includes(sign) || matchAt(/type=|value=|\n\s{1,40}value:/y, text, next) !== undefined
  return isSeparated && (mayBeWord || /\d/.test(text.slice(next, next + 120)))
}

export function findKeyValueSecrets(text: string, spans: SecretSpan[]): void {
  const lowered = text.toLowerCase()
  // The lower case of a few letters is longer: then only names in lower case are found.
  const lower = lowered.length === text.length ? lowered : text
  let from = 0
  for (const { at, end } of listNames(text, lower)) {
    if (at < from) continue
    const name = nameAround(text, at, end)
    const word = lower.slice(at, end)
    from = word.startsWith('sig') ? end : Math.max(end, name.end)
    if (text.startsWith(REDACTED_PREFIX, name.start - REDACTED_PREFIX.length)) continue
    const [dotted = ''] =
      word === 'cookie' ? (/[\w-]{1,40}\.$/.exec(text.slice(Math.max(0, name.start - 41), name.start)) ?? []) : []
    if (word === 'cookie' && classifySecretName(dotted + name.text) === 'weak') {
      from = Math.max(from, findCookiesAfter(text, name.end, spans) ?? 0)
      continue
    }
    const isShort = SHORT_WORDS.includes(word) || (word === 'key' && !isLongKey(lower, at))
    const span = isShort ? spanAfterShortName(text, word, name) : spanAfterName(text, word, end, name)
    if (span === undefined) continue
    spans.push(span)
    from = Math.max(from, span.end)
  }
}

/** The places of all names, in the order of the text; the longest first. */
function listNames(text: string, lower: string) {
  const places: { readonly at: number; readonly end: number }[] = []
  for (const word of [...NAME_WORDS, ...SHORT_WORDS]) {
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length)) {
      if (isName(text, lower, at, at + word.length)) places.push({ at, end: at + word.length })
    }
  }
  return places.sort((a, b) => a.at - b.at || b.end - a.end)
}

/** The secret after a short name. What the name means may be in the word before: `mail.access.key=…`. */
function spanAfterShortName(text: string, word: string, name: SecretName): SecretSpan | undefined {
  const [dotted = ''] = /[\w-]{1,40}\.$/.exec(text.slice(Math.max(0, name.start - 41), name.start)) ?? []
  const strength = classifySecretName(dotted + name.text)
  if (strength === 'weak' || strength === 'authorization') return undefined
  // The result of a test: `--- PASS: TestLogin`.
  if (/^n?PASS$/.test(name.text) && text[name.end] === ':') return undefined
  const span = spanAfterName(text, word, name.end, { ...name, text: dotted + name.text })
  const isNoSecret = span && strength === 'password' && isOrdinary(text.slice(span.start, span.end), name.text)
  return isNoSecret ? undefined : span
}

/** Whether a value after a short name is a number or a word: `pass: 15`. After `DB_PASS` it may be a secret. */
const isOrdinary = (value: string, name: string): boolean =>
  !/^(?!FIRST_|SECOND_|LAST_|MAX_)[A-Z\d_]*_P(?:ASS|W)$/.test(name) &&
  (/^[\d.,]+$|^[a-z_$.]+$/i.test(value) || (isWordLike(value) && !/\d/.test(value)))

/** A name extends at most this far in both directions, in characters. */
const NAME_CHARS_MAX = 60

function nameAround(text: string, from: number, to: number): SecretName {
  let start = from
  while (start > 0 && from - start < NAME_CHARS_MAX && isNameCode(text.charCodeAt(start - 1))) start -= 1
  let end = to
  while (end - to < NAME_CHARS_MAX && isNameCode(text.charCodeAt(end))) end += 1
  // A removed line of a diff is no option.
  if (text[start] === '-' && (text[start - 1] ?? '\n') === '\n' && matchAt(/["']? ?[:=] /y, text, end)) start += 1
  return { start, end, text: text.slice(start, end) }
}

/** Letters, digits, `_` and `-`; false past the end, where the code is NaN. */
const isNameCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45

/** The secret after a name; `word` is the part of the name that the pattern found, and ends at `end`. */
function spanAfterName(text: string, word: string, end: number, name: SecretName): SecretSpan | undefined {
  // JSON may escape the white space.
  if (word === 'bearer') return findCredentialAfter(text, end + (text[end] === '\\' ? 2 : 1), true)
  if (word.startsWith('sig')) {
    const start = { at: end, quote: '', separator: '=' }
    return findSecretValue(text, start, { strength: 'secret', kind: 'signature', context: () => QUERY_CONTEXT })
  }
  const start = findValueStart(text, name)
  if (start === undefined) return undefined
  const strength =
    /^[ \t]{2}/.test(start.separator) && /^[A-Z\d_]+$/.test(name.text) ? 'random' : classifySecretName(name.text)
  if (strength === 'authorization') return findCredentialAfter(text, start.at, false)
  // The working directory of the shell.
  if (/^n?(?:OLD)?PWD$/.test(name.text) && text[start.at] === '/') return undefined
  // The name of a secret, which follows an option: `--secret dbPassword '…'`.
  if (
    name.text.startsWith('-') &&
    matchAt(/(?=[A-Za-z])\w{0,24}(?:[pP]assword|[tT]oken|[sS]ecret)["']? ["']/y, text, start.at)
  )
    return undefined
  const kind = redactionKind(name.text, strength)
  return findSecretValue(text, start, { strength, kind, context: () => findValueContext(text, name, start) })
}

const QUERY_CONTEXT: ValueContext = { isQuoted: false, isValuePosition: true, isAloneOnLine: false }

/** The kind in the replacement of a secret with this name. */
export function redactionKind(name: string, strength: NameStrength): string {
  if (strength === 'weak' || strength === 'random' || strength === 'phrase') return 'secret'
  return strength === 'token' && /key$/i.test(name) ? 'key' : strength
}

function findValueContext(text: string, name: SecretName, { at, quote, separator }: ValueStart): ValueContext {
  const before = text.slice(Math.max(0, name.start - 40), name.start)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\\n') + 1) + 1)
  const isConstant = /^n?[A-Z][A-Z0-9_]*$/.test(name.text)
  const isAloneOnLine = /^[\s+>|"'-]*(?:export\s+|ENV\s+|set\s+)?$/.test(line)
  // `//registry.npmjs.org/:_authToken=…`
  const isNpmrc = separator === '=' && /^_(?:authToken|auth|password)$/.test(name.text) && /(?:^|:)$/.test(line)
  // `TOKEN: matchString` is code, although its name looks like a constant.
  const isYaml = isConstant && isAloneOnLine && separator.startsWith(':') && !/[a-z][A-Z]/.test(text.slice(at, at + 24))
  const isAssigned = separator === '=' && (isConstant || /[?&;]$/.test(before))
  const isMarked = name.text.startsWith('-') || separator.trim() === '' || /value|>$/.test(separator)
  return { isQuoted: quote !== '', isValuePosition: isNpmrc || isYaml || isAssigned || isMarked, isAloneOnLine }
}

/** A name with its leading dashes, if it is an option. */
type SecretName = Readonly<{ start: number; end: number; text: string }>

interface ValueStart {
  readonly at: number
  /** The quote that opens the value: plain, escaped or Japanese; or empty. */
  readonly quote: string
  /** The text between name and value. */
  readonly separator: string
}

const SEPARATOR =
  /\\?["'`]?(?:\[\w{0,6}\]|\])?(?:\s{0,8}(?:=>|:=|\?{1,2}=|\|\|=|[=!]==?|=|->(?=\s?["'])|:(?![:/])|：)\s{0,8}|\s{0,2}は\s{0,2}|\s{1,4}is\s{1,4}|>(?=[^\s<]{1,512}<\/)|["'],?\s{1,8}value\s?[=:]\s?|["']?\s{0,4}\n\s{1,40}(?:-\s)?["']?value["']?:\s{0,4}|["'],\s{0,40}["']value["']:\s{0,4}|\s{1,4}(?=["'])|:-|\s?(?:\|\||\?\?)\s?(?=["']))/y

/** The value of a pair: `"name": "DB_PASSWORD", "type": "text", "value": "…"`; the next column of a table. */
const PAIR = new RegExp(
  'Q,\\s{0,40}(?:Q\\w{1,20}Q:\\s?Q[\\w-]{0,40}Q,\\s{0,40})?Q(?:Parameter|String)?(?:[vV]alue|content|text)Q:\\s{0,4}|'
    .concat('Q\\s{1,4}type=Q\\w{1,12}Q\\s{1,4}value=|[ \\t`]{1,60}\\|[ \\t`]{1,60}(?=[^\\s|])')
    .replaceAll('Q', '\\\\{0,7}["\']'),
  'y',
)

/** A type or a wrapping call before the value: `token: string = "…"`, `SecretStr("…")`. */
const WRAPPED =
  /(?:[A-Za-z&][\w.<>[\]|&?]{0,40}(?: \| \w{1,20})?\s?=\s?|string\(\d{1,4}\) |(?:\w{1,20}[.:]{1,2})?(?:String|SecretStr|Some|Secret|str|from)\()(?=["'`])/y

/** Where the value of `name` begins; undefined if no value follows. */
function findValueStart(text: string, name: SecretName): ValueStart | undefined {
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
  if (quote === '' && /^[bBrRfFuUN@]["']/.test(text.slice(at, at + 2))) quote = text.slice(at, at + 2)
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
  while (next - at < 12 && ' "\'`\\[]\n\t,'.includes(text[next] ?? '.')) next += 1
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
  '\\"': '(?:[^"\\\\\\n]|\\\\{3}"(?=\\w)|\\\\(?!")[^\\n])',
  "\\'": "(?:[^'\\\\\\n]|\\\\(?!')[^\\n])",
  '\\`': '(?:[^`\\\\\\n]|\\\\(?!`)[^\\n])',
  '「': '[^」\\n]',
  '『': '[^』\\n]',
}

/** A value is classified by its first characters; all of it is replaced. */
const valuePattern = (quote: string, quantifier: string): RegExp => stickyPattern((QUOTED[quote] ?? BARE) + quantifier)

/** What the name before a value says. */
interface ValueExpectation {
  readonly strength: NameStrength
  /** The kind in the replacement. */
  readonly kind: string
  readonly context: () => ValueContext
}

function findSecretValue(
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
