// Secrets known by the name they stand under: assignments, JSON and YAML fields, options, query strings, headers, netrc.
import { findCookiesAfter, findCredentialAfter } from './httpCredentials.ts'
import type { NameStrength, ValueContext } from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'
import { findSecretValue, findValueStart, type SecretName, type ValueStart } from './secretValue.ts'

/** What a telling name holds somewhere, white space as JSON may escape it; looking back from the rarer word is cheaper than trying all that may precede it. */
const TELLING =
  /passw|passphr|passcode|pwd|secret|token|credential|auth(?:orization|(?<=["_]auth)\b)|bearer(?:[ \t\n\r]|\\[nrt])|cookie|key(?<=(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription|functions?)[_-]?key)|sig(?:nature)?=(?<=[?&](?:x-amz-|x-goog-)?sig(?:nature)?=)/gi

/** The same in Japanese: apart, so that the search above stays one for plain letters. */
const TELLING_JAPANESE = /パスワード|パスフレーズ|トークン|秘密鍵|シークレット|APIキー/g

/** Whether `text` may hold one: a cheap look that misses none, also in JSON. Many a payload holds none, and is spared the patterns. */
export const mayHaveKeyValueSecret = (text: string, lower = text.toLowerCase()): boolean =>
  TOLD_BY.some((word) => lower.includes(word)) || mayNameKey(lower) || text.search(TELLING_JAPANESE) !== -1

/** What a telling name cannot do without, but for the keys. */
const TOLD_BY = [
  ...['passw', 'passphr', 'passcode', 'pwd', 'secret', 'token', 'credential', 'authorization', '_auth', '"auth'],
  ...['bearer', 'cookie', 'sig=', 'signature='],
]

/** The last two letters of what makes a key a secret: `apikey`, `access_key`, `functions-key`. */
const KEY_ENDINGS = ' pi pp ss nt th te ng on er ce ge se ed ns '

function mayNameKey(lower: string): boolean {
  for (let at = lower.indexOf('key'); at !== -1; at = lower.indexOf('key', at + 3)) {
    const joined = lower[at - 1] === '_' || lower[at - 1] === '-' ? at - 1 : at
    if (KEY_ENDINGS.includes(` ${lower.slice(Math.max(0, joined - 2), joined)} `)) return true
  }
  return false
}

/** Every secret in `text` that its name tells of. */
export function findKeyValueSecrets(text: string, spans: SecretSpan[]): void {
  findUnder(TELLING, text, spans)
  findUnder(TELLING_JAPANESE, text, spans)
}

function findUnder(telling: RegExp, text: string, spans: SecretSpan[]): void {
  telling.lastIndex = 0
  for (let found = telling.exec(text); found; found = telling.exec(text)) {
    const end = telling.lastIndex
    const word = found[0].toLowerCase()
    const name = nameAround(text, found.index, end)
    telling.lastIndex = word.startsWith('sig') ? end : Math.max(end, name.end)
    if (text.startsWith(REDACTED_PREFIX, name.start - REDACTED_PREFIX.length)) continue
    const span = spanOf(text, word, end, name, spans)
    if (span === undefined) continue
    if (typeof span === 'object') spans.push(span)
    telling.lastIndex = Math.max(end, typeof span === 'object' ? span.end : span)
  }
}

/** A name is read so far in both directions, in characters. */
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

/** The secret under a name; a number is where reading goes on. */
function spanOf(
  text: string,
  word: string,
  end: number,
  name: SecretName,
  spans: SecretSpan[],
): SecretSpan | number | undefined {
  if (word.startsWith('bearer')) return findCredentialAfter(text, end, true)
  if (word === 'cookie') return findCookiesAfter(text, name.end, spans)
  if (word.startsWith('sig')) return findSecretValue(text, QUERY_VALUE, end, 'secret', 'signature', () => FIRM)
  const begin = findValueStart(text, name)
  if (begin === undefined) return undefined
  const grade = classifySecretName(name.text)
  if (grade === 'authorization') return findCredentialAfter(text, begin.at, false)
  // The shell's working folder.
  if (/^n?(?:OLD)?PWD$/.test(name.text) && text[begin.at] === '/') return undefined
  return findSecretValue(text, begin, begin.at, grade, redactionKind(name.text, grade), () =>
    standingOf(text, name, begin),
  )
}

const QUERY_VALUE: Pick<ValueStart, 'quote' | 'separator'> = { quote: '', separator: '=' }
const FIRM: ValueContext = { isQuoted: false, isValuePosition: true, isAloneOnLine: false }

const PASSWORD_NAME =
  /(?:passw(?:or)?d?|passphrase|passcode|pwd)(?:confirm(?:ation)?|repeat|value|admin|root|user|db|prod|dev)?\d*$|パス(?:ワード|フレーズ)$/

/** What a name promises about its value. */
export function classifySecretName(name: string): NameStrength | 'authorization' {
  const plain = name.toLowerCase().replace(/[_-]/g, '')
  if (/pass|pwd|パス/.test(plain) && PASSWORD_NAME.test(plain)) return 'password'
  if (plain.endsWith('authorization')) return 'authorization'
  if (/(?:secret(?:key|keybase|value)?|privatekey|accountkey)\d*$|秘密鍵$|シークレット$/.test(plain)) return 'secret'
  return /(?:token|auth|key|credentials?)\d*$|トークン$|キー$/.test(plain) ? 'token' : 'weak'
}

/** What is written in a secret's place. */
export function redactionKind(name: string, grade: NameStrength): string {
  if (grade === 'weak') return 'secret'
  return grade === 'token' && /key$/i.test(name) ? 'key' : grade
}

function standingOf(text: string, name: SecretName, begin: ValueStart): ValueContext {
  const { separator } = begin
  const before = text.slice(Math.max(0, name.start - 40), name.start)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\\n') + 1) + 1)
  const constant = /^n?[A-Z][A-Z0-9_]*$/.test(name.text)
  const alone = /^[\s+>|"'-]*(?:export\s+|ENV\s+|set\s+)?$/.test(line)
  // `//registry.npmjs.org/:_authToken=…`
  const npmrc = separator === '=' && /^_(?:authToken|auth|password)$/.test(name.text) && /(?:^|:)$/.test(line)
  // `TOKEN: matchString` is code, whatever its name looks like.
  const yaml = constant && alone && separator.startsWith(':') && !/[a-z][A-Z]/.test(text.slice(begin.at, begin.at + 24))
  const given = separator === '=' && (constant || /[?&;]$/.test(before))
  const marked = name.text.startsWith('-') || separator.trim() === '' || /value|>$/.test(separator)
  return { isQuoted: begin.quote !== '', isValuePosition: npmrc || yaml || given || marked, isAloneOnLine: alone }
}
