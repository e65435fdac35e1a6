// Passwords that stand in sentences of many languages, between a user and a host, and as arguments beside their name,
// for the second pass.
import {
  isLocation,
  isPasswordInSentence,
  isPlaceholder,
  isRandom,
  isReference,
  isWordLike,
} from './secretHeuristics.ts'
import { REDACTED_PREFIX, type SecretSpan } from './secretSpan.ts'

/** Adds the span of every such password. */
export function findSpokenPasswords(text: string, spans: SecretSpan[]): void {
  const lower = text.toLowerCase()
  for (const { words, pattern, isPassword } of RULES) {
    if (!words.test(lower)) continue
    for (const match of text.matchAll(pattern)) {
      const value = (match.at(-1) ?? '').replace(/[.,;:!?'")\]}*`|]+$/, (end) => end.match(/^!+/)?.[0] ?? '')
      if (value.length < 6 || value.includes(REDACTED_PREFIX) || isPlaceholder(value) || isReference(value)) continue
      if (isLocation(value) || !isPassword(value)) continue
      const start = match.index + match[0].lastIndexOf(match.at(-1) ?? '')
      spans.push({ start, end: start + value.length, kind: 'password' })
    }
  }
}

interface Rule {
  /** A cheap check of the text in lower case. */
  readonly words: RegExp
  /** The last group is the value. */
  readonly pattern: RegExp
  readonly isPassword: (value: string) => boolean
}

/** Words for a password in languages other than English and Japanese. */
const FOREIGN =
  'password è|passwort|kennwort|zugangsdaten|mot de passe|contraseña|senha|palavra-passe|hasło|парол[ьяюеи]м?|' +
  '密码|密碼|口令|密钥|密鑰|비밀번호|암호|şifre(?:si)?|parola|wachtwoord|lösenord|adgangskode|passord|salasana|jelszó|heslo|' +
  'mật khẩu|รหัสผ่าน|كلمة (?:المرور|السر)|पासवर्ड|סיסמה|κωδικός|kata sandi'

/** Letters and digits, mixed as a person does. */
const isMixed = (value: string): boolean =>
  isPasswordInSentence(value) && !/^[\d.,:/-]+\w{0,3}$|[(){}<>=]|\.\w{1,4}$/.test(value)

/** Letters of both cases with digits and a sign, or what only a machine writes. */
const isStrong = (value: string): boolean =>
  value.length >= 8 &&
  !/[(){}<>[\]\\]|%[2-7][\dA-F]|:\/\/|^[a-z_-]+=|^[\w-]+(?:[./:][\w-]+)+$/.test(value) &&
  (isRandom(value) ||
    ([/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(value)) &&
      /[!#$%^&*+?~@_=.-]/.test(value) &&
      !isWordLike(value)) ||
    (/[!#$%^&*+?~@]/.test(value) && isMixed(value)))

const VALUE = '([!-~]{6,64})'

const RULES: readonly Rule[] = [
  {
    words: new RegExp(FOREIGN),
    pattern: new RegExp(`(?:${FOREIGN})[^\\n!-~]{0,4}(?:[ ]?\\p{L}{1,12}){0,3}?[^\\n\\w!#-&*+@-]{0,6}${VALUE}`, 'giu'),
    isPassword: (value) =>
      isMixed(value) || isStrong(value) || /^(?=.*[a-z][A-Z])[\w-]*[!*+_~^][\w!*+~^-]*$/.test(value),
  },
  {
    words: /pass|pwd|\bpw\b|api key|トークン|キー|鍵/,
    pattern: new RegExp(
      '(?:(?:set|change|reset)(?: the| my)? (?:password|passphrase|pw)|password,? (?:try|use|enter|type)|' +
        '\\b(?:with|and|db|root|admin|user|my|the|his|her|our) pass(?: is| was)?|' +
        'as (?:the )?(?:api key|password|token|secret):|pass(?:word|phrase)?=\\[|password for [\\w.@ -]{1,40}:|' +
        'password(?=  )[ \\t]{1,20}|(?:key|token|secret|password) \\((?=\\S{8,64}\\))|' +
        'the password [*_]{1,3}|(?:トークン|キー|鍵)[はをが]?)[ \\t]{0,2}' +
        '["\'`「]?' +
        VALUE.replace('!-~', '!#-&*-~'),
      'gi',
    ),
    isPassword: (value) => isMixed(value) || isRandom(value),
  },
  {
    words: /admin|root|user|login|log in|creds|credential|default/,
    pattern: new RegExp(
      '(?:(?:(?<![\\w/.@%-])(?:admin|root|user|test|guest|login|[\\w.]{1,30}@[\\w-]{1,40}\\.[\\w.-]{2,20})\\w{0,8}' +
        '["\'`]? ?[/:|] ?|\\b(?:creds?|credentials?):? [\\w.-]{1,20}[ /:])["\'`]?)([!#-&*+\\-.0-9:=?@A-Z^_a-z~]{8,40})',
      'gi',
    ),
    isPassword: isStrong,
  },
  // `user:password@host` without the scheme of an address.
  {
    words: /@/,
    pattern: /["'`\s=][\w.-]{1,40}:([^\s"'`/:@]{6,80})(?=@(?:tcp|unix|udp)?\()/g,
    isPassword: (value) => isStrong(value) || isMixed(value),
  },
  // `setProperty("password", "…")`, `{:password "…"}`.
  {
    words: /pass|secret|token|key|pwd/,
    pattern: new RegExp(
      '(?:["\'][\\w.-]{0,30}(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key)["\'],|' +
        ':[\\w-]{0,20}(?:password|passwd|secret|token|api-key))\\s{1,4}["\']([^\\s"\']{6,128})(?=["\'])',
      'gi',
    ),
    isPassword: isMixed,
  },
  // A call that takes a key, lists of passwords, a cell of a web page.
  {
    words: /hmac|jwt|bcrypt|basic_?auth|fernet|passwords|creds|<t[dh]>/,
    pattern: new RegExp(
      '(?:(?:create_?hmac|hmac\\.new|jwt\\.\\w{4,6}|bcrypt\\.\\w{4,12}|basic_?auth|fernet|passwords|creds)["\']?' +
        '(?:\\(| ?[=:] ?[[{])\\s?(?:[\\w.]{1,30},\\s|["\'][^"\'\\n]{0,40}["\'][,:]\\s){0,2}b?["\']|' +
        '<t[dh]>[^<]{0,20}(?:password|secret|token)[^<]{0,10}</t[dh]>\\s?<t[dh]>)([^\\s"\'<]{6,80})(?=["\'<])',
      'gi',
    ),
    isPassword: (value) => isMixed(value.replace(/=$/, '')),
  },
  // The option for a password behind the one for a user.
  {
    words: / -u/,
    pattern: /\s-u[ =]?\S{1,40}\s(?:\S{1,40}\s){0,3}?-p[ =]?["']?([^\s"']{8,64})/g,
    isPassword: (value) => isMixed(value) || isRandom(value),
  },
  // A value, and behind it what it is.
  {
    words: /password|passphrase|api key/,
    pattern: /([!-~]{8,64}) (?:<-|←|—) (?:that|this|it)(?:'s| is)(?=[\w ]{1,20}(?:password|passphrase|api key))/gi,
    isPassword: isMixed,
  },
  // A call that takes a password, also after a user.
  {
    words: /auth|login|credential|connect|password/,
    pattern: new RegExp(
      '(?:auth\\w{0,12}|log_?in|credentials?|connect|password)\\w{0,16}(?:\\(|=\\(|: ?\\[)' +
        '(?:\\s?["\'][^"\'\\n]{0,60}["\'],){0,3}\\s?["\']([^\\s"\']{10,80})["\']',
      'gi',
    ),
    isPassword: isStrong,
  },
]
