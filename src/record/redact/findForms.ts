// Finds secrets by the words around them: in commands and in sentences. The forms are data. Those of sentences in
// English and Japanese, of web pages and of settings are here, those of commands in commandForms.ts.
import {
  isLocation,
  isPasswordInSentence,
  isPlaceholder,
  isRandom,
  isReference,
  matchAt,
  REDACTED_PREFIX,
  type SecretSpan,
} from './secretHeuristics.ts'

/**
 * What a value is like: `any` that is no placeholder; `near`: the same, with a digit near the words; `mixed`: letters
 * with digits; `random`: what only a machine writes; `digits`: four to eight.
 */
export type FormValue = 'any' | 'near' | 'mixed' | 'random' | 'digits'

/**
 * A form: the words it begins with, in lower case with `|` between them; what the value is like; and a pattern of what
 * follows these words, in lower case, in which `%` is the value and `_` white space. All quantifiers in it are bounded,
 * so time is linear in the text.
 */
export type SecretForm = readonly [anchors: string, value: FormValue, source: string]

/** A value ends at white space and at signs that end a word of a command. Quotes may be escaped by JSON. */
const VALUE = '(?:\\\\{0,3}["\'`「『(]{1,2})?([^\\s"\'`\\\\;|<>「」『』、。\\u3000-\\u9fff\\uff00-\\uffef]{3,256})'

/** Forms in a text: a cheap check, and the search. */
export interface SecretFinder {
  /** A cheap check, true for every text with such a secret. `lower` is the text in lower case. */
  readonly mayFind: (text: string, lower: string) => boolean
  readonly find: (text: string, spans: SecretSpan[]) => void
}

/** The finder of these forms. Nothing is compiled before the words of a form are found. */
export function createFormFinder(forms: readonly SecretForm[]): SecretFinder {
  const byAnchor = new Map<string, SecretForm[]>()
  let anchors: readonly string[] | undefined
  const group = (form: SecretForm): void => {
    for (const anchor of form[0].split('|')) byAnchor.set(anchor, [...(byAnchor.get(anchor) ?? []), form])
  }
  function* findPlaces(lower: string): Generator<{ readonly form: SecretForm; readonly at: number }> {
    if (!anchors) forms.forEach(group)
    anchors ??= [...byAnchor.keys()]
    for (const anchor of anchors.filter((each) => lower.includes(each))) {
      const here = byAnchor.get(anchor) ?? []
      const kinds = here.map(([, kind]) => kind)
      for (const at of listPlaces(lower, anchor)) {
        const isNear = isValueNear(lower, at, kinds)
        for (const form of here) if (isNear || form[1] === 'any') yield { form, at: at + anchor.length }
      }
    }
  }
  return {
    mayFind: (_, lower) => !findPlaces(lower).next().done,
    find: (text, spans) => {
      const lowered = text.toLowerCase()
      // The lower case of a few letters is longer: then only words in lower case are found.
      const lower = lowered.length === text.length ? lowered : text
      for (const { form, at } of findPlaces(lower)) findAt({ text, lower, at }, form, spans)
    },
  }
}

/** Matches every text in lower case that has the words of a form. For the worker: a hook compiles no such pattern. */
export const anchorPattern = (forms: readonly SecretForm[]): RegExp =>
  new RegExp(forms.map(([anchors]) => anchors.replace(/[.*+?^${}()[\]\\]/g, '\\$&')).join('|'))

/** Places of the same words that are searched in one text: no command and no sentence has more. */
const PLACES_MAX = 500

/** Where the words of a form are, at the start of a word. */
function listPlaces(lower: string, anchor: string): number[] {
  const places: number[] = []
  for (let at = lower.indexOf(anchor); at !== -1 && places.length < PLACES_MAX; at = lower.indexOf(anchor, at + 1)) {
    if (isWordStart(lower, at)) places.push(at)
  }
  return places
}

/** A value is at most this far behind the words, and before them, in characters. */
const BEHIND_CHARS = 120
const BEFORE_CHARS = 60

/** Whether a word near `at` has a digit and may be a value of these kinds, and is not the path of a file. */
function isValueNear(lower: string, at: number, kinds: readonly FormValue[]): boolean {
  const charsMin = kinds.includes('digits') ? 4 : 6
  return lower
    .slice(Math.max(0, at - BEFORE_CHARS), at + BEHIND_CHARS)
    .split(/[\s"'`,;「」、。（）]|[\u3040-\u9fff]/)
    .some((word) => word.length >= charsMin && /\d|(?:[a-z]{3,9}-){3}/.test(word) && !/\/.*\.|[(){}]/.test(word))
}

const isWordChar = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= '0' && char <= '9')

/** Whether no word goes on at `at`; a line break that JSON escapes is none. */
const isWordStart = (lower: string, at: number): boolean =>
  !isWordChar(lower[at] ?? '') || !isWordChar(lower[at - 1] ?? '') || lower[at - 2] === '\\'

const patterns = new Map<string, RegExp>()

function patternOf(source: string): RegExp {
  const pattern = patterns.get(source) ?? new RegExp(source.replaceAll('_', '[ \\t]{1,4}').replaceAll('%', VALUE), 'y')
  patterns.set(source, pattern)
  return pattern
}

interface Place {
  readonly text: string
  /** The text in lower case. */
  readonly lower: string
  readonly at: number
}

function findAt({ text, lower, at }: Place, [, kind, source]: SecretForm, spans: SecretSpan[]): void {
  const pattern = patternOf(source)
  pattern.lastIndex = at
  const match = pattern.exec(lower)
  if (!match) return
  let from = at
  for (const found of match.slice(1)) {
    if (found === undefined) continue
    // A pattern may also look back from the words.
    const next = lower.slice(from, pattern.lastIndex).indexOf(found)
    const start = next === -1 ? lower.lastIndexOf(found, at) : from + next
    from = Math.max(at, start + found.length)
    const value = text.slice(start, start + found.length).replace(/[,.:)\]}?]+$/, '')
    const rest = matchAt(/(?<=\S{256})[^\s"'`\\;|<>]{0,8192}/y, text, start + found.length)?.length ?? 0
    if (isFormValue(value, kind))
      spans.push({ start, end: start + value.length + rest, kind: kind === 'random' ? 'key' : 'password' })
  }
}

function isFormValue(value: string, kind: FormValue): boolean {
  if (value.includes(REDACTED_PREFIX) || isPlaceholder(value) || isReference(value) || isLocation(value)) return false
  if (kind === 'digits') return /^\d{4,8}$/.test(value)
  if (kind === 'random') return isRandom(value)
  return kind === 'mixed' ? isPasswordInSentence(value) : !/^-|^[\d.]{1,5}$/.test(value)
}

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
  [PASSWORD, 'mixed', `(?:${OF}(?:_from_%["'\`]?)?|\\s(?:has\\sbeen|was|is)\\s(?:re)?(?:set|changed))_to_%`],
  [PASSWORD, 'mixed', '(?<=\\b(?:with|username\\s\\S{1,40}|user\\s\\S{1,40}|and)_(?:the\\s)?\\w{2,10})_%'],
  ['log in|login|sign in', 'mixed', '\\s(?:with|as|using)\\s[^\\s/:]{1,60}\\s{0,2}(?:/|:|\\sand|\\swith)\\s{0,2}%'],
  ['creds|credentials', 'mixed', ':?\\s(?:are\\s)?[^\\s/:]{1,60}\\s{0,2}(?:[:/]|\\sand\\s)\\s{0,2}%'],
  [KEY, 'random', '\\b[^.\\n]{0,40}?(?:\\sis|:|=)\\s{1,4}%'],
  ['pin|otp|one-time code|one-time password|verification code|security code', 'digits', `${OF}(?:\\sis|:|=)\\s{1,3}%`],
  [JAPANESE, 'mixed', `を?(?:\\s{0,3}%|[^\\n、。「]{1,12})["'」]?\\s{0,3}から\\s{0,3}%`],
  [JAPANESE, 'mixed', `${PARTICLE}%`],
  ['暗証番号', 'digits', `${PARTICLE}%`],
  ['という', 'mixed', `(?<=%[」』"]?\\s{0,3}という)\\s{0,3}(?:パス|合言葉|トークン|キー|apiキー)`],
  [JAPANESE_KEY, 'random', `${PARTICLE}%`],
]

/** Forms of web pages and of the scripts that fill them in. */
export const FIELD_FORMS: readonly SecretForm[] = [
  [
    'password|passcode|passwd|pass")|pwd")',
    'near',
    '[^\\n]{0,40}?\\)?\\.(?:fill|type|setvalue|tohavevalue|send.?keys)[( ]\\s{0,4}(?=["\'])%',
  ],
  ['fill(|type(', 'near', '["\'][^"\'\\n]{0,60}(?:password|passcode|secret)[^"\'\\n]{0,20}["\'],\\s{0,4}(?=["\'])%'],
  ['type="password|type=\\"password|type=\'password', 'any', '\\\\?["\'][^<>]{0,200}?\\svalue=\\\\?["\']%'],
]

/** Forms of settings, statements of databases, lines of protocols and what devices and mainframes are given. */
export const SETTING_FORMS: readonly SecretForm[] = [
  ['::add-mask::|password 51:b:|{noop}', 'any', '%'],
  ['identified', 'any', '_(?:with_["\'\\w]{1,40}_)?by_(?:password_)?(?=\\\\{0,3}["\'])%'],
  ['identified by ', 'any', '(?<=(?:user|role)\\s\\S{1,60}\\sidentified by )%'],
  ['jdbc:oracle:', 'any', '\\w{2,8}:[^/\\s"\']{1,60}/([^\\s"\'@]{3,128})@'],
  ['wifi:', 'any', '[^"\'\\n]{0,80}?(?<=[:;])p:%'],
  ['masterauth|key content|キー コンテンツ|<keymaterial', 'mixed', '[>\\s]{1,24}(?::\\s)?%'],
  ['pre-shared-secret|pre-shared-key|: eap|: xauth|: pap|: chap', 'near', '_(?:\\d{1,4}_)?(?:(?:ascii-)?text_)?%'],
  ['auth myname |ppp auth send |secret-set-value |radtest |message-digest-key ', 'any', '\\S{1,80}_(?:md5_)?%'],
  ['unprotect |protect ', 'mixed', '(?=")%'],
  ['.open "|sp_addlinkedsrvlogin ', 'mixed', '[^;\\n]{1,160}["\'],\\s?N?["\'][\\w@.\\\\-]{1,40}["\'],\\s?N?(?=["\'])%'],
  ['ssid', 'mixed', '[^\\n]{1,60}?(?<![a-z])(?:key|pass|pw|psk|キー)[:：は= ]{1,3}%'],
  ['\nuser ', 'mixed', '(?<=(?:open|ftp)_[^\\n]{1,80}\\nuser )\\S{1,40}_%(?=[ \\t]*(?:\\n|$))'],
  ['temporary password|initial password|generated password', 'mixed', '[^\\n:=]{0,60}:_(\\S{8,64})'],
  ['pic x(', 'any', '(?<=(?:pass\\w{0,6}|pwd?)\\s{1,8}pic x\\()\\d{1,4}\\)_value_(?:is_)?%'],
  ['crtusrprf|chgusrprf|altuser|adduser', 'any', '[^\\n]{1,120}?\\b(?:password|phrase)\\(%'],
  ['授权码|授權碼', 'any', '[：:=是为]{1,2}\\s?(?=[a-z]{16}(?!\\w))%'],
  ['login ', 'mixed', '(?<=\\b[a-z]{1,3}\\d{1,5} login )\\S{1,60}_%'],
  ['334 ugfzc3dvcmq6', 'any', '\\s{1,4}(?:[<>cs:-]{1,3}\\s)?%'],
  ['pragma |attach ', 'any', '[^;\\n]{0,160}?\\b(?:re)?key[ =]{1,3}(?=["\'])%'],
  ['pgp_sym_encrypt(|pgp_sym_decrypt(|aes_encrypt(|aes_decrypt(', 'mixed', '[^)\\n]{1,120},\\s{0,4}(?=["\'])%'],
  ['password 7|key 7|key-string 7|md5 7', 'any', '_((?:[\\da-f]{2}){5,60})(?!\\w)'],
  ['enable |username ', 'mixed', '(?:\\S{1,40}_(?:privilege_\\d{1,2}_)?)?(?:secret|password)_(?:\\d_)?%'],
  ['user |setuser ', 'mixed', '(?:\\S{1,40}_){1,7}(?:on|reset|[+~]\\S{1,40})_(?:[^\\s>]{1,40}_){0,6}\\W?>%'],
  ['hello 3 auth |] "auth" ', 'mixed', '(?:\\S{1,40}_)?%'],
  ['"random_password"', 'any', '.{0,400}?"result":\\s?%'],
  ['rtmp://|rtmps://', 'any', '[^/\\s]{1,80}/[\\w-]{1,20}/(?=\\S{20})(?=\\S{0,60}\\d)%'],
  [':5432:|*:*:', 'any', '[\\w*.-]{1,60}:[\\w.-]{1,60}:%'],
]
