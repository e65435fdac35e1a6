// Shortens a payload of any size while it arrives, so that time and memory of a hook are bounded.
//
//   {"tool_name":"Bash","tool_response":{"stdout":"aaaa … aaaa","lines":[1,2,3, …
//                                                  └ head ┘ cut ┘ tail         └ dropped, the list is closed
//
// What an event stores is far shorter than what is kept here.
import { PAYLOAD_BYTES_MAX } from '../model/limits.ts'
import { CutString } from '../text/cutString.ts'

/** Bytes kept of the head of a string. */
const HEAD_BYTES = 32_768
/** The same when the payload has been long already. */
const SMALL_BYTES = 256
/** From this length of the result on, in bytes, further items are dropped. */
const RESULT_BYTES_MAX = PAYLOAD_BYTES_MAX
/** Deeper values become null: an event stores six levels. */
const DEPTH_MAX = 64
/** A longer number or word is not JSON, in bytes. */
const WORD_BYTES_MAX = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** What follows: the name of a field, the colon after it, a value, or a comma or bracket after one. */
type Expected = 'name' | 'colon' | 'value' | 'end'

/** Takes the bytes of one JSON value in parts, and gives a shorter value. */
export class JsonShortener {
  readonly #result: Buffer[] = []
  #resultBytes = 0
  /** The closing brackets of the open lists and objects. */
  readonly #closers: string[] = []
  #expected: Expected = 'value'
  #hasPendingComma = false
  #isInvalid = false
  /** The number or literal that is being read. */
  #word = ''
  #string: CutString | undefined
  /** Open brackets inside what is being dropped; undefined while nothing is. */
  #droppedDepth: number | undefined
  /** Whether the bracket that ends what is dropped belongs to the result. */
  #keepsCloser = false

  push(part: Buffer): void {
    let at = 0
    while (at < part.length && !this.#isInvalid) {
      if (this.#string) at = this.#readString(part, at, this.#string)
      else at = this.#readByte(part, at)
    }
  }

  /** The shorter JSON; what is open is closed. Undefined if the bytes are not JSON. */
  finish(): string | undefined {
    if (this.#string) this.#endString(this.#string)
    this.#word = ''
    if (this.#isInvalid || this.#resultBytes === 0) return undefined
    if (this.#expected === 'colon') this.#write(':null')
    else if (this.#expected === 'value' && !this.#hasPendingComma && this.#closers.at(-1) === '}') this.#write('null')
    for (const closer of this.#closers.reverse()) this.#write(closer)
    return Buffer.concat(this.#result).toString('utf8')
  }

  #readByte(part: Buffer, at: number): number {
    const byte = part[at] ?? 0
    const isDropping = this.#droppedDepth !== undefined
    if (byte === QUOTE) {
      const room = this.#resultBytes > RESULT_BYTES_MAX ? SMALL_BYTES : HEAD_BYTES
      this.#string = new CutString(isDropping ? 0 : room)
    } else if (isDropping) this.#drop(byte)
    else if (byte === COMMA) this.#comma()
    else if (byte === COLON) this.#colon()
    else if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x7b ? '{' : '[')
    else if (byte === 0x7d || byte === 0x5d) this.#close(byte === 0x7d ? '}' : ']')
    else if (byte <= 0x20) this.#endWord()
    else if (this.#word.length < WORD_BYTES_MAX) this.#word += String.fromCharCode(byte)
    else this.#isInvalid = true
    return at + 1
  }

  #readString(part: Buffer, from: number, string: CutString): number {
    let end = string.endsInSlash ? from + 1 : from
    string.endsInSlash = false
    for (; end < part.length && part[end] !== QUOTE; end += 1) if (part[end] === BACKSLASH) end += 1
    string.endsInSlash = end > part.length
    string.push(part.subarray(from, end))
    if (end >= part.length) return part.length
    this.#endString(string)
    return end + 1
  }

  #endString(string: CutString): void {
    this.#string = undefined
    if (this.#droppedDepth !== undefined) return
    const isName = this.#expected === 'name'
    if (!isName && !this.#beginValue()) return
    if (isName) this.#writeComma()
    this.#write('"')
    for (const bytes of string.finish()) this.#writeBytes(bytes)
    this.#write('"')
    this.#expected = isName ? 'colon' : 'end'
  }

  #endWord(): void {
    if (this.#word === '') return
    const word = this.#word
    this.#word = ''
    if (!this.#beginValue()) return
    this.#write(word)
    this.#expected = 'end'
  }

  #comma(): void {
    this.#endWord()
    if (this.#expected !== 'end' || this.#closers.length === 0) this.#isInvalid = true
    else if (this.#resultBytes > RESULT_BYTES_MAX * (this.#closers.length > 1 ? 1 : 2)) this.#dropUntilClose(true)
    else {
      this.#hasPendingComma = true
      this.#expected = this.#closers.at(-1) === '}' ? 'name' : 'value'
    }
  }

  #colon(): void {
    if (this.#expected !== 'colon') this.#isInvalid = true
    this.#write(':')
    this.#expected = 'value'
  }

  #open(bracket: '{' | '['): void {
    if (this.#word !== '' || !this.#beginValue()) {
      this.#isInvalid = true
      return
    }
    if (this.#closers.length === DEPTH_MAX) {
      this.#write('null')
      this.#expected = 'end'
      this.#dropUntilClose(false)
      return
    }
    this.#write(bracket)
    this.#closers.push(bracket === '{' ? '}' : ']')
    this.#expected = bracket === '{' ? 'name' : 'value'
  }

  #close(bracket: '}' | ']'): void {
    this.#endWord()
    const isEmpty = !this.#hasPendingComma && (this.#expected === 'name' || bracket === ']')
    if (this.#closers.pop() !== bracket || (this.#expected !== 'end' && !isEmpty)) this.#isInvalid = true
    this.#write(bracket)
    this.#expected = 'end'
  }

  #dropUntilClose(keepsCloser: boolean): void {
    this.#droppedDepth = 0
    this.#keepsCloser = keepsCloser
  }

  #drop(byte: number): void {
    if (byte === 0x7b || byte === 0x5b) this.#droppedDepth = (this.#droppedDepth ?? 0) + 1
    else if (byte === 0x7d || byte === 0x5d) {
      if (this.#droppedDepth !== 0) this.#droppedDepth = (this.#droppedDepth ?? 1) - 1
      else {
        this.#droppedDepth = undefined
        if (this.#keepsCloser) this.#close(byte === 0x7d ? '}' : ']')
      }
    }
  }

  /** Whether a value may begin here; then the comma before it is written. */
  #beginValue(): boolean {
    if (this.#expected !== 'value') this.#isInvalid = true
    else this.#writeComma()
    return !this.#isInvalid
  }

  #writeComma(): void {
    if (this.#hasPendingComma) this.#write(',')
    this.#hasPendingComma = false
  }

  #write(text: string): void {
    this.#writeBytes(Buffer.from(text))
  }

  #writeBytes(bytes: Buffer): void {
    this.#result.push(bytes)
    this.#resultBytes += bytes.length
  }
}

/** The payload's text while it arrives: all of it, or a shorter form if it is longer than PAYLOAD_BYTES_MAX. */
export class PayloadText {
  /** Length of what has arrived, in bytes. */
  bytes = 0
  #parts: Buffer[] = []
  #shortener: JsonShortener | undefined

  /** Takes a part; the caller may use its bytes again. */
  push(part: Buffer): void {
    this.bytes += part.length
    if (this.#shortener) this.#shortener.push(part)
    else this.#parts.push(Buffer.from(part))
    if (!this.isLong || this.#shortener) return
    this.#shortener = new JsonShortener()
    for (const earlier of this.#parts) this.#shortener.push(earlier)
    this.#parts = []
  }

  /** Whether it is longer than PAYLOAD_BYTES_MAX, so that it can be used before it is complete. */
  get isLong(): boolean {
    return this.bytes > PAYLOAD_BYTES_MAX
  }

  finish(): string {
    return this.#shortener ? (this.#shortener.finish() ?? '') : Buffer.concat(this.#parts).toString('utf8')
  }
}
