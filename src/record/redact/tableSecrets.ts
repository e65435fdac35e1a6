// Secrets in the columns of a table: printed by a database, in Markdown, aligned, or separated by commas or tabs; in
// lists, pairs and statements. And numbers of payment cards, by their length, first digits, check digit or word before.
import { FOREIGN } from './commandForms.ts'
import { classifyGenerated } from './generalSecrets.ts'
import { gradePassword, isPassword, isStrong } from './likelyPasswords.ts'
import {
  addMatches,
  classifySecretName,
  isJoinedPhrase,
  isLikelySecret,
  isPasswordInSentence,
  isPlaceholder,
  isWordLike,
  matchesOf,
  type NameStrength,
  REDACTED_PREFIX,
  type SecretSpan,
} from './secretHeuristics.ts'

const ROWS_MAX = 1_000
const LINE_CHARS_MAX = 4_000

const HEADER_WORD =
  /pass|pwd|\bpw\b|secret|token|key|salt|credential|\bpin\b|otp|パスワ|トークン|kennwort|contrase|senha|密码/i
const FOREIGN_NAME = new RegExp(`(?:${FOREIGN})$`, 'iu')

/** A line between the header and the rows, or around them. */
const RULE = /^[\s|+:=\u2500-\u257f-]*$/

type Cell = Readonly<{ start: number; text: string }>

export function findTableSecrets(text: string, spans: SecretSpan[]): void {
  if (!HEADER_WORD.test(text)) return
  findInsertedSecrets(text, spans)
  if (!text.includes('\n')) return
  const lines = splitLines(text)
  for (const line of lines) findInRow(line, spans)
  for (let i = 0; i < lines.length; i += 1) {
    const header = lines[i]
    const sign = header && HEADER_WORD.test(header.text) ? separatorOf(header.text) : undefined
    if (header === undefined || sign === undefined) continue
    const names = splitCells(header, sign)
    const columns = names.flatMap(({ text: name }, column) => {
      const strength = FOREIGN_NAME.test(name) ? 'password' : classifySecretName(name)
      return strength === 'weak' || strength === 'authorization' || /\s{2}|[^\p{L}\p{N} _-]/u.test(name)
        ? []
        : [{ column, strength }]
    })
    if (
      columns.length === 0 ||
      names.length < 2 ||
      names.some(({ text: name }, i) => name === '' && i > 0 && i < names.length - 1)
    )
      continue
    const last = Math.min(lines.length, i + ROWS_MAX)
    for (i += 1; i < last; i += 1) {
      const row = lines[i]
      if (row === undefined) break
      if (RULE.test(row.text)) continue
      const cells = splitCells(row, sign)
      if (cells.length !== names.length && row.text.includes(REDACTED_PREFIX)) continue
      if (cells.length !== names.length) break
      for (const { column, strength } of columns) {
        const cell = cells[column]
        if (!cell || !isCellSecret(cell.text, strength)) continue
        spans.push({ start: cell.start, end: cell.start + cell.text.length, kind: 'secret' })
      }
    }
    i -= 1
  }
}

/** A cell that says what another one in its row is. */
const LABEL = /^(?:[\p{L}\d.-]{1,20} ){0,3}(?:passw(?:or)?[dt]|passphrase|pwd|pass|pw|パスワード)$/iu

/** Adds the span of every password in a row with such a cell, in any order. A row of a file has no white space. */
function findInRow(line: Cell, spans: SecretSpan[]): void {
  const sign = ['|', '\t', ','].find((each) => line.text.includes(each))
  if (sign === undefined || !HEADER_WORD.test(line.text) || (sign === ',' && /[\s"'`()]/.test(line.text))) return
  const cells = splitCells(line, sign)
  if (!cells.some(({ text }) => LABEL.test(text))) return
  for (const { start, text } of cells)
    if (text.length >= 8 && !text.includes('@') && gradePassword(text) > 0)
      spans.push({ start, end: start + text.length, kind: 'password' })
}

const isCellSecret = (text: string, strength: NameStrength): boolean =>
  isLikelySecret(text, strength, CELL) && (!isWordLike(text) || /\d/.test(text) || isJoinedPhrase(text))

/** The names of columns and their values in a statement of SQL. */
const INSERT =
  /\binto\s{1,4}\S{1,80}\s{0,4}\(([^()]{1,400})\)\s{0,8}values\s{0,4}((?:\([^()]{1,600}\)[,\s]{0,8}){1,50})/gi
const SQL_VALUE = /'((?:[^'\\]|\\.|'')*)'|[^,()'\s][^,()]*/g

function findInsertedSecrets(text: string, spans: SecretSpan[]): void {
  for (const { 0: insert, 1: columns = '', 2: rows = '', index } of matchesOf(text, INSERT)) {
    const strengths = columns.split(',').map((name) => classifySecretName(name.replace(/["'`[\]\s]/g, '')))
    const from = index + insert.length - rows.length
    for (const { 0: row, index: at } of rows.matchAll(/\([^()]*\)/g)) {
      for (const [i, { 0: value, 1: quoted, index: valueAt }] of [...row.matchAll(SQL_VALUE)].entries()) {
        const strength = strengths[i]
        if (quoted === undefined || strength === undefined || strength === 'weak' || strength === 'authorization')
          continue
        if (!isCellSecret(quoted, strength)) continue
        const end = from + at + valueAt + value.length - 1
        spans.push({ start: end - quoted.length, end, kind: 'secret' })
      }
    }
  }
}

const CELL = { isQuoted: true, isValuePosition: false, isAloneOnLine: false }

function splitLines(text: string): Cell[] {
  const lines: Cell[] = []
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start)
    lines.push({ start, text: text.slice(start, Math.min(end === -1 ? text.length : end, start + LINE_CHARS_MAX)) })
    if (end === -1) break
    start = end + 1
  }
  return lines
}

/** Columns with two spaces and more between them. */
const ALIGNED = '  '

/** The sign between the columns of a header. */
function separatorOf(line: string): string | undefined {
  if (line.length > 500) return undefined
  if (/^\s*[|│]|\s[|│]\s|^\w{1,30}(?:\|\w{1,30})+$/.test(line)) return line.includes('|') ? '|' : '│'
  // A list of words in code is indented, or its lines end with a comma.
  if (/^\s|[,;\t]\s*$/.test(line)) return undefined
  if (/^[\p{L}\w-]{1,30}(?: {2,}[\p{L}\w-]{1,30}){1,7}$/u.test(line)) return ALIGNED
  return ['\t', ',', ';'].find((sign) => line.includes(sign) && (sign === '\t' || /^[\p{L}\w"' ,;/-]+$/u.test(line)))
}

/** The cells of a line without the white space and quotes around them. */
function splitCells({ start, text }: Cell, sign: string): Cell[] {
  let at = start
  // Further spaces belong to a cell until they are trimmed.
  return text.split(sign === ALIGNED ? / {2}(?! )/ : sign).map((cell) => {
    const [, before = '', value = ''] = /^([\s"'`]*)(.*?)[\s"'`]*$/.exec(cell) ?? []
    const found = { start: at + before.length, text: value }
    at += cell.length + sign.length
    return found
  })
}

/** A key of 128 to 512 bits in hexadecimal digits or base64. */
const KEY = '((?:[\\da-f]{16}){2,8}|[\\w+/-]{43}=|[\\w+/-]{22}==)'

/** Places with a name and a value, which is the group. */
const PLACES: readonly RegExp[] = [
  // Two items of a list: `1) "requirepass"`, and the value.
  /(?:\d\) |\[\s{0,20})"[\w.-]{0,40}(?:pass|auth|word|secret)"(?:,\s{0,20}|\s{1,4}\d{1,3}\) )"([^"\s]{6,200})"/g,
  // A name, two spaces or more, and a value alone on a line.
  /^[ \t]{0,8}[\w.-]{0,30}(?:password|passwd|pwd|secret|token)[ \t]{2,40}([^\s|]{8,80})[ \t\r]*$/gim,
  // A user and a password alone on a line, in files of modems and of pools, and the name of a user before a key.
  /^"[\w.@-]{1,60}"[ \t]{1,8}"([^\s"]{8,200})"[ \t]*$/gm,
  /^"?[\w.@\\-]{1,60}"?[ \t]+\S{1,40}[ \t]+"?([^\s"]{6,80})"?[ \t]+\*[ \t]*$/gm,
  /"user(?:name)?"\s?:\s?"[^"\n]{1,80}",\s{0,20}"key"\s?:\s?"([^"\s]{16,200})"/g,
  // What opens a keystore, and a value before the name that a store gives it.
  /["']([^\s"'`]{6,80})["']\.toCharArray\(/g,
  /["']([^\s"']{8,200})["'],\s?(?:for(?:Key)?|key|name|account)\s?[:=]\s?["'][\w.-]{0,40}(?:passw|pwd|secret|token)/gi,
  // A setting with its name behind the value, in SQL, JSON and code.
  new RegExp(
    `(?:\\bset\\s[\\w."\`]{1,40}|\\bv(?:al(?:ue)?)?["'\`]?)\\s?(?:=>?|:)\\s?["']([^"'\\n]{6,200})(?=["']` +
      `(?:,?\\s{0,40}|[^;"'\\n]{0,60}\\swhere\\s)["'\`:]?\\w{0,20}(?:name|key|id|type)["'\`]?\\s?(?:=>?|:)\\s?["']?` +
      `[\\w./-]{0,40}(?:pass|word|passwd|secret|token)(?:["'\\n]|$))`,
    'gi',
  ),
  // A value that another field or its element calls secret.
  /"val(?:ue)?"\s?:\s?"([^"\n]{6,200})"(?=,\s{0,20}"(?:is)?_?(?:sensitive|masked|secret|secure)"\s?:\s?true)/gi,
  /"(?:is)?_?(?:sensitive|masked|secret|secure)"\s?:\s?true,\s{0,20}"value"\s?:\s?"([^"\n]{6,200})"/gi,
  /\btype=\\?["']password\\?["'][^<>\n]{0,80}>([^<>\s]{6,80})<\//gi,
  // An argument behind the id of an account.
  new RegExp(
    `\\(\\s{0,8}["'](?:(?=\\D{0,9}\\d)[A-Z][\\dA-Za-f]{9,35}|[a-z]{2,8}_(?:live|test)_\\w{6,40})["'],` +
      `\\s{0,8}["']([\\w/+-]{20,64})["']`,
    'g',
  ),
  // Keys of accounts, and cookies of Erlang.
  /\baccounts["']?:\s?\[\s{0,8}["']((?:0x)?[\da-f]{64})["']/gi,
  /\bprivate keys?\n=*\n?(?:\(\d\) [^\n]{1,100}\n){0,9}?\(\d\) ((?:0x)?[\da-f]{64})\b/gi,
  // A key of a cipher or a signature, or a word as one, as an argument; and what is decoded or stored as a key.
  new RegExp(
    `(?:\\b(?:aes|des3?|fernet|chacha20\\w{0,9}|secretbox|jwt|(?:pbkdf2|scrypt|argon2)\\w{0,10}|` +
      `bcrypt|csrf|(?:key|hash)(?=[.:]))|cipher(?:iv)?|hmac|secretkeyspec|securitykey|derivebytes|openssl_\\w{7}|` +
      `cookie(?:parser|store|session|middleware)|securecookie|keygrip|passwordencoder(?:\\(\\))?|serializer|signer|` +
      `message(?:verifier|encryptor))(?:[.:]{1,2}\\w{1,16})?\\((?:{[^{}\\n]{0,60}},)?{?[^;){}\\n]{0,80}?` +
      `["'](?!(?:aes|des|sha|[hr]s|chacha)[\\w-]{1,20}["'])([^"'\\s]{8,128})["']`,
    'gi',
  ),
  new RegExp(
    `\\b(?:re|hex)?key(?:,\\s?\\w{1,8})?\\s?:?=\\s?(?:[\\w.:[\\]]{1,40}\\(|\\\\{0,3}["']?x)["']${KEY}["']`,
    'gi',
  ),
  // Hashes of passwords.
  /(?<![\w$])\$(?:[1567y]|1c|apr1|argon2\w{1,2}|pbkdf2[\w-]{0,10})\$([^\s"'`:]{20,200})/g,
  /(?<!\w)(?:pbkdf2|argon2|bcrypt|scrypt)_?\w{0,10}\$+([^\s"'`:]{20,200})/g,
  /\{S?(?:SHA|MD5|CRYPT)\d{0,3}\}([\w+/]{20,100}={0,2})|:\d{1,6}:[\da-f]{32}:([\da-f]{32}):/gi,
  // The signature of a request.
  /authorization["']?:\s?[^\n]{0,300}?signature=["']?([\w+/%-]{24,512})/gi,
  // A user and a password behind a server and its port.
  /(?:\]:\d{2,5}|\.\w{2,20}:(?:25|465|587|2525))[ \t]{1,8}[\w.@+-]{1,80}:([^\s"'`]{6,200})/g,
  // Cookies: in the file of a client, and by their name in a call, a field or an option about cookies.
  /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,80}\t(?:TRUE|FALSE)\t\d{1,12}\t[\w.-]{1,100}\t([^\s"'`]{6,4096})/g,
  new RegExp(
    `["'\`][\\w.-]{0,40}(?:sess|sid|auth|token|jwt|csrf|xsrf|remember)[\\w.-]{0,20}` +
      `(?:(?<=cookie[^\\n]{0,200})(?:["'\`]\\s?[:,]\\s{0,4}["'\`]|=)|` +
      `["'\`],\\s{0,20}["'\`]?value["'\`]?\\s?[:=]\\s?["'\`](?=[^{}]{16,4400}(?:domain|path|secure|site|only)))` +
      `([^\\s"'\`;,]{16,4096})`,
    'gi',
  ),
  /(?:erlang[._]cookie|-setcookie|\b(?:erl|iex|elixir)\b[^\n|]{0,120}\s--?cookie)[\s"'=:]{1,4}([\w-]{12,80})/gi,
]

/** A word with a digit, what only a machine writes, or letters as Erlang makes its cookies. */
const isTyped = (value: string): boolean =>
  isPasswordInSentence(value) ||
  isJoinedPhrase(value) ||
  classifyGenerated(value) !== undefined ||
  /^[A-Z]{20}$/.test(value)

/** A key or salt between quotes, as generators write them: with signs of many kinds. */
const SALT = /(?:define\(\s?|\[)["']\w{0,30}(?:key|salt|secret)["'](?:,\s{0,20}|\]\s?=\s?)["']([^'\n]{16,200})["']/gi

const isSalt = (value: string): boolean => /\d/.test(value) && new Set(value.match(/[^\w\s.,'"()-]/g)).size > 3

export function findPlacedSecrets(text: string, spans: SecretSpan[]): void {
  const isSecret = (value: string): boolean => !isPlaceholder(value) && !value.includes(REDACTED_PREFIX)
  for (const pattern of PLACES)
    addMatches({ text, spans }, pattern, 'secret', (value) => isSecret(value) && isTyped(value))
  addMatches({ text, spans }, SALT, 'secret', (value) => isSecret(value) && isSalt(value))
}

/** Codes for the loss of a second factor, in a row or one on each line. */
const CODES = new RegExp(
  '(?:recovery|backup|scratch|emergency|[2m]fa|リカバリー?|バックアップ|復旧)[ _-]?(?:codes?(?: is| are)?|コード)' +
    '(?:[^\\n:]{0,50}:?\\n)??["\']?[\\s:=は("\'[*・-]{0,8}' +
    '((?:(?:\\d\\d?[.)]\\s)?["\']?[a-z\\d]{4,8}(?:[- ]?[a-z\\d]{4,8}){0,4}["\']?(?:[\\s,/*・-]{1,8}|$|(?=[}\\])]))){1,20})',
  'gi',
)

/** Passwords and keys in a row or one on each line, behind a name in the plural. */
const LIST = new RegExp(
  '\\b(?:passwords|passphrases|tokens|secrets|\\w{3,8}_?keys)["\'`]?\\s?(?::|=>?)\\s?[[({]?' +
    '((?:[\\s,;"\'`-]{0,16}[^\\s"\'`,;()[\\]{}:]{8,200}["\'`]?(?=[\\s,;)\\]}]|$)){1,20})',
  'gi',
)
const ITEM = /(?:[^\s"'`,;()[\]{}:.]|\.(?=\w)){4,200}/g
const CODE = /^(?=[a-z-]*\d)(?:[a-z\d]{4,8}(?:-[a-z\d]{4,8}){1,4}|(?=\d*[a-z])[a-z\d]{8,16})$|^\d{6,10}$/i

const isPasswordOrKey = (value: string, list: string): boolean =>
  classifyGenerated(value) !== undefined || (/^pass/i.test(list) && gradePassword(value) > 0)

/** Adds the span of every code, password and key in a list, which is the last group of its pattern. */
export function findListed(text: string, spans: SecretSpan[]): void {
  for (const pattern of [CODES, LIST]) {
    for (const { 0: list, 1: items = '', index } of matchesOf(text, pattern)) {
      for (const { 0: value, index: at } of items.matchAll(ITEM)) {
        if (!(pattern === CODES ? CODE.test(value) : isPasswordOrKey(value, list))) continue
        const start = index + list.length - items.length + at
        spans.push({ start, end: start + value.length, kind: 'code' })
      }
    }
  }
}

/** A call that connects or logs in, and its arguments. */
const LOGIN_CALL = new RegExp(
  '(?:connect|log_?[io]n|signin|password|auth\\w{0,12}|ftp|imap|smtp|client|credentials?|user|database|__construct|' +
    '\\bnew [a-z]|\\.begin)\\w{0,20}(?:\\(|\\s?=\\s?\\()((?:[^()\\n]|\\([^()\\n]{0,120}\\)){8,400})',
  'gi',
)
const ARGUMENT = /(?<=(?:^|[,(=])\s{0,4}b?)(["'])([^\s"']{8,80})\1(?=\s{0,4}(?:[,)]|$|\.(?:to|get|enc)))/g

/** The argument before a password is a user, alone or behind an address. */
const USER_ARGUMENT = /["'][\w.@-]{2,40}["'],\s{0,4}(?:\w{1,20}(?:\(|\s?=\s?))?$/
const ADDRESS_ARGUMENTS = /^\s{0,4}(?:["'][^"']*(?::|\.\w+\.|localhost)|\$?(?:dsn|ur[il]|host|server)\w{0,12},)/i

export function findArguments(text: string, spans: SecretSpan[]): void {
  if (!text.includes('(')) return
  for (const { 0: call, 1: args = '', index } of matchesOf(text, LOGIN_CALL)) {
    const from = index + call.length - args.length
    for (const { 2: value = '', index: at } of args.matchAll(ARGUMENT)) {
      const isGeneral = /^(?:new (?!\w{0,16}(?:cred|auth|mysqli|pdo))|client|database|__)/i.test(call)
      const before = args.slice(0, at)
      const isBesideUser = USER_ARGUMENT.test(before) && (!isGeneral || ADDRESS_ARGUMENTS.test(args))
      const gradeMin = isBesideUser || !(isGeneral || isJoinedPhrase(value)) ? 1 : 2
      const isUnlikeCode = isPassword(value) || (!isGeneral && isStrong(value))
      if (isUnlikeCode || gradePassword(value.replaceAll('=', '-')) >= gradeMin)
        spans.push({ start: from + at + 1, end: from + at + 1 + value.length, kind: 'password' })
    }
  }
}

/** 15 or 16 digits: without signs between them, or in groups with the same sign. */
const CARD = new RegExp(
  '(?<![\\w.+-]|[\\dA-F]{4} )' +
    '(?:[2-6]\\d{15}|3[47]\\d{13}|[2-6]\\d{3}([ -])\\d{4}\\1\\d{4}\\1\\d{4}|3[47]\\d{2}([ -])\\d{6}\\2\\d{5})' +
    '(?![\\w-]|\\.\\d| [\\dA-F]{4}\\b)',
  'g',
)

/** The first digits of Visa, Mastercard, American Express, Discover, JCB, UnionPay. */
const ISSUER = /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|35|6(?:011|4[4-9]|5|2))/

export function findPaymentNumbers(text: string, spans: SecretSpan[]): void {
  for (const { 0: match, index } of matchesOf(text, CARD)) {
    const digits = match.replace(/\D/g, '')
    const isNamed = /card|カード/i.test(text.slice(Math.max(0, index - 24), index))
    if (ISSUER.test(digits) && (isNamed || hasCheckDigit(digits)) && new Set(digits).size > 3)
      spans.push({ start: index, end: index + match.length, kind: 'card' })
  }
}

/** The algorithm of Luhn. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}
