// Repairs the log: moves truncated and corrupt bytes out of it into a file of their own. No event changes.
//
// In a plain file those bytes are overwritten with spaces. Every event and every position stays the same, so snapshots
// stay valid and hooks may append meanwhile. Replacing the file would lose events that a hook appends during the
// repair.
//
//   {"id":"e1",…}\n   {"id":"e2","at   {"id":"e3",…}\n
//                     ╰─ 14 bytes ──╯
//   {"id":"e1",…}\n                  \n{"id":"e3",…}\n     the last byte becomes a newline if an event follows
//
// Nobody appends to a compressed file: it is replaced.
import { createGunzip, gzipSync } from 'node:zlib'
import type { Files } from '../disk/files.ts'
import { logFileName } from './eventLog.ts'
import {
  compressedLogName,
  iterateLogLines,
  type LogFile,
  listLogFiles,
  logFileLabel,
  readLogFile,
  splitPlainAndCompressed,
} from './logFiles.ts'
import { LOG_VERSION } from './logLine.ts'
import { markRewrite } from './rewriteMarks.ts'

interface LogFileRepair {
  readonly name: string
  readonly truncated: number
  readonly corrupt: number
  /** Number of bytes moved out of the log. */
  readonly bytes: number
  /** The file could not be decompressed to its end; the events before that are kept. */
  readonly incomplete: boolean
}

export interface LogRepairResult {
  readonly files: readonly LogFileRepair[]
  /** The file that has the bytes now; null if nothing was moved. */
  readonly keptIn: string | null
  /** Files of a later version, which are not changed. */
  readonly newerFiles: readonly string[]
}

/** Bytes from `start` to `end` that are no event. `isBeforeEvent`: an intact event follows in the same line. */
interface DamagedRange {
  readonly kind: 'truncated' | 'corrupt'
  readonly start: number
  readonly end: number
  readonly isBeforeEvent: boolean
}

interface FileRepairStep {
  readonly files: Files
  readonly folder: string
  readonly file: LogFile
  readonly readable: ReadablePart
  readonly ranges: readonly DamagedRange[]
  readonly keptIn: string
}

/** Repairs the log at `now`, in ms since 1970; `dryRun` changes nothing. The caller must hold the lock. */
export async function repairLog(files: Files, folder: string, now: number, dryRun = false): Promise<LogRepairResult> {
  const repairs: LogFileRepair[] = []
  const newerFiles: string[] = []
  const keptIn = `${folder}/damaged-${new Date(now).toISOString().replaceAll(':', '-')}.txt`
  for (const file of listLogFiles(files, folder).flatMap(splitPlainAndCompressed)) {
    const readable = await readReadablePart(files, folder, file)
    const ranges = findDamagedRanges(readable.bytes)
    if (ranges === 'newer') newerFiles.push(logFileLabel(file))
    else if (ranges.length > 0 || readable.incomplete) {
      repairs.push(summarizeRepair(file, ranges, readable.incomplete))
      if (dryRun) continue
      const step = { files, folder, file, readable, ranges, keptIn }
      saveDamagedBytes(step)
      markRewrite(files, folder, { file: file.number, offset: 0 })
      if (file.plain) {
        for (const range of ranges) files.overwrite(`${folder}/${logFileName(file.number)}`, range.start, blanks(range))
      } else replaceCompressed(step)
    }
  }
  return { files: repairs, keptIn: repairs.length > 0 && !dryRun ? keptIn : null, newerFiles }
}

function findDamagedRanges(bytes: Buffer): DamagedRange[] | 'newer' {
  const ranges: DamagedRange[] = []
  for (const { start, end, line } of iterateLogLines(bytes)) {
    if (line.kind === 'header' && line.version > LOG_VERSION) return 'newer'
    if (line.kind === 'truncated' || line.kind === 'corrupt') {
      ranges.push({ kind: line.kind, start, end, isBeforeEvent: false })
    } else if (line.kind === 'event' && line.truncatedBytes > 0) {
      ranges.push({ kind: 'truncated', start, end: start + line.truncatedBytes, isBeforeEvent: true })
    }
  }
  return ranges
}

function summarizeRepair(file: LogFile, ranges: readonly DamagedRange[], incomplete: boolean): LogFileRepair {
  const count = (kind: DamagedRange['kind']): number => ranges.filter((range) => range.kind === kind).length
  const bytes = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  return { name: logFileLabel(file), truncated: count('truncated'), corrupt: count('corrupt'), bytes, incomplete }
}

/** Writes and fsyncs the damaged bytes, before any of them is overwritten. */
function saveDamagedBytes({ files, file, readable, ranges, keptIn }: FileRepairStep): void {
  if (ranges.length === 0) return
  const parts = ranges.flatMap(({ kind, start, end }) => [
    Buffer.from(`# ${logFileLabel(file)}, byte ${start}, ${end - start} bytes, ${kind}\n`),
    readable.bytes.subarray(start, end),
    Buffer.from('\n'),
  ])
  files.append(keptIn, Buffer.concat(parts), true)
}

function blanks({ start, end, isBeforeEvent }: DamagedRange): Buffer {
  const blank = Buffer.alloc(end - start, ' ')
  // The event that follows must begin a line.
  if (isBeforeEvent) blank[blank.length - 1] = 0x0a
  return blank
}

function replaceCompressed({ files, folder, file, readable, ranges, keptIn }: FileRepairStep): void {
  const compressedName = compressedLogName(file.number)
  const name = `${folder}/${compressedName}`
  // Other tools may be able to decompress more of the damaged file.
  const damaged = readable.incomplete ? files.read(name) : undefined
  if (damaged) files.replace(keptIn.replace(/\.txt$/, `-${compressedName}`), damaged)
  const bytes = Buffer.from(readable.bytes)
  for (const range of ranges) blanks(range).copy(bytes, range.start)
  files.replace(name, gzipSync(bytes))
}

interface ReadablePart {
  readonly bytes: Buffer
  readonly incomplete: boolean
}

/** A file's bytes; of a damaged compressed file those before the damage. */
async function readReadablePart(files: Files, folder: string, file: LogFile): Promise<ReadablePart> {
  try {
    return { bytes: readLogFile(files, folder, file), incomplete: false }
  } catch {
    const compressed = files.read(`${folder}/${compressedLogName(file.number)}`) ?? Buffer.alloc(0)
    // The newline closes the last line, which then counts as truncated.
    return { bytes: Buffer.concat([await decompressReadable(compressed), Buffer.from('\n')]), incomplete: true }
  }
}

function decompressReadable(compressed: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((resolve) => {
    const gunzip = createGunzip({ chunkSize: 4_096 })
    gunzip.on('data', (part: Buffer) => parts.push(part))
    for (const end of ['end', 'error']) gunzip.once(end, () => resolve(Buffer.concat(parts)))
    gunzip.end(compressed)
  })
}
