// Erases events from the log's files, when a user wants something forgotten. Besides a repair, nothing else rewrites
// lines.
//
// Plain files are changed in place: a removed event is overwritten with spaces, a redacted one is written to its old
// place and filled with spaces inside its braces. Every position stays the same, and hooks may append meanwhile.
//
//   {"id":"e1",…}\n{"id":"e2","text":"the token is abc",…,"crc":"…"}\n
//   {"id":"e1",…}\n{"id":"e2","text":"the token is ***",…   ,"crc":"…"}\n
//
// Compressed files are replaced. A crash in between can leave a corrupt line; erasing again removes it.
import { gzipSync } from 'node:zlib'
import type { Event } from '../../model/event.ts'
import type { Files } from '../disk/files.ts'
import { LOG_START, type LogPosition, logFileName } from './eventLog.ts'
import {
  compressedLogName,
  iterateLogLines,
  listLogFiles,
  logFileLabel,
  readSupportedLogFile,
  splitPlainAndCompressed,
} from './logFiles.ts'
import { encodeLogLine } from './logLine.ts'
import { markRewrite } from './rewriteMarks.ts'

/** Returns the event itself, undefined to remove it, or a redacted event that is not longer. */
export type EraseEvent = (event: Event) => Event | undefined

export interface ErasedFile {
  readonly name: string
  /** Numbers of events that were removed, and of events that lost a part. */
  readonly removed: number
  readonly redacted: number
}

export interface EraseOptions {
  readonly eraseEvent: EraseEvent
  /** Whether a truncated or corrupt line is removed too. */
  readonly isErasable: (bytes: Buffer) => boolean
  /** Changes nothing and returns what would be changed. */
  readonly dryRun?: boolean
  /**
   * Also closes an unclosed last line, so that it is checked like any other. Hooks write a line at once: what stays
   * unclosed has a writer that died.
   */
  readonly sealsTail?: boolean
  /** Only events after this position; default all. */
  readonly from?: LogPosition
}

interface Edit {
  readonly start: number
  readonly bytes: Buffer
  readonly isRemoval: boolean
}

/**
 * Applies `eraseEvent` to every event of the log and returns the changed files. The caller must hold the store's lock.
 * Throws STORE_INVALID and STORE_NEWER for files that it cannot read.
 */
export function eraseInLog(files: Files, folder: string, options: EraseOptions): ErasedFile[] {
  const { from = LOG_START } = options
  return listLogFiles(files, folder)
    .filter(({ number }) => number >= from.file - 1)
    .flatMap(splitPlainAndCompressed)
    .flatMap((file) => {
      // A compressed file is replaced as a whole.
      const start = file.plain
        ? file.number === from.file
          ? from.offset
          : file.number < from.file
            ? from.previous
            : 0
        : 0
      if (!options.dryRun && options.sealsTail && file.plain) sealTail(files, `${folder}/${logFileName(file.number)}`)
      const bytes = withClosedTail(readSupportedLogFile(files, folder, file, start), options)
      const edits = findEdits(bytes, options)
      const [first] = edits
      if (!first) return []
      if (!options.dryRun) markRewrite(files, folder, { file: file.number, offset: start + first.start })
      if (!options.dryRun && file.plain) {
        const name = `${folder}/${logFileName(file.number)}`
        for (const edit of edits) files.overwrite(name, start + edit.start, edit.bytes)
        files.sync(name)
      } else if (!options.dryRun) {
        const edited = Buffer.from(bytes)
        for (const edit of edits) edit.bytes.copy(edited, edit.start)
        files.replace(`${folder}/${compressedLogName(file.number)}`, gzipSync(edited))
      }
      const removed = edits.filter((edit) => edit.isRemoval).length
      return [{ name: logFileLabel(file), removed, redacted: edits.length - removed }]
    })
}

/** The changes to a file's closed lines. */
function findEdits(bytes: Buffer, { eraseEvent, isErasable }: EraseOptions): Edit[] {
  const edits: Edit[] = []
  for (const { start, end, line } of iterateLogLines(bytes)) {
    const removal = { start, bytes: Buffer.alloc(end - start, ' '), isRemoval: true }
    if (line.kind === 'event') {
      const event = eraseEvent(line.event)
      if (event === line.event) {
        if (line.truncatedBytes > 0 && isErasable(bytes.subarray(start, start + line.truncatedBytes)))
          edits.push({ start, bytes: blankBeforeEvent(line.truncatedBytes), isRemoval: true })
        continue
      }
      const redacted = event && encodeWithin(event, end - start)
      edits.push(redacted ? { start, bytes: redacted, isRemoval: false } : removal)
    } else if ((line.kind === 'truncated' || line.kind === 'corrupt') && isErasable(bytes.subarray(start, end))) {
      edits.push(removal)
    }
  }
  return edits
}

/** Spaces in place of truncated bytes, and a newline: the event behind them must begin a line. */
function blankBeforeEvent(length: number): Buffer {
  const blank = Buffer.alloc(length, ' ')
  blank[length - 1] = 0x0a
  return blank
}

/** In a preview, the bytes as if the last line were closed. */
const withClosedTail = (bytes: Buffer, { sealsTail, dryRun }: EraseOptions): Buffer =>
  sealsTail && dryRun && bytes.length > 0 && bytes.at(-1) !== 0x0a ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes

/** Closes the last line, as the next append would. */
function sealTail(files: Files, name: string): void {
  const size = files.size(name) ?? 0
  if (size > 0 && files.readAt(name, size - 1, 1)[0] !== 0x0a) files.append(name, Buffer.from('\n'))
}

/** The event's line in exactly `length` bytes, without its newline; undefined if it needs more. */
function encodeWithin(event: Event, length: number): Buffer | undefined {
  const spaces = length - (encodeLogLine(event).length - 1)
  return spaces < 0 ? undefined : encodeLogLine(event, spaces).subarray(0, length)
}
