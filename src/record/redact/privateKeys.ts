// Private keys as blocks of text (PEM, OpenSSH, PGP, PuTTY), whole or cut, also with line breaks escaped inside JSON.
//
//   -----BEGIN … PRIVATE KEY-----   MIIE…   wJ4x…   -----END … PRIVATE KEY-----
//   └─────────────────────── one secret, whatever stands before the lines ────┘
//
// A block cut at its end goes as far as its lines look like base64; one cut at its beginning likewise, backwards.
// The words alone, as code and documents have them, are no key: there must be base64 as well.
import type { SecretSpan } from './secretSpan.ts'

/** A block is looked for this far, in characters: an RSA key of 16,384 bits has 13,000, and some stand in a listing. */
const BLOCK_CHARS_MAX = 65_536

const BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-Lines: \d+/g
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-MAC: [0-9a-f]+/g

/** A line is looked at this far, in characters: a key on one line is read in pieces. */
const LINE_CHARS_MAX = 2048

/** A number, quote or diff sign may stand before a line of base64, and quotes, commas or an escaped break behind it, itself cut maybe. */
const BASE64_LINE =
  /^(?:[^A-Za-z0-9+/=]|\d{1,6}[^A-Za-z0-9+/=]|\\[nrt]){0,24}[A-Za-z0-9+/]{24,}={0,2}[^A-Za-z0-9]{0,8}(?:\\[nrt]?)*\s*$/
const SHORT_LINE = /^(?:\W|\d{1,6}[^\w+/=]){0,24}[A-Za-z0-9+/]{1,64}={0,2}(?:\W|\\[nrt])*$/
const HEADER_LINE =
  /^\W{0,12}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): .{0,200}|=[A-Za-z0-9+/]{4}\W*)?\W*$/

/** Whether `text` may hold one: a cheap look that misses none, also in JSON. */
export const mayHavePrivateKey = (text: string): boolean => text.includes('PRIVATE KEY') || text.includes('Private-')

/** Every private key in `text`. Linear: each line is looked at once. */
export function findPrivateKeys(text: string, spans: SecretSpan[]): void {
  if (!mayHavePrivateKey(text)) return
  const ends = [...text.matchAll(END)].map((found) => ({ start: found.index, end: found.index + found[0].length }))
  let done = 0
  let next = 0
  for (const begin of text.matchAll(BEGIN)) {
    if (begin.index < done) continue
    for (; next < ends.length && ends[next]!.start < begin.index; next += 1)
      done = cutAtHead(text, done, ends[next]!, spans)
    const bodyStart = begin.index + begin[0].length
    const close = ends[next]
    const whole = close && close.start - bodyStart < BLOCK_CHARS_MAX && isKeyBody(text.slice(bodyStart, close.start))
    const end = whole ? close.end : bodyEnd(text, bodyStart)
    if (end === bodyStart) continue
    spans.push({ start: begin.index, end, kind: 'private-key' })
    if (whole) next += 1
    done = end
  }
  for (; next < ends.length; next += 1) done = cutAtHead(text, done, ends[next]!, spans)
}

/** Base64 of a key's length with no other block in between. */
function isKeyBody(body: string): boolean {
  return !/BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|Private-Lines:/.test(body) && /[A-Za-z0-9+/=]{24,}/.test(body)
}

/** Where the lines after a block's beginning cease to look like a key; `from` where not even the first one does. */
function bodyEnd(text: string, from: number): number {
  let end = from
  let at = from
  let lines = 0
  while (at < text.length) {
    const whole = lineAt(text, at)
    at += whole.length
    const line = whole.replace(/(?:\\[nrt]|\s)+$/, '')
    const base64 = BASE64_LINE.test(line)
    if (!base64 && !(lines === 0 ? HEADER_LINE.test(line) : SHORT_LINE.test(line))) break
    if (base64) {
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

/** The line that begins at `at`, with its break, real or escaped. */
function lineAt(text: string, at: number): string {
  const piece = text.slice(at, at + LINE_CHARS_MAX)
  const broken = /\\n|\n/.exec(piece)
  return broken ? piece.slice(0, broken.index + broken[0].length) : piece
}

/** The lines of a key before an END whose BEGIN was cut away. */
function cutAtHead(text: string, floor: number, close: { start: number; end: number }, spans: SecretSpan[]): number {
  // Before the END itself there may stand an indent, or a number in a listing.
  const margin = lineBefore(text, floor, close.start)
  const from = /^(?:\W|\d{1,6}\W){0,24}$/.test(margin) ? close.start - margin.length : close.start
  let start = from
  let lines = 0
  while (start > floor) {
    const line = lineBefore(text, floor, start)
    const base64 = BASE64_LINE.test(line)
    // The last line of a block is shorter than the others.
    if (!base64 && !(start === from && SHORT_LINE.test(line))) break
    if (base64) lines += 1
    start -= line.length
  }
  if (lines === 0) return floor
  spans.push({ start, end: close.end, kind: 'private-key' })
  return close.end
}

/** The line that ends at `end` with its break, real or escaped, if it has one. */
function lineBefore(text: string, floor: number, end: number): string {
  const piece = text.slice(Math.max(floor, end - LINE_CHARS_MAX), end)
  const body = piece.replace(/(?:\r?\n|\\n)$/, '')
  const real = body.lastIndexOf('\n')
  const escaped = body.lastIndexOf('\\n')
  return piece.slice(Math.max(real + 1, escaped === -1 ? 0 : escaped + 2))
}
