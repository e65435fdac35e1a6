// Verifies every line of the log. Returns only counts and line numbers, so that a log of years fits in memory.
import { type Event, eventTimeMs } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from '../disk/files.ts'
import { LOG_VERSION } from './eventLog.ts'
import {
  iterateLogLines,
  type LogFile,
  listLogFiles,
  logFileLabel,
  readLogFile,
  splitPlainAndCompressed,
} from './readLog.ts'

/** Corrupt lines that are listed at most: the first ones show what happened. */
const PLACES_MAX = 5

/** Two clocks may differ by this much, in milliseconds. */
const CLOCK_SKEW_MS = 60_000

/** How many lines of each kind a file or the log has. */
interface LogLineCounts {
  readonly events: number
  /** Cut short by a crash: never acknowledged, skipped by readers. */
  readonly truncated: number
  /** Changed after they were written. */
  readonly corrupt: number
  /** Empty, or spaces that a repair wrote over a truncated or corrupt line. */
  readonly blank: number
  /** Bytes at the end without a newline: being written, or truncated and not sealed yet. */
  readonly openBytes: number
}

export interface LogFileIntegrity extends LogLineCounts {
  readonly name: string
  readonly compressed: boolean
  /** Size on disk. */
  readonly bytes: number
  /** The version in its header; null without a readable header. */
  readonly version: number | null
  readonly headers: number
  /** The first corrupt lines, as `000001.jsonl, line 12`. */
  readonly corruptAt: readonly string[]
  /** It cannot be decompressed. A repair keeps what can still be read. */
  readonly damaged: boolean
}

export interface LogIntegrity extends LogLineCounts {
  readonly files: number
  readonly bytes: number
  readonly corruptAt: readonly string[]
  /** Files written by a later version. */
  readonly newerFiles: readonly string[]
  readonly damagedFiles: readonly string[]
  /** Time of the latest event in milliseconds since 1970; undefined without events. */
  readonly newestMs: number | undefined
  /** Number of events with a time more than a minute after `now`. */
  readonly inFuture: number
  readonly perFile: readonly LogFileIntegrity[]
}

/** What else is done with each event; `place` is its file and line. */
type OnEvent = (event: Event, place: string) => void

/** Reads the whole log in `folder`. Throws the system error for a file that cannot be read. */
export function verifyLog(files: Files, folder: string, now: number, onEvent?: OnEvent): LogIntegrity {
  let newestMs: number | undefined
  let inFuture = 0
  const countEvent: OnEvent = (event, place) => {
    onEvent?.(event, place)
    const at = eventTimeMs(event)
    newestMs = Math.max(newestMs ?? at, at)
    if (at > now + CLOCK_SKEW_MS) inFuture++
  }
  const perFile = listLogFiles(files, folder).map((file) => verifyFile(files, folder, file, countEvent))
  const sum = (key: 'bytes' | 'events' | 'truncated' | 'corrupt' | 'blank'): number =>
    perFile.reduce((total, file) => total + file[key], 0)
  return {
    newestMs,
    inFuture,
    files: perFile.length,
    bytes: sum('bytes'),
    events: sum('events'),
    truncated: sum('truncated'),
    corrupt: sum('corrupt'),
    blank: sum('blank'),
    openBytes: perFile.at(-1)?.openBytes ?? 0,
    corruptAt: perFile.flatMap((file) => file.corruptAt).slice(0, PLACES_MAX),
    newerFiles: perFile.flatMap((file) => ((file.version ?? 0) > LOG_VERSION ? [file.name] : [])),
    damagedFiles: perFile.flatMap((file) => (file.damaged ? [file.name] : [])),
    perFile,
  }
}

function verifyFile(files: Files, folder: string, file: LogFile, onEvent: OnEvent): LogFileIntegrity {
  const counts = { events: 0, truncated: 0, corrupt: 0, blank: 0, headers: 0 }
  const corruptAt: string[] = []
  const name = logFileLabel(file)
  const intact = readUnlessDamaged(files, folder, file)
  const bytes = intact ?? Buffer.alloc(0)
  let version: number | null = null
  let lineNumber = 0
  let closedBytes = 0
  for (const { end, line } of iterateLogLines(bytes)) {
    lineNumber++
    closedBytes = end + 1
    if (line.kind === 'event') {
      counts.events++
      if (line.truncatedBytes > 0) counts.truncated++
      onEvent(line.event, `${name}, line ${lineNumber}`)
    } else if (line.kind === 'header') {
      counts.headers++
      version = Math.max(version ?? 0, line.version)
    } else counts[line.kind]++
    if (line.kind === 'corrupt' && corruptAt.length < PLACES_MAX) corruptAt.push(`${name}, line ${lineNumber}`)
  }
  return {
    name,
    compressed: !file.plain,
    version,
    ...counts,
    corruptAt,
    bytes: sizeOnDisk(files, folder, file),
    openBytes: bytes.length - closedBytes,
    damaged: intact === undefined,
  }
}

const sizeOnDisk = (files: Files, folder: string, file: LogFile): number =>
  splitPlainAndCompressed(file).reduce((sum, part) => sum + (files.size(`${folder}/${logFileLabel(part)}`) ?? 0), 0)

function readUnlessDamaged(files: Files, folder: string, file: LogFile): Buffer | undefined {
  try {
    return readLogFile(files, folder, file)
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'STORE_INVALID') return undefined
    throw error
  }
}
