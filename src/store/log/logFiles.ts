// The log's files, plain and compressed, for commands and maintenance. Separate from eventLog.ts: no hook may load
// zlib.
//
//   000001.jsonl.gz   cold: compressed and read back, then the plain file was removed
//   000002.jsonl.gz   000002.jsonl   a crash in between: the plain file counts
//   000003.jsonl      closed: there is a later file
//   000004.jsonl      events are appended here
import zlib from 'node:zlib'
import { MemoryError } from '../../model/memoryError.ts'
import { checksum } from '../disk/checksum.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import { type LogPosition, logFileName } from './eventLog.ts'
import { decodeLogLine, LOG_VERSION, type LogLine } from './logLine.ts'

const NEWLINE = 0x0a
const FILE_NAME = /^(\d{6})\.jsonl(\.gz)?$/

export interface LogFile {
  readonly number: number
  readonly plain: boolean
  readonly compressed: boolean
}

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
  const end = start === 0 ? bytes.indexOf(NEWLINE) : -1
  const first = end === -1 ? undefined : decodeLogLine(bytes.subarray(0, end))
  if (first?.kind === 'header' && first.version > LOG_VERSION) {
    throw new MemoryError(
      'STORE_NEWER',
      `${folder}/${logFileLabel(file)} has version ${first.version}, this memctl reads ${LOG_VERSION}`,
      { hint: 'Update memctl. Until then hooks keep recording, and nothing is lost.' },
    )
  }
  return bytes
}

/** A line and the range of its bytes, without its newline. */
interface LocatedLine {
  readonly start: number
  readonly end: number
  readonly line: LogLine
}

/** Every closed line in order; bytes at the end without a newline are left out. */
export function* iterateLogLines(bytes: Buffer): Generator<LocatedLine> {
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
    return zlib.gunzipSync(bytes)
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
