// Credentials as HTTP and commands carry them: `Authorization: Bearer …`, `Cookie: …`, `scheme://user:password@host`,
// and short options such as `mysql -psecret` and `curl -u user:secret`.
import {
  CLASSIFIED_CHARS,
  isPlaceholder,
  isRandom,
  isReference,
  isWordLike,
  matchAt,
  matchesOf,
  REDACTED_PREFIX,
  type SecretSpan,
} from './secretHeuristics.ts'

/** What may be between a header's name and its value, in a request, in JSON and in code. */
const GAP = /\\?["'`]?\]?\s{0,4}[:=,]?\s{0,4}\[?\s{0,4}\\?["'`]?/y
const SCHEME =
  /(?:bearer|basic|token|api-?key|digest|negotiate|ntlm|splunk|bot|oauth|key|AWS4-HMAC-SHA256\s+Credential=)[ \t]{0,4}/iy
/** Any other word before what only a machine writes. */
const OTHER_SCHEME = /[A-Za-z][\w-]{1,20}[ \t]{1,4}(?=[\w+/=-]{16})/y
const CREDENTIAL = '[^\\s"\'`,;<>\\\\\\u3000-\\u9fff]'

/**
 * The credential after `Authorization:`, which ends at `from`. With `isBearerWord` the word Bearer ends there: then
 * the value must look like a credential itself, because people write about bearer tokens.
 */
export function findCredentialAfter(text: string, from: number, isBearerWord: boolean): SecretSpan | undefined {
  const scheme = isBearerWord ? '' : (matchAt(SCHEME, text, from) ?? '')
  const other = isBearerWord || scheme !== '' ? '' : (matchAt(OTHER_SCHEME, text, from) ?? '')
  const start = from + scheme.length + other.length
  const head = matchAt(new RegExp(`${CREDENTIAL}{1,${CLASSIFIED_CHARS}}`, 'y'), text, start)?.replace(/[).\]}]+$/, '')
  if (!head || head.length < 8 || /\[redacted:|:\/\/|^:/.test(head) || isPlaceholder(head) || isReference(head))
    return undefined
  const hasDigits = /\d/.test(head)
  // Two short words in base64 may have no digit, but unusual capitals.
  const isMixed = hasDigits || head.length >= 16 || /[a-z][A-Z]|[A-Z]{2}/.test(head)
  const isLikely = isBearerWord || scheme === '' ? isRandom(head) || (hasDigits && !isWordLike(head)) : isMixed
  if (!isLikely || /[(){}[\]$]/.test(head)) return undefined
  const rest = head.length < CLASSIFIED_CHARS - 8 ? undefined : matchAt(new RegExp(`${CREDENTIAL}+`, 'y'), text, start)
  return { start, end: start + (rest ?? head).length, kind: 'authorization' }
}

/** Attributes of a cookie, which are not secret. */
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|version)$/i
const SECRET_NAME = /sess|sid|auth|token|jwt|csrf|xsrf|login|remember|user|cred|secret|key|id$/i
const PAIR = /([\w.!#$%&*+^|~-]{1,100})=("?[^;\s"'`\\,<>]{0,512})/y

/** Adds the cookie values after `Cookie` or `Set-Cookie`, which ends at `from`. Returns where the cookies end. */
export function findCookiesAfter(text: string, from: number, spans: SecretSpan[]): number | undefined {
  let at = from + (matchAt(GAP, text, from)?.length ?? 0)
  if (at === from) return undefined
  for (;;) {
    PAIR.lastIndex = at
    const [pair, name, value] = PAIR.exec(text) ?? []
    if (pair === undefined || name === undefined || value === undefined) return at
    const start = at + pair.length - value.length
    const rest =
      value.length > CLASSIFIED_CHARS - 1 ? (matchAt(/[^;\s"'`\\,<>]+/y, text, at + pair.length)?.length ?? 0) : 0
    if (isCookieSecret(name, value)) spans.push({ start, end: start + value.length + rest, kind: 'cookie' })
    at = start + value.length + rest
    const gap = matchAt(/;\s{0,4}(?:(?:HttpOnly|Secure);?\s{0,4})*/iy, text, at)
    if (gap === undefined) return at
    at += gap.length
  }
}

function isCookieSecret(name: string, value: string): boolean {
  if (value.length < 6 || ATTRIBUTE.test(name) || value.includes(REDACTED_PREFIX)) return false
  if (isPlaceholder(value) || isReference(value) || /[(){}[\]]/.test(value)) return false
  return SECRET_NAME.test(name) ? !isWordLike(value) : isRandom(value)
}

/** Options that take a password in some tool. In JSON a line break before one is escaped. */
const OPTION = /(?:[\s"']|\\[nt])-(?:[pPwWua]|-user|-proxy-user)/g

/** A cheap check that is true for every text with such a password, also in JSON. */
export const mayHaveInlinePassword = (text: string): boolean =>
  text.includes('://') || OPTION_STARTS.some((start) => text.includes(start))

/** How these options begin, in a text and in JSON. */
const OPTION_STARTS = ' -p| -P| -w| -W| -u| -a| --user| --proxy-user|\\n-|\\t-'.split('|')

export function findInlinePasswords(text: string, spans: SecretSpan[]): void {
  if (text.includes('://')) findInAddresses(text, spans)
  findInOptions(text, spans)
}

/** The user of an address, or a `[redacted:…]` that has replaced one. */
const USER = '(?:\\[redacted:[\\w-]{1,40}\\]|[^\\s/:@"\'`<>\\\\[\\]]){0,200}'

/** A password may contain `@`: the last one before the host counts. A password with a slash must look like one. */
const ADDRESS = new RegExp(
  `:\\/\\/(${USER}:)([^\\s/"'\`<>\\\\]{1,512})@|:\\/\\/(${USER}:)(?!\\d+\\/)([^\\s"'\`<>@\\\\]{1,200})@[\\w.[-]|:\\/\\/()([\\w-]{20,512}):?@`,
  'g',
)

function findInAddresses(text: string, spans: SecretSpan[]): void {
  for (const match of matchesOf(text, ADDRESS)) {
    const [, user, plain, otherUser, slashed, , alone] = match
    const password = plain ?? slashed ?? alone ?? ''
    if (password.includes(REDACTED_PREFIX) || isPlaceholder(password) || isReference(password)) continue
    if (
      plain !== undefined
        ? password.length < 3
        : !isRandom(password) && !(slashed && /\d/.test(password) && !isWordLike(password))
    )
      continue
    const start = match.index + 3 + (user ?? otherUser ?? '').length
    spans.push({ start, end: start + password.length, kind: 'url-password' })
  }
}

/** Tools that take a password by `-p`, `-u` or `-a`, and the form of the option. */
const TOOLS: readonly (readonly [tool: RegExp, option: RegExp])[] = [
  // With a space after -p mysql asks for the password, and the next word is the database.
  [/\b(?:mysql\w*|mariadb[\w-]*)\b/, /-p(?=\S)/y],
  [/\bsshpass\b/, /-p\s?/y],
  [
    /\b(?:(?:docker|podman|helm|crane|skopeo|buildah)\s+(?:registry\s+)?login|mongo(?:sh|dump|restore)?|sqlcmd|bcp|cqlsh|az\s+login|snowsql|clickhouse-client|ldap\w+|redis-cli|7z|unzip|zip)\b/,
    /-[apPwW]\s/y,
  ],
  [/\b(?:sqlcmd|bcp|osql|unrar|rar|7za?)\b/, /-[pP](?=\S)/y],
  [/\b(?:curl|wget)\b/, /(?:-u\s{0,2}|--user[\s=]|--proxy-user[\s=])["']?[^\s:"']{0,80}:/y],
  [/\b(?:openssl)\b/, /-pass(?:in|out)?\s["']?pass:/y],
]

/** How far before an option its tool may be, in characters. */
const COMMAND_CHARS_MAX = 300

function findInOptions(text: string, spans: SecretSpan[]): void {
  OPTION.lastIndex = 0
  for (let match = OPTION.exec(text); match; match = OPTION.exec(text)) {
    const at = match.index + match[0].indexOf('-')
    const before = text.slice(Math.max(0, at - COMMAND_CHARS_MAX), at)
    const command = before.slice(Math.max(...['\n', '|', ';', '&', '`'].map((end) => before.lastIndexOf(end))) + 1)
    for (const [tool, option] of TOOLS) {
      option.lastIndex = at
      if (!tool.test(command) || !option.test(text)) continue
      const value = /(["']?)([^\s"';|&<>\\]{3,4096})/y
      value.lastIndex = option.lastIndex
      const [all, quote, password] = value.exec(text) ?? []
      if (all === undefined || password === undefined || quote === undefined) continue
      if (password.startsWith('-') || password.includes(REDACTED_PREFIX) || /[:/]\d|^\d{1,5}(?::\d+)?$/.test(password))
        continue
      if (isPlaceholder(password) || isReference(password)) continue
      const start = option.lastIndex + quote.length
      spans.push({ start, end: start + password.length, kind: 'password' })
    }
  }
}
