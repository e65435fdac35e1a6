// Whether a value in the place of a secret is one, and how strongly a name suggests it. Placeholders, references and
// code stay readable. Finders only return spans and one function replaces them, so finders run in any order.

/**
 * How strongly a name suggests a secret: a password may be a plain word, a token hardly. A `code` has digits, a
 * `phrase` words, and a `random` value is one that only a machine writes, also a hash. After a `weak` name only the
 * value counts.
 */
export type NameStrength = 'password' | 'secret' | 'token' | 'code' | 'phrase' | 'random' | 'weak'

export interface ValueContext {
  /** Between quotes, so it is not code. */
  readonly isQuoted: boolean
  /** In an env line, a query, an option or a JSON field: there are values, not code. */
  readonly isValuePosition: boolean
  /** Alone on its line after its name, as in YAML and INI. */
  readonly isAloneOnLine: boolean
}

/** A value is classified by its first characters, at most this many. */
export const CLASSIFIED_CHARS = 512

/** Whether `value` is a secret, after a name of that strength in that context. */
export function isLikelySecret(value: string, strength: NameStrength, context: ValueContext): boolean {
  const { isQuoted, isValuePosition, isAloneOnLine } = context
  const head = value.slice(0, CLASSIFIED_CHARS)
  if (
    head.length < (strength === 'password' || strength === 'code' ? 4 : 6) ||
    head.includes(REDACTED_PREFIX) ||
    head.includes('[private]')
  )
    return false
  if (strength === 'code') return isCodeNumber(head)
  if (strength === 'phrase') return /^[a-z]{3,8}(?:[ ,][a-z]{3,8}){11}/.test(head) || isRandom(head)
  // A value without quotes after a name is mostly a call or another name.
  const isBare = !isQuoted && !isValuePosition
  if (isBare && (isAloneOnLine || strength === 'password' ? /[([{<>`]/ : /[([{<>`]|^[A-Za-z_$.]{1,31}$/).test(head)) {
    return false
  }
  if (isPlaceholder(head) || isReference(head) || isLocation(head) || isCode(head)) return false
  if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(head)) return false
  if (/\s/.test(head)) return head.split(/\s+/).some((piece) => isRandom(piece))
  // `BASIC_AUTH=user:password`.
  if (strength === 'token' && /^[\w.@-]{2,40}:(?=.*\d)[^\s/:]{6,}$/.test(head)) return true
  if (strength === 'weak') return isRandom(head) && !isDigest(head)
  if (strength === 'random')
    return isRandom(head) && !/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-|^sha\d{3}-|^\d{4}-\d\d-\d\d/.test(head)
  if (/^[\d.,_-]+$/.test(head))
    return strength === 'password' && (!isBare || /^\d{6,}$/.test(head)) && !head.includes('.')
  if (isBare) return isBareSecret(head, strength, isAloneOnLine)
  if (isValuePosition) return true
  // `CHALLENGE_PASSWORD: "challengePassword"`: the value repeats the name.
  if (isWordLike(head) && SECRET_NAME.test(head) && /[a-z][A-Z]|[_.-]/.test(head)) return false
  return strength !== 'token' || !isWordLike(head)
}

/** Whether a value is a number that a person types in, or a code in groups. */
const isCodeNumber = (value: string): boolean =>
  /^\d{4,10}$/.test(value) || isRandom(value) || /^(?=.*\d)\w{4,8}(?:-\w{4,8}){1,5}$/.test(value)

/** Whether a value has signs of code: a pattern, a colour, a call. */
const isCode = (value: string): boolean =>
  /\(\?[:!=<]|\[\^|\\[wdsWDSb]|[\])][*+]|^#[0-9a-f]{3,8}$|^\w+\(.*\)$|^[:=]/i.test(value)

/** Whether a value without quotes is a secret, and not an identifier, a call or a type. */
function isBareSecret(value: string, strength: NameStrength, isAloneOnLine: boolean): boolean {
  const isChain = /^[&*!]?\w+(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+$/.test(value)
  if (!isChain && !/^[A-Za-z_$][\w$]*$/.test(value)) {
    if (strength === 'token') return isRandom(value)
    // `rocket-puzzle-14` is no name in code.
    return !isWordLike(value) || (strength === 'password' && /^(?=.*\d)[\w.]{3,}(?:-[\w.]+){1,6}$/.test(value))
  }
  if (strength === 'password' && /^(?=(?:.*\d){2})[a-z\d]{9,}$/.test(value)) return true
  const isLong = value.length >= (isAloneOnLine ? 8 : 12)
  const mayBeName = isChain && !isAloneOnLine
  const isUnusual = strength !== 'token' && !mayBeName && (isLong || /\d.*\d/.test(value)) && !isWordLike(value)
  if (isUnusual || isRandom(value)) return !SECRET_NAME.test(value) || (!mayBeName && /(?:\d\D*){4}/.test(value))
  // `password: hunter2` on a line of its own is a setting; `password: userPassword` is code.
  return isAloneOnLine && strength !== 'token' && /^[a-z]{4,}\d*$/.test(value) && !SECRET_NAME.test(value)
}

const SECRET_NAME = /pass|pwd|secret|token|key|auth|cred|cookie/i

/** Whether a value is a placeholder for a secret: `<your-token>`, `xxxx`, `changeme`, `test-token`, `sk-…`. */
export function isPlaceholder(value: string): boolean {
  if (/^(.)\1*$/s.test(value) || (value.length > 16 ? /([xX*•#])\1{5}/ : /([xX*•#])\1{3}/).test(value)) return true
  if (/EXAMPLE|\.{3}|…|(?:^|[-_ ])(?:your|YOUR)(?:[-_ A-Z]|$)/.test(value)) return true
  if (/^(?:<.*|\[.*\]|\{.*\}|your\b.*|YOUR_.*|%[\w-]+%?)$/s.test(value)) return true
  const words = value.slice(0, 128).match(/[A-Z]?[a-z]+|[A-Z]+/g)
  if (!words || (value.match(/\d/g) ?? []).length > 4) return false
  return words.every((word) => isCommonWord(word.toLowerCase()))
}

/** Whether a value is read from elsewhere: `$TOKEN`, `${{ secrets.X }}`, `process.env.X`, `%PASSWORD%`, `op://…`. */
export function isReference(value: string): boolean {
  if (
    /^(?:process\.env|os\.(?:environ|getenv)|import\.meta|Deno\.env|ENV\[|getenv|env\(|(?:env|secrets|vars?|local|module|data|self|this|config|settings|opts|options|args|req|props)\.|\(\w+-[A-Z]|op:\/\/|vault:|ssm:|arn:|file:|keychain:|ENC\[|![A-Za-z]+(?!\S))/.test(
      value,
    )
  ) {
    return true
  }
  if (!/[$%<{]/.test(value)) return false
  const rest = value.replace(
    /\$\{[^}]*\}?\}?|\$\([^)]*\)?|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+[A-Za-z_]*\d?)(?!\w)|\{\{[^}]*\}?\}?|#\{[^}]*\}?|%\D\w*%|%[sdvq](?!\w)|<[^>]*>?|\{\w*\}/g,
    '',
  )
  return rest.length < value.length && (rest.length < 4 || isWordLike(rest))
}

/** An algorithm for passwords, as a complete word: `Shanghai2024` is not one. */
const ALGORITHM =
  /^((base|sha|utf|aes)-?\d{1,3}|md5|argon2i?d?|[bs]crypt|pbkdf2|oauth2)([-_./]([a-z]+|(sha)?\d{1,3}))*$/i

/** A password in a sentence has letters and digits, and is not the name of an algorithm. */
export const isPasswordInSentence = (value: string): boolean =>
  /^(?=.*\d)(?=.*[a-z])[!-'*-~]{6,}$/i.test(value) &&
  !ALGORITHM.test(value) &&
  !value.includes(REDACTED_PREFIX) &&
  !isReference(value)

/** Whether a value is a path, a file name or an address. A password in an address is found separately. */
export function isLocation(value: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true
  if (
    /^[\w./~@-]+\.(?:json|ya?ml|toml|pem|key|crt|txt|env|[cm]?[jt]sx?|py|go|rb|rs|java|md|sh|html?|css)$/.test(value)
  ) {
    return true
  }
  return /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/]/.test(value) && isWordLike(value)
}

/** A shorter value may look random by chance, in characters. */
export const RANDOM_CHARS_MIN = 16

/** Whether a value is long and mixed as only a machine writes, and not made of words. */
export function isRandom(value: string): boolean {
  if (value.length < RANDOM_CHARS_MIN || /[\s(){}<>[\]^*|$\\"'`]/.test(value)) return false
  const digits = value.match(/\d/g)?.length ?? 0
  if (digits < 2 && !(/[a-z]/.test(value) && /[A-Z]/.test(value))) return false
  if (!/[A-Za-z0-9+]{8}/.test(value)) return false
  return !isWordLike(value)
}

/** Whether a value is made of words, like an identifier or a phrase: runs of three and more letters, few digits. */
export function isWordLike(value: string): boolean {
  const head = value.slice(0, 128)
  const digits = head.match(/\d/g)?.length ?? 0
  if (digits > 2 + head.length / 16) return false
  if (/[^\w\s./:\\-]/.test(head)) return false
  let lettersInWords = 0
  let letters = 0
  const words = head.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []
  for (const word of words) {
    letters += word.length
    if (word.length >= 3 && /[aeiouy]/i.test(word) && isSpelled(word)) lettersInWords += word.length
  }
  if (letters === 0 || lettersInWords < letters * 0.75) return false
  // Long random letters have such runs by chance, but shorter ones and fewer vowels than words.
  const vowels = head.match(/[aeiouy]/gi)?.length ?? 0
  return letters < 10 || (vowels >= letters * 0.27 && letters >= words.length * 3.2)
}

/** Pairs of letters that hardly any word of documents and code has. */
const RARE_PAIR = new RegExp(
  'b[fhkqvwxz]|c[fgjqwxz]|d[kqxz]|f[bghjkpqvwxz]|g[bjkqvwxz]|h[bcfghjkqvwxz]|i[hwy]|j[b-df-hj-np-rtv-z]|k[bjmqvxz]|' +
    'l[jqxz]|m[ghjqvwxz]|nx|p[jqvxz]|q[^u\\W\\d_]|r[jqx]|s[jvx]|t[jq]|u[hjquvwy]|v[bdf-hj-lp-qu-z]|w[b-dfgjkmqt-xz]|' +
    'x[bdfghjklnoqruvwyz]|y[dfhjkqvxyz]|z[b-df-hj-kmnp-su-x]',
  'gi',
)

/**
 * Whether a run of letters may be a word: few consonants in a row, and no two letters that words hardly have. Two words
 * may meet in such letters, as in `dashboard`.
 */
export const isSpelled = (run: string): boolean =>
  !/[b-df-hj-np-tv-xz]{5}/i.test(run) && (run.match(RARE_PAIR)?.length ?? 0) <= run.length / 8

/** Whether a value is four words and more as a generator of passphrases joins them: names in code have other words. */
export const isJoinedPhrase = (value: string): boolean =>
  /^[a-z]{3,9}(?:[._-][a-z]{3,9}){3,7}$/.test(value) && !value.split(/[._-]/).some(isCommonWord)

/** An id that is random and public. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a value is a hash, a commit or a UUID, which are public unless the name says otherwise. */
export const isDigest = (value: string): boolean =>
  /^(?:(?:sha\d{1,3}|md5)[-:])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(value) ||
  UUID.test(value) ||
  /^sha\d{3}-[A-Za-z0-9+/=]{40,}$/.test(value)

let commonWords: ReadonlySet<string> | undefined

/** Whether placeholders, types and keywords of code are made of this word. */
export function isCommonWord(word: string): boolean {
  commonWords ??= new Set(
    (
      'a an the my your our their his her its some any this that here there with without for from to of in on at is ' +
      'are was be and or not no new old raw real same other another first second last next current previous valid ' +
      'invalid wrong bad good right correct incorrect expired missing empty blank unset none null nil undefined nan ' +
      'true false yes required optional default custom example sample dummy fake test tests testing mock stub ' +
      'fixture placeholder changeme change replace insert enter put fill set get add todo fixme tbd foo bar baz qux ' +
      'abc xyz xx xxx xxxx demo temp tmp local dev development staging production prod string str text char varchar ' +
      'number num int integer bool boolean float double byte bytes object array list map dict unknown never void ' +
      'option result error value values var variable const type types name names id ids key keys field fields data ' +
      'info item hash api app application consumer access account admin user users username usr login logout signin ' +
      'email mail client server service host secret secrets token tokens password passwords passwd pass passphrase ' +
      'pwd pw credential credentials cred creds auth authorization authentication oauth bearer basic jwt csrf xsrf ' +
      'session cookie cookies private public shared master root signing encryption refresh header headers query ' +
      'param params body path form input hidden show hide masked redacted removed secure security plain github ' +
      'gitlab google aws azure slack stripe openai anthropic npm env environment config settings super long very ' +
      'random generated something whatever goes provided needed self await async return function class import ' +
      'export require x ' +
      // Prefixes of real tokens, as test values imitate them.
      'sk pk rk gh ghp gho ghs pat glpat xoxb xoxp phc hf pypi akia ant proj live'
    ).split(' '),
  )
  return commonWords.has(word)
}

/** A name as words in lower case between underscores: `smtpPass`, `SMTP-PASS` and `smtp_pass` are the same. */
const toWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s.-]/g, '_')
    .toLowerCase()

const PASSWORD_NAME = new RegExp(
  '(?:passw(?:or)?d?|passphrase|passcode|pwd|(?:^|db|user|smtp|mail|store|root|admin|become|my)(?:pass|pw))' +
    '(?:confirm(?:ation)?|repeat|value|admin|root|user|db|prod|dev)?\\d*$|パス(?:ワード|フレーズ)$',
)

/** Keys that only identify something, like a row, a text or a file. */
const PUBLIC_KEY =
  /(?:public|cache|primary|foreign|sort|partition|group|hash|index|row|column|object|message|idempotency|host)_key$/

/** How strongly a name suggests that its value is a secret. */
export function classifySecretName(name: string): NameStrength | 'authorization' {
  const words = toWords(name)
  const plain = words.replaceAll('_', '')
  if (/pass|pw|パス/.test(plain) && (PASSWORD_NAME.test(plain) || /_(?:pass|pw)\d*_?$/.test(words))) return 'password'
  if (plain.endsWith('authorization')) return 'authorization'
  if (/(?:secret(?:key|keybase|value)?|privatekey|accountkey)\d*$|秘密鍵$|シークレット$/.test(plain)) return 'secret'
  if (/(?:^|_)(?:pin|otp|totp|(?:recovery|backup|otp|verification|security)_codes?)$|暗証番号$/.test(words))
    return 'code'
  if (/(?:^|_)(?:mnemonic|(?:seed|recovery)_phrase)$/.test(words)) return 'phrase'
  if (/(?:^|_)(?:salt|seed|(?:sess(?:ion)?|auth)(?:id|_cookie|_key)|sid|key_data)$|sessid$|^_\w+_session$/.test(words))
    return 'random'
  if (
    /(?:token|auth|credentials?)\d*$|(?:api|access|account|private|signing|encryption|master)key\d*$|トークン$|キー$/.test(
      plain,
    )
  )
    return 'token'
  if (/(?:tokens|keys|secrets|passwords)$/.test(plain)) return 'random'
  return words.endsWith('_key') && !PUBLIC_KEY.test(words) ? 'random' : 'weak'
}

/** Start (inclusive) and end (exclusive) of a secret in a text, in UTF-16 units. */
export type SecretSpan = Readonly<{ start: number; end: number; kind: string }>

/** Every match of a global pattern. `matchAll` copies its pattern, and nearly every pattern matches nothing. */
export const matchesOf = (text: string, pattern: RegExp): Iterable<RegExpExecArray> =>
  text.search(pattern) === -1 ? [] : text.matchAll(pattern)

/** Adds the last group of every match, or all of the match if it has no group, if that is a secret. */
export function addMatches(
  { text, spans }: { readonly text: string; readonly spans: SecretSpan[] },
  pattern: RegExp,
  kind: string,
  isSecret: (value: string) => boolean = () => true,
): void {
  for (const match of matchesOf(text, pattern)) {
    const value = match.findLast((group) => group !== undefined) ?? match[0]
    const start = match.index + match[0].lastIndexOf(value)
    if (isSecret(value)) spans.push({ start, end: start + value.length, kind })
  }
}

/** Every replacement of a secret begins with this; a value that contains it was redacted before. */
export const REDACTED_PREFIX = '[redacted:'

/**
 * `text` with every span replaced by `[redacted:KIND]`. Spans that overlap are merged; the kind is that of the first
 * among them in `spans`, so the most specific finder comes first. `markOf` is the text that replaces a span.
 */
export function replaceSpans(
  text: string,
  spans: readonly SecretSpan[],
  markOf: (span: SecretSpan) => string = ({ kind }) => `${REDACTED_PREFIX}${kind}]`,
): string {
  const [first, ...others] = spans.map((span, rank) => ({ ...span, rank })).sort((a, b) => a.start - b.start)
  if (first === undefined) return text
  let result = ''
  let end = 0
  let merged = first
  const replaceMerged = (): void => {
    result += text.slice(end, merged.start) + markOf(merged)
    end = merged.end
  }
  for (const span of others) {
    if (span.start >= merged.end) {
      replaceMerged()
      merged = span
      continue
    }
    const { kind, rank } = span.rank < merged.rank ? span : merged
    merged = { start: merged.start, end: Math.max(merged.end, span.end), kind, rank }
  }
  replaceMerged()
  return result + text.slice(end)
}

const patterns = new Map<string, RegExp>()

/** The sticky pattern with this source, compiled at its first use. */
export function stickyPattern(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(source, 'y')
  patterns.set(source, pattern)
  return pattern
}

/** What a sticky pattern matches at `at`; undefined if it does not. */
export function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
