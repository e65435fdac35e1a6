// One line of the log: an event as JSON, closed by its checksum.
//
//   {"id":"…","at":"…","kind":"prompt",…,"crc":"9ae0daaf"}\n
//   └────────── body ────────────────┘ └─── 18 bytes ──┘
//
// The checksum (CRC-32 of the body's bytes) tells torn from rotten: a line that a crash cut short has no checksum at its
// end, a line whose bytes changed later has one that does not agree.
import { type Event, eventFields, parseEvent } from '../model/event.ts'
import { crc32 } from '../text/hash.ts'

export const LOG_VERSION = 1

/** First line of every log file: what it is and which version wrote it. */
export const LOG_HEADER = `{"memctl":"log","version":${LOG_VERSION}}\n`

const CLOSING_BYTES = ',"crc":"00000000"}'.length
const CLOSING_START = Buffer.from(',"crc":"')

/** An event's line, newline included. */
export function lineOf(event: Event): Buffer {
  const body = Buffer.from(JSON.stringify(eventFields(event)).slice(0, -1))
  const crc = crc32(body).toString(16).padStart(8, '0')
  return Buffer.concat([body, Buffer.from(`,"crc":"${crc}"}\n`)])
}

/** What a line turned out to be. `blank` lines come from sealing; `header` is a file's first. */
export type Line =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'header'; readonly version: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'torn' }
  | { readonly kind: 'rotten' }

/** Reads one line (without its newline). Nothing in it can make this throw. */
export function readLine(bytes: Buffer): Line {
  if (bytes.length === 0) return { kind: 'blank' }
  const bodyEnd = bytes.length - CLOSING_BYTES
  if (bodyEnd < 1 || bytes.compare(CLOSING_START, 0, CLOSING_START.length, bodyEnd, bodyEnd + CLOSING_START.length)) {
    return headerOf(bytes) ?? { kind: 'torn' }
  }
  const written = bytes.toString('latin1', bodyEnd + CLOSING_START.length, bytes.length - 2)
  const body = bytes.subarray(0, bodyEnd)
  if (crc32(body).toString(16).padStart(8, '0') !== written) return { kind: 'rotten' }
  const event = parseEvent(parsed(`${body.toString('utf8')}}`))
  return event ? { kind: 'event', event } : { kind: 'rotten' }
}

function headerOf(bytes: Buffer): Line | undefined {
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
