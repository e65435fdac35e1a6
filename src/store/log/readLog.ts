// Reading the log from a position on: what a fold needs. Compressed files are read like any other.
import type { Event } from '../../model/event.ts'
import type { Files } from '../disk/files.ts'
import { LOG_START, type LogPosition } from './eventLog.ts'
import { iterateLogLines, listLogFiles, readSupportedLogFile } from './logFiles.ts'

/** What was read, and up to where. `torn` and `rotten` count lines that are no events. */
interface LogReadResult {
  readonly events: readonly Event[]
  readonly end: LogPosition
  readonly truncated: number
  readonly corrupt: number
  /** Events that came into a closed file after it had been read: their place in the order is a rebuild's to find. */
  readonly hasLateEvents: boolean
}

/**
 * All events past `from`, in the order of the log. A line still being written (no newline yet) is left for the next time.
 *
 * Throws STORE_NEWER where a later version wrote some of it: what is derived from half a log is wrong.
 */
export function readLog(files: Files, folder: string, from: LogPosition = LOG_START): LogReadResult {
  const found = { events: [] as Event[], truncated: 0, corrupt: 0 }
  let end = from
  let late = false
  for (const file of listLogFiles(files, folder)) {
    const { number } = file
    if (number < from.file - 1) continue
    const start = number === from.file ? from.offset : number === from.file - 1 ? from.previous : 0
    const read = readLines(readSupportedLogFile(files, folder, file, start), found)
    if (number < from.file && read > 0) late = true
    if (number > end.file)
      end = { file: number, offset: start + read, previous: end.file === number - 1 ? end.offset : 0 }
    else if (number === end.file) end = { ...end, offset: start + read }
    else end = { ...end, previous: start + read }
  }
  return { ...found, end, hasLateEvents: late }
}

/** Reads whole lines into `found`; returns the bytes they took. */
function readLines(bytes: Buffer, found: { events: Event[]; truncated: number; corrupt: number }): number {
  let read = 0
  for (const { end, line } of iterateLogLines(bytes)) {
    if (line.kind === 'event') found.events.push(line.event)
    if (line.kind === 'truncated' || (line.kind === 'event' && line.tornBytes > 0)) found.truncated++
    else if (line.kind === 'corrupt') found.corrupt++
    read = end + 1
  }
  return read
}
