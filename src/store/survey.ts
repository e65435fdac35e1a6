// A survey of the log: every line of it looked at, nothing kept but counts and places, so that a log of years fits in memory.
import { timeOf } from '../model/event.ts'
import type { Files } from './files.ts'
import { logFileName, openLogFiles } from './log.ts'
import { LOG_VERSION, readLine } from './logLine.ts'

const NEWLINE = 0x0a

/** Places told of lines that are no events, at most: the first ones show what happened. */
const PLACES_MAX = 5

export interface LogSurvey {
  readonly files: number
  readonly bytes: number
  readonly events: number
  /** Cut short by a crash: never acknowledged, stepped over. */
  readonly torn: number
  /** Changed after they were written. */
  readonly rotten: number
  /** `000001.jsonl, line 12`, the first of the rotten ones. */
  readonly rottenAt: readonly string[]
  /** Bytes at the log's end without a newline: being written, or torn and not sealed yet. */
  readonly openBytes: number
  /** Files written by a later version. */
  readonly newerFiles: readonly string[]
  /** Milliseconds since 1970 of the latest event; undefined where there is none. */
  readonly newestMs: number | undefined
  /** Events that say they are later than `now`, leaving out a minute of two clocks' difference. */
  readonly inFuture: number
}

const CLOCKS_DIFFER_MS = 60_000

/** Reads the log in `folder` from end to end. Throws the system's error for what cannot be read. */
export function surveyLog(files: Files, folder: string, now: number): LogSurvey {
  const found = { events: 0, torn: 0, rotten: 0, inFuture: 0, bytes: 0, openBytes: 0 }
  const rottenAt: string[] = []
  const newerFiles: string[] = []
  let newestMs: number | undefined
  const numbers = openLogFiles(files, folder)
  for (const number of numbers) {
    const name = logFileName(number)
    const bytes = files.read(`${folder}/${name}`) ?? Buffer.alloc(0)
    let start = 0
    let count = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = readLine(bytes.subarray(start, end))
      start = end + 1
      count++
      if (line.kind === 'event') {
        const at = timeOf(line.event)
        found.events++
        newestMs = newestMs === undefined ? at : Math.max(newestMs, at)
        if (at > now + CLOCKS_DIFFER_MS) found.inFuture++
      } else if (line.kind === 'torn') found.torn++
      else if (line.kind === 'rotten') {
        found.rotten++
        if (rottenAt.length < PLACES_MAX) rottenAt.push(`${name}, line ${count}`)
      } else if (line.kind === 'header' && line.version > LOG_VERSION) newerFiles.push(name)
    }
    found.bytes += bytes.length
    found.openBytes = bytes.length - start
  }
  return { ...found, files: numbers.length, rottenAt, newerFiles, newestMs }
}
