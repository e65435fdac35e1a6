// The event log: JSON events, a line each, appended and never rewritten. The only truth of a project.
//
//   {"id":"e1",…}\n   {"id":"e2","at        \n   {"id":"e3",…}\n
//   └─── whole ───┘   └─ torn, then sealed ─┘   └─── whole ───┘
//
// An event counts once its newline is in the file. A crash can leave a torn tail; the next append seals it with a newline
// first, so the torn bytes stand alone and spoil nothing. Two appenders that both seal leave a blank line, which is nothing.
// Here is what hooks need: appending, and the log's tail. Reading it whole is logRead.ts.
import type { Event, EventKind } from '../../model/event.ts'
import type { SessionId } from '../../model/id.ts'
import { LOG_FILE_BYTES_MAX } from '../../model/limits.ts'
import type { Files } from '../disk/files.ts'
import { decodeUnverified, encodeLogLine, LOG_HEADER } from './logLine.ts'

const NEWLINE = 0x0a
const FILE_NAME = /^(\d{6})\.jsonl$/

/** How far the log has been read: `offset` bytes of file number `file`, and of the one before it `previous` bytes. */
export interface LogPosition {
  readonly file: number
  readonly offset: number
  readonly previous: number
}

export const LOG_START: LogPosition = { file: 0, offset: 0, previous: 0 }

export const logFileName = (file: number): string => `${String(file).padStart(6, '0')}.jsonl`

/** Numbers of the log files not compressed yet, ascending. */
export const listPlainLogFiles = (files: Files, folder: string): number[] => openNumbers(files.list(folder))

function openNumbers(names: readonly string[]): number[] {
  const numbers: number[] = []
  for (const name of names) {
    const match = FILE_NAME.exec(name)
    if (match) numbers.push(Number(match[1]))
  }
  return numbers
}

/**
 * Appends events, all in one write with O_APPEND: the commit. Returns once the system has the bytes, so a killed
 * process loses nothing; with `sync` once the disk has them.
 *
 * Throws the system's error when nothing or only a part was written: then nothing is acknowledged.
 */
export function appendEvents(files: Files, folder: string, events: readonly Event[], sync = false): void {
  const lines = events.map((event) => encodeLogLine(event))
  const file = currentFile(files, folder)
  const size = files.size(file) ?? 0
  const torn = size > 0 && files.readAt(file, size - 1, 1)[0] !== NEWLINE
  files.append(file, Buffer.concat(torn ? [Buffer.of(NEWLINE), ...lines] : lines), sync)
}

/** Bytes of the log past `from`, torn ones included; none where the log is shorter than that, as one put back from a copy is. */
export function countBytesAfter(files: Files, folder: string, from: LogPosition): number {
  let bytes = 0
  for (const file of listPlainLogFiles(files, folder)) {
    if (file >= from.file)
      bytes += Math.max(0, (files.size(`${folder}/${logFileName(file)}`) ?? 0) - (file === from.file ? from.offset : 0))
  }
  return bytes
}

/** Whether a position lies past the end of the log, as after the log was cut or put back from a copy. */
export function isAfterLogEnd(files: Files, folder: string, at: LogPosition): boolean {
  if (at.file === 0) return false
  const size = files.size(`${folder}/${logFileName(at.file)}`)
  return size === undefined ? at.file > lastNumber(files.list(folder)) : at.offset > size
}

/** Which of a session's events of some kinds are worth parsing. */
export interface LogFilter {
  /** This many of the first kind, the newest, whatever they say. */
  readonly newest: number
  /** Of all others those whose line holds one of these texts, the newest again. */
  readonly containing: readonly string[]
  readonly containingMax: number
}

/**
 * The events of one session within the log's last `bytesMax` bytes, in order; with `kinds`, only those. Lines of other sessions and
 * kinds are stepped over without being parsed; with `alike` those too that need not be known, which are most: parsing all of
 * 64 KiB takes a cold hook a millisecond.
 */
export function readTailEvents(
  files: Files,
  folder: string,
  session: SessionId,
  bytesMax: number,
  kinds?: readonly EventKind[],
  alike?: LogFilter,
): Event[] {
  const events: Event[] = []
  let newest = alike ? alike.newest : Number.POSITIVE_INFINITY
  let holding = alike ? alike.containingMax : 0
  // Backwards: the newest are counted.
  for (const line of readTailLines(files, folder, session, bytesMax, kinds)) {
    if (newest <= 0 && holding <= 0) break
    const isHolding = newest <= 0 && alike!.containing.some((text) => line.includes(text))
    if (isHolding) holding--
    const event = newest > 0 || isHolding ? decodeUnverified(line) : undefined
    // The names may stand in a call's input too: the event itself says whose and of what kind it is.
    if (event?.session === session && (kinds?.includes(event.kind) ?? true)) {
      events.push(event)
      if (event.kind === kinds?.[0]) newest--
    }
  }
  return events.reverse()
}

/**
 * The lines within the log's last `bytesMax` bytes that name a session, or any, and one of `kinds`, the newest first. One read, two
 * just after a rotation.
 */
export function* readTailLines(
  files: Files,
  folder: string,
  session: SessionId | undefined,
  bytesMax: number,
  kinds?: readonly EventKind[],
): Generator<Buffer> {
  const own = Buffer.from(session === undefined ? '"session":' : `"session":${JSON.stringify(session)}`)
  const kindNeedles = kinds?.map((kind) => Buffer.from(`"kind":"${kind}"`))
  let left = bytesMax
  for (const file of listPlainLogFiles(files, folder).reverse()) {
    const name = `${folder}/${logFileName(file)}`
    const size = files.size(name) ?? 0
    const start = Math.max(0, size - left)
    for (const line of linesSaying(files.readAt(name, start, size - start), kindNeedles ?? [own])) {
      if (!kindNeedles || line.includes(own)) yield line
    }
    left -= size - start
    if (left <= 0) break
  }
}

/** The lines that hold one of the needles, the last first. Sought by V8 and not line by line: most lines hold none. */
function* linesSaying(bytes: Buffer, needles: readonly Buffer[]): Generator<Buffer> {
  const at = needles.map((needle) => bytes.lastIndexOf(needle))
  for (let last = Math.max(...at); last !== -1; last = Math.max(...at)) {
    const start = bytes.lastIndexOf(NEWLINE, last) + 1
    const end = bytes.indexOf(NEWLINE, last)
    yield bytes.subarray(start, end === -1 ? start : end)
    for (let i = 0; i < at.length; i++) {
      if (at[i]! >= start) at[i] = start === 0 ? -1 : bytes.lastIndexOf(needles[i]!, start - 1)
    }
  }
}

/**
 * The file to append to, begun if there is none or the last one is full. One look at the folder for both: who looked again for the
 * next number could step over the file that another has just begun, and begin one more; what is then appended to the former
 * comes late, and a reader that knows of the latter only looks one file back.
 */
function currentFile(files: Files, folder: string): string {
  const names = files.list(folder)
  const last = openNumbers(names).at(-1)
  if (last !== undefined) {
    const name = `${folder}/${logFileName(last)}`
    if ((files.size(name) ?? 0) < LOG_FILE_BYTES_MAX) return name
  }
  const next = `${folder}/${logFileName(numberPast(names))}`
  files.create(next, Buffer.from(LOG_HEADER)) // Whoever loses the race appends to the winner's file.
  return next
}

/** One past every file there is, compressed ones included; what stands aside to become one is none yet. */
const numberPast = (names: readonly string[]): number => lastNumber(names) + 1

function lastNumber(names: readonly string[]): number {
  let last = 0
  for (const name of names) {
    if (name.endsWith('.jsonl') || name.endsWith('.gz')) last = Math.max(last, Number.parseInt(name, 10) || 0)
  }
  return last
}
