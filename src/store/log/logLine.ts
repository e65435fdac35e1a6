// One line of the log: an event as JSON that ends with its checksum.
//
//   {"id":"…","at":"…","kind":"prompt",…,"crc":"9ae0daaf"}\n
//   └────────── body ────────────────┘ └─── 18 bytes ──┘
//
// The checksum is the CRC-32 of the body's bytes. A truncated line has no checksum at its end. A corrupt line, which
// changed after it was written, has one that does not match.
import { type Event, eventToLogFields, parseEvent } from '../../model/event.ts'
import { wellFormedJson } from '../../text/excerpt.ts'
import { crc32 } from '../../text/hash.ts'

export const LOG_VERSION = 1

/** First line of every log file: the format and its version. */
export const LOG_HEADER = `{"memctl":"log","version":${LOG_VERSION}}\n`

const CLOSING_BYTES = ',"crc":"00000000"}'.length
const CLOSING_START = Buffer.from(',"crc":"')

const EVENT_START = Buffer.from('{"id":"')
const EVENT_TIME = Buffer.from('","at":"')
const ID_END = EVENT_START.length + 16
const SPACE = 0x20

/** An event's line with its newline. `spaces` are added to fill the place of a longer line. */
export function encodeLogLine(event: Event, spaces = 0): Buffer {
  const body = Buffer.from(wellFormedJson(JSON.stringify(eventToLogFields(event))).slice(0, -1) + ' '.repeat(spaces))
  const crc = crc32(body).toString(16).padStart(8, '0')
  return Buffer.concat([body, Buffer.from(`,"crc":"${crc}"}\n`)])
}

/** A decoded line. `blank` lines come from sealing (empty) or a repair (spaces); `header` is a file's first line. */
export type LogLine =
  /** The first `truncatedBytes` of the line belong to another event, whose writer was killed before this append. */
  | { readonly kind: 'event'; readonly event: Event; readonly truncatedBytes: number }
  | { readonly kind: 'header'; readonly version: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'corrupt' }

/** CRC-32 of some bytes, unsigned. */
export type ChecksumFunction = (bytes: Uint8Array) => number

/** Decodes one line, without its newline. Never throws, whatever the line contains. */
export function decodeLogLine(bytes: Buffer, checksum: ChecksumFunction = crc32): LogLine {
  if (bytes.length === 0 || (bytes[0] === SPACE && isBlank(bytes))) return { kind: 'blank' }
  const bodyEnd = bytes.length - CLOSING_BYTES
  if (!hasChecksum(bytes)) return decodeHeader(bytes) ?? { kind: 'truncated' }
  const event = decodeBody(bytes, 0, bodyEnd, checksum)
  if (event) return { kind: 'event', event, truncatedBytes: 0 }
  return decodeAfterTruncated(bytes, bodyEnd, checksum) ?? { kind: 'corrupt' }
}

/**
 * The event of a line without verifying its checksum, for a session's own recent events: verifying 64 KiB costs a hook
 * with a cold start 2 ms, and an undetected error would at worst show a memory twice. Undefined for a line that is no
 * event.
 */
export function decodeUnverified(bytes: Buffer): Event | undefined {
  const bodyEnd = bytes.length - CLOSING_BYTES
  if (!hasChecksum(bytes)) return undefined
  const event = parseEvent(parseJson(`${bytes.toString('utf8', 0, bodyEnd)}}`))
  if (event) return event
  const line = decodeAfterTruncated(bytes, bodyEnd, crc32)
  return line?.kind === 'event' ? line.event : undefined
}

/** Checks every byte: a corrupt line can begin with a space. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === SPACE)

/** Whether a line ends with a checksum, as every line does that was written to its end. */
export const hasChecksum = (bytes: Buffer, bodyEnd = bytes.length - CLOSING_BYTES): boolean =>
  bodyEnd >= 1 && bytes.compare(CLOSING_START, 0, CLOSING_START.length, bodyEnd, bodyEnd + CLOSING_START.length) === 0

/** The event whose body begins at `start`; undefined if the checksum does not match. */
function decodeBody(bytes: Buffer, start: number, bodyEnd: number, checksum: ChecksumFunction): Event | undefined {
  const written = bytes.toString('latin1', bodyEnd + CLOSING_START.length, bytes.length - 2)
  const body = bytes.subarray(start, bodyEnd)
  if (checksum(body).toString(16).padStart(8, '0') !== written) return undefined
  return parseEvent(parseJson(`${body.toString('utf8')}}`))
}

/**
 * An intact event after truncated bytes. An appender first checks whether the last line is closed. A second process
 * that is killed between that check and the append leaves its bytes before the event.
 */
function decodeAfterTruncated(bytes: Buffer, bodyEnd: number, checksum: ChecksumFunction): LogLine | undefined {
  for (let at = bytes.lastIndexOf(EVENT_START, bodyEnd); at > 0; at = bytes.lastIndexOf(EVENT_START, at - 1)) {
    // Only the start of a line has a time after the id: inside an event's strings, quotes are escaped.
    if (!bytes.subarray(at + ID_END, at + ID_END + EVENT_TIME.length).equals(EVENT_TIME)) continue
    const event = decodeBody(bytes, at, bodyEnd, checksum)
    if (event) return { kind: 'event', event, truncatedBytes: at }
  }
  return undefined
}

function decodeHeader(bytes: Buffer): LogLine | undefined {
  const value = parseJson(bytes.toString('utf8'))
  if (typeof value !== 'object' || value === null || !('memctl' in value) || !('version' in value)) return undefined
  return typeof value.version === 'number' ? { kind: 'header', version: value.version } : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not JSON: the caller classifies the line.
  }
}
