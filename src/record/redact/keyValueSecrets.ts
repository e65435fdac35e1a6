// Secrets found by the name before them: assignments, JSON and YAML fields, options, query strings, headers, netrc.
import { findCookiesAfter, findCredentialAfter } from './httpCredentials.ts'
import { isWordLike, type NameStrength, type ValueContext } from './secretHeuristics.ts'
import { classifySecretName } from './secretNames.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'
import { findSecretValue, findValueStart, type SecretName, type ValueStart } from './secretValue.ts'

/**
 * What the name of a secret contains; JSON may escape the white space. To look back from the rarer word is cheaper
 * than to try everything that may precede it.
 */
const SECRET_NAME =
  /passw|passphr|passcode|pwd|secret|token|credential|auth(?:orization|(?<=["_.c]auth)\b)|bearer(?:[ \t\n\r]|\\[nrt])|cookie|key(?<=(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription|functions?)[_-]?key)|sig(?:nature)?=(?<=[?&](?:x-amz-|x-goog-)?sig(?:nature)?=)/gi

/** The same in Japanese. A pattern of its own, so that the one above matches only ASCII letters. */
const JAPANESE_SECRET_NAME = /パスワード|パスフレーズ|トークン|秘密鍵|シークレット|APIキー|暗証番号/g

/** Short words at the end of a name. A text has them often, so a separator of names and values must follow. */
const SHORT_NAME =
  /(?:pass|pw|pin|otp|salt|seed|mnemonic|phrase|keys?|key-data|codes?|sess(?:ion)?id|sid|session|cookie|secrets|tokens)(?=[\d_]{0,3}(?:(?:\\{0,7}["'`\]]){0,2}\s{0,8}(?:[=:|：]|,\s{0,40}\\{0,7}["'])(?!:)|>[^\s<]|\\{0,3}["']\s{1,4}(?:type|value)=))/gi

/** A cheap check that is true for every text with such a secret, also in JSON. Most payloads then need no pattern. */
export const mayHaveKeyValueSecret = (text: string, lower = text.toLowerCase()): boolean =>
  NAME_PARTS.some((part) => lower.includes(part)) ||
  SHORT_PARTS.some((part) => mayHaveShortName(lower, part)) ||
  mayNameKey(lower) ||
  text.search(JAPANESE_SECRET_NAME) !== -1

/** The words of SHORT_NAME, or their endings. */
const SHORT_PARTS = 'pass pw pin otp salt seed mnemonic phrase key keys key-data code codes sessid sessionid sid session cookie'.split(' ')

/** Whether the word occurs before a sign that can be between a name and its value. */
function mayHaveShortName(lower: string, part: string): boolean {
  for (let at = lower.indexOf(part); at !== -1; at = lower.indexOf(part, at + 1)) {
    let next = at + part.length
    while (next - at < 20 && ' \\"\'`]_0123456789'.includes(lower[next] ?? '.')) next += 1
    if ('=:|：,>'.includes(lower[next] ?? '.')) return true
  }
  return false
}

/** Every name of a secret contains one of these, except those of keys. */
const NAME_PARTS =
  'passw passphr passcode pwd secret token credential authorization _auth basicauth .auth "auth bearer cookie sig= signature='.split(
    ' ',
  )

/** The last two letters of the word before `key` in the name of a secret: `apikey`, `access_key`, `functions-key`. */
const KEY_ENDINGS = ' pi pp ss nt th te ng on er ce ge se ed ns '

function mayNameKey(lower: string): boolean {
  for (let at = lower.indexOf('key'); at !== -1; at = lower.indexOf('key', at + 3)) {
    const joined = lower[at - 1] === '_' || lower[at - 1] === '-' ? at - 1 : at
    if (KEY_ENDINGS.includes(` ${lower.slice(Math.max(0, joined - 2), joined)} `)) return true
  }
  return false
}

/** Adds the span of every secret in `text` that is known by its name. */
export function findKeyValueSecrets(text: string, spans: SecretSpan[]): void {
  findByName(SECRET_NAME, text, spans)
  findByName(JAPANESE_SECRET_NAME, text, spans)
  findByShortName(text, spans)
}

function findByShortName(text: string, spans: SecretSpan[]): void {
  SHORT_NAME.lastIndex = 0
  for (let match = SHORT_NAME.exec(text); match; match = SHORT_NAME.exec(text)) {
    const name = nameAround(text, match.index, SHORT_NAME.lastIndex)
    // `mail.access.key=…` in a file of properties.
    const [dotted = ''] = /[\w-]{1,40}\.$/.exec(text.slice(Math.max(0, name.start - 41), name.start)) ?? []
    const strength = classifySecretName(dotted + name.text)
    if (strength === 'weak' || strength === 'authorization' || LONG_NAME.test(name.text)) continue
    // The result of a test: `--- PASS: TestLogin`.
    if (/^n?PASS$/.test(name.text) && text[name.end] === ':') continue
    const span = spanAfterName(text, match[0], name.end, { ...name, text: dotted + name.text })
    if (span === undefined || (strength === 'password' && isOrdinary(text.slice(span.start, span.end), name.text))) continue
    spans.push(span)
    SHORT_NAME.lastIndex = Math.max(SHORT_NAME.lastIndex, span.end)
  }
}

/** Names that the other pattern finds. */
const LONG_NAME = /passw|passphr|passcode|pwd|credential/i

/** Whether a value after a short name is a number or a word: `pass: 15`, `pass: yes`. After a constant it may be a word. */
const isOrdinary = (value: string, name: string): boolean =>
  /^[\d.,]+$/.test(value) ||
  (!/^[A-Z\d_]*_(?:PASS|PW)$/.test(name) && (/^[A-Za-z_$.]+$/.test(value) || (isWordLike(value) && !/\d/.test(value))))


function findByName(pattern: RegExp, text: string, spans: SecretSpan[]): void {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const end = pattern.lastIndex
    const word = match[0].toLowerCase()
    const name = nameAround(text, match.index, end)
    pattern.lastIndex = word.startsWith('sig') ? end : Math.max(end, name.end)
    if (text.startsWith(REDACTED_PREFIX, name.start - REDACTED_PREFIX.length)) continue
    if (word === 'cookie' && classifySecretName(name.text) === 'weak') {
      pattern.lastIndex = Math.max(end, findCookiesAfter(text, name.end, spans) ?? pattern.lastIndex)
      continue
    }
    const span = spanAfterName(text, word, end, name)
    if (span === undefined) continue
    spans.push(span)
    pattern.lastIndex = Math.max(end, span.end)
  }
}

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
  if (word.startsWith('bearer')) return findCredentialAfter(text, end, true)
  if (word.startsWith('sig')) {
    const start = { at: end, quote: '', separator: '=' }
    return findSecretValue(text, start, { strength: 'secret', kind: 'signature', context: () => QUERY_CONTEXT })
  }
  const start = findValueStart(text, name)
  if (start === undefined) return undefined
  const strength = /^[ \t]{2}/.test(start.separator) && /^[A-Z\d_]+$/.test(name.text) ? 'random' : classifySecretName(name.text)
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
