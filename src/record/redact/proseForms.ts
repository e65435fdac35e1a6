// Sentences in English and Japanese that contain a secret, as data for `findForms`.
import type { SecretForm } from './findForms.ts'

const PASSWORD = 'password|passphrase|passcode|passwd|pwd|pw'
/** What may be between the name and the verb: `for the staging server`. */
const OF = "(?:\\s(?:for|of|to|on|in|at|here)[\\w .'/-]{0,40}?)?"
const KEY = 'api key|access key|license key|secret key|api_key|token|secret'
const JAPANESE = 'パスワード|パスフレーズ|合言葉|暗証番号'
const JAPANESE_KEY = 'トークン|apiキー|シークレット|アクセスキー|秘密鍵'
/** What may be between a Japanese name and the value. */
const PARTICLE = '\\s{0,3}(?:を|は|が|に|で|→|->|：|:|=|、)?\\s{0,3}'

export const PROSE_FORMS: readonly SecretForm[] = [
  [
    PASSWORD,
    'mixed',
    `${OF}\\s{0,3}(?:\\sis|\\sare|\\swas|=|:|\\s-|→|\\s->)\\s{1,3}(?:now\\s|currently\\s|still\\s)?%`,
  ],
  [PASSWORD, 'mixed', `${OF}:?[ \\t]{0,3}\\n{1,2}[ \\t]{0,4}%[ \\t]{0,4}(?:\\n|$)`],
  [PASSWORD, 'mixed', `(?<=\\b(?:use|with|enter|type|try)_%["'\`]?_(?:as|for)_(?:\\w{1,12}_){0,3}\\w{2,10})`],
  [PASSWORD, 'mixed', `(?:${OF}(?:_from_%)?|\\s(?:has\\sbeen|was|is)\\s(?:re)?(?:set|changed))_to_%`],
  [PASSWORD, 'mixed', '(?<=\\b(?:with|username\\s\\S{1,40}|user\\s\\S{1,40}|and)_(?:the\\s)?\\w{2,10})_%'],
  ['log in|login|sign in', 'mixed', '\\s(?:with|as|using)\\s[^\\s/:]{1,60}\\s{0,2}(?:/|:|\\sand)\\s{0,2}%'],
  ['creds|credentials', 'mixed', ':?\\s(?:are\\s)?[^\\s/:]{1,60}\\s{0,2}(?:[:/]|\\sand\\s)\\s{0,2}%'],
  [KEY, 'random', '\\b[^.\\n]{0,40}?(?:\\sis|:|=)\\s{1,4}%'],
  ['pin|otp|one-time code|one-time password|verification code|security code', 'digits', `${OF}(?:\\sis|:|=)\\s{1,3}%`],
  [JAPANESE, 'mixed', `を?\\s{0,3}%\\s{0,3}から\\s{0,3}%`],
  [JAPANESE, 'mixed', `${PARTICLE}%`],
  ['暗証番号', 'digits', `${PARTICLE}%`],
  ['という', 'mixed', `(?<=%[」』"]?\\s{0,3}という)\\s{0,3}(?:パス|合言葉|トークン|キー|apiキー)`],
  [JAPANESE_KEY, 'random', `${PARTICLE}%`],
]
