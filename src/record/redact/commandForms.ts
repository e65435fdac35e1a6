// For the second pass: commands that contain a secret in a place of their own, and passwords that stand in sentences of
// many languages, between a user and a host, and as arguments beside their name.
import type { SecretForm } from './findForms.ts'
import {
  isLocation,
  isPasswordInSentence,
  isPlaceholder,
  isRandom,
  isReference,
  isWordLike,
  REDACTED_PREFIX,
  type SecretSpan,
} from './secretHeuristics.ts'

/** What a name of a secret contains, as an argument of a command. */
const NAME = '["\']?[\\w./:@-]{0,60}(?:pass|pw|secret|token|key|auth|credential|salt)[\\w.:-]{0,40}["\']?'

/** Commands that read a secret from stdin. */
const READERS =
  'sudo\\s(?:-\\w{1,3}_){0,3}-\\w{0,3}s|chpasswd|kinit|cryptsetup|passwd\\s|' +
  '[\\w-]{1,20}\\s(?:[\\w-]{1,20}\\s){0,2}(?:secrets?\\s(?:set|put|create|add|versions)|login\\s|env\\s(?:add|set))'

/** The options and words that may precede a value in the same command. */
const WORDS = '[^\\n|;]{0,160}?'

export const COMMAND_FORMS: readonly SecretForm[] = [
  [
    'echo |printf ',
    'near',
    '(?:-\\w{1,3}_|["\']\\x25s(?:\\\\{1,2}n)?["\']\\s){0,2}(?:["\']?[\\w.-]{1,40}:(?!\\S*:))?%' +
      '(?:\\\\{1,2}n)?["\']{0,2}' +
      `\\s{0,4}(?:\\|\\s{0,4}(?:sudo_)?(?:${READERS})|>{1,2}\\s{0,4}\\S{0,80}(?:passw|secret|token|credential))`,
  ],
  ['echo |printf ', 'any', `(?:-\\w{1,3}_){0,2}%["']?\\s{0,4}\\|\\s{0,4}sudo_(?:-\\w{1,3}_){0,3}-\\w{0,3}s\\b`],
  ['sudo |chpasswd', 'any', '[^\\n|]{0,80}<<<\\s{0,4}["\']?(?:[\\w.-]{1,40}:)?%'],
  [
    'configure set |config set |config:set |secret set |secrets set |secret put |user-secrets set |' +
      'setx |set -x |set -gx ',
    'mixed',
    `(?:(?:-{1,2}|/)\\w[\\w-]{0,20}_){0,2}${NAME}(?:=|_)%`,
  ],
  [
    'git config|poetry config|composer config|pip config',
    'random',
    `_(?:-\\S{1,20}_){0,2}${NAME}_["']?(?:authorization: \\w{1,10} )?%`,
  ],
  ['secret |secrets |put-parameter ', 'mixed', `${WORDS}--(?:body|value|secret-string)[= ]%`],
  ['--from-literal', 'any', '[= ]["\']?(?!user|host|port|name|db|region)[\\w.-]{1,80}=%'],
  ['identified', 'any', '_(?:with_["\'\\w]{1,40}_)?by_(?:password_)?(?=\\\\{0,3}["\'])%'],
  ['identified by ', 'any', '(?<=(?:user|role)\\s\\S{1,60}\\sidentified by )%'],
  ['password', 'near', "\\s?[( ]\\s?(?=')%'"],
  ['jdbc:oracle:', 'any', '\\w{2,8}:[^/\\s"\']{1,60}/([^\\s"\'@]{3,128})@'],
  ['sqlplus ', 'any', '(?:-\\w{1,8}_){0,3}[\\w.]{1,60}/([^\\s"\'@]{3,128})@'],
  ['-storepass|-keypass|-srcstorepass|-deststorepass', 'any', '(?::\\w{1,8})?[= ]%'],
  ['convertto-securestring', 'any', '_(?:-string_)?%'],
  ['requirepass', 'any', ':?_%'],
  ['redis-cli', 'any', `${WORDS}\\sauth_%`],
  ['htpasswd', 'any', '_-\\w{0,4}b\\w{0,4}_\\S{1,80}_\\S{1,40}_%'],
  ['openssl', 'any', `_(?:enc\\b${WORDS}\\s-k_|passwd_(?:-\\w{1,8}_){0,3})%`],
  ['7z|7za', 'any', `\\s${WORDS}\\s-p(?=\\S)%`],
  ['net use', 'any', `\\s${WORDS}/user:\\S{1,40}_%`],
  ['net use', 'any', '_(?:\\S_|\\S:_)?\\\\{2,4}\\S{1,80}_%_/user:'],
  ['http |https |xh |xhs ', 'any', `${WORDS}(?:^|\\s|(?<=\\s))(?:-a|--auth)[ =]["']?[\\w.@-]{1,60}:%`],
  ['net user', 'any', '_\\S{1,40}_%_/'],
  ['snmp', 'any', `\\w{1,8}\\s${WORDS}\\s-[ax]_(?!aes|des|sha|md5)%(?:${WORDS}\\s-x_(?!aes|des)%)?`],
  ['send ', 'mixed', '(?:--_)?\\\\{0,3}["\']?%'],
  ['smbclient|rpcclient', 'any', `\\s${WORDS}-u\\s?["']?[\\w.\\\\-]{1,40}\\x25%`],
  ['freerdp|xfreerdp', 'any', `\\s${WORDS}/p:%`],
  ['ssh-keygen', 'any', `\\s${WORDS}\\s-[np]\\s?%`],
  ['rabbitmqctl', 'any', '_(?:add|change).(?:user|password)_\\S{1,40}_%'],
  ['nmcli', 'any', `\\s${WORDS}\\spassword_%`],
  ['wpa_passphrase', 'any', '_\\S{1,60}_%'],
  ['add-generic-password|add-internet-password', 'any', `\\s${WORDS}-w_%`],
  ['.env', 'near', '[\\w.-]{0,40}[:-](?:\\d{1,6}[:-])?\\s{0,4}(?:export\\s)?[A-Za-z_]\\w{0,80}=%'],
  [':5432:', 'any', '[\\w*.-]{1,60}:[\\w*.-]{1,60}:%'],
  ['"d":|\\"d\\":', 'random', '\\s?\\\\{0,3}"([\\w-]{43,120})\\\\{0,3}"'],
  ['rclone obscure', 'any', '_%'],
  ['vault|cargo|wandb|snyk|railway|expo|netlify', 'mixed', '_(?:login|auth)_%'],
  ['expect "', 'any', '[^"\\n]{0,40}assword:?\\s?["\']?;?\\s{0,8}send_(?:--\\s)?\\\\?["\']%'],
  ['curl', 'random', `${WORDS}\\s(?:-b|--cookie)[ =]["']?[\\w.-]{1,60}=%`],
  ['curl', 'any', `${WORDS}\\s-[a-z]{1,5}u\\s?["']?[\\w.@-]{1,60}:%`],
  ['variable "', 'any', '[\\w-]{0,40}(?:password|secret|token|key)[\\w-]{0,20}"\\s?{[^}]{0,200}?default\\s{0,8}=_%'],
  ['"random_password"', 'any', '.{0,400}?"result":\\s?%'],
  ['dsonar.login|sonar.login', 'random', '=%'],
]

/** Sentences for which hooks have no time. */
export const SENTENCE_FORMS: readonly SecretForm[] = [
  ['pass|password|passcode|passphrase|pw', 'mixed', "(?:\\s(?:for|of|to|on|in|at)[\\w .'/-]{0,40}?)?\\sis:?_%"],
  ['log in|login|sign in', 'mixed', '\\s(?:with|as|using)_[^\\s/:]{1,60}_with_%'],
]

/** Forms of web pages and of the scripts that fill them in. */
export const FIELD_FORMS: readonly SecretForm[] = [
  [
    'password|passcode',
    'near',
    '[^\\n]{0,40}?\\)\\.(?:fill|type|setvalue|tohavevalue|send.?keys)\\(\\s{0,4}(?=["\'])%',
  ],
  ['fill(|type(', 'near', '["\'][^"\'\\n]{0,60}(?:password|passcode|secret)[^"\'\\n]{0,20}["\'],\\s{0,4}(?=["\'])%'],
  ['type="password|type=\\"password|type=\'password', 'any', '\\\\?["\'][^<>]{0,200}?\\svalue=\\\\?["\']%'],
  [
    'form-data; name=',
    'any',
    '\\\\{0,3}"[\\w-]{0,40}(?:passw|secret|token|.key)[\\w-]{0,20}\\\\{0,3}"(?:\\s|\\\\[rn]){2,16}%',
  ],
]

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
export const FOREIGN =
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
    words: / -{1,2}u/,
    pattern:
      /\s-{1,2}u(?:ser(?:name)?)?[ =]?\S{1,40}\s(?:\S{1,40}\s){0,3}?-{1,2}p(?:ass(?:w(?:or)?d)?)?[ =]?["']?([^\s"']{6,64})/gi,
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
