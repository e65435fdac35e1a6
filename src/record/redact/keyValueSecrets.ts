// Secrets found by the name before them: assignments, JSON and YAML fields, options, query strings, headers, netrc.
import { findCookiesAfter, findCredentialAfter } from './httpCredentials.ts'
import { isWordLike, type NameStrength, type ValueContext } from './secretHeuristics.ts'
import { classifySecretName } from './secretNames.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'
import { findSecretValue, findValueStart, type SecretName, type ValueStart } from './secretValue.ts'

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
    '|functions?)[_-]?$',
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
  while (next - end < 30 && '_0123456789 \\"\'`]\t'.includes(text[next] ?? '.')) next += 1
  const sign = text[next] ?? '.'
  const isSeparated = '=:|：,>'.includes(sign) || text.startsWith('type=', next) || text.startsWith('value=', next)
  return isSeparated && (mayBeWord || /\d/.test(text.slice(next, next + 120)))
}

/** Adds the span of every secret in `text` that is known by its name. */
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

interface NamePlace {
  readonly at: number
  readonly end: number
}

/** The places of all names, in the order of the text; the longest first. */
function listNames(text: string, lower: string): NamePlace[] {
  const places: NamePlace[] = []
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

/** Whether a value after a short name is a number or a word: `pass: 15`, `pass: yes`. After a constant it may. */
const isOrdinary = (value: string, name: string): boolean =>
  /^[\d.,]+$/.test(value) ||
  (!/^[A-Z\d_]*_(?:PASS|PW)$/.test(name) && (/^[A-Za-z_$.]+$/.test(value) || (isWordLike(value) && !/\d/.test(value))))

/** A name extends at most this far in both directions, in characters. */
const NAME_CHARS_MAX = 60

function nameAround(text: string, from: number, to: number): SecretName {
  let start = from
  while (start > 0 && from - start < NAME_CHARS_MAX && isNameCode(text.charCodeAt(start - 1))) start -= 1
  let end = to
  while (end - to < NAME_CHARS_MAX && isNameCode(text.charCodeAt(end))) end += 1
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
