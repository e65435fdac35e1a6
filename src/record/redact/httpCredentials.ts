// Credentials as HTTP carries them: `Authorization: Bearer …`, `Cookie: …`, `Set-Cookie: …`.
import { isPlaceholder, isRandom, isReference, isWordLike } from './secretHeuristics.ts'
import { matchAt, REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'

/** What may be between a header's name and its value, in a request, in JSON and in code. */
const GAP = /\\?["'`]?\]?\s{0,4}[:=,]?\s{0,4}\[?\s{0,4}\\?["'`]?/y
const SCHEME =
  /(?:bearer|basic|token|api-?key|digest|negotiate|ntlm|splunk|bot|oauth|key|AWS4-HMAC-SHA256\s+Credential=)[ \t]{0,4}/iy
const CREDENTIAL = '[^\\s"\'`,;<>\\\\\\u3000-\\u9fff]'

/** A credential is classified by its first characters, at most this many. */
const CLASSIFIED_CHARS = 512

/**
 * The credential after `Authorization:`, which ends at `from`. With `isBearerWord` the word Bearer ends there: then
 * the value must look like a credential itself, because people write about bearer tokens.
 */
export function findCredentialAfter(text: string, from: number, isBearerWord: boolean): SecretSpan | undefined {
  const scheme = isBearerWord ? '' : (matchAt(SCHEME, text, from) ?? '')
  const start = from + scheme.length
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
