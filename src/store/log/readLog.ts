// Reads the log's events from a position on, to apply them to a projection. Compressed files are read like plain ones.
import type { Event } from '../../model/event.ts'
import type { Steps } from '../../model/longCall.ts'
import type { Files } from '../disk/files.ts'
import { LOG_START, type LogPosition } from './eventLog.ts'
import { iterateLogLines, listLogFiles, readSupportedLogFile } from './logFiles.ts'

export interface LogReadResult {
  readonly events: readonly Event[]
  /** Where the next read continues. */
  readonly end: LogPosition
  /** Numbers of lines that are skipped. */
  readonly truncated: number
  readonly corrupt: number
  /** Whether a closed file got events after it was read. Only a rebuild puts them into order. */
  readonly hasLateEvents: boolean
}

/**
 * All events after `from`, in the order of the log. A line without a newline is still being written; the next read
 * gets it.
 *
 * Throws STORE_NEWER if a later version wrote some of the log: a projection of half a log is wrong.
 */
export function readLog(files: Files, folder: string, from: LogPosition = LOG_START): LogReadResult {
  const parts = [...readLogFiles(files, folder, from)]
  return {
    events: parts.flatMap(({ events }) => events),
    end: parts.at(-1)?.end ?? from,
    truncated: parts.reduce((sum, part) => sum + part.truncated, 0),
    corrupt: parts.reduce((sum, part) => sum + part.corrupt, 0),
    hasLateEvents: parts.some((part) => part.hasLateEvents),
  }
}

/** The same, file by file: the events of a long history are larger than what is made of them. Late events come first. */
export function* readLogFiles(files: Files, folder: string, from: LogPosition = LOG_START): Generator<LogReadResult> {
  for (const part of readLogInSteps(files, folder, from)) if (part) yield part
}

/** The same in steps: undefined after each line. */
export function* readLogInSteps(
  files: Files,
  folder: string,
  from: LogPosition,
): Generator<LogReadResult | undefined, void, undefined> {
  let end = from
  for (const file of listLogFiles(files, folder)) {
    const { number } = file
    if (number < from.file - 1) continue
    const start = number === from.file ? from.offset : number === from.file - 1 ? from.previous : 0
    const lines = { events: [] as Event[], truncated: 0, corrupt: 0 }
    const read = yield* readLines(readSupportedLogFile(files, folder, file, start), lines)
    if (number > end.file) {
      end = { file: number, offset: start + read, previous: end.file === number - 1 ? end.offset : 0 }
    } else if (number === end.file) end = { ...end, offset: start + read }
    else end = { ...end, previous: start + read }
    yield { ...lines, end, hasLateEvents: number < from.file && read > 0 }
  }
}

/** Adds the closed lines to `lines` and returns how many bytes they take. */
function* readLines(bytes: Buffer, lines: { events: Event[]; truncated: number; corrupt: number }): Steps<number> {
  let read = 0
  for (const { end, line } of iterateLogLines(bytes)) {
    if (line.kind === 'event') lines.events.push(line.event)
    if (line.kind === 'truncated' || (line.kind === 'event' && line.truncatedBytes > 0)) lines.truncated++
    else if (line.kind === 'corrupt') lines.corrupt++
    read = end + 1
    yield
  }
  return read
}
