// A long string of a payload: head and tail are kept, and the mark of a cut between them.
//
// A cut may split a secret, and half of one is not found. So more is removed around each mark, after redaction.

/** Stands on both sides of the note where a string was cut. A character for private use. */
const MARK = '\ue0f5'

/** Characters removed on both sides of a cut, after redaction: no secret is longer, except keys with a header. */
const CUT_MARGIN_CHARS = 4_096

/** Whether a payload, as JSON, has a string that was cut. */
export const hasCut = (json: string): boolean => json.includes(MARK)

/** A JSON value, with the text around each cut removed. */
export function trimCuts(value: unknown): unknown {
  if (typeof value === 'string') return trimCut(value)
  if (Array.isArray(value)) return value.map(trimCuts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [trimCut(name), trimCuts(field)]))
}

function trimCut(text: string): string {
  const start = text.indexOf(MARK)
  if (start === -1) return text
  const end = text.lastIndexOf(MARK) + 1
  return `${text.slice(0, Math.max(0, start - CUT_MARGIN_CHARS))}\n… long text cut …\n${text.slice(end + CUT_MARGIN_CHARS)}`
}

/** Bytes kept of the tail. An event stores at most 6,000 characters of a text; redaction may shorten what is kept. */
const TAIL_BYTES = 16_384

const BACKSLASH = 0x5c

/** Characters kept of the head of a string. */
const HEAD_CHARS = 32_768

/** A JSON value of a program's own, with its long strings cut in the middle, and lists after their first items. */
export function cutLongStrings(value: unknown, itemsMax = 1_000): unknown {
  if (typeof value === 'string') return cutText(value)
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => cutLongStrings(item, itemsMax))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cutLongStrings(field, itemsMax)]))
}

function cutText(text: string): string {
  const cut = text.length - HEAD_CHARS - TAIL_BYTES
  if (cut <= 0) return text
  // What was private before the tail may go on in it.
  const tail = /private/i.test(text.slice(HEAD_CHARS)) ? '' : text.slice(-TAIL_BYTES)
  return `${text.slice(0, HEAD_CHARS)}\n${MARK}${cut}${MARK}\n${tail}`
}

/** One string of a JSON text, taken in parts: its first bytes, and its last ones. */
export class CutString {
  /** Whether the last byte was a backslash that escapes the next one. */
  endsInSlash = false
  readonly #room: number
  readonly #head: Buffer[] = []
  #headBytes = 0
  #tail = Buffer.alloc(0)
  #cutBytes = 0
  #mayHidePrivate = false

  /** `room` is the length of the head in bytes; with 0 nothing is kept. */
  constructor(room: number) {
    this.#room = room
  }

  push(part: Buffer): void {
    if (this.#room === 0) return
    const rest = part.subarray(this.#room - this.#headBytes)
    const head = part.subarray(0, part.length - rest.length)
    if (head.length > 0) this.#head.push(Buffer.from(head))
    this.#headBytes += head.length
    if (rest.length === 0) return
    this.#mayHidePrivate ||= ['private', 'Private', 'PRIVATE'].some((word) => rest.includes(word))
    const tail = Buffer.concat([this.#tail, rest])
    this.#tail = Buffer.from(tail.subarray(-TAIL_BYTES))
    this.#cutBytes += tail.length - this.#tail.length
  }

  finish(): readonly Buffer[] {
    if (this.#cutBytes === 0) {
      const whole = Buffer.concat([...this.#head, this.#tail])
      return [whole.subarray(0, wholeEnd(whole))]
    }
    const head = Buffer.concat(this.#head)
    // What was private before the tail may go on in it.
    const tail = this.#mayHidePrivate ? Buffer.alloc(0) : this.#tail.subarray(wholeStart(this.#tail))
    return [head.subarray(0, wholeEnd(head)), Buffer.from(`\\n${MARK}${this.#cutBytes}${MARK}\\n`), tail]
  }
}

/** Where the last whole character or escape of `bytes` ends, which begin with a whole one. */
function wholeEnd(bytes: Buffer): number {
  let end = bytes.length
  const slash = bytes.lastIndexOf(BACKSLASH)
  if (slash !== -1 && slash > end - 6) {
    let run = 1
    while (slash - run >= 0 && bytes[slash - run] === BACKSLASH) run += 1
    const length = bytes[slash + 1] === 0x75 ? 6 : 2
    if (run % 2 === 1 && slash + length > end) end = slash
  }
  // The first half of a surrogate pair that is written as two escapes stays: it is replaced like any lone one.
  let start = end
  while (start > 0 && ((bytes[start - 1] ?? 0) & 0xc0) === 0x80) start -= 1
  const lead = bytes[start - 1] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start > 0 && length > 1 && start - 1 + length > end ? start - 1 : end
}

/** Where the first whole character of `bytes` begins that is surely outside an escape; the end if there is none. */
function wholeStart(bytes: Buffer): number {
  for (let at = 6; at < bytes.length; at += 1) {
    if (((bytes[at] ?? 0) & 0xc0) === 0x80) continue
    if (!bytes.subarray(at - 6, at).includes(BACKSLASH)) return at
  }
  return bytes.length
}
