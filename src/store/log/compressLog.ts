// Cold log files are compressed: kept for a rebuild and for who looks back, to a sixth of their bytes, out of every hook's way.
//
// A file goes only when its compressed copy has been read back and is the same. A crash in between leaves both: the plain
// one counts, and the next upkeep does it again.
import { gzipSync } from 'node:zlib'
import { eventTimeMs } from '../../model/event.ts'
import type { Files } from '../disk/files.ts'
import { type LogPosition, logFileName } from './eventLog.ts'
import { compressedLogName, iterateLogLines, type LogFile, listLogFiles, readLogFile } from './logFiles.ts'
import { LOG_VERSION } from './logLine.ts'

/** The view's cursor stands this many files past a cold one: a fold looks at its own file and the one before for latecomers. */
const FILES_BEHIND_MIN = 2

/** A cold file's newest event is older than this, in milliseconds: no hook lives that long, so none still appends to it. */
const COLD_AFTER_MS = 7 * 86_400_000

/** Files compressed at once, at most: one of 8 MiB takes about 0.2 s, and the worker has more to do within its time. */
const FILES_AT_ONCE_MAX = 3

/** How much of a file's end is asked for its newest event, in bytes: several events of the greatest size. */
const NEWEST_TAIL_BYTES = 65_536

/** Compresses what is cold at `now` and says which files. Only for who holds the writers' lock. */
export function compressColdFiles(files: Files, folder: string, cursor: LogPosition, now: number): number[] {
  const done: number[] = []
  for (const file of listLogFiles(files, folder)) {
    if (file.number > cursor.file - FILES_BEHIND_MIN || done.length === FILES_AT_ONCE_MAX) break
    if (file.plain && isCold(files, folder, file, now) && compress(files, folder, file)) done.push(file.number)
  }
  return done
}

function isCold(files: Files, folder: string, file: LogFile, now: number): boolean {
  const name = `${folder}/${logFileName(file.number)}`
  const size = files.size(name) ?? 0
  const from = Math.max(0, size - NEWEST_TAIL_BYTES)
  const newest = newestIn(files.readAt(name, from, size - from)) ?? newestIn(files.read(name) ?? Buffer.alloc(0))
  return newest === undefined || now - newest > COLD_AFTER_MS
}

function newestIn(bytes: Buffer): number | undefined {
  let newest: number | undefined
  for (const { line } of iterateLogLines(bytes)) {
    // What a later version wrote is its own to compress.
    if (line.kind === 'header' && line.version > LOG_VERSION) return Number.POSITIVE_INFINITY
    if (line.kind === 'event') newest = Math.max(newest ?? 0, eventTimeMs(line.event))
  }
  return newest
}

/** False where the copy does not read back the same or the file changed meanwhile: then the plain one stays as it is. */
function compress(files: Files, folder: string, file: LogFile): boolean {
  const plain = `${folder}/${logFileName(file.number)}`
  const packed = `${folder}/${compressedLogName(file.number)}`
  const size = files.size(plain)
  const bytes = readLogFile(files, folder, file)
  files.replace(packed, gzipSync(bytes))
  const copy = { ...file, plain: false, compressed: true }
  if (!readLogFile(files, folder, copy).equals(bytes) || files.size(plain) !== size) return false
  // The new name must be on the disk before the old one goes.
  files.sync(folder)
  files.remove(plain)
  return true
}
