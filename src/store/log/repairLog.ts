// Repair: torn and rotten bytes are taken out of the log's way, and kept. No event is touched.
//
// In a plain file they are written over with spaces, as many as there were bytes: every event and every position stays
// where it is, so the view's cursor goes on being true and hooks may append meanwhile. Writing the file anew and renaming it
// would lose what a hook, which had it open, appends between our reading and the rename.
//
//   {"id":"e1",…}\n   {"id":"e2","at   {"id":"e3",…}\n
//                     ╰─ 14 bytes ──╯
//   {"id":"e1",…}\n                  \n{"id":"e3",…}\n     the last of them a newline, where an event follows
//
// Nobody appends to a compressed file: that one is replaced whole.
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

interface LogFileRepair {
  readonly name: string
  readonly truncated: number
  readonly corrupt: number
  /** Bytes taken out of the way. */
  readonly bytes: number
  /** It could not be unpacked to its end; the events before that are kept. */
  readonly cutShort: boolean
}

export interface LogRepairResult {
  readonly files: readonly LogFileRepair[]
  /** Where the bytes lie now; null where there was nothing to do. */
  readonly keptIn: string | null
  /** Files of a later version, left alone. */
  readonly newerFiles: readonly string[]
}

/** Bytes that are no event: from `start` up to `end`, and whether an event follows them in the same line. */
interface Spoiled {
  readonly kind: 'truncated' | 'corrupt'
  readonly start: number
  readonly end: number
  readonly before: boolean
}

/** Repairs the log at `now`, in milliseconds since 1970. Only for who holds the writers' lock; `dryRun` only says what it would do. */
export async function repairLog(files: Files, folder: string, now: number, dryRun = false): Promise<LogRepairResult> {
  const repairs: LogFileRepair[] = []
  const newerFiles: string[] = []
  const keptIn = `${folder}/damaged-${new Date(now).toISOString().replaceAll(':', '-')}.txt`
  for (const file of listLogFiles(files, folder).flatMap(splitPlainAndCompressed)) {
    const read = await readable(files, folder, file)
    const spoiled = spoiledIn(read.bytes)
    if (spoiled === 'newer') newerFiles.push(logFileLabel(file))
    else if (spoiled.length > 0 || read.cutShort) {
      repairs.push(repairOf(file, spoiled, read.cutShort))
      if (dryRun) continue
      keep(files, keptIn, file, read.bytes, spoiled)
      if (file.plain) blankOut(files, `${folder}/${logFileName(file.number)}`, spoiled)
      else replacePacked(files, folder, file, read, spoiled, keptIn)
    }
  }
  return { files: repairs, keptIn: repairs.length > 0 && !dryRun ? keptIn : null, newerFiles }
}

function spoiledIn(bytes: Buffer): Spoiled[] | 'newer' {
  const found: Spoiled[] = []
  for (const { start, end, line } of iterateLogLines(bytes)) {
    if (line.kind === 'header' && line.version > LOG_VERSION) return 'newer'
    if (line.kind === 'truncated' || line.kind === 'corrupt') found.push({ kind: line.kind, start, end, before: false })
    else if (line.kind === 'event' && line.tornBytes > 0) {
      found.push({ kind: 'truncated', start, end: start + line.tornBytes, before: true })
    }
  }
  return found
}

function repairOf(file: LogFile, spoiled: readonly Spoiled[], cutShort: boolean): LogFileRepair {
  const count = (kind: Spoiled['kind']): number => spoiled.filter((one) => one.kind === kind).length
  const bytes = spoiled.reduce((sum, { start, end }) => sum + end - start, 0)
  return { name: logFileLabel(file), truncated: count('truncated'), corrupt: count('corrupt'), bytes, cutShort }
}

/** Written down and on the disk before anything is written over. */
function keep(files: Files, keptIn: string, file: LogFile, bytes: Buffer, spoiled: readonly Spoiled[]): void {
  if (spoiled.length === 0) return
  const parts = spoiled.flatMap(({ kind, start, end }) => [
    Buffer.from(`# ${logFileLabel(file)}, byte ${start}, ${end - start} bytes, ${kind}\n`),
    ...[bytes.subarray(start, end), Buffer.from('\n')],
  ])
  files.append(keptIn, Buffer.concat(parts), true)
}

function blankOut(files: Files, name: string, spoiled: readonly Spoiled[]): void {
  for (const one of spoiled) files.overwrite(name, one.start, blanks(one))
}

function blanks({ start, end, before }: Spoiled): Buffer {
  const blank = Buffer.alloc(end - start, ' ')
  // One newline where the torn one had none of its own, so that the event behind it begins a line.
  if (before) blank[blank.length - 1] = 0x0a
  return blank
}

function replacePacked(
  files: Files,
  folder: string,
  file: LogFile,
  read: Readable,
  spoiled: readonly Spoiled[],
  keptIn: string,
): void {
  const name = `${folder}/${compressedLogName(file.number)}`
  // What could not be unpacked may be worth something to somebody with better tools.
  if (read.cutShort) files.replace(keptIn.replace(/\.txt$/, `-${compressedLogName(file.number)}`), files.read(name)!)
  const bytes = Buffer.from(read.bytes)
  for (const one of spoiled) blanks(one).copy(bytes, one.start)
  files.replace(name, gzipSync(bytes))
}

interface Readable {
  readonly bytes: Buffer
  readonly cutShort: boolean
}

/** A file's bytes; of a compressed one that is damaged, those before the damage. */
async function readable(files: Files, folder: string, file: LogFile): Promise<Readable> {
  try {
    return { bytes: readLogFile(files, folder, file), cutShort: false }
  } catch {
    const packed = files.read(`${folder}/${compressedLogName(file.number)}`) ?? Buffer.alloc(0)
    const bytes = await unpacked(packed)
    // Its last line is cut: what is left of it stands as a torn one.
    return { bytes: Buffer.concat([bytes, Buffer.from('\n')]), cutShort: true }
  }
}

function unpacked(packed: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  return new Promise((done) => {
    const gunzip = createGunzip({ chunkSize: 4_096 })
    gunzip.on('data', (part: Buffer) => parts.push(part))
    for (const end of ['end', 'error']) gunzip.once(end, () => done(Buffer.concat(parts)))
    gunzip.end(packed)
  })
}
