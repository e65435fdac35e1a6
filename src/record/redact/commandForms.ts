// For the second pass: commands that contain a secret in a place of their own, and passwords that stand in sentences of
// many languages, between a user and a host, and as arguments beside their name.
import type { SecretForm } from './findForms.ts'
import { PUBLIC_BEFORE } from './generatedTokens.ts'
import { gradePassword, isMixed, isPassword, isStrong } from './likelyPasswords.ts'
import {
  addMatches,
  isJoinedPhrase,
  isLocation,
  isPasswordInSentence,
  isPlaceholder,
  isReference,
  matchesOf,
  REDACTED_PREFIX,
  type SecretSpan,
} from './secretHeuristics.ts'

/** What a name of a secret contains, as an argument of a command. */
const NAME = '["\']?[\\w./:@-]{0,60}(?:pass|pw|secret|token|key|auth|credential|salt|bearer)[\\w.:-]{0,40}["\']?'

/** Commands that read a secret from stdin. */
const READERS =
  'sudo\\s(?:-\\w{1,3}_){0,3}-\\w{0,3}s|chpasswd|kinit|cryptsetup|\\w{0,6}passwd\\s|' +
  '[\\w-]{1,20}\\s(?:[^\\s|]{1,80}\\s){0,6}(?:secrets?\\s(?:set|put|create|add|versions)|login\\b|env\\s(?:add|set))|' +
  '[^\\n|]{0,160}?\\s--(?:[\\w-]{0,16}(?:pass\\w{0,6}|token|secret|key)-(?:stdin|fd|file)|with-token)\\b'

/** The options and words that may precede a value in the same command. */
const WORDS = '[^\\n|;]{0,160}?'

/** What is between the prompt that a script waits for and the call that answers it. */
const PROMPT_END = '[^\\n]{0,20}["\'`][^\\n]{0,10}\\s{0,12}[\\w.:]{0,20}[( ]'

const ORACLE_USER = '["\']?[\\w.-]{1,60}/([^\\s"\'@/]{3,128})(?=["\'@\\s]|$)'

export const COMMAND_FORMS: readonly SecretForm[] = [
  [
    'echo |printf |yes ',
    'near',
    '(?:-\\w{1,3}_|["\']?\\x25s(?:\\\\{1,2}n)?["\']?\\s){0,2}(?:["\']?[\\w.-]{1,40}:(?!\\S*:))?%' +
      '(?:(?<=\\S{256})[^\\s"\'|;]{1,8192})?' +
      '(?:\\\\{1,2}n)?["\']{0,2}' +
      `\\s{0,4}(?:[^\\n|]{0,60}\\|\\s{0,4}(?:sudo_)?(?:${READERS}|wg_pubkey)|` +
      '>{1,2}\\s{0,4}\\S{0,80}(?:pass|secret|token|credential|key))',
  ],
  ['echo |yes ', 'any', `(?:-\\w{1,3}_)?%["']?\\s?\\|\\s?(?:sudo_(?:-\\w{1,3}_){0,3}-\\w{0,3}s|su|\\w{0,3}passwd)\\b`],
  ['echo |printf ', 'any', '(?:-n_)?%[^#\\n]{0,20}base64_-{1,2}d[^#\\n]{0,20}#[^\\n]{0,40}(?:passw|secret|token|key)'],
  ['<<<', 'any', '(?<=(?:sudo|pass|crypt|login|kinit|secret)[^\\n|;]{0,80}<<<)\\s?["\']?(?:[\\w.-]{1,40}:)?%'],
  ['<(echo |<(printf ', 'any', '(?<=(?:pass|key|secret|token)[\\w-]{0,16}[= ]<\\(\\w{4,6} )(?:-\\w_)?%'],
  ['bundle config|npmauthident', 'mixed', '[ \\w.:/=-]{1,100}[ "\'][\\w.@-]{1,40}:%'],
  ['poetry config|composer config', 'any', '_(?:-\\S{1,20}_){0,3}\\S{0,12}basic\\.\\S{1,80}_\\S{1,60}_%'],
  ['nuget setapikey|nuget push', 'random', '_(?:\\S{1,80}\\.nupkg_)?%'],
  ['--key', 'random', '[= ](?=["\']?[\\w+-]{16,256}={0,2}["\']?(?:\\s|$))%'],
  ['key=|name=|parameterkey=', 'any', '[\\w./-]{0,60}(?:password|passwd|secret|token),(?:parameter)?value=%'],
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
  ['secret |secrets |put-parameter ', 'any', `${WORDS}--(?:body|value|secret-string)[= ]%`],
  ['--from-literal', 'any', '[= ]["\']?(?!user|host|port|name|db|region)[\\w.-]{1,80}=%'],
  ['password', 'any', '(?:\\sas string\\s=|\\s<-)\\s(?=["\'])%'],
  ['sqlplus |impdp |expdp |sqlldr ', 'any', `(?:-\\w{1,8}_){0,3}${ORACLE_USER}`],
  ['pserver:', 'any', '[\\w.-]{1,40}:%@'],
  ['convertto-securestring', 'any', '_(?:-string_)?%'],
  ['redis-cli', 'any', `${WORDS}\\sauth_%`],
  ['htpasswd|mosquitto_passwd', 'any', '_-\\w{0,4}b\\w{0,4}(?:_\\S{1,80})?_\\S{1,40}_%'],
  ['openssl', 'any', `_(?:enc\\b${WORDS}\\s-k_|passwd_(?:-\\w{1,8}_){0,3})%`],
  ['net use', 'any', `\\s${WORDS}/user:\\S{1,40}_%`],
  ['net use', 'any', '_(?:\\S_|\\S:_)?\\\\{2,4}\\S{1,80}_%["\']?_/user:'],
  ['http |https |xh |xhs ', 'any', `${WORDS}(?:^|\\s|(?<=\\s))(?:-a|--auth)[ =]["']?[\\w.@-]{1,60}:%`],
  ['http |https |xh |curl |wget ', 'random', `${WORDS}(?<=\\s)(?:-[au]|--auth|--user)[ =]%:?["']?(?:\\s|$)`],
  ['net user', 'any', '_\\S{1,40}_%_/'],
  ['reg add', 'any', `${WORDS}(?:passw|secret|token)${WORDS}/d_%`],
  ['vault kv put|vault kv patch|vault write', 'mixed', `${WORDS}\\bvalue=%`],
  ['+login', 'mixed', '_\\S{1,60}_(?!\\+)%'],
  ['mc alias set', 'any', '_\\S{1,40}_\\S{1,200}_\\S{1,80}_%'],
  ['-setairportnetwork|dscl', 'any', '_\\S{1,40}(?:_-passwd)?_\\S{1,80}_%'],
  ['security import|useradd|usermod|rar ', 'any', `${WORDS}\\s-h?p\\s?%`],
  ['-keychain|set-key-partition-list|add-generic-password|add-internet-password', 'any', `${WORDS}\\s-[pkw]_%`],
  ['conan user|conan remote|conan login|vsce publish|ovsx publish|hatch publish', 'any', `${WORDS}\\s-[pa]_%`],
  ['schtasks|signtool|sqlcmd|osql|bcp |psexec|certutil', 'any', `${WORDS}\\s[/-]r?p_%`],
  [
    'sendline(|write(|communicate(',
    'any',
    '(?:input=)?b?(?=["\'])%(?:\\\\{1,2}[rn]){0,2}["\']\\);?\\s{1,4}(?:#|//)[^\\n]{0,40}passw',
  ],
  ['sendline(|send(|send ', 'any', `(?<=assword${PROMPT_END})(?:--_)?(?:b|r)?(?=\\\\{0,2}["'])\\\\{0,2}%`],
  ['write(', 'mixed', `(?<=assword${PROMPT_END})(?:b|r)?(?=["'])%`],
  ['bw unlock|mkpasswd', 'any', '(?:_-{1,2}\\w{1,8}[= ][\\w-]{1,20})?_%'],
  ['tacacs-server|radius-server|isakmp|ike policy', 'any', `${WORDS}key_(?:ascii-text_)?(?:\\d_)?%`],
  ['snmp', 'any', `\\w{1,8}${WORDS}\\s-[acx]\\s?(?!aes|des|sha|md5)%(?:${WORDS}\\s-x_(?!aes|des)%)?`],
  ['send ', 'mixed', '(?:--_)?\\\\{0,3}["\']?%'],
  ['freerdp|xfreerdp|smbclient|rpcclient', 'any', `\\s${WORDS}(?:/p:|-u\\s?["']?[\\w.\\\\-]{1,40}\\x25)%`],
  ['ssh-keygen', 'any', `\\s${WORDS}\\s-[np]\\s?%`],
  ['rabbitmqctl|samba-tool', 'any', '_(?:user_)?(?:add|change|create|setpassword).?(?:user|password)?_\\S{1,40}_%'],
  ['wpa_passphrase|config set --secret', 'any', '_\\S{1,60}_%'],
  ['rclone obscure|rocommunity|rwcommunity|snmp-server community', 'any', '_%'],
  ['vault|cargo|wandb|snyk|railway|expo|netlify', 'mixed', '_(?:login|auth)_%'],
  ['curl', 'random', `${WORDS}\\s(?:-b|--cookie)[ =]["']?[\\w.-]{1,60}=%`],
  ['curl', 'any', `${WORDS}\\s-[a-z]{1,5}u\\s?["']?[\\w.@-]{1,60}:%`],
]

export function findSpokenPasswords(text: string, spans: SecretSpan[]): void {
  findNamedPasswords(text, spans)
  findPairs(text, spans)
  if (/pass|合言葉|パス|kennwort|密码/i.test(text))
    for (const pattern of [NAMED_BEHIND, COMPARED, REMARKED])
      addMatches({ text, spans }, pattern, 'password', (value) => gradePassword(value) > 0 || isPassword(value))
  if (text.includes('-p')) addMatches({ text, spans }, ATTACHED, 'password', (value) => gradePassword(value) === 2)
  for (const { 0: match, 1: rest = '', index } of matchesOf(text, FOREIGN_PASSWORD)) {
    const value = rest.replace(/[.,;:!?'")\]}*`|]+$/, (end) => end.match(/^!+/)?.[0] ?? '')
    if (value.length < 6 || value.includes(REDACTED_PREFIX) || isPlaceholder(value) || isReference(value)) continue
    if (isLocation(value) || !isForeignPassword(value)) continue
    const start = index + match.lastIndexOf(rest)
    spans.push({ start, end: start + value.length, kind: 'password' })
  }
}

/** Words for a password in languages other than English and Japanese. */
export const FOREIGN =
  'password (?:è|del|della|di|de)|passwort|kennwort|zugangsdaten|wlan-schlüssel|pw (?:vom|von|für|del?|du)|' +
  '(?:mot|phrase) de passe|mdp ?[:=]|contraseña|senha|palavra-passe|hasło|' +
  'парол[ьяюеи]м?|密码|密碼|口令|密钥|密鑰|비밀번호|암호|şifre(?:si)?|parola|wachtwoord|lösenord|adgangskode|passord|salasana|' +
  'jelszó|heslo|clave|mật khẩu|รหัสผ่าน|كلمة (?:المرور|السر)|पासवर्ड|סיסמה|κωδικός|kata sandi'

const FOREIGN_PASSWORD = new RegExp(
  `(?:${FOREIGN})[^\\n!-~]{0,4}(?:[ ]?\\p{L}{1,12}){0,5}?[^\\n\\w!#-&*+@-]{0,6}(?!\\p{L}+ )([!-~À-ɏ]{6,64})`,
  'giu',
)

const isForeignPassword = (value: string): boolean =>
  isMixed(value) ||
  isStrong(value) ||
  isJoinedPhrase(value) ||
  /^(?=.*[a-z][A-Z])[\w-]*[!*+_~^][\w!*+~^-]*$/.test(value)

/** A word for a password at the end of a name or alone, and other words with a password beside them. */
const NAMED = new RegExp(
  '(?:(passw(?:or)?[dt]|pass[ _-]?phrase|passcode|unlock[_ -]?code|kennwort|credential|パス(?:ワード|フレーズ|コード)?|合言葉|' +
    '暗証番号|トークン|キー|(?:秘密|共有|暗号)鍵|認証(?:情報|コード)|保護解除|ＰＷ|ＰＡＳＳ|ログイン|' +
    `${FOREIGN}|` +
    '(?<![a-z]|-- )(?:pwd|pass|pw|psk|creds?)s?(?![a-z])|(?<=[a-z])p(?:ass|w|wd)(?![a-z]))|' +
    'secret|(?<![a-z])(?:(log(?:in|on)|account|access|user(?:name)?|identify|benutzer|usuario|ユーザー?)|key|' +
    '(?:[a-z]{2,12})?token|auth|community|salt|pepper|pin)s?(?![a-z])|<<<|(?<=\\s)-{1,2}(?:[upwa]|user)(?=[ =:"\']))' +
    '[\\w-]{0,16}',
  'gi',
)

/** The end of a name that begins with another such word, and a short option for a password behind one for a user. */
const PASSWORD_END = /(?:[_-](?:pass|pwd?|PASS|PWD?)|(?<=[a-z])P(?:ass|wd?))$/
const USER_BEFORE = /\s-(?:u(?=\w)|-?(?:[uUlD]|user\w{0,4}|login)[ =:])["']?\S[^\n|;&]{0,60}$/

/** What is between such a word and its value if nothing else is. */
const BESIDE = new RegExp(
  `^["']{3,6}$|^(?: ?[(（][^()（）\\n]{1,40}[)）](?= ?[:：=]|(?<=[ぁ-龠][)）]) )|'s|\\[\\w{0,4}\\])?` +
    '[\\u0400-\\ud7af]{0,4}(?:["\'`\\\\)*}]{0,3}(?:\\s{0,16}[:=,|│>→（：＝—–…]+|\\]? ?(?:~>|->|=>|:-|\\.{3,20}:?)|' +
    '\\s(?:is|was|to|as|are|\\.|(?:will|must|should|used to) be)|\\s\\{|\\s?\\?\\?)|\\s(?:--?\\w[\\w-]{1,20}\\s)?)' +
    '(?: ?default\\w{0,8} ?[:=])?["\'`\\s=>{([【*|<q]{0,16}(?:\\d\\s|!!\\w{1,16}\\s)?$|' +
    '^(?:["\']\\)\\.\\w{0,8}or_?(?:else|default)?|(?:\\.|::)(?:of|new|create|from\\w{0,8}|parse))\\(["\'`]$|' +
    '^>?:?\\s{0,4}(?:<[^<>]{1,60}>\\s{0,8}){1,3}$|^(?:[はをがに][「『]?|[「『（［【])$|^[】\\])*]{1,2}:?\\s{0,2}["\'`]?$',
  'i',
)

/** What may be between a user and a password. */
const LINKED = /(?:\bwith|\busing|\/\/?|[:,] ?)\s["'`]?$/

/** What ends the words between them, if the word is one for a password. */
const ANNOUNCED =
  /(?:→|->|\bis|\bit's|\w:|\w\s=|(?:set|changed|updated|\bfrom\s.{1,40}) to|prompt with)\s["'`]?$|[：新旧後前]:?$/i

/** How far behind its word a password may be, in characters and lines. */
const NAMED_CHARS = 240
const NAMED_LINES = 6

function findNamedPasswords(text: string, spans: SecretSpan[]): void {
  for (const { 0: name, 1: strong, 2: user, index } of matchesOf(text, NAMED)) {
    let from = index + name.length
    const isForeign = /[^\0-~]$/.test(name)
    // Right behind a name in English, a bracket is of a call.
    const behind = text.slice(from, from + NAMED_CHARS).replace(isForeign ? /^\(/ : /^（/, '（')
    const lines = behind.split('\n', NAMED_LINES)
    const isStrong =
      strong !== undefined ||
      PASSWORD_END.test(name) ||
      (/^-[pPw]$/.test(name) && USER_BEFORE.test(text.slice(Math.max(0, index - 80), index)))
    for (const [below, line] of lines.entries()) {
      for (const { 0: run, index: at } of line.matchAll(/[^\s"'`<>|\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]{6,80}/g)) {
        const isElement = line[at - 1] === '>' && line.startsWith('</', at + run.length)
        const isQuoted = isElement || /["'`「]$/.test(line.slice(0, at))
        const lead = isQuoted ? '' : ((name.startsWith('-') ? OPTION_LEAD : LEAD).exec(run)?.[0] ?? '')
        const value = run.slice(lead.length).replace(/[,;&][\w.-]{1,40}=.*$|[,.:;)\]}*]+$|(?:\\[nr])+$/, '')
        const isSpoken = isForeign && isPasswordInSentence(value) && !isLocation(value)
        const isLiteral = isQuoted || (lead === '=' && /^[A-Z\d_]+$/.test(name))
        const grade = gradePassword(isLiteral ? value.replaceAll('=', '-') : value) || Number(isSpoken)
        const around = { before: line.slice(0, at) + lead, after: line.slice(at + run.length), below }
        const isSigned = below === 0 && BESIDE.test(around.before) && isPassword(value, isQuoted)
        if ((grade === 0 && !isSigned) || PUBLIC_BEFORE.test(around.before) || (below > 0 && value.length > 40))
          continue
        const points = pointsOfPlace(around, { isStrong, isUser: user !== undefined })
        if (!isSigned && grade + points < 3) continue
        const start = from + at + lead.length
        spans.push({ start, end: start + value.length, kind: 'password' })
      }
      from += line.length + 1
    }
  }
}

/** A name of its own before a value, or the user before it in an option. */
const LEAD = /^(?:[\w.-]{1,30}[:=])?(?:q[qw]?[({[])?[=:>({[,*→]*(?:(?<=:)-)?/
const OPTION_LEAD = /^[:=]?(?:[\w.@\\-]{1,40}[:%])?/

/** In a line below, the value is alone or has a name of its own. */
const BELOW = /^[\s>\d:[\]]*(?:[\w "'-]{1,24}[:=]\s*\*?|(?:<\w{1,20}>){1,2})?["'`]?$/

/** One for a word that only passwords have, one for a value beside it; 0 for a value in another place. */
function pointsOfPlace(
  { before, after, below }: { readonly before: string; readonly after: string; readonly below: number },
  { isStrong, isUser }: { readonly isStrong: boolean; readonly isUser: boolean },
): number {
  if (below > 0 && (!BELOW.test(before) || /\w/.test(after.replace(/^(?:<\/\w{1,20}>){1,2}/, '')))) return 0
  const isBeside =
    below > 0
      ? /^\s*(?:new (?:value|password):\s)?[\s"'`*]*(?:<\w{1,20}>){0,2}$/i.test(before) || (isUser && below === 1)
      : BESIDE.test(before) || (isStrong && ANNOUNCED.test(before)) || (isUser && LINKED.test(before))
  return Number(isBeside) + Number(isStrong)
}

/** A user and a password: `root:…`, `admin / …`, `DOMAIN\\user%…`. */
const PAIR = new RegExp(
  '(?<![\\w.@:/-])[A-Za-z*][\\w.@\\/-]{0,40}?(["\'`]?\\s?[:/|／]\\s?|[%,])["\'`]?' +
    '([^\\s"\'`,;<>()@:/\\u3000-\\u9fff]{6,80})(?=["\']?(@[\\w.-])|["\'\\s`,;<>)\\u3000-\\u9fff]|$)',
  'g',
)

/** What precedes such a pair, at its end and anywhere in its line or the line above. */
const USER_OPTION =
  /(?:\s-{1,2}(?:[uUaA]|user\w{0,8})[ =]?|\bauth |USERPWD, ?|(?:btoa|b(?:ase)?64_?encode|encode64|getbytes)\(b?)["']?$/i
const LOGIN = /log(?:ged)? ?[io]n|sign ?in|\buser|auth(?!or)|cred|account|admin|root|passw|\bpw\b|ログイン|アカウント/i
const STRONG_USER =
  /^(?:admin|root|user|test|guest|login|[\w.]{1,30}@[\w.-]{4,40})\w{0,8}["'`]?\s?(?:\/\s|[:|]\s?)["'`]?$/i
const USER_NAME = /^(?:admin|root|demo|guest|test|[\w.]{1,30}@[\w.-]{4,40})\w{0,8}(?:["'`]?\s?\/\s|:)/i

/** What says that the next two words are a user and a password. */
const ANNOUNCED_PAIR = new RegExp(
  '(?:log ?in|sign ?in|creds?|credentials?|(?:zugangs|anmelde)daten|identifiants|creden[cz]ial[ei]s?|acc?esso|' +
    '登录用?|账号(?:密码)?|ログイン(?:情報)?|認証(?:情報)?|アカウント|' +
    '(?:user(?:name)?|id) ?/ ?p(?:ass\\w*|wd?))(?: for [\\w ./-]{1,30}?)?(?: as| with| is| are)?\\W{1,3}$',
  'i',
)

/** A list of users, each with a password behind a colon, before one of them. */
const USER_LIST = new RegExp(
  '(?:chpasswd|(?:users|accounts|credentials|logins|passwords)(?=["\'`]?\\s?[:=\\n])|BUNDLE_\\w+__\\w+(?=["\']?[:=]))' +
    '[^:\\n]{0,20}(?::?\\s{1,12}\\w{2,12})?[\\s:=|"\'`[({-]{0,16}' +
    '(?:[\\w.@-]{1,40}:[^\\s,;]{6,80}[\\s,;"\'`-]{1,16}){0,5}$',
)

/** A line of fields between colons, as files of passwords have them. */
const RECORD = /^(?:[\w.*@{}-]{0,60}:){1,6}([^\s:"']{6,80})(?=$|:)/gm

function findPairs(text: string, spans: SecretSpan[]): void {
  for (const { 0: match, 1: sign, 2: value = '', 3: host, index } of matchesOf(text, PAIR)) {
    const before = text.slice(Math.max(0, index - 60), index)
    const isPhrase = isJoinedPhrase(value)
    const isUser =
      ANNOUNCED_PAIR.test(before) ||
      (sign === ':' && USER_LIST.test(text.slice(Math.max(0, index - NAMED_CHARS), index))) ||
      (!isPhrase && (USER_OPTION.test(before) || host !== undefined || USER_NAME.test(match)))
    const isLogin = isUser || (!/[,|]/.test(sign ?? '') && LOGIN.test(before + match))
    const isLikely = isLogin && gradePassword(value) >= (isUser ? 1 : 2)
    if (isLikely || (STRONG_USER.test(match.slice(0, -value.length)) && isStrong(value)))
      spans.push({ start: index + match.length - value.length, end: index + match.length, kind: 'password' })
  }
  addMatches({ text, spans }, RECORD, 'password', (value) => gradePassword(value) === 2)
}

/** A password in quotes or a sentence, and behind it what it is. */
const NAMED_BEHIND = new RegExp(
  '(?<![!#-&(-_a-~])([!#-&(-_a-~]{8,80})(?:["\'`][\\s(]{1,3}(?:(?:is|as|for|to|--?\\w{1,10})\\s)?|' +
    '\\s(?:as|is)\\s|\\s\\()(?:(?:the|a|my|your|new|our)\\s)?(?:[\\w-]{1,12}\\s){0,2}[\\w-]{0,16}pass(?:w(?:or)?d|phrase)|' +
    '(?<![!#-&(-_a-~])([!#-&(-_a-~]{8,80})["\'`」』]?\\s{0,3}(?:という|が[ぁ-龠]{0,6})(?:パス(?!が)|合言葉)',
  'gi',
)

/** A password in quotes that is compared with what has its name. */
const COMPARED = new RegExp(
  '(?:["\'`](?=[^"\'`\\s]{8,80}["\'`]\\)?\\s?(?:[!=]={1,2}|\\.equals))|' +
    '(?:strn?cmp|assert_?equals?|compare\\w{0,10}|verify)\\(["\'`])' +
    '([^\\s"\'`]{8,80})["\'`]\\)?(?:\\s?[!=]={1,2}\\s?|\\.equals\\w{0,10}\\(|,\\s)' +
    '(?:[\\w$>()-]{1,40}\\W{1,2}){0,3}[\\w$]{0,16}pass(?:w(?:or)?d|phrase)',
  'gi',
)

/** A password in quotes, an element or a setting, and a remark behind it that says so. */
const REMARKED = new RegExp(
  '(?<![!#-&(-;=?-_a-~])([!#-&(-;=?-_a-~]{8,80})(?:(?:["\'`]|</\\w{1,8}>)[\\s);,\\]]{0,6}' +
    "(?://|/\\*|--|[#';%]|<!--|\\brem\\b)|[ \\t]{1,4}#)\\s?" +
    '(?:[\\p{L}\\d]{1,12}[ のde]{1,2}){0,2}[\\w-]{0,16}(?:passw(?:or)?[dt]|passphrase|パスワード|kennwort|密码)' +
    '[ \\t]{0,4}(?:\\*/|-->)?[ \\t]*(?=\\r?\\n|$)',
  'giu',
)

/** A password that an option has without white space. */
const ATTACHED = /(?<=\s-p)[A-Z\d][!#-&(-:<-_a-~]{8,40}(?=\s|$)/g
