// Private keys as blocks of text (PEM, OpenSSH, PGP, PuTTY), complete or truncated, also with escaped line breaks in
// JSON.
//
//   -----BEGIN … PRIVATE KEY-----   MIIE…   wJ4x…   -----END … PRIVATE KEY-----
//   └──────────────────── one secret, whatever precedes each line ─────────────┘
//
// A block without its end reaches as far as its lines look like base64; one without its beginning likewise, backwards.
// The words alone, as in code and documents, are not a key: there must be base64 as well.
import { addMatches, isWordLike, type SecretSpan } from './secretHeuristics.ts'

/** Length of a block, in characters: an RSA key of 16,384 bits has 13,000, and a listing adds some to each line. */
const BLOCK_CHARS_MAX = 65_536

const BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-Lines: \d+/g
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: [0-9a-f]+/g

/** Characters of a line that are read at once; a key on one line is read in pieces. */
const LINE_CHARS_MAX = 2048

/** A line of base64, maybe after a number, quote or diff sign, and before quotes, commas or a line break. */
const BASE64_LINE =
  /^(?:[^A-Za-z0-9+/=]|\d{1,6}[^A-Za-z0-9+/=]|\\[nrt]){0,24}[A-Za-z0-9+/]{24,}={0,2}[^A-Za-z0-9]{0,8}(?:\\[nrt]?)*\s*$/
const SHORT_LINE = /^(?:\W|\d{1,6}[^\w+/=]){0,24}[A-Za-z0-9+/]{1,64}={0,2}(?:\W|\\[nrt])*$/
const HEADER_LINE =
  /^\W{0,12}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): .{0,200}|=[A-Za-z0-9+/]{4}\W*)?\W*$/

/** A cheap check that is true for every text with a private key, also in JSON. */
export const mayHavePrivateKey = (text: string): boolean => text.includes('PRIVATE KEY') || text.includes('Private-')

/** Adds the span of every private key in `text`, in linear time: each line is read once. */
export function findPrivateKeys(text: string, spans: SecretSpan[]): void {
  if (!mayHavePrivateKey(text)) return
  // The last one is the next.
  const ends = [...text.matchAll(END)]
    .map(({ index, 0: line }) => ({ start: index, end: index + line.length }))
    .reverse()
  let done = 0
  const findHeadless = (before: number): void => {
    for (let end = ends.at(-1); end && end.start < before; end = ends.at(-1)) {
      done = findBlockBefore(text, done, end, spans)
      ends.pop()
    }
  }
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < done) continue
    findHeadless(begin.index)
    const bodyStart = begin.index + begin[0].length
    const close = ends.at(-1)
    const isComplete =
      close && close.start - bodyStart < BLOCK_CHARS_MAX && isKeyBody(text.slice(bodyStart, close.start))
    const end = isComplete ? close.end : findBodyEnd(text, bodyStart)
    if (end === bodyStart) continue
    spans.push({ start: begin.index, end, kind: 'private-key' })
    if (isComplete) ends.pop()
    done = end
  }
  findHeadless(Number.POSITIVE_INFINITY)
}

/** Any other block with a key in its label, and the keys between tags of a file of OpenVPN. */
const OTHER_BLOCK =
  /-----BEGIN (?![\w ]{0,40}PUBLIC)[\w ]{0,40}key[\w ]{0,20}-----[^-]{32,8192}|<tls-(?:auth|crypt)[^<]{32,8192}/gi

/**
 * Base64 of a file with a private key, by its first bytes: PKCS#12, PKCS#1, PKCS#8, SEC 1, keystores of Java, OpenSSH.
 * Certificates and public keys begin otherwise. A long one has a line break after each 60 to 76 characters.
 */
const KEY_FILE = /* @__PURE__ */ new RegExp(
  '(?<![\\w+/])(?:MII.(?:[\\w+/]{2}IBA[ADz]|[\\w+/]{3,6}Bgkqhkig9w0BBQ)|MIG.AgE[AB][BM]|MHcCAQEE|MC4CAQAwBQYDK2V|' +
    'MIACAQMw|\\/u3\\+7QAAAA|b3BlbnNzaC1rZXktdjEA|A9mimmf7S7)[\\w+/]{24,}' +
    '(?:(?:\\\\n|\\s{1,20})[\\w+/]{60,76})*(?:(?:\\\\n|\\s{1,20})(?=\\w*[\\d+/=])[\\w+/]{1,76})?={0,2}',
  'g',
)

/** The private members of a key in JSON with its type, in the XML of .NET, and as OpenSSL prints them. */
const JWK_MEMBER =
  /(?<![\w.-])(?:[dpqk]|d[pq]|qi)["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}([\w+/-]{16,2048}={0,2})(?![\w(.])/g
const XML_MEMBER = /<(?:[DPQ]|D[PQ]|InverseQ)>\s{0,40}([\w+/]{16,2048}={0,2})/g
const PRINTED_MEMBER =
  /\b(?:priv|privateExponent|prime[12]|exponent[12]|coefficient):\s{1,20}((?:[\da-f]{2}:?\s{0,20}){16,1100})/g

/** The bytes of a key as numbers, behind its name. */
const KEY_BYTES = /* @__PURE__ */ new RegExp(
  '(?:key|secret|seed|salt|psk|password|token)\\w{0,12}[^\\n]{0,30}?[[{(:=]\\s{0,4}((?:0x[\\da-f]{1,2}|' +
    '\\d{1,3})(?:,\\s{0,6}(?:0x[\\da-f]{1,2}|\\d{1,3})){11,300})',
  'gi',
)

/** The 64 bytes of a pair of keys, under any name, also with a cut. Other tables have smaller ones or repeat them. */
const KEY_PAIR = /* @__PURE__ */ new RegExp(
  '\\[\\s{0,8}(\\d{1,3}(?:,\\s{0,6}\\d{1,3}){63}|' +
    '(?:\\d{1,3},\\s{0,6}){12,50}\\d{0,3}\\n… \\d{2,3} characters cut …\\n[\\d,\\s]{24,300})\\s{0,8}\\]',
  'g',
)

function isKeyPair(bytes: string): boolean {
  const numbers = (bytes.replace(/\n….*\n/, ',').match(/\d+/g) ?? []).map(Number)
  const isSorted = numbers.every((each, i) => each >= (numbers[i - 1] ?? 0))
  const isVaried = numbers.length <= 64 && new Set(numbers).size > numbers.length * 0.62
  return isVaried && !isSorted && Math.max(...numbers) > 200 && numbers.every((each) => each < 256)
}

/** For the second pass: adds the span of every key that is in no such block of text. */
export function findOtherKeys(text: string, spans: SecretSpan[]): void {
  const patterns = [OTHER_BLOCK, KEY_FILE, PRINTED_MEMBER]
  if (/\bkty["'\\\s]{0,4}[:=]/.test(text)) patterns.push(JWK_MEMBER)
  if (/<RSA(?:KeyValue|Parameters)/.test(text)) patterns.push(XML_MEMBER)
  for (const pattern of patterns) addMatches({ text, spans }, pattern, 'private-key', isKeyPart)
  addMatches({ text, spans }, KEY_BYTES, 'key', (bytes) => new Set(bytes.split(/,\s*/)).size > 8)
  addMatches({ text, spans }, KEY_PAIR, 'key', isKeyPair)
}

const isKeyPart = (part: string): boolean => /[\da-f:]{32}|[\w+/]{40}/i.test(part) || !isWordLike(part)

/** Whether a text has base64 of a key's length, and no other block begins in it. */
const isKeyBody = (body: string): boolean =>
  !/BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|Private-Lines:/.test(body) && /[A-Za-z0-9+/=]{24,}/.test(body)

/** Where the lines after the beginning of a block stop to look like a key; `from` if the first one does not. */
function findBodyEnd(text: string, from: number): number {
  let end = from
  let at = from
  let lines = 0
  while (at < text.length) {
    const lineWithBreak = lineAt(text, at)
    at += lineWithBreak.length
    const line = lineWithBreak.replace(/(?:\\[nrt]|\s)+$/, '')
    const isBase64 = BASE64_LINE.test(line)
    if (!isBase64 && !(lines === 0 ? HEADER_LINE.test(line) : SHORT_LINE.test(line))) break
    if (isBase64) {
      lines += 1
      end = at
    } else if (lines > 0) {
      // The last line of a block is shorter than the others.
      end = at
      break
    }
  }
  return end
}

/** The line that begins at `at`, with its line break, real or escaped. */
function lineAt(text: string, at: number): string {
  const piece = text.slice(at, at + LINE_CHARS_MAX)
  const lineBreak = /\\n|\n/.exec(piece)
  return lineBreak ? piece.slice(0, lineBreak.index + lineBreak[0].length) : piece
}

/** Adds the key before an END without BEGIN. Returns where the search goes on: at the end of the key, or at `floor`. */
function findBlockBefore(
  text: string,
  floor: number,
  close: { start: number; end: number },
  spans: SecretSpan[],
): number {
  // END may be indented, or follow a line number.
  const margin = lineBefore(text, floor, close.start)
  const from = /^(?:\W|\d{1,6}\W){0,24}$/.test(margin) ? close.start - margin.length : close.start
  let start = from
  let lines = 0
  while (start > floor) {
    const line = lineBefore(text, floor, start)
    const isBase64 = BASE64_LINE.test(line)
    // The last line of a block is shorter than the others.
    if (!isBase64 && !(start === from && SHORT_LINE.test(line))) break
    if (isBase64) lines += 1
    start -= line.length
  }
  if (lines === 0) return floor
  spans.push({ start, end: close.end, kind: 'private-key' })
  return close.end
}

/** The line that ends at `end`, with its line break, real or escaped, if it has one. */
function lineBefore(text: string, floor: number, end: number): string {
  const piece = text.slice(Math.max(floor, end - LINE_CHARS_MAX), end)
  const body = piece.replace(/(?:\r?\n|\\n)$/, '')
  const real = body.lastIndexOf('\n')
  const escaped = body.lastIndexOf('\\n')
  return piece.slice(Math.max(real + 1, escaped === -1 ? 0 : escaped + 2))
}
