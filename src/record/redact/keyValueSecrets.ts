// Secrets found by the name before them: assignments, JSON and YAML fields, options, query strings, headers, netrc.
import { findCookiesAfter, findCredentialAfter } from './httpCredentials.ts'
import type { NameStrength, ValueContext } from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'
import { findSecretValue, findValueStart, type SecretName, type ValueStart } from './secretValue.ts'

/**
 * What the name of a secret contains; JSON may escape the white space. To look back from the rarer word is cheaper
 * than to try everything that may precede it.
 */
const SECRET_NAME =
  /passw|passphr|passcode|pwd|secret|token|credential|auth(?:orization|(?<=["_]auth)\b)|bearer(?:[ \t\n\r]|\\[nrt])|cookie|key(?<=(?:api|app|access|account|auth|private|signing|encryption|master|service|storage|license|shared|subscription|functions?)[_-]?key)|sig(?:nature)?=(?<=[?&](?:x-amz-|x-goog-)?sig(?:nature)?=)/gi

/** The same in Japanese. A pattern of its own, so that the one above matches only ASCII letters. */
const JAPANESE_SECRET_NAME = /パスワード|パスフレーズ|トークン|秘密鍵|シークレット|APIキー/g

/** A cheap check that is true for every text with such a secret, also in JSON. Most payloads then need no pattern. */
export const mayHaveKeyValueSecret = (text: string, lower = text.toLowerCase()): boolean =>
  NAME_PARTS.some((part) => lower.includes(part)) || mayNameKey(lower) || text.search(JAPANESE_SECRET_NAME) !== -1

/** Every name of a secret contains one of these, except those of keys. */
const NAME_PARTS =
  'passw passphr passcode pwd secret token credential authorization _auth "auth bearer cookie sig= signature='.split(
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
}

function findByName(pattern: RegExp, text: string, spans: SecretSpan[]): void {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const end = pattern.lastIndex
    const word = match[0].toLowerCase()
    const name = nameAround(text, match.index, end)
    pattern.lastIndex = word.startsWith('sig') ? end : Math.max(end, name.end)
    if (text.startsWith(REDACTED_PREFIX, name.start - REDACTED_PREFIX.length)) continue
    if (word === 'cookie') {
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
  const strength = classifySecretName(name.text)
  if (strength === 'authorization') return findCredentialAfter(text, start.at, false)
  // The working directory of the shell.
  if (/^n?(?:OLD)?PWD$/.test(name.text) && text[start.at] === '/') return undefined
  const kind = redactionKind(name.text, strength)
  return findSecretValue(text, start, { strength, kind, context: () => findValueContext(text, name, start) })
}

const QUERY_CONTEXT: ValueContext = { isQuoted: false, isValuePosition: true, isAloneOnLine: false }

const PASSWORD_NAME =
  /(?:passw(?:or)?d?|passphrase|passcode|pwd)(?:confirm(?:ation)?|repeat|value|admin|root|user|db|prod|dev)?\d*$|パス(?:ワード|フレーズ)$/

/** How strongly a name suggests that its value is a secret. */
export function classifySecretName(name: string): NameStrength | 'authorization' {
  const plain = name.toLowerCase().replace(/[_-]/g, '')
  if (/pass|pwd|パス/.test(plain) && PASSWORD_NAME.test(plain)) return 'password'
  if (plain.endsWith('authorization')) return 'authorization'
  if (/(?:secret(?:key|keybase|value)?|privatekey|accountkey)\d*$|秘密鍵$|シークレット$/.test(plain)) return 'secret'
  return /(?:token|auth|key|credentials?)\d*$|トークン$|キー$/.test(plain) ? 'token' : 'weak'
}

/** The kind in the replacement of a secret with this name. */
export function redactionKind(name: string, strength: NameStrength): string {
  if (strength === 'weak') return 'secret'
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
