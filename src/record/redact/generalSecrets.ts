// Secrets by general signs, for the second pass: a generated value near a word for secrets, what is left beside a mark
// or a cut, phrases of many words, the values of a Secret of Kubernetes.
//
// No format of a provider is in this file. A value must look generated, so names, hashes, ids and paths stay.
import { isUnlikeWords, PUBLIC_BEFORE, PUBLIC_VALUE } from './generatedTokens.ts'
import { gradePassword, isPassword } from './likelyPasswords.ts'
import {
  addMatches,
  isDigest,
  isJoinedPhrase,
  isLocation,
  isPlaceholder,
  isReference,
  isWordLike,
  matchesOf,
  REDACTED_PREFIX,
  type SecretSpan,
  UUID,
} from './secretHeuristics.ts'

/** Words that only secrets have beside them, and words that something else may have too. */
const STRONG =
  'authenticator app|setup key|psk|' +
  'pass(?:w(?:or)?d|phrase|code|wort)?s?|pwd?|pin|secrets?|tokens?|cred(?:ential)?s?|o?auth\\w{0,12}|bearer|otp|totp|' +
  '[2m]_?fa|seed|salt|mnemonic|' +
  '(?:[a-z]{0,12}api|access|private|secret|license|signing|master|account|aes|admin|recovery|subscription|functions?|' +
  'service|integration|routing|deploy|server|(?:enter|use) this|app|nwk|network|dev(?:ice)?|auth|enc|dec|mac|' +
  'check_?sum|link|pass|session|join|stream|cipher|shared|transport|wifi)[ _.-]?s?keys?|(?:key )?component(?= \\d|:)|' +
  // Keys of terminals for payment, of radio and of accounts for calls.
  'pat|bdk|ipek|[lzt]mk|[zt][ap]k|[cp]vk|[dkm]ek|ltk|irk|csrk|opc|ki|hash_?iv|app_?certificate|' +
  'csrf|xsrf|jwt|hmac|pepper|access(?=["\']?\\s?[:=])|encrypt(?:ion)?|signer|wallet|device_?code|verifier|' +
  '(?:(?:lizenz|zugriffs|zugangs|wlan-)?schlüssel|geheimnis|clé|jeton|chiave|chave|clave|ключ|токен)' +
  "(?:(?: d[aei])? [a-zà-ÿ'’]{3,12}(?= ?[:=]| (?:est|es|ist|è|é) ))?|" +
  '키|토큰|令牌|密钥|密鑰|[私秘]钥|授权码|(?<=認証|暗号|署名|共[通有])鍵|' +
  'unseal|identified by|パス(?:ワード|フレーズ|コード)?|秘密鍵?|トークン|(?:api)?キー|認証(?:情報|コード)|暗証番号|シークレット|合言葉'
const WEAK = 'keys?|sess(?:ion)?|cookie|log ?in|sign(?:ature|ed|in)?|sid|license|webhook|accounts?|users?|ログイン|鍵'
const WORD = new RegExp(`(?<![a-z])(?:(${STRONG})|${WEAK})(?:\\d{0,2}|(?<=[ぁ-ん一-龠]))(?![a-z])`, 'g')

/** How far a value may be behind and before its word, in characters. */
const BEHIND_CHARS = 56
const BEFORE_CHARS = 40

/** Adds the span of every secret that is known by such signs. */
export function findGeneralSecrets(text: string, spans: SecretSpan[]): void {
  findNearWords(text, spans)
  findRests(text, spans)
  findPhrases(text, spans)
  addMatches({ text, spans }, TYPED_CODE, 'code')
  findGroups(text, spans)
  if (SECRET_KIND.test(text)) addMatches({ text, spans }, FIELD, 'secret', isEncodedValue)
  findPrinted(text, spans)
}

/** What a machine writes in one piece. A longer one is a file. */
const RUN = /(?<![\w+/~.%-])[\w+/~.-]{14,400}={0,2}(?![\w+/~%-])/g

function findNearWords(text: string, spans: SecretSpan[]): void {
  for (const { 0: run, index } of matchesOf(text, RUN)) {
    const value = run.replace(/[./]+$/, '')
    const kind = classifyGenerated(value)
    if (kind === undefined || PUBLIC_VALUE.test(value) || /^0x[\da-f]{40}$/i.test(value)) continue
    const before = textBefore(text, index, index + value.length)
    if (PUBLIC_BEFORE.test(before)) continue
    const named = isInSecretGroup(text.slice(Math.max(0, index - GROUP_CHARS), index)) ? 'beside' : wordBefore(before)
    const behind = named === 'beside' ? undefined : wordBehind(text, index + value.length)
    const isAnnounced = behind === 'beside' || ANNOUNCED.test(sameLine(text, index - 160, index))
    const strength = isAnnounced ? 'beside' : (named ?? behind)
    if (
      strength === undefined ||
      (kind === 'plain' &&
        strength !== 'beside' &&
        !SPOKEN_NAME.test(before) &&
        !(strength === 'near' && isNamedHex(value, before))) ||
      (kind === 'letters' && strength !== 'beside' && strength !== 'named' && !SPOKEN_NAME.test(before))
    )
      continue
    if (strength === 'weak' && /^[a-z]{2,8}_/.test(value)) continue
    spans.push({ start: index, end: index + value.length, kind: 'secret' })
  }
}

/** The beginning of a group of secrets, at most so many characters before a field of it: `tokens {`, `secrets:`. */
const GROUP_CHARS = 400
const GROUP = new RegExp(
  '(?:secrets|tokens|passwords|credentials|encryption|bearer|\\w{1,12}-oauth|(?:api|access|private)_?keys)["\']?\\s?' +
    '(?:[:=]\\s?\\{?|\\{)(?:[ \\t]*(?:\\n[ \\t]+[^\\n{}]{0,200}){1,8}| ?["\']?[\\w.-]{1,60}["\']? ?[:=] ?["\']?)$',
  'i',
)

const isInSecretGroup = (before: string): boolean => /[:=]\s?["']?$/.test(before) && GROUP.test(before)

/** Whether a key of hexadecimal digits follows its name and a call, a remark or a column. */
const isNamedHex = (value: string, before: string): boolean =>
  /^[\da-f]{32,128}$/.test(value) &&
  /(?:secret|key|token|psk|passphrase|秘密鍵|hmac)[^\s]{0,6}\s?(?:[,|:=（(][^;]{0,40}["'`(|:： ]|\s["'`])$/i.test(
    before,
  )

/** The name of any key and what it is for, in a sentence. */
const SPOKEN_NAME = new RegExp(
  '\\b(?:(?:secret|seed|otp|[2m]fa|token|(?:api|access|license|encryption|signing|hmac) key)\\b' +
    "(?! (?:hash|id)\\b)[\\w .'-]{1,40}|" +
    "(?:(?:our|my|your|here's the)(?: [\\w-]{2,16}){0,2}|the(?: [\\w-]{2,16}){1,2})(?<! (?:cache|primary|public|" +
    'row|object|partition|sort|hash|group|foreign|index)) key(?: for [\\w .-]{1,30})?)' +
    '(?: is| was|:)\\s["\'`]?$',
  'i',
)

/** A sentence that gives a key at its end. */
const ANNOUNCED = new RegExp(
  '\\b(?:generated|created|new|your|use|enter|copy|save|following)\\b[^\\n={}]{0,100}?' +
    '\\b(?:secret|token|password|(?:api|access|license) key)\\b(?! (?:hash|id)\\b)[^\\n={}:]{1,90}:\\s["\'`]?$|' +
    // What to use, what not to share, and what was refused.
    "\\buse (?:this|it) for [\\w .-]{2,30}:\\s$|\\bdon'?t (?:commit|share|log|store)\\b[^\\n:]{0,12}:\\s[\"'`]?$|" +
    '\\b40[13]\\b[^\\n]{0,60}(?:\\bwith |\\bkey[=:] ?)["\'`]?$|' +
    '\\b(?:(?:invalid|wrong|expired|revoked) (?:api[ _-]?)?key:?|(?:client|api|auth)\\b.{0,30} key=) ?["\'`]?$',
  'i',
)

/** The line before a value; also the line above, if it is short and the value stands alone. */
function textBefore(text: string, start: number, end: number): string {
  const line = sameLine(text, start - BEHIND_CHARS, start)
  if (/[^\s"'`]/.test(line) || !/^["'`]?[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 8))) return line
  const above = /(?:^|\n)([^\n]{3,60}?)(?::|: ?[|>]-?)?[ \t]*\r?\n(?:\r?\n)?(?:`{3}\w{0,8}\n)?\s{0,8}$/.exec(
    text.slice(Math.max(0, start - 80), start),
  )?.[1]
  return above !== undefined && !/[;{}()=]/.test(above) ? `${above}: ` : line
}

/** The text from `from` to `to` without other lines; an escaped line break ends a line too. */
function sameLine(text: string, from: number, to: number): string {
  const part = text.slice(Math.max(0, from), to)
  const escaped = part.lastIndexOf('\\n')
  return part.slice(Math.max(part.lastIndexOf('\n') + 1, escaped === -1 ? 0 : escaped + 2))
}

/** What is between a word and the value that it names: the end of a name, signs, and no other word but `is`. */
const GAP = new RegExp(
  '^(?:[ _-]\\(?(?:key|code|seed|secret|token|value|hex|base64)\\)?)?(?: [(#]?\\d[\\d/]{0,4}\\)?)?' +
    '[\\w-]{0,16}?[\\s"\'`:：=,([［【>\\]→*|│)]{1,24}' +
    '(?:(?:is|are|was|to|with|by|lautet|ist|est|es|é|-{1,2}\\w{1,12})[\\s"\'`:=(*]{1,4})?(?:[はをがに]\\s?)?$|' +
    '^[はをがに는은是为]?\\s?$',
)

const VARIABLE = /(?:^|[\s"'`;:])[A-Z][A-Z\d_]{2,60}=["']?$/

/** An option for a token, a property for one, and a header for a key. */
const TOKEN_PLACE = new RegExp(
  '(?:(?<!\\bgit .{0,50})\\s-(?:[tkPs]|D[\\w.]{1,60}\\.login)[ =]|\\b\\w{0,30}(?:Client|A[Pp][Ii])\\(|' +
    '\\b[xX]-[\\w-]{2,40}(?<!(?:[cC]ache|[iI]dempotency|[rR]equest)-)[kK](?:ey|EY)["\'`]?\\s?[:,=]\\s?)["\'`]?$',
)

/** Where a word is: right before a value, near it, a weak one, or the value has the name of a variable. */
type Nearness = 'beside' | 'named' | 'near' | 'weak'

function wordBefore(before: string): Nearness | undefined {
  const words = before.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase()
  if (TOKEN_PLACE.test(before)) return 'beside'
  let found: Nearness | undefined
  for (const match of words.matchAll(WORD)) {
    const isStrong = match[1] !== undefined
    if (isStrong && GAP.test(words.slice(match.index + match[0].length))) return 'beside'
    found = isStrong ? 'near' : (found ?? 'weak')
  }
  return VARIABLE.test(before) ? 'named' : found
}

/** A comment behind a value says what it is. */
const COMMENT = /^["'`)\];,\s]{1,6}(?:#|\/\/|--)\s/

/** A word behind a value, also in a comment, as in `… is the key`, `… (password)`. */
function wordBehind(text: string, end: number): 'beside' | 'near' | undefined {
  const [line = ''] = text.slice(end, end + BEFORE_CHARS).split('\n')
  const behind =
    /^["'`)\]\s]{0,4}(?:<\/\w{1,8}>)?\s{0,2}(?:(?:is|was|as|for|という|が)\b ?)?(?:(?:the|your|our|my|a|new)\s)?/.exec(
      line,
    )
  if (/^[^\n]{0,24}\b(?:rotat|revok)/.test(line)) return 'beside'
  if (COMMENT.test(line)) return new RegExp(`\\b(?:${STRONG})(?![a-z])`).test(line.toLowerCase()) ? 'beside' : undefined
  const rest = line.slice(behind?.[0].length ?? BEFORE_CHARS)
  return rest !== '' && new RegExp(`^(?:string )?(?:${STRONG}|key)(?![a-z])`, 'i').test(rest) ? 'near' : undefined
}

/**
 * How a value looks: `mixed` is letters of both cases and digits as only a machine mixes them; `plain` has fewer
 * characters to choose from, like a hash or an id, and is a secret only beside a word that says so; `letters` are in
 * one case with digits, and no hash.
 */
export function classifyGenerated(value: string): 'mixed' | 'letters' | 'plain' | undefined {
  if (/^sha\d{3}-/.test(value) || isPlaceholder(value) || isReference(value)) return undefined
  if (UUID.test(value) || /^(?:0x)?[0-9a-f]{32,128}$/i.test(value)) return 'plain'
  const digits = value.match(/\d/g)?.length ?? 0
  if (/^[A-Z2-7]{16,128}=*$/.test(value) && digits > 0) return 'plain'
  if (isDigest(value) || isWordLike(value) || isLocation(value)) return undefined
  if (/^(?=(?:.*\d){3})(?=(?:.*[A-Z]){3})[A-Z\d]{18,128}$/.test(value)) return 'letters'
  if (/^(?:[a-z]{2,10}[-_]){0,3}(?=(?:.*\d){3})(?=(?:.*[a-z]){3})[a-z\d]{20,128}$/.test(value)) return 'letters'
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/[A-Za-z\d+]{8}/.test(value)) return undefined
  return isUnlikeWords(value, digits < 2 ? 0.25 : digits < 4 ? 0.45 : 0.6) ? 'mixed' : undefined
}

/** The kind of half a value: what repeats it elsewhere is no secret. */
export const PART = 'part'

/** The mark of `truncateMiddle`, with what touches it: half of a value is no secret any more for the other rules. */
const CUT = /\n… \d+ characters cut …\n([^\s"'`:,;()<>]{0,200})/g

/** What follows a mark without white space: a value may have had signs at which a rule stopped. */
const AFTER_MARK = /(?<=\[redacted:[\w-]{1,30}\])(?!\\?["'`,)\]}/@|:.;%\\<]|&(?![a-z]{2,4};))[^\s"'`<]{2,64}/g

/** What follows a quote or a sign that a shell, SQL or YAML has escaped in the value. */
const QUOTED_REST =
  /(?<=\[redacted:[\w-]{1,30}\]|\*{5})(?:(?:'\\''|''(?=[^\s',;:)\]}]))[^'\n]{1,64}(?=')|\\[$!&*#@^(][^\s"'`]{1,64})/g

/** The rest of a value in the next line or string, after a mark at the end of a line. */
const NEXT_LINE = new RegExp(
  '(?:\\[redacted:[\\w-]{1,30}\\]|\\*{8})["\'`]?[ \\t]{0,4}\\+?[ \\t]{0,4}\\\\{0,2}\\r?\\n' +
    '[ \\t]{0,20}["\'`]?([\\w+/-]{8,200}={0,2})(?=["\'`]|[ \\t;,)]{0,4}(?:\\n|$))',
  'g',
)

/** What joins two strings of code, with their quotes. */
export const JOINT =
  '["\'`]\\s{0,2}(?:(?:\\+{1,2}|\\.{1,2}|&|<>|\\|\\||~|\\\\)\\s{0,40}|\\n\\s{1,40}(?:[+.]\\s)?)["\'`]'

/** The other half of a string that code joins, and what touches a mark before it. */
const JOINED = new RegExp(`(?:\\[redacted:[\\w-]{1,30}\\]|\\*{8})${JOINT}([\\w+/=~!#-]{4,200})(?=["'\`])`, 'g')
const BEFORE_MARK = /(?<=["'`=\s])([\w.-]{8,400})(?=:?\[redacted:[\w-]{0,20}(?:secret|token|key|jwt)\])/g

/** A mark or a cut. */
const RESTS_BEGIN = /\[redacted:|\*{5}|… /

function findRests(text: string, spans: SecretSpan[]): void {
  if (!RESTS_BEGIN.test(text)) return
  addMatches({ text, spans }, NEXT_LINE, 'secret', isHalf)
  addMatches({ text, spans }, JOINED, 'secret', (half) => /\d/.test(half) && /^(?=.*[a-z])[^/=]/i.test(half))
  addMatches({ text, spans }, BEFORE_MARK, 'secret', isHalf)
  for (const { 0: match, 1: tail = '', index } of matchesOf(text, CUT)) {
    const head = /[^\s"'`=:,;()<>]{0,200}$/.exec(text.slice(Math.max(0, index - 200), index))?.[0] ?? ''
    const end = index + match.length
    if (isHalf(head)) spans.push({ start: index - head.length, end: index, kind: PART })
    if (isHalf(tail) || (/[*\]]$/.test(head) && /^(?=.*\d)\w{6,}$/.test(tail)))
      spans.push({ start: end - tail.length, end, kind: PART })
  }
  addMatches({ text, spans }, QUOTED_REST, 'secret')
  addMatches({ text, spans }, AFTER_MARK, 'secret', (rest) => {
    const signs = rest.match(/[!#$%^*+=?~;<>{}[\]]/g)?.length ?? 0
    return signs >= 2 || (signs === 1 && /\d/.test(rest) && !/^;/.test(rest))
  })
}

/** Whether a part of a word can be of a secret: mixed, and no part of a name, a path, a hash or code. */
const isHalf = (part: string): boolean =>
  part.length >= 8 &&
  ((part.match(/\d/g)?.length ?? 0) >= 2 || /=$|^(?:AAAA|eyJ)/.test(part)) &&
  /[a-z]/i.test(part) &&
  !/[[\]_→…]|[\w-]\/[\w-]{3}|\.[a-z]{2}|\\|^[\da-f-]+$|^[-\dT:.Z]+$/.test(part) &&
  !isPlaceholder(part) &&
  isUnlikeWords(part, 0.4)

/** Words in quotes after the name of a passphrase or its option. */
const QUOTED_PHRASE = new RegExp(
  'pass[ _-]?phrase["\'`]?(?:\\s?[:=(,]\\s?|\\s(?:is\\s)?)(?:q[qw]?|\\\\)?(["\'`「({[])((?:[a-z]{3,9}[ -])' +
    '{2,11}[a-z]{3,9})(?=\\\\?["\'`」)}\\]])',
  'gi',
)

/** Twelve words and more without one of two letters. */
const SEED = /(?<![\w-])[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23}(?![\w-])/g
const FUNCTION_WORD =
  /\b(?:the|your|for|and|not|from|with|must|enter|key|file|please|pass\w+|invalid|you|has|have|are|can|use|this|that)\b/

/** Words alone on their line, or in quotes behind a variable. */
const NAMED_PHRASE = new RegExp(
  '(?:(?:[Pp]assphrase|パスフレーズ)\\s?[:：=は]\\s?|[A-Z\\d]_PASS(?:WORD|PHRASE)\\s?[:=]\\s?(?=["\']))["\'「]?' +
    '((?:[a-z]{3,9} ){3,11}[a-z]{3,9})(?=["\'」]|\\.?[ \\t]{0,4}(?:\\n|$))',
  'g',
)

/** Groups of the same length, as a person writes down a key or a code. */
const GROUPED = new RegExp(
  '(?:(?:pass(?:word|phrase)|key|codes?|serial|seed|recovery|voucher|licen[sc]e|token|secret|pin|t?otp|' +
    '(?<!\\w)[2m]fa|component(?= ?[\\d:=])|schlüssel)\\b|コード|キー|シード|パスワード)' +
    '[^\\n]{0,40}?(?:\\n\\s{0,12})?[^\\w-]((?:[a-z\\d]{4,8}([ -]))(?:[a-z\\d]{4,8}\\2){1,12}[a-z\\d]{4,8' +
    '})(?![\\w-])',
  'gi',
)

function findGroups(text: string, spans: SecretSpan[]): void {
  for (const { 0: match, 1: value = '', 2: sign = '', index } of matchesOf(text, GROUPED)) {
    const groups = value.split(sign)
    const isRegular =
      groups.every((group) => group.length === groups[0]?.length) && (groups.length > 2 || /\d/.test(value))
    // A password for one app, as large providers make them.
    const isForApp = groups.length === 4 && /^[a-z]{4}$/.test(groups[0] ?? '')
    const unlikeMin = isForApp ? Number(!/["'`]/.test(match.at(-value.length - 1) ?? '')) : 2
    if (!isRegular || groups.filter((group) => !isWordLike(group)).length < unlikeMin || /^[\d -]{4,10}$/.test(value))
      continue
    spans.push({ start: index + match.length - value.length, end: index + match.length, kind: 'code' })
  }
}

function findPhrases(text: string, spans: SecretSpan[]): void {
  for (const pattern of [QUOTED_PHRASE, NAMED_PHRASE])
    addMatches({ text, spans }, pattern, 'password', (phrase) => !FUNCTION_WORD.test(phrase))
  for (const { 0: phrase, index } of matchesOf(text, SEED)) {
    const before = text.slice(Math.max(0, index - 40), index)
    const isNamed = /wallet|words|phrase|seed|mnemonic|recovery|ニーモニック|フレーズ/i.test(before)
    if (isNamed && !FUNCTION_WORD.test(phrase)) spans.push({ start: index, end: index + phrase.length, kind: 'secret' })
  }
}

/** Digits that a person types in, behind the name of such a number. */
const TYPED_CODE = new RegExp(
  '(?:\\b(?:pin|puk|otp|passcode)\\b[^\\d\\n.;()]{0,16}?|\\b(?:2fa|mfa|backup|recovery)[ \\w]{0,12}(?=:)|' +
    '(?<!(?:error|exit|status|zip|postal|country|return|area|response)[ -])\\bcode(?= is|:)|\\b(?:verification|' +
    'security|confirmation|login|sms|alarm|door|gate) code|sicherheitscode|' +
    'c[óo]digo de (?:verificaci[óo]n|seguridad)|' +
    'code (?:secret|de (?:v[ée]rification|s[ée]curit[ée]))|验证码|驗證碼|暗証番号|パスワード|(?:認証|確認|解除)コード)' +
    "(?: is| est| es| ist| it's|[:：=は是为]|[ \\t])[ \\t\"'`*「]{0,4}(\\d{4,12})(?![\\w.:/→-])",
  'gi',
)

const SECRET_KIND = /\bkind["']?:\s?["']?Secret\b/

/** A field that is complete base64, under any name. */
const FIELD = new RegExp(
  '^([ \\t]{1,8}["\']?[\\w.-]{1,100}["\']?:\\s?["\']?)' +
    '((?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)["\']?,?[ \\t\\r]*$',
  'gm',
)

/** A value of letters in one case is a word. */
const isEncodedValue = (value: string): boolean => /\d|=|[a-z][A-Z]/.test(value)

/** A prompt, a command and the lines below. A shell may print the parts of a command on lines of their own. */
const PRINTED =
  /^([^\n]{0,40})(?<=^|[\s\w~)\]:])[$#>%❯+] ([^\n]{4,240})(?:\n\+ [^\n]{1,80}){0,3}((?:\n[!-~]{8,200}$){1,60})/gm

/** What a command does that prints a file, and one that prints a value. */
const PRINTS_FILE = /\b(?:cat|head|tail|sed|type|more|less) /
const PRINTS_VALUE =
  /\b(?:get|show|read|print|echo|access|lookup|output|decrypt|view|find|gen|create|dump|rand|pwgen|base64|fetch)/i

/** A file that is nothing but a secret or a part of a key. */
const KEY_FILE = new RegExp(
  '(?:id_(?:[rd]sa|ecdsa|ed25519)|\\.(?:key|pem|p8|ppk|cookie)|' +
    `(?:passw?(?:or)?d?|secret|token)[\\w-]*(?:\\.txt)?)(?=["'\\s]|$)`,
  'i',
)

function findPrinted(text: string, spans: SecretSpan[]): void {
  if (!text.includes('\n')) return
  for (const { 0: match, 1: place = '', 2: command = '', 3: lines = '', index } of matchesOf(text, PRINTED)) {
    const isFile = PRINTS_FILE.test(command) && KEY_FILE.test(command)
    const isValue =
      !PRINTS_FILE.test(command) && PRINTS_VALUE.test(command) && (place !== '' || /[$%❯+]/.test(match[0] ?? ''))
    let start = index + match.length - lines.length
    for (const [i, line] of lines.split('\n').entries()) {
      const isKey = /^(?:[\w+/]{40,}={0,2}|[A-Z]{20})$/.test(line)
      if (
        (isFile && (isKey || gradePassword(line) > 0 || classifyGenerated(line) !== undefined)) ||
        (isValue && i === 1 && isSecretOutput(line, command, true))
      )
        spans.push({ start, end: start + line.length, kind: 'secret' })
      start += line.length + 1
    }
  }
}

/** Words in a command that prints a secret, and commands that make one. */
const PRINTS = new RegExp(
  `(?<![a-z])(?:${STRONG}|pwgen|apg|diceware|mkpasswd|genkey|age-keygen|openssl rand|vault|bw|op|lpass|gopass|` +
    'secret-tool|keychain)(?![a-z])',
)

/** Commands that print a hash or the name of a file. */
const PRINTS_PUBLIC = /^\s*(?:git|sha\d*sum|md5sum|shasum|uuidgen|ls|find|which|basename|dirname|realpath|mktemp)\b/

/** How many lines of an output may be secrets alone. */
const SECRET_LINES_MAX = 3

/** The output of a command without the lines that are nothing but a secret: all of it, or the first lines. */
export function listSecretOutputs(output: string, command: string): string[] {
  const lines = output.trim().split('\n', SECRET_LINES_MAX)
  return lines.filter((line) => isSecretOutput(line.trim(), command, lines.length === 1))
}

function isSecretOutput(value: string, command: string, isComplete: boolean): boolean {
  if (value.length < 8 || /\s/.test(value) || value.includes(REDACTED_PREFIX) || /\.[a-z]\w{0,4}$/.test(value))
    return false
  const kind = classifyGenerated(value)
  if (kind === 'mixed' && isComplete) return true
  const name = command.replace(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ').toLowerCase()
  if (!PRINTS.test(name) || PRINTS_PUBLIC.test(command)) return false
  if (!isComplete) return kind === 'mixed' || gradePassword(value) === 2
  if (kind !== undefined || isPassword(value) || isJoinedPhrase(value)) return true
  return /\d/.test(value) && /[a-z]/i.test(value) && !isLocation(value)
}
