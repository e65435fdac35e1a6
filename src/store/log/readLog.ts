// Reads the log's events from a position on, to apply them to a projection. Compressed files are read like plain ones.

import zlib from 'node:zlib'
import type { Event } from '../../model/event.ts'
import { LOG_FILE_BYTES_MAX } from '../../model/limits.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import { checksum } from '../disk/jsonFile.ts'
import { inspectUntrusted, isFileFault } from '../disk/untrustedFiles.ts'
import { decodeLogLine, LOG_START, LOG_VERSION, type LogPosition, logFileName } from './eventLog.ts'

export interface LogReadResult {
  readonly events: readonly Event[]
  /** Where the next read continues. */
  readonly end: LogPosition
  /** Whether a closed file got events after it was read. Only a rebuild puts them into order. */
  readonly hasLateEvents: boolean
}

/**
 * All events after `from`, in the order of the log. A line without a newline is still being written; the next read
 * gets it.
 *
 * Throws STORE_NEWER if a later version wrote some of the log: a projection of half a log is wrong.
 */
export function readLog(files: Files, folder: string, from: LogPosition = LOG_START): LogReadResult {
  const parts = [...readLogInSteps(files, folder, from)].flatMap((part) => part ?? [])
  return {
    events: parts.flatMap(({ events }) => events),
    end: parts.at(-1)?.end ?? from,
    hasLateEvents: parts.some((part) => part.hasLateEvents),
  }
}

/**
 * The same in steps, a result for each file and undefined after each line. Late events come first. With `take`, that
 * gets each event at once, and the results have none: the events of one file together take 100 MB of memory.
 */
export function* readLogInSteps(
  files: Files,
  folder: string,
  from: LogPosition = LOG_START,
  take?: (event: Event) => void,
): Generator<LogReadResult | undefined, void, undefined> {
  let end = from
  for (const file of listLogFiles(files, folder)) {
    const { number } = file
    if (number < from.file - 1) continue
    const start = startIn(file, from)
    const events: Event[] = []
    const add = take ?? ((event) => events.push(event))
    let read = 0
    for (const located of iterateLogLines(readSupportedLogFile(files, folder, file, start))) {
      if (located.line.kind === 'event') add(located.line.event)
      read = located.end + 1
      yield
    }
    end = advance(end, number, start + read)
    yield { events, end, hasLateEvents: number < from.file && read > 0 }
  }
}

function advance(end: LogPosition, file: number, offset: number): LogPosition {
  if (file > end.file) return { file, offset, previous: end.file === file - 1 ? end.offset : 0 }
  return file === end.file ? { ...end, offset } : { ...end, previous: offset }
}

/** Where the log ends now, as seen from `from`: behind the last line that is closed. */
export function findLogEnd(files: Files, folder: string, from: LogPosition): LogPosition {
  let end = from
  for (const file of listLogFiles(files, folder)) {
    if (file.number < from.file - 1) continue
    const start = startIn(file, from)
    const read = readSupportedLogFile(files, folder, file, start).lastIndexOf(NEWLINE) + 1
    end = advance(end, file.number, start + read)
  }
  return end
}

/** The byte of a file at which a position begins. */
export const startIn = ({ number }: LogFile, from: LogPosition): number =>
  number === from.file ? from.offset : number === from.file - 1 ? from.previous : 0

// The log's files, plain and compressed, for commands and maintenance. Separate from eventLog.ts: no hook may load
// zlib.
//
//   000001.jsonl.gz   cold: compressed and read back, then the plain file was removed
//   000002.jsonl.gz   000002.jsonl   a crash in between: the plain file counts
//   000003.jsonl      closed: there is a later file
//   000004.jsonl      events are appended here

const NEWLINE = 0x0a
const FILE_NAME = /^(\d{6})\.jsonl(\.gz)?$/

export type LogFile = Readonly<{ number: number; plain: boolean; compressed: boolean }>

export const compressedLogName = (file: number): string => `${logFileName(file)}.gz`

/** The name for messages: the plain file's name if there is one. */
export const logFileLabel = (file: LogFile): string =>
  file.plain ? logFileName(file.number) : compressedLogName(file.number)

/** Every file of the log, ascending. */
export function listLogFiles(files: Files, folder: string): LogFile[] {
  const found = new Map<number, LogFile>()
  for (const name of files.list(folder)) {
    const match = FILE_NAME.exec(name)
    if (!match) continue
    const number = Number(match[1])
    const known = found.get(number) ?? { number, plain: false, compressed: false }
    found.set(number, match[2] ? { ...known, compressed: true } : { ...known, plain: true })
  }
  return [...found.values()].sort((a, b) => a.number - b.number)
}

/** If a crash left a plain and a compressed file: each as a file of its own, for code that writes to them. */
export const splitPlainAndCompressed = (file: LogFile): LogFile[] =>
  file.plain && file.compressed
    ? [
        { ...file, compressed: false },
        { ...file, plain: false },
      ]
    : [file]

/**
 * A file's lines as bytes, from `start` on. Throws STORE_INVALID for a compressed file that is damaged.
 *
 * If both files are there the plain one counts, unless it has no header. Then a process had it open for days and
 * appended after it was compressed, and its lines follow the compressed ones.
 */
export function readLogFile(files: Files, folder: string, file: LogFile, start = 0): Buffer {
  // Opened first: a plain file that was listed and is gone now has been compressed meanwhile.
  const plain = file.plain ? files.open(`${folder}/${logFileName(file.number)}`) : undefined
  try {
    const readPlain = (from: number): Buffer => plain?.readAt(from, Math.max(0, plain.size - from)) ?? Buffer.alloc(0)
    if (plain && (!file.compressed || startsWithHeader(plain))) return readPlain(start)
    const bytes = readCompressed(files, `${folder}/${compressedLogName(file.number)}`).subarray(start)
    return plain ? Buffer.concat([bytes, readPlain(0)]) : bytes
  } finally {
    plain?.close()
  }
}

/** Like `readLogFile`. Throws STORE_NEWER for a file of a later version, which this one would read only in part. */
export function readSupportedLogFile(files: Files, folder: string, file: LogFile, start = 0): Buffer {
  const bytes = readLogFile(files, folder, file, start)
  const newer = start === 0 ? findNewerVersion(bytes) : undefined
  if (newer === undefined) return bytes
  const what = `${folder}/${logFileLabel(file)} has version ${newer}, this memctl reads ${LOG_VERSION}`
  throw new MemoryError('STORE_NEWER', what, {
    hint: 'Update memctl. Until then hooks keep recording, and nothing is lost.',
  })
}

/** The version of a file that a later memctl has begun. */
export function findNewerVersion(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(NEWLINE)
  const first = end === -1 ? undefined : decodeLogLine(bytes.subarray(0, end))
  return first?.kind === 'header' && first.version > LOG_VERSION ? first.version : undefined
}

/** Every closed line in order, with the range of its bytes without its newline; what follows the last is left out. */
export function* iterateLogLines(bytes: Buffer) {
  let start = 0
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    yield { start, end, line: decodeLogLine(bytes.subarray(start, end), checksum) }
    start = end + 1
  }
}

function startsWithHeader(file: OpenFile): boolean {
  const bytes = file.readAt(0, HEADER_BYTES_MAX)
  const end = bytes.indexOf(NEWLINE)
  return end !== -1 && decodeLogLine(bytes.subarray(0, end)).kind === 'header'
}

/** Length of a header line of any version, in bytes; a later version may add fields. */
const HEADER_BYTES_MAX = 256

function readCompressed(files: Files, name: string): Buffer {
  const bytes = files.read(name)
  if (!bytes) return Buffer.alloc(0) // Removed since it was listed.
  try {
    // In one piece: to join pieces of the default size takes a quarter of the time.
    return zlib.gunzipSync(bytes, { chunkSize: 2 * LOG_FILE_BYTES_MAX })
  } catch (cause) {
    throw new MemoryError('STORE_INVALID', `${name} is damaged`, {
      hint: 'Restore it from a backup, or run `memctl doctor --log --fix`, which keeps what can still be read.',
      cause,
    })
  }
}

/** Numbers of missing files up to the last one that exists or was `read`: no file is ever removed. */
export function findLogGaps(files: Files, folder: string, { file: read }: Pick<LogPosition, 'file'>): number[] {
  const numbers = new Set(listLogFiles(files, folder).map((file) => file.number))
  const last = Math.max(read, ...numbers)
  return Array.from({ length: last }, (_, i) => i + 1).filter((number) => !numbers.has(number))
}

/** The files for messages: `000002.jsonl to 000004.jsonl, 000009.jsonl`. */
export function formatLogGaps(missing: readonly number[]): string {
  const runs: { first: number; last: number }[] = []
  for (const number of missing) {
    const run = runs.at(-1)
    if (run && run.last === number - 1) run.last = number
    else runs.push({ first: number, last: number })
  }
  return runs
    .map(({ first, last }) => logFileName(first) + (first === last ? '' : ` to ${logFileName(last)}`))
    .join(', ')
}

// Reads a copy of a log, wherever it is: one file, plain or compressed, or a folder of them.

/** What can be read of a log in a file, in a folder, or in the folder `events` of a store. */
export function readLogCopy(files: Files, path: string) {
  const events = new Map<string, Event>()
  let unreadable = 0
  for (const file of listCopyFiles(files, path)) {
    // Lines are counted only as far as the file can be decompressed.
    const bytes = decompress(files.read(file) ?? Buffer.alloc(0)) ?? Buffer.alloc(0)
    // The newline closes a last line that was never closed.
    for (const { line } of iterateLogLines(Buffer.concat([bytes, Buffer.from('\n')]))) {
      if (line.kind === 'event') events.set(line.event.id, events.get(line.event.id) ?? line.event)
      if (line.kind === 'corrupt' || line.kind === 'truncated') unreadable++
    }
  }
  return { events: [...events.values()], unreadable }
}

function listCopyFiles(files: Files, path: string): string[] {
  // A device may never end, and a pipe may never begin.
  if (files.permissions(path)?.kind !== 'folder') return isFileFault(inspectUntrusted(undefined, path)) ? [] : [path]
  const folder = files.list(`${path}/events`).length > 0 ? `${path}/events` : path
  return listLogFiles(files, folder)
    .flatMap(splitPlainAndCompressed)
    .map((file) => `${folder}/${logFileLabel(file)}`)
    .filter((file) => files.permissions(file)?.kind === 'file')
}

/** The bytes, decompressed if they are compressed; the end may be missing. Undefined for damaged ones. */
export function decompress(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
  } catch {
    return undefined
  }
}
