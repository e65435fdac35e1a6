// Erase: what somebody wants forgotten leaves the log's files. The one reason for which written lines are redacted.
//
// In a plain file in place, as a repair does it: an event that goes is written over with spaces, one that stays without something is
// written in its own place, filled up with spaces inside its braces. So every position stays where it is, and hooks may append meanwhile.
//
//   {"id":"e1",…}\n{"id":"e2","text":"the token is abc",…,"crc":"…"}\n
//   {"id":"e1",…}\n{"id":"e2","text":"the token is ***",…   ,"crc":"…"}\n
//
// Compressed files are replaced whole. A crash in between leaves lines that are whole, or one that is corrupt: done again, all of it goes.
import { gzipSync } from 'node:zlib'
import type { Event } from '../../model/event.ts'
import type { Files } from '../disk/files.ts'
import { logFileName } from './eventLog.ts'
import {
  compressedLogName,
  iterateLogLines,
  listLogFiles,
  logFileLabel,
  readSupportedLogFile,
  splitPlainAndCompressed,
} from './logFiles.ts'
import { encodeLogLine } from './logLine.ts'

/** What an event becomes: itself, nothing, or another that takes no more room. */
export type EraseEvent = (event: Event) => Event | undefined

export interface ErasedFile {
  readonly name: string
  /** Events that went, and such as stay without a part. */
  readonly removed: number
  readonly redacted: number
}

interface Edit {
  readonly start: number
  readonly bytes: Buffer
  readonly isRemoval: boolean
}

/**
 * Applies it to every event of the log; a line that is none goes where `spoils` says so of its bytes. Says what was done in which files;
 * `dryRun` what would be. Only for who holds the writers' lock. Throws STORE_INVALID and STORE_NEWER for files it cannot read.
 */
export function eraseInLog(
  files: Files,
  folder: string,
  erasing: EraseEvent,
  spoils: (bytes: Buffer) => boolean,
  dryRun = false,
): ErasedFile[] {
  const alone = listLogFiles(files, folder).flatMap(splitPlainAndCompressed)
  return alone.flatMap((file) => {
    const bytes = readSupportedLogFile(files, folder, file)
    const edits = editsIn(bytes, erasing, spoils)
    if (edits.length === 0) return []
    if (!dryRun && file.plain) {
      const name = `${folder}/${logFileName(file.number)}`
      for (const { start, bytes: written } of edits) files.overwrite(name, start, written)
      files.sync(name)
    } else if (!dryRun) {
      const packed = Buffer.from(bytes)
      for (const { start, bytes: written } of edits) written.copy(packed, start)
      files.replace(`${folder}/${compressedLogName(file.number)}`, gzipSync(packed))
    }
    const removed = edits.filter((edit) => edit.isRemoval).length
    return [{ name: logFileLabel(file), removed, redacted: edits.length - removed }]
  })
}

function editsIn(bytes: Buffer, erasing: EraseEvent, spoils: (bytes: Buffer) => boolean): Edit[] {
  const edits: Edit[] = []
  for (const { start, end, line } of iterateLogLines(bytes)) {
    const blank = (): void => {
      edits.push({ start, bytes: Buffer.alloc(end - start, ' '), isRemoval: true })
    }
    if (line.kind === 'event') {
      const event = erasing(line.event)
      const written = event && event !== line.event ? lineWithin(event, end - start) : undefined
      if (written) edits.push({ start, bytes: written, isRemoval: false })
      else if (event !== line.event) blank()
    } else if ((line.kind === 'truncated' || line.kind === 'corrupt') && spoils(bytes.subarray(start, end))) blank()
  }
  // Not closed yet: its writer died, or is writing it now, and then it is found the next time.
  return edits
}

/** The event's line in just so many bytes, without its newline; undefined where it needs more. */
function lineWithin(event: Event, length: number): Buffer | undefined {
  const bare = encodeLogLine(event)
  const room = length - (bare.length - 1)
  return room < 0 ? undefined : encodeLogLine(event, room).subarray(0, length)
}
