// Verifies every line of the log. Returns only counts and line numbers, so that a log of years fits in memory.
import { type Event, eventTimeMs } from '../../model/event.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from '../disk/files.ts'
import { LOG_VERSION } from './eventLog.ts'
import { iterateLogLines, type LogFile, listLogFiles, logFileLabel, readLogFile } from './readLog.ts'

/** Corrupt lines that are listed at most: the first ones show what happened. */
const PLACES_MAX = 5

/** Two clocks may differ by this much, in milliseconds. */
const CLOCK_SKEW_MS = 60_000

export interface LogIntegrity {
  files: number
  /** Lines that are intact. */
  events: number
  /** Cut short by a crash: never acknowledged, skipped by readers. */
  truncated: number
  /** Changed after they were written. */
  corrupt: number
  /** Bytes at the end without a newline: being written, or truncated and not sealed yet. */
  openBytes: number
  /** The first corrupt lines, as `000001.jsonl, line 12`. */
  readonly corruptAt: string[]
  /** Files written by a later version. */
  readonly newerFiles: string[]
  /** Files that cannot be decompressed. A repair keeps what can still be read. */
  readonly damagedFiles: string[]
  /** Time of the latest event in milliseconds since 1970; undefined without events. */
  newestMs: number | undefined
  /** Number of events with a time more than a minute after `now`. */
  inFuture: number
}

/** What else is done with each event; `place` is its file and line. */
type OnEvent = (event: Event, place: string) => void

/** Reads the whole log in `folder`. Throws the system error for a file that cannot be read. */
export function verifyLog(files: Files, folder: string, now: number, onEvent?: OnEvent): Readonly<LogIntegrity> {
  const counts = { files: 0, events: 0, truncated: 0, corrupt: 0, openBytes: 0, inFuture: 0 }
  const log: LogIntegrity = { ...counts, newestMs: undefined, corruptAt: [], newerFiles: [], damagedFiles: [] }
  for (const file of listLogFiles(files, folder)) {
    const name = logFileLabel(file)
    const intact = readUnlessDamaged(files, folder, file)
    log.files++
    if (intact === undefined) log.damagedFiles.push(name)
    verifyLines(log, intact ?? Buffer.alloc(0), name, (event, place) => {
      onEvent?.(event, place)
      const at = eventTimeMs(event)
      log.newestMs = Math.max(log.newestMs ?? at, at)
      if (at > now + CLOCK_SKEW_MS) log.inFuture++
    })
  }
  return log
}

function verifyLines(log: LogIntegrity, bytes: Buffer, name: string, onEvent: OnEvent): void {
  let lineNumber = 0
  let closedBytes = 0
  for (const { end, line } of iterateLogLines(bytes)) {
    const place = `${name}, line ${++lineNumber}`
    closedBytes = end + 1
    if (line.kind === 'event') {
      log.events++
      if (line.truncatedBytes > 0) log.truncated++
      onEvent(line.event, place)
    } else if (line.kind === 'truncated') log.truncated++
    else if (line.kind === 'header' && line.version > LOG_VERSION && log.newerFiles.at(-1) !== name)
      log.newerFiles.push(name)
    else if (line.kind === 'corrupt') {
      log.corrupt++
      if (log.corruptAt.length < PLACES_MAX) log.corruptAt.push(place)
    }
  }
  // Only the last file has an end that is being written.
  log.openBytes = bytes.length - closedBytes
}

function readUnlessDamaged(files: Files, folder: string, file: LogFile): Buffer | undefined {
  try {
    return readLogFile(files, folder, file)
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'STORE_INVALID') return undefined
    throw error
  }
}
