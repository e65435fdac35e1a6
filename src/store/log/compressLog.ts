// Compresses cold log files to a sixth of their size. Rebuilds and queries still read them, hooks do not.
//
// A plain file is removed only after its compressed copy was read back and is equal. A crash in between leaves both
// files: the plain one counts, and the next maintenance repeats the step.
import { gzipSync } from 'node:zlib'
import { eventTimeMs } from '../../model/event.ts'
import type { Files } from '../disk/files.ts'
import { type LogPosition, logFileName } from './eventLog.ts'
import { compressedLogName, iterateLogLines, type LogFile, listLogFiles, readLogFile } from './logFiles.ts'
import { LOG_VERSION } from './logLine.ts'

/** The projection must be this many files further: catching up also reads the file before its own, for late events. */
const FILES_BEHIND_MIN = 2

/** The newest event of a cold file is older than this, in milliseconds. No hook runs that long and still appends. */
const COLD_AFTER_MS = 7 * 86_400_000

/** Files compressed in one maintenance. A file of 8 MiB takes about 0.2 s, and the worker has more to do. */
const FILES_AT_ONCE_MAX = 3

/** How much of a file's end is searched for its newest event, in bytes: several events of the greatest size. */
const NEWEST_TAIL_BYTES = 65_536

/** Compresses the files that are cold at `now` and returns their numbers. The caller must hold the store's lock. */
export function compressColdFiles(files: Files, folder: string, cursor: LogPosition, now: number): number[] {
  const compressed: number[] = []
  for (const file of listLogFiles(files, folder)) {
    if (file.number > cursor.file - FILES_BEHIND_MIN || compressed.length === FILES_AT_ONCE_MAX) break
    if (file.plain && isCold(files, folder, file, now) && compress(files, folder, file)) compressed.push(file.number)
  }
  return compressed
}

function isCold(files: Files, folder: string, file: LogFile, now: number): boolean {
  const name = `${folder}/${logFileName(file.number)}`
  const size = files.size(name) ?? 0
  const start = Math.max(0, size - NEWEST_TAIL_BYTES)
  const newest =
    newestEventTime(files.readAt(name, start, size - start)) ?? newestEventTime(files.read(name) ?? Buffer.alloc(0))
  return newest === undefined || now - newest > COLD_AFTER_MS
}

function newestEventTime(bytes: Buffer): number | undefined {
  let newest: number | undefined
  for (const { line } of iterateLogLines(bytes)) {
    // A file of a later version is never cold: that version compresses it.
    if (line.kind === 'header' && line.version > LOG_VERSION) return Number.POSITIVE_INFINITY
    if (line.kind === 'event') newest = Math.max(newest ?? 0, eventTimeMs(line.event))
  }
  return newest
}

/** False if the copy differs or the file changed meanwhile: then the plain file stays. */
function compress(files: Files, folder: string, file: LogFile): boolean {
  const plain = `${folder}/${logFileName(file.number)}`
  const size = files.size(plain)
  const bytes = readLogFile(files, folder, file)
  files.replace(`${folder}/${compressedLogName(file.number)}`, gzipSync(bytes))
  const copy = readLogFile(files, folder, { ...file, plain: false, compressed: true })
  if (!copy.equals(bytes) || files.size(plain) !== size) return false
  // The new name must be on the disk before the old one is removed.
  files.sync(folder)
  files.remove(plain)
  return true
}
