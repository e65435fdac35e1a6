// A survey of the log: every line of it looked at, nothing kept but counts and places, so that a log of years fits in memory.
import { MemoryError } from '../model/errors.ts'
import { timeOf } from '../model/event.ts'
import type { Files } from './files.ts'
import { bytesOf, compressedName, type LogFile, linesIn, logFiles, nameOf } from './logFiles.ts'
import { LOG_VERSION } from './logLine.ts'

/** Places told of lines that are no events, at most: the first ones show what happened. */
const PLACES_MAX = 5

const CLOCKS_DIFFER_MS = 60_000

/** What lines of a file, or of the whole log, there are. */
interface LineCounts {
  readonly events: number
  /** Cut short by a crash: never acknowledged, stepped over. */
  readonly torn: number
  /** Changed after they were written. */
  readonly rotten: number
  /** Nothing in them: sealed twice, or put in a torn one's place by a repair. */
  readonly blank: number
  /** Bytes at the end without a newline: being written, or torn and not sealed yet. */
  readonly openBytes: number
}

export interface FileSurvey extends LineCounts {
  readonly name: string
  readonly compressed: boolean
  /** As it lies on the disk. */
  readonly bytes: number
  /** The version its header says; null where it has none, or none that can be read. */
  readonly version: number | null
  readonly headers: number
  /** `000001.jsonl, line 12`, the first of the rotten ones. */
  readonly rottenAt: readonly string[]
  /** It cannot be unpacked: what can still be read of it a repair finds. */
  readonly damaged: boolean
}

export interface LogSurvey extends LineCounts {
  readonly files: number
  readonly bytes: number
  readonly rottenAt: readonly string[]
  /** Files written by a later version. */
  readonly newerFiles: readonly string[]
  readonly damagedFiles: readonly string[]
  /** Milliseconds since 1970 of the latest event; undefined where there is none. */
  readonly newestMs: number | undefined
  /** Events that say they are later than `now`, leaving out a minute of two clocks' difference. */
  readonly inFuture: number
  readonly perFile: readonly FileSurvey[]
}

/** Reads the log in `folder` from end to end. Throws the system's error for what cannot be read. */
export function surveyLog(files: Files, folder: string, now: number): LogSurvey {
  const times = { newestMs: undefined as number | undefined, inFuture: 0 }
  const perFile = logFiles(files, folder).map((file) => surveyFile(files, folder, file, now, times))
  const sum = (of: (file: FileSurvey) => number): number => perFile.reduce((total, file) => total + of(file), 0)
  return {
    ...times,
    files: perFile.length,
    bytes: sum((file) => file.bytes),
    events: sum((file) => file.events),
    torn: sum((file) => file.torn),
    rotten: sum((file) => file.rotten),
    blank: sum((file) => file.blank),
    openBytes: perFile.at(-1)?.openBytes ?? 0,
    rottenAt: perFile.flatMap((file) => file.rottenAt).slice(0, PLACES_MAX),
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
): FileSurvey {
  const counts = { events: 0, torn: 0, rotten: 0, blank: 0, headers: 0 }
  const rottenAt: string[] = []
  const name = nameOf(file)
  const read = unlessDamaged(() => bytesOf(files, folder, file))
  const bytes = read ?? Buffer.alloc(0)
  let version: number | null = null
  let count = 0
  let closed = 0
  for (const { end, line } of linesIn(bytes)) {
    count++
    closed = end + 1
    if (line.kind === 'event') {
      const at = timeOf(line.event)
      counts.events++
      if (line.tornBytes > 0) counts.torn++
      times.newestMs = Math.max(times.newestMs ?? at, at)
      if (at > now + CLOCKS_DIFFER_MS) times.inFuture++
    } else if (line.kind === 'header') {
      counts.headers++
      version = Math.max(version ?? 0, line.version)
    } else counts[line.kind]++
    if (line.kind === 'rotten' && rottenAt.length < PLACES_MAX) rottenAt.push(`${name}, line ${count}`)
  }
  return {
    ...{ name, compressed: !file.plain, version, ...counts, rottenAt },
    bytes: sizeOf(files, folder, file),
    openBytes: bytes.length - closed,
    damaged: read === undefined,
  }
}

const sizeOf = (files: Files, folder: string, file: LogFile): number =>
  (files.size(`${folder}/${nameOf(file)}`) ?? 0) +
  (file.plain && file.compressed ? (files.size(`${folder}/${compressedName(file.number)}`) ?? 0) : 0)

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'STORE_INVALID') return undefined
    throw error
  }
}
