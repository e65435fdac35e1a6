// Commands that contain a secret in a place of their own, as data for `findForms`.
import type { SecretForm } from './findForms.ts'

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
