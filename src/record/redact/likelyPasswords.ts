// How much a value looks like a password, for the second pass; and passwords that nothing announces.
import { isGenerated, isNamedPublic, isUnlikeWords, PUBLIC_VALUE } from './generatedTokens.ts'
import {
  isCommonWord,
  isDigest,
  isJoinedPhrase,
  isLocation,
  isPasswordInSentence,
  isPlaceholder,
  isRandom,
  isReference,
  isWordLike,
  matchesOf,
  REDACTED_PREFIX,
  type SecretSpan,
} from './secretHeuristics.ts'

/** Letters and digits, mixed as a person does. */
export const isMixed = (value: string): boolean =>
  isPasswordInSentence(value) && !/^[\d.,:/-]+\w{0,3}$|[(){}<>=]|\.\w{1,4}$/.test(value)

/** Letters of both cases with digits and a sign, or what only a machine writes. */
export const isStrong = (value: string): boolean =>
  value.length >= 8 &&
  !/[(){}<>[\]\\]|%[2-7][\dA-F]|:\/\/|^[a-z_-]+=|^[\w-]+(?:[./:][\w-]+)+$/.test(value) &&
  (isRandom(value) ||
    ([/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(value)) &&
      /[!#$%^&*+?~@_=.-]/.test(value) &&
      !isWordLike(value)) ||
    (/[!#$%^&*+?~@]/.test(value) && isMixed(value)))

/** Letters of both cases, also with signs, and words with a number at the end that could be a name in code. */
const LETTERS = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z!#$%^&*+?~@_-]{10,40}$/
const NUMBERED_WORDS = /^[A-Za-z]{3,}(?:\.[A-Za-z]{3,}){1,3}\d{2,4}$/

/** Words in capitals of which one has a digit for a letter, but not those of code that have one. */
const DIGIT_IN_WORD =
  /^(?!.*(?:k8s|e2e|mp[34]|md5|Pass|Secret|Token))(?=(?:.*[A-Z]){3})[A-Z][A-Za-z]{2,}[0134578][a-z][A-Za-z]{4,}$/

/**
 * How much a value looks like a password: 2 if no name and no code is like it, 1 if it is a word with a number, words
 * that are joined, or letters that are no words.
 */
export function gradePassword(value: string): 0 | 1 | 2 {
  if (isEvident(value) || isNumbered(value, NUMBERED_PHRASE)) return 2
  if (isJoinedPhrase(value) || NUMBERED_WORDS.test(value) || DIGIT_IN_WORD.test(value)) return 1
  if (LETTERS.test(value) && !CODE.test(value) && !isPlaceholder(value)) return isUnlikeWords(value, 0.3) ? 1 : 0
  if (
    !isPasswordInSentence(value) ||
    value.length > 80 ||
    NO_PASSWORD.test(value) ||
    PUBLIC_VALUE.test(value) ||
    isDigest(value)
  )
    return 0
  if (CODE.test(value) || isPlaceholder(value) || isLocation(value)) return 0
  if (isPassword(value)) return 2
  if (!/[a-z]{2}/i.test(value) || value.length > 40) return 0
  if (/^[A-Z][a-z]+[_-]?[A-Z]?[a-z]+[_-]?\d{2,4}[!-/]?$/.test(value) && value.length > 8) return 2
  if (/^[A-Z][a-z]{3,}\d{1,4}[A-Z][a-z]{3,}$/.test(value)) return 1
  if (value.length > 8 && isUnlikeWords(value, 0.34) && !/^[\da-f-]+$/.test(value)) return 2
  return /\d[!-~]*\d|^(?:[A-Z][a-z]{2,}){3,}\d$/.test(value) ? 1 : 0
}

/** Versions, dates, names of files and constants. */
const NO_PASSWORD = new RegExp(
  '^v?\\d+[.\\d]*\\w{0,3}$|\\d\\.\\d+\\.|^\\w+\\.[A-Z]?[a-z]{2}|GHSA|^\\W|[(){}[\\]<>=,;|/\\\\:]|\\.[a-z]{1,5}$' +
    '|\\d{4}-\\d\\d-\\d\\d|^[A-Z\\d_]+$|x509|' +
    'sha\\d{1,3}(?!\\d)|base64|utf|pkcs|%[\\dA-F]{2}|^[\\da-f]{7,12}$|^[a-f\\d]{8}-[a-f\\d]{4}-|^test[A-Z]',
)

/** Whether a value mixes kinds of characters as no name and no code does: letters and digits with signs. */
export function isPassword(value: string, isLiteral = false): boolean {
  if (value.length < 8 || value.includes(REDACTED_PREFIX) || isPlaceholder(value)) return false
  if (!isLiteral && isReference(value)) return false
  if (isLocation(value) || CODE.test(value)) return false
  const signs = value.match(/[!#$%^&*+?~@|;<>]/g) ?? []
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length
  // Groups of letters with a digit and a capital, as some managers make them.
  if (kinds === 3 && /^[\w-]{14,40}$/.test(value) && /\w-\w/.test(value) && !/[A-Z]{2}|\d{4}|^v?\d/.test(value))
    return true
  return (
    signs.length > 0 &&
    (/\d/.test(value) ? kinds >= 2 + Number(signs.length < 2) : kinds === 2 && new Set(signs).size > 2)
  )
}

/** Signs of code and of Markdown: a call, an assignment, a type, a pattern, a template. */
const CODE = new RegExp(
  '^[*&]*[\\w.-]+\\(|^[*&]+\\w+$|^[!*]{2}|^![\\w.]+$|[\\w.]=[\\w"\']|=>|\\)\\.|//|^[-{<$[(/^]|::|</|\\\\[nrtdws]|' +
    '^[a-z_.]+(?:[<[(]|[?!](?:[.,;:)\\]]|$))|\\?\\.|&&|\\|\\||\\[\\^|[$@]\\{|\\$\\(',
  'i',
)

/** What may be a value: no white space, no quote, no bracket, and no sign between values. */
const VALUE = /[^\s"'`<>()[\]{},;:|\\/\u2018-\u201f\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]{8,60}/g

/** Adds the span of every value that only a password looks like, and of those that may be one if something says so. */
export function findEvidentPasswords(text: string, spans: SecretSpan[]): void {
  for (const { 0: run, index } of matchesOf(text, VALUE)) {
    const [lead = ''] = /^[*-]{0,2}(?:[A-Za-z][\w.-]{0,30}=)?/.exec(run) ?? []
    const end = /(?:\*\*)?\.?$/.exec(run)?.index
    const isInPath = text[index - 1] === '/' || text[index + run.length] === '/'
    const value = [run.slice(run.startsWith('-') ? 1 : 0, end), run.slice(lead.length, end)].find((each) => {
      if (isEvident(each)) return true
      if (isInPath || NAME_BEFORE.test(text.slice(Math.max(0, index - 80), index))) return false
      const isWords = HUMAN.test(each) || isNumbered(each, NUMBERED_PHRASE) || isNumbered(each, NUMBERED_PAIR)
      const near = isWords || isMixedValue(each) ? textAround(text, index, run.length) : ''
      return SECRETS.test(near) || (!isWords && LOGINS.test(near))
    })
    if (value === undefined || isPlaceholder(value) || isNamedPublic(text, index)) continue
    const start = index + run.indexOf(value)
    spans.push({ start, end: start + value.length, kind: 'password' })
  }
}

/** What a host or an id follows. */
const NAME_BEFORE = new RegExp(
  '(?:@|\\b(?:ssh|scp) (?:\\S{1,40} ){0,3}|\\b(?:on|at|of|for|from|via|through|host(?:name)?|server|' +
    'id|build|frame|video|sheet|run|job|suite|page|file|ticket|order|channel)(?: is| was)?["\'`\\s:=#]{1,4})$',
  'i',
)

/** Words with a number and signs, as a person makes a password. No code is like them. */
const HUMAN = new RegExp(
  `^(?:${[
    '[A-Za-z][a-z]{2,}(?:[A-Z][a-z]{2,}){1,2}\\d{3,4}[!@#$%^&*+=?~]',
    '[A-Z][a-z]{2,}[!@$%^&*+=?~_.-][A-Za-z][a-z]{2,}\\d{2,4}[!@#$%^&*+=?~_]',
    '[A-Z][a-z]{2,}[!$^&?~][A-Za-z][a-z]{2,}\\d{2,4}',
    '[A-Z][a-z]{2,}[!@#$%^&*+=?~_.-]\\d{4}[A-Z]{2,4}',
  ].join('|')})$`,
)

/** Signs as code, addresses and escapes have them. */
const CODE_SIGNS = new RegExp(
  '%[\\dA-F]{2}|={1,2}$|([+*.=&-])\\1|\\$[A-Za-z_]|M-.?M-|\\^[A-Z]$|^[!@$%#&*+=?-]|^[a-z_][\\w.-]*=|&[a-z]+=|' +
    '\\.\\*|\\?[=!]|A-?Z|\\.[a-z]{2,5}[#?]|^GPL',
  'i',
)

/** The year of an event: `BlackFriday2024!`. */
const YEAR = /[a-z_.-]20[0-4]\d/

function isEvident(value: string): boolean {
  if ((HUMAN.test(value) && !YEAR.test(value)) || isLeet(value)) return true
  const signs = value.match(/[!#$%^&*+=?~@]/g) ?? []
  return new Set(signs).size > 1 && (/\d/.test(value) || signs.length > 2) && isMixedWithSigns(value, 0.34)
}

const isMixedWithSigns = (value: string, wordsMax: number): boolean =>
  /^(?=.*[a-z])(?=.*[A-Z])[\w!#$%&*+.=?@^~-]{12,40}$/.test(value) &&
  !CODE_SIGNS.test(value) &&
  isUnlikeWords(value, wordsMax)

/** Two words with digits for letters and a number at the end, as `cany0n.ol1ve626`. */
const isLeet = (value: string): boolean =>
  /^(?=.*[g-z])(?=.*[a-z][013457](?!j)[a-z])[a-z\d]{4,14}[!+*=~_.-][a-z\d]{2,12}\d\d\W?$/i.test(value) &&
  value.split(/[^a-z\d]/i, 2).every(isLeetWord)

function isLeetWord(word: string): boolean {
  const body = word.replace(/\d{2,4}$/, '')
  // `project-6f4b6612` ends with a part of a hash.
  if (/^(?=.*\d)[\da-f]+$/i.test(word) || (body.match(/\d/g)?.length ?? 0) > 0.5 * body.length) return false
  const letters = body.replace(/\d/g, (digit) => 'oizeastb'[Number(digit)] ?? '')
  return letters.length > 3 && isWordLike(letters)
}

/** Words joined with a number, as generators of passphrases make them, and two words with one. */
const NUMBERED_PHRASE = /^[A-Za-z][a-z]{3,8}(?:([_.-])[A-Za-z][a-z]{3,8}){2,4}\1(?!0|20\d\d)\d{2,4}[!?*+]?$/
const NUMBERED_PAIR = /^[a-z]{4,9}[._-][a-z]{4,9}(?!0|20\d\d)\d{2,4}$/

/** Whether words with a number are not those of a branch, a machine or a function. */
const isNumbered = (value: string, form: RegExp): boolean =>
  form.test(value) &&
  !/page|feature|issue|server|node|cluster|worker|agent|build|release|branch|(?:16|32|64|128|256|512)$/i.test(value) &&
  !value
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.some(isCommonWord)

/** What a machine mixes, and words in capitals with a number. */
const isMixedValue = (value: string): boolean =>
  /^[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,}){1,2}\d{3,4}[._~-]$/.test(value) ||
  (/^(?!MI[A-Z]|[A-Z]+-|[\da-f]+-)[A-Za-z\d-]{12,48}$/.test(value) && (isGenerated(value) || isOddlyCased(value))) ||
  (/[!#$%^&*+=?~@]/.test(value) && isMixedWithSigns(value, 0.5))

/** Letters of both cases in turns, and a digit. */
const isOddlyCased = (value: string): boolean =>
  /^(?=.*\d)(?:.*[a-z][A-Z]){2}/.test(value) && !value.includes('-') && isUnlikeWords(value, 0.25)

/** What says that a password or a key is near: in the line of a value and the two above it. */
const SECRETS = new RegExp(
  'pass|\\bp/?s?w\\b|psw|pwd|パス|合言葉|鍵|キー|トークン|cred|secret(?! santa)|token|key\\b|psk|wpa|hard-?coded|ベタ書き|' +
    "don'?t (?:share|store|commit|log)|type exactly|delete after|検証用",
  'i',
)

/** What says so of a log-in. Machines are named beside it, so it says nothing of words with a number. */
const LOGINS = /log(?:ged)? ?[io]n|sign ?in|ログイン|auth(?!or)|root|ssh|sudo|wi-?fi|ssid|vpn/i

function textAround(text: string, at: number, chars: number): string {
  const [above = ''] = /(?:[^\n]*\n){0,2}[^\n]*$/.exec(text.slice(Math.max(0, at - 200), at)) ?? []
  const [behind = ''] = text.slice(at + chars, at + chars + 80).split('\n', 1)
  return `${above} ${behind}`
}
