// The log's files as commands read them: plain ones, and cold ones compressed. Apart from log.ts, since no hook loads zlib.
//
//   000001.jsonl.gz   cold: compressed, read back, and only then the plain one was removed
//   000002.jsonl.gz   000002.jsonl   a crash in between: the plain one counts
//   000003.jsonl      closed: a later one is there
//   000004.jsonl      appended to
import zlib from 'node:zlib'
import { MemoryError } from '../../model/memoryError.ts'
import { crc32 } from '../../text/hash.ts'
import type { Files, OpenFile } from '../disk/files.ts'
import { logFileName } from './eventLog.ts'
import { type ChecksumFunction, decodeLogLine, LOG_VERSION, type LogLine } from './logLine.ts'

const NEWLINE = 0x0a
const FILE_NAME = /^(\d{6})\.jsonl(\.gz)?$/

/** Node's own, a fifth of a fold's reading less; Node has it from 20.15 and 22.2 on. */
const checksum: ChecksumFunction = typeof zlib.crc32 === 'function' ? zlib.crc32 : crc32

export interface LogFile {
  readonly number: number
  readonly plain: boolean
  readonly compressed: boolean
}

export const compressedLogName = (file: number): string => `${logFileName(file)}.gz`

/** The name it goes by: the plain one's where there is one. */
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

/** Plain and compressed, where a crash left both: each by itself, for who writes in them. */
export const splitPlainAndCompressed = (file: LogFile): LogFile[] =>
  file.plain && file.compressed
    ? [
        { ...file, compressed: false },
        { ...file, plain: false },
      ]
    : [file]

/**
 * All of a file's lines as bytes, from `start` on. Throws STORE_INVALID for a compressed one that is damaged.
 *
 * Where both are there the plain one counts, unless it has no header: then somebody held it open for days and appended
 * after it was compressed, and its lines follow the others.
 */
export function readLogFile(files: Files, folder: string, file: LogFile, start = 0): Buffer {
  // Opened first: a plain one that is gone since it was listed has been compressed meanwhile.
  const plain = file.plain ? files.open(`${folder}/${logFileName(file.number)}`) : undefined
  try {
    const from = (at: number): Buffer => plain?.readAt(at, Math.max(0, plain.size - at)) ?? Buffer.alloc(0)
    if (plain && (!file.compressed || startsWithHeader(plain))) return from(start)
    const packed = inflated(files, `${folder}/${compressedLogName(file.number)}`).subarray(start)
    return plain ? Buffer.concat([packed, from(0)]) : packed
  } finally {
    plain?.close()
  }
}

/** The same of a file this version understands. Throws STORE_NEWER for another, rather than tell half of it. */
export function readSupportedLogFile(files: Files, folder: string, file: LogFile, start = 0): Buffer {
  const bytes = readLogFile(files, folder, file, start)
  const end = start === 0 ? bytes.indexOf(NEWLINE) : -1
  const first = end === -1 ? undefined : decodeLogLine(bytes.subarray(0, end))
  if (first?.kind === 'header' && first.version > LOG_VERSION) {
    throw new MemoryError(
      'STORE_NEWER',
      `${folder}/${logFileLabel(file)} has version ${first.version}, this memctl reads ${LOG_VERSION}`,
      { hint: 'Update memctl. Until then hooks go on recording, and nothing is lost.' },
    )
  }
  return bytes
}

/** A line and where its bytes stand, its newline left out. */
interface LocatedLine {
  readonly start: number
  readonly end: number
  readonly line: LogLine
}

/** Every closed line in order; bytes at the end without a newline are none. */
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

/** A header line of any version, in bytes; a later one may say more. */
const HEADER_BYTES_MAX = 256

function inflated(files: Files, name: string): Buffer {
  const bytes = files.read(name)
  if (!bytes) return Buffer.alloc(0) // Gone since it was listed.
  try {
    return zlib.gunzipSync(bytes)
  } catch (cause) {
    throw new MemoryError('STORE_INVALID', `${name} is damaged`, {
      hint: 'Put it back from a backup, or run `memctl log repair`, which keeps what can still be read.',
      cause,
    })
  }
}
