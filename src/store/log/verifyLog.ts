// A survey of the log: every line of it looked at, nothing kept but counts and places, so that a log of years fits in memory.

import { eventTimeMs } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from '../disk/files.ts'
import {
  compressedLogName,
  iterateLogLines,
  type LogFile,
  listLogFiles,
  logFileLabel,
  readLogFile,
} from './logFiles.ts'
import { LOG_VERSION } from './logLine.ts'

/** Places told of lines that are no events, at most: the first ones show what happened. */
const PLACES_MAX = 5

const CLOCKS_DIFFER_MS = 60_000

/** What lines of a file, or of the whole log, there are. */
interface LogLineCounts {
  readonly events: number
  /** Cut short by a crash: never acknowledged, stepped over. */
  readonly truncated: number
  /** Changed after they were written. */
  readonly corrupt: number
  /** Nothing in them: sealed twice, or put in a torn one's place by a repair. */
  readonly blank: number
  /** Bytes at the end without a newline: being written, or torn and not sealed yet. */
  readonly openBytes: number
}

export interface LogFileIntegrity extends LogLineCounts {
  readonly name: string
  readonly compressed: boolean
  /** As it lies on the disk. */
  readonly bytes: number
  /** The version its header says; null where it has none, or none that can be read. */
  readonly version: number | null
  readonly headers: number
  /** `000001.jsonl, line 12`, the first of the rotten ones. */
  readonly corruptAt: readonly string[]
  /** It cannot be unpacked: what can still be read of it a repair finds. */
  readonly damaged: boolean
}

export interface LogIntegrity extends LogLineCounts {
  readonly files: number
  readonly bytes: number
  readonly corruptAt: readonly string[]
  /** Files written by a later version. */
  readonly newerFiles: readonly string[]
  readonly damagedFiles: readonly string[]
  /** Milliseconds since 1970 of the latest event; undefined where there is none. */
  readonly newestMs: number | undefined
  /** Events that say they are later than `now`, leaving out a minute of two clocks' difference. */
  readonly inFuture: number
  readonly perFile: readonly LogFileIntegrity[]
}

/** Reads the log in `folder` from end to end. Throws the system's error for what cannot be read. */
export function verifyLog(files: Files, folder: string, now: number): LogIntegrity {
  const times = { newestMs: undefined as number | undefined, inFuture: 0 }
  const perFile = listLogFiles(files, folder).map((file) => surveyFile(files, folder, file, now, times))
  const sum = (of: (file: LogFileIntegrity) => number): number => perFile.reduce((total, file) => total + of(file), 0)
  return {
    ...times,
    files: perFile.length,
    bytes: sum((file) => file.bytes),
    events: sum((file) => file.events),
    truncated: sum((file) => file.truncated),
    corrupt: sum((file) => file.corrupt),
    blank: sum((file) => file.blank),
    openBytes: perFile.at(-1)?.openBytes ?? 0,
    corruptAt: perFile.flatMap((file) => file.corruptAt).slice(0, PLACES_MAX),
    newerFiles: perFile.flatMap((file) => ((file.version ?? 0) > LOG_VERSION ? [file.name] : [])),
    damagedFiles: perFile.flatMap((file) => (file.damaged ? [file.name] : [])),
    perFile,
  }
}

function surveyFile(
  files: Files,
  folder: string,
  file: LogFile,
  now: number,
  times: { newestMs: number | undefined; inFuture: number },
): LogFileIntegrity {
  const counts = { events: 0, truncated: 0, corrupt: 0, blank: 0, headers: 0 }
  const corruptAt: string[] = []
  const name = logFileLabel(file)
  const read = unlessDamaged(() => readLogFile(files, folder, file))
  const bytes = read ?? Buffer.alloc(0)
  let version: number | null = null
  let count = 0
  let closed = 0
  for (const { end, line } of iterateLogLines(bytes)) {
    count++
    closed = end + 1
    if (line.kind === 'event') {
      const at = eventTimeMs(line.event)
      counts.events++
      if (line.tornBytes > 0) counts.truncated++
      times.newestMs = Math.max(times.newestMs ?? at, at)
      if (at > now + CLOCKS_DIFFER_MS) times.inFuture++
    } else if (line.kind === 'header') {
      counts.headers++
      version = Math.max(version ?? 0, line.version)
    } else counts[line.kind]++
    if (line.kind === 'corrupt' && corruptAt.length < PLACES_MAX) corruptAt.push(`${name}, line ${count}`)
  }
  return {
    ...{ name, compressed: !file.plain, version, ...counts, corruptAt },
    bytes: sizeOf(files, folder, file),
    openBytes: bytes.length - closed,
    damaged: read === undefined,
  }
}

const sizeOf = (files: Files, folder: string, file: LogFile): number =>
  (files.size(`${folder}/${logFileLabel(file)}`) ?? 0) +
  (file.plain && file.compressed ? (files.size(`${folder}/${compressedLogName(file.number)}`) ?? 0) : 0)

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'STORE_INVALID') return undefined
    throw error
  }
}
