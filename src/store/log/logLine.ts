// One line of the log: an event as JSON, closed by its checksum.
//
//   {"id":"…","at":"…","kind":"prompt",…,"crc":"9ae0daaf"}\n
//   └────────── body ────────────────┘ └─── 18 bytes ──┘
//
// The checksum (CRC-32 of the body's bytes) tells torn from corrupt: a line that a crash cut short has no checksum at its
// end, a line whose bytes changed later has one that does not agree.
import { type Event, eventToLogFields, parseEvent } from '../../model/event.ts'
import { crc32 } from '../../text/hash.ts'

export const LOG_VERSION = 1

/** First line of every log file: what it is and which version wrote it. */
export const LOG_HEADER = `{"memctl":"log","version":${LOG_VERSION}}\n`

const CLOSING_BYTES = ',"crc":"00000000"}'.length
const CLOSING_START = Buffer.from(',"crc":"')

const EVENT_START = Buffer.from('{"id":"')
const EVENT_TIME = Buffer.from('","at":"')
const ID_END = EVENT_START.length + 16
const SPACE = 0x20

/** An event's line, newline included; `room` spaces more where it is to fill another's place. */
export function encodeLogLine(event: Event, room = 0): Buffer {
  const body = Buffer.from(JSON.stringify(eventToLogFields(event)).slice(0, -1) + ' '.repeat(room))
  const crc = crc32(body).toString(16).padStart(8, '0')
  return Buffer.concat([body, Buffer.from(`,"crc":"${crc}"}\n`)])
}

/** What a line turned out to be. `blank` lines come from sealing, those of spaces from a repair; `header` is a file's first. */
export type LogLine =
  /** `tornBytes` at the line's beginning are another's: its writer was cut short just before this one appended. */
  | { readonly kind: 'event'; readonly event: Event; readonly tornBytes: number }
  | { readonly kind: 'header'; readonly version: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'corrupt' }

/** CRC-32 of some bytes, unsigned. */
export type ChecksumFunction = (bytes: Uint8Array) => number

/** Reads one line (without its newline). Nothing in it can make this throw. */
export function decodeLogLine(bytes: Buffer, checksum: ChecksumFunction = crc32): LogLine {
  if (bytes.length === 0 || (bytes[0] === SPACE && isBlank(bytes))) return { kind: 'blank' }
  const bodyEnd = bytes.length - CLOSING_BYTES
  if (!hasChecksum(bytes)) return headerOf(bytes) ?? { kind: 'truncated' }
  const event = eventIn(bytes, 0, bodyEnd, checksum)
  return event ? { kind: 'event', event, tornBytes: 0 } : (behindTorn(bytes, bodyEnd, checksum) ?? { kind: 'corrupt' })
}

/**
 * The event of a line of this session's own recent past, its checksum not looked at: over 64 KiB that costs a cold hook 2 ms.
 * What rotted within the hour would at worst be told twice. Undefined for a torn line, and for one that is no event.
 */
export function decodeUnverified(bytes: Buffer): Event | undefined {
  const bodyEnd = bytes.length - CLOSING_BYTES
  if (!hasChecksum(bytes)) return undefined
  const event = parseEvent(parsed(`${bytes.toString('utf8', 0, bodyEnd)}}`))
  if (event) return event
  const line = behindTorn(bytes, bodyEnd, crc32)
  return line?.kind === 'event' ? line.event : undefined
}

/** Of all its bytes: a line whose first one rotted into a space is no repaired one. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === SPACE)

/** Whether a line ends as one that was written whole does. */
export const hasChecksum = (bytes: Buffer, bodyEnd = bytes.length - CLOSING_BYTES): boolean =>
  bodyEnd >= 1 && bytes.compare(CLOSING_START, 0, CLOSING_START.length, bodyEnd, bodyEnd + CLOSING_START.length) === 0

/** The event whose body begins at `start`, if the checksum agrees. */
function eventIn(bytes: Buffer, start: number, bodyEnd: number, checksum: ChecksumFunction): Event | undefined {
  const written = bytes.toString('latin1', bodyEnd + CLOSING_START.length, bytes.length - 2)
  const body = bytes.subarray(start, bodyEnd)
  if (checksum(body).toString(16).padStart(8, '0') !== written) return undefined
  return parseEvent(parsed(`${body.toString('utf8')}}`))
}

/**
 * A whole event behind torn bytes. Who appends looks first whether the log's end is sealed; one that is cut short between
 * that look and that append leaves its bytes before an event that was acknowledged.
 */
function behindTorn(bytes: Buffer, bodyEnd: number, checksum: ChecksumFunction): LogLine | undefined {
  for (let at = bytes.lastIndexOf(EVENT_START, bodyEnd); at > 0; at = bytes.lastIndexOf(EVENT_START, at - 1)) {
    // Only a line's own beginning has a time behind the id; a string within an event would have its quotes escaped.
    if (!bytes.subarray(at + ID_END, at + ID_END + EVENT_TIME.length).equals(EVENT_TIME)) continue
    const event = eventIn(bytes, at, bodyEnd, checksum)
    if (event) return { kind: 'event', event, tornBytes: at }
  }
  return undefined
}

function headerOf(bytes: Buffer): LogLine | undefined {
  const value = parsed(bytes.toString('utf8'))
  if (typeof value !== 'object' || value === null || !('memctl' in value) || !('version' in value)) return undefined
  return typeof value.version === 'number' ? { kind: 'header', version: value.version } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not JSON: the caller calls such a line torn or rotten.
  }
}
