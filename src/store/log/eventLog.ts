// The event log: one JSON event per line, append-only. Everything else in a store is derived from it.
//
//   {"id":"e1",…}\n   {"id":"e2","at        \n   {"id":"e3",…}\n
//   └── intact ───┘   └─ truncated, sealed ─┘   └── intact ───┘
//
// An event counts once its newline is in the file. A crash can leave a truncated tail. The next append first seals it
// with a newline, so that readers can skip it. If two processes seal it at once, a blank line remains, which readers
// skip too. This file has what hooks need: appending and reading the tail. readLog.ts reads the whole log.
import { type Event, type EventKind, eventToLogFields, parseEvent } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { LOG_FILE_BYTES_MAX } from '../../model/limits.ts'
import { parseObject } from '../../model/unknownJson.ts'
import { wellFormedJson } from '../../text/excerpt.ts'
import { crc32 } from '../../text/hash.ts'
import type { Files } from '../disk/files.ts'

const NEWLINE = 0x0a
const FILE_NAME = /^(\d{6})\.jsonl$/

/** How far the log has been read: `offset` bytes of file number `file`, and `previous` bytes of the file before it. */
export type LogPosition = Readonly<{ file: number; offset: number; previous: number }>

export const LOG_START: LogPosition = { file: 0, offset: 0, previous: 0 }

export const logFileName = (file: number): string => `${String(file).padStart(6, '0')}.jsonl`

/** When the log is fsynced: at every append, or once when a session has ended. */
export const SYNC_MODES = ['always', 'session'] as const
export type SyncMode = (typeof SYNC_MODES)[number]

/** Numbers of the log files that are not compressed yet, ascending. */
export const listPlainLogFiles = (files: Files, folder: string): number[] => plainFileNumbers(files.list(folder))

function plainFileNumbers(names: readonly string[]): number[] {
  const numbers: number[] = []
  for (const name of names) {
    const match = FILE_NAME.exec(name)
    if (match) numbers.push(Number(match[1]))
  }
  return numbers
}

/**
 * Appends events in one write with O_APPEND. Returns once the operating system has the bytes, so that a killed process
 * loses nothing. With `sync` it returns after an fsync, so that a power cut loses nothing either. Returns the bytes.
 *
 * Throws the system error if nothing or only a part was written: then no event is acknowledged.
 */
export function appendEvents(files: Files, folder: string, events: readonly Event[], sync = false): number {
  const lines = events.map((event) => encodeLogLine(event))
  const file = currentFile(files, folder)
  const size = files.size(file) ?? 0
  const isTruncated = size > 0 && files.readAt(file, size - 1, 1)[0] !== NEWLINE
  const added = Buffer.concat(isTruncated ? [Buffer.of(NEWLINE), ...lines] : lines)
  files.append(file, added, sync)
  return added.length
}

/** Fsyncs the log from `from` on, for a log whose appends did not. */
export function fsyncLog(files: Files, folder: string, from: LogPosition): void {
  for (const file of listPlainLogFiles(files, folder)) {
    if (file >= from.file - 1) files.sync(`${folder}/${logFileName(file)}`)
  }
}

/** Bytes of the log after `from`, truncated lines included; 0 if the log is shorter, as after a restore. */
export function countBytesAfter(files: Files, folder: string, from: LogPosition): number {
  let bytes = 0
  for (const file of listPlainLogFiles(files, folder)) {
    if (file < from.file) continue
    const size = files.size(`${folder}/${logFileName(file)}`) ?? 0
    bytes += Math.max(0, size - (file === from.file ? from.offset : 0))
  }
  return bytes
}

/** Whether a position lies after the end of the log. It does after the log was truncated or restored from a backup. */
export function isAfterLogEnd(files: Files, folder: string, position: LogPosition): boolean {
  if (position.file === 0) return false
  const size = files.size(`${folder}/${logFileName(position.file)}`)
  return size === undefined ? position.file > lastFileNumber(files.list(folder)) : position.offset > size
}

export interface TailQuery {
  /** Only lines that name this session; undefined for every session. */
  readonly session: SessionId | undefined
  /** How many bytes from the end of the log are read. */
  readonly bytesMax: number
  /** Only events of these kinds. */
  readonly kinds?: readonly EventKind[] | undefined
}

/** Which of a session's events are worth parsing. */
export interface LogFilter {
  /** The newest events of the first kind: as many as this. */
  readonly newest: number
  /** Of all other events the newest whose line contains one of these texts: as many as `containingMax`. */
  readonly containing: readonly string[]
  readonly containingMax: number
}

/**
 * The events of one session in the log's tail, oldest first. Lines of other sessions and kinds are skipped without
 * being parsed. `filter` also skips the events that the caller does not need, which are most of them: parsing 64 KiB
 * takes a hook with a cold start 1 ms.
 */
export function readTailEvents(
  files: Files,
  folder: string,
  query: TailQuery & { readonly session: SessionId },
  filter?: LogFilter,
): Event[] {
  const { session, kinds } = query
  const events: Event[] = []
  const containing = filter?.containing ?? []
  let newestLeft = filter?.newest ?? Number.POSITIVE_INFINITY
  let containingLeft = filter?.containingMax ?? 0
  for (const line of readTailLines(files, folder, query)) {
    if (newestLeft <= 0 && containingLeft <= 0) break
    const isContaining = newestLeft <= 0 && containing.some((text) => line.includes(text))
    if (isContaining) containingLeft--
    const event = newestLeft > 0 || isContaining ? decodeUnverified(line) : undefined
    // The input of a call can contain the same names, so the parsed event decides.
    if (event?.session === session && (kinds?.includes(event.kind) ?? true)) {
      events.push(event)
      if (event.kind === kinds?.[0]) newestLeft--
    }
  }
  return events.reverse()
}

/** The lines that match a query, newest first. One read; two just after a new log file was started. */
export function* readTailLines(files: Files, folder: string, query: TailQuery): Generator<Buffer> {
  const { session, bytesMax, kinds } = query
  const sessionText = Buffer.from(session === undefined ? '"session":' : `"session":${JSON.stringify(session)}`)
  const kindTexts = kinds?.map((kind) => Buffer.from(`"kind":"${kind}"`))
  let bytesLeft = bytesMax
  for (const file of listPlainLogFiles(files, folder).reverse()) {
    const name = `${folder}/${logFileName(file)}`
    const size = files.size(name) ?? 0
    const start = Math.max(0, size - bytesLeft)
    for (const line of linesContaining(files.readAt(name, start, size - start), kindTexts ?? [sessionText])) {
      if (!kindTexts || line.includes(sessionText)) yield line
    }
    bytesLeft -= size - start
    if (bytesLeft <= 0) break
  }
}

/** The lines that contain one of the texts, last first. It does not go line by line: most lines have none. */
function* linesContaining(bytes: Buffer, texts: readonly Buffer[]): Generator<Buffer> {
  const hits = texts.map((text) => ({ text, at: bytes.lastIndexOf(text) }))
  for (;;) {
    let last = -1
    for (const hit of hits) last = Math.max(last, hit.at)
    if (last === -1) return
    const start = bytes.lastIndexOf(NEWLINE, last) + 1
    const end = bytes.indexOf(NEWLINE, last)
    yield bytes.subarray(start, end === -1 ? start : end)
    for (const hit of hits) {
      if (hit.at >= start) hit.at = start === 0 ? -1 : bytes.lastIndexOf(hit.text, start - 1)
    }
  }
}

/**
 * The file to append to. Creates it if there is none or if the last one is full.
 *
 * It lists the folder only once. A second listing for the next number could skip a file that another process has just
 * created, and create one more. Events appended to the skipped file would be late, and a reader that knows of the
 * newer file looks only one file back.
 */
function currentFile(files: Files, folder: string): string {
  const names = files.list(folder)
  const last = plainFileNumbers(names).at(-1)
  if (last !== undefined) {
    const name = `${folder}/${logFileName(last)}`
    if ((files.size(name) ?? 0) < LOG_FILE_BYTES_MAX) return name
  }
  const next = `${folder}/${logFileName(lastFileNumber(names) + 1)}`
  files.create(next, Buffer.from(LOG_HEADER)) // If another process was faster, both append to its file.
  return next
}

/** The highest number of all files, compressed ones included. Temporary files do not count. */
function lastFileNumber(names: readonly string[]): number {
  let last = 0
  for (const name of names) {
    if (name.endsWith('.jsonl') || name.endsWith('.gz')) last = Math.max(last, Number.parseInt(name, 10) || 0)
  }
  return last
}

// One line of the log: an event as JSON that ends with its checksum.
//
//   {"id":"…","at":"…","kind":"prompt",…,"crc":"9ae0daaf"}\n
//   └────────── body ────────────────┘ └─── 18 bytes ──┘
//
// The checksum is the CRC-32 of the body's bytes. A truncated line has no checksum at its end. A corrupt line, which
// changed after it was written, has one that does not match.

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
  // Every byte: a corrupt line can begin with a space.
  if (bytes.every((byte) => byte === SPACE)) return { kind: 'blank' }
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
  const event = parseEvent(parseObject(`${bytes.toString('utf8', 0, bodyEnd)}}`))
  if (event) return event
  const line = decodeAfterTruncated(bytes, bodyEnd, crc32)
  return line?.kind === 'event' ? line.event : undefined
}

/** Whether a line ends with a checksum, as every line does that was written to its end. */
export const hasChecksum = (bytes: Buffer, bodyEnd = bytes.length - CLOSING_BYTES): boolean =>
  bodyEnd >= 1 && bytes.compare(CLOSING_START, 0, CLOSING_START.length, bodyEnd, bodyEnd + CLOSING_START.length) === 0

/** The event whose body begins at `start`; undefined if the checksum does not match. */
function decodeBody(bytes: Buffer, start: number, bodyEnd: number, checksum: ChecksumFunction): Event | undefined {
  const written = bytes.toString('latin1', bodyEnd + CLOSING_START.length, bytes.length - 2)
  const body = bytes.subarray(start, bodyEnd)
  if (checksum(body).toString(16).padStart(8, '0') !== written) return undefined
  return parseEvent(parseObject(`${body.toString('utf8')}}`))
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
  const { memctl, version } = parseObject(bytes.toString('utf8')) ?? {}
  return memctl !== undefined && typeof version === 'number' ? { kind: 'header', version } : undefined
}
