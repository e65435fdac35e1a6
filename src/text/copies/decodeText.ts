// A text as a reader sees it, behind escapes and codes, with the place of each character in the source.
//
//   source   \u7dd1 %E7%B7%91 \"a\\\"b &quot; \x1b[32mgo      decoded   緑 緑 "a"b " go
//
// JSON in any depth, Unicode, byte and octal escapes, percent codes, HTML entities and terminal colours are decoded.

/** Characters (UTF-16 units), and for each of them where it begins and ends in the source. */
export type PlacedText = Readonly<{ text: string; starts: Int32Array; ends: Int32Array }>

const ENTITY = /&(?:amp;)*(?:#(?<decimal>\d{2,7})|#x(?<hex>[0-9a-f]{2,6})|(?<name>quot|apos|lt|gt|nbsp|amp));/iy
const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ', amp: '&' }
const WHITE_SPACE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const BYTE_ESCAPE = /\\+(?:x(?<hex>[0-9a-f]{2})|(?<octal>[0-3][0-7]{2}))/iy
const UNICODE_ESCAPE = /\\+u(?<hex>[0-9a-f]{4})/iy
const PERCENT = /%(?:25)*(?<hex>[0-9a-f]{2})/iy
const COLOUR = /\[[\d;?]{0,20}[A-Za-z]/y
const ESCAPE_UNIT = 0x1b

export const hasCodes = (source: string): boolean => /[\\%&\u001b]/.test(source)

/** Decodes a text. What is no code stays as it is. */
export function decodeText(source: string): PlacedText {
  const decoder = new Decoder(source)
  while (decoder.at < source.length) decoder.step()
  return decoder.result()
}

/** Nothing that is decoded is longer than its source. */
class Decoder {
  readonly source: string
  at = 0
  #length = 0
  readonly #units: Uint16Array
  readonly #starts: Int32Array
  readonly #ends: Int32Array

  constructor(source: string) {
    this.source = source
    this.#units = new Uint16Array(source.length)
    this.#starts = new Int32Array(source.length)
    this.#ends = new Int32Array(source.length)
  }

  result(): PlacedText {
    const text = textOfUnits(this.#units.subarray(0, this.#length))
    return { text, starts: this.#starts.subarray(0, this.#length), ends: this.#ends.subarray(0, this.#length) }
  }

  step(): void {
    const unit = this.source.charCodeAt(this.at)
    if (unit === 0x5c) this.#readEscape()
    else if (unit === 0x26) this.#readEntity()
    else if (unit === ESCAPE_UNIT) this.#skipColour(this.at + 1)
    else if (unit !== 0x25 || !this.#readBytes(PERCENT)) this.#pushUnit(unit, this.at + 1)
  }

  /** Adds a character that takes the source up to `end`. */
  #pushUnit(unit: number, end: number): void {
    this.#units[this.#length] = unit
    this.#starts[this.#length] = this.at
    this.#ends[this.#length++] = end
    this.at = end
  }

  #push(text: string, end: number): void {
    const { at } = this
    for (let i = 0; i < text.length; i++) {
      this.at = at
      this.#pushUnit(text.charCodeAt(i), end)
    }
    this.at = end
  }

  #readEscape(): void {
    const hex = this.#match(UNICODE_ESCAPE)?.groups?.['hex']
    if (hex !== undefined) {
      const unit = Number.parseInt(hex, 16)
      if (unit === ESCAPE_UNIT) this.#skipColour(UNICODE_ESCAPE.lastIndex)
      else this.#pushUnit(unit, UNICODE_ESCAPE.lastIndex)
      return
    }
    if (this.#readBytes(BYTE_ESCAPE)) return
    let end = this.at
    while (this.source.charCodeAt(end) === 0x5c) end++
    const next = this.source.charAt(end)
    const decoded = Object.hasOwn(WHITE_SPACE, next) ? WHITE_SPACE[next] : next
    this.#push(decoded ?? '', Math.min(this.source.length, end + 1))
  }

  /** Reads a run of codes for bytes as UTF-8. Returns whether there is one. */
  #readBytes(code: RegExp): boolean {
    const bytes: number[] = []
    const ends: number[] = [this.at]
    for (let end = this.at; ; end = code.lastIndex) {
      code.lastIndex = end
      const { hex, octal = '' } = code.exec(this.source)?.groups ?? {}
      if (hex === undefined && octal === '') break
      bytes.push(hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16))
      ends.push(code.lastIndex)
    }
    for (let i = 0; i < bytes.length; ) {
      const lead = bytes[i] ?? 0
      const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
      const end = ends[Math.min(i + length, bytes.length)] ?? this.at
      if (lead === ESCAPE_UNIT) this.#skipColour(end)
      else this.#push(Buffer.from(bytes.slice(i, i + length)).toString('utf8'), end)
      i += length
    }
    return bytes.length > 0
  }

  #readEntity(): void {
    const groups = this.#match(ENTITY)?.groups
    if (!groups) {
      this.#pushUnit(0x26, this.at + 1)
      return
    }
    const { decimal, hex, name } = groups
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    const text = name === undefined ? fromPoint(point) : (NAMED[name.toLowerCase()] ?? '')
    this.#push(text, ENTITY.lastIndex)
  }

  #skipColour(from: number): void {
    COLOUR.lastIndex = from
    this.at = COLOUR.test(this.source) ? COLOUR.lastIndex : from
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.source)
  }
}

const fromPoint = (point: number): string => (point <= 0x10ffff ? String.fromCodePoint(point) : '')

export const textOfUnits = (units: Uint16Array): string =>
  Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le')

/** From `start` up to `end`, in UTF-16 units of the searched text. */
export type CopySpan = Readonly<{ start: number; end: number }>

/** Base64 of any alphabet, also in lines. Sixteen digits are twelve bytes. */
const BASE64 = /[A-Za-z0-9+/_-]{16,}(?:(?:\\+r|\r)?(?:\\+n|\n)[A-Za-z0-9+/_-]{4,})*={0,2}/g
const HEX = /[0-9a-f]{24,}/gi

/** The whole runs whose decoded text satisfies `matches`. */
export function findEncodedRuns(text: string, matches: (decoded: string) => boolean): CopySpan[] {
  const find = (runs: RegExp, encoding: 'base64' | 'hex', starts: readonly number[]): CopySpan[] =>
    [...text.matchAll(runs)].flatMap(({ 0: run, index }) => {
      const digits = run.replace(/\\+[rn]|\s+/g, '')
      const isCopy = starts.some((from) => readings(Buffer.from(digits.slice(from), encoding)).some(matches))
      return isCopy ? [{ start: index, end: index + run.length }] : []
    })
  return [...find(BASE64, 'base64', [0, 1, 2, 3]), ...find(HEX, 'hex', [0, 1])]
}

/** What bytes may say: UTF-8, or UTF-16 with a zero in every other byte of Latin text. Random bytes say nothing. */
function readings(bytes: Buffer): string[] {
  const texts = [bytes.toString('utf8')]
  if (bytes.includes(0)) texts.push(bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le'))
  return texts.filter((decoded) => (decoded.match(/\ufffd/g)?.length ?? 0) * 4 < decoded.length)
}
