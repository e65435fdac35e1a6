// Credentials as HTTP carries them: `Authorization: Bearer …`, `Cookie: …`, `Set-Cookie: …`.
import { isPlaceholder, isRandom, isReference, isWordLike } from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'

/** What stands between a header's name and its value, in a request, in JSON and in code. */
const GAP = /\\?["'`]?\]?\s{0,4}[:=,]?\s{0,4}\[?\s{0,4}\\?["'`]?/y
const SCHEME =
  /(?:bearer|basic|token|api-?key|digest|negotiate|ntlm|splunk|bot|oauth|key|AWS4-HMAC-SHA256\s+Credential=)[ \t]{0,4}/iy
const CREDENTIAL = '[^\\s"\'`,;<>\\\\\\u3000-\\u9fff]'

/** A credential is judged by so many characters. */
const JUDGED_CHARS = 512

/**
 * The credential after `Authorization:` at `from`, or, `alone`, after the word Bearer somewhere, where it must look like one
 * by itself: people write about bearer tokens.
 */
export function findCredentialAfter(text: string, from: number, alone: boolean): SecretSpan | undefined {
  const scheme = alone ? '' : (stick(SCHEME, text, from) ?? '')
  const start = from + scheme.length
  const head = stick(new RegExp(`${CREDENTIAL}{1,${JUDGED_CHARS}}`, 'y'), text, start)?.replace(/[).\]}]+$/, '')
  if (!head || head.length < 8 || /\[redacted:|:\/\/|^:/.test(head) || isPlaceholder(head) || isReference(head))
    return undefined
  const digits = /\d/.test(head)
  // Two short words in base64 may have no digit, but capitals in odd places.
  const mixed = digits || head.length >= 16 || /[a-z][A-Z]|[A-Z]{2}/.test(head)
  const plausible = alone || scheme === '' ? isRandom(head) || (digits && !isWordLike(head)) : mixed
  if (!plausible || /[(){}[\]$]/.test(head)) return undefined
  const all = head.length < JUDGED_CHARS - 8 ? head : stick(new RegExp(`${CREDENTIAL}+`, 'y'), text, start)!
  return { start, end: start + all.length, kind: 'authorization' }
}

/** Where a cookie is kept and for how long: no secret. */
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|version)$/i
const TELLING = /sess|sid|auth|token|jwt|csrf|xsrf|login|remember|user|cred|secret|key|id$/i
const PAIR = /([\w.!#$%&*+^|~-]{1,100})=("?[^;\s"'`\\,<>]{0,512})/y

/** The values of the cookies after `Cookie` or `Set-Cookie`, names kept; where the reading ended. */
export function findCookiesAfter(text: string, from: number, spans: SecretSpan[]): number | undefined {
  let at = from + (stick(GAP, text, from)?.length ?? 0)
  if (at === from) return undefined
  for (;;) {
    PAIR.lastIndex = at
    const [pair, name, value] = PAIR.exec(text) ?? []
    if (pair === undefined || name === undefined || value === undefined) return at
    const start = at + pair.length - value.length
    const rest = value.length > JUDGED_CHARS - 1 ? (stick(/[^;\s"'`\\,<>]+/y, text, at + pair.length)?.length ?? 0) : 0
    if (isCookieSecret(name, value)) spans.push({ start, end: start + value.length + rest, kind: 'cookie' })
    at = start + value.length + rest
    const gap = stick(/;\s{0,4}(?:(?:HttpOnly|Secure);?\s{0,4})*/iy, text, at)
    if (gap === undefined) return at
    at += gap.length
  }
}

function isCookieSecret(name: string, value: string): boolean {
  if (value.length < 6 || ATTRIBUTE.test(name) || value.includes(REDACTED_PREFIX)) return false
  if (isPlaceholder(value) || isReference(value) || /[(){}[\]]/.test(value)) return false
  return TELLING.test(name) ? !isWordLike(value) : isRandom(value)
}

function stick(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
