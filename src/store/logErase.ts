// Erase: what somebody wants forgotten leaves the log's files. The one reason for which written lines are changed.
//
// In a plain file in place, as a repair does it: an event that goes is written over with spaces, one that stays without something is
// written in its own place, filled up with spaces inside its braces. So every position stays where it is, and hooks may append meanwhile.
//
//   {"id":"e1",…}\n{"id":"e2","text":"the token is abc",…,"crc":"…"}\n
//   {"id":"e1",…}\n{"id":"e2","text":"the token is ***",…   ,"crc":"…"}\n
//
// Compressed files are replaced whole. A crash in between leaves lines that are whole, or one that is rotten: done again, all of it goes.
import { gzipSync } from 'node:zlib'
import type { Event } from '../model/event.ts'
import type { Files } from './files.ts'
import { logFileName } from './log.ts'
import { compressedName, eachAlone, linesIn, logFiles, nameOf, understood } from './logFiles.ts'
import { lineOf } from './logLine.ts'

/** What an event becomes: itself, nothing, or another that takes no more room. */
export type Erasing = (event: Event) => Event | undefined

export interface Erased {
  readonly name: string
  /** Events that went, and such as stay without a part. */
  readonly gone: number
  readonly changed: number
}

interface Edit {
  readonly start: number
  readonly bytes: Buffer
  readonly gone: boolean
}

/**
 * Applies it to every event of the log; a line that is none goes where `spoils` says so of its bytes. Says what was done in which files;
 * `dryRun` what would be. Only for who holds the writers' lock. Throws STORE_INVALID and STORE_NEWER for files it cannot read.
 */
export function eraseInLog(
  files: Files,
  folder: string,
  erasing: Erasing,
  spoils: (bytes: Buffer) => boolean,
  dryRun = false,
): Erased[] {
  const alone = logFiles(files, folder).flatMap(eachAlone)
  return alone.flatMap((file) => {
    const bytes = understood(files, folder, file)
    const edits = editsIn(bytes, erasing, spoils)
    if (edits.length === 0) return []
    if (!dryRun && file.plain) {
      const name = `${folder}/${logFileName(file.number)}`
      for (const { start, bytes: written } of edits) files.overwrite(name, start, written)
      files.sync(name)
    } else if (!dryRun) {
      const packed = Buffer.from(bytes)
      for (const { start, bytes: written } of edits) written.copy(packed, start)
      files.replace(`${folder}/${compressedName(file.number)}`, gzipSync(packed))
    }
    const gone = edits.filter((edit) => edit.gone).length
    return [{ name: nameOf(file), gone, changed: edits.length - gone }]
  })
}

function editsIn(bytes: Buffer, erasing: Erasing, spoils: (bytes: Buffer) => boolean): Edit[] {
  const edits: Edit[] = []
  for (const { start, end, line } of linesIn(bytes)) {
    const blank = (): void => {
      edits.push({ start, bytes: Buffer.alloc(end - start, ' '), gone: true })
    }
    if (line.kind === 'event') {
      const event = erasing(line.event)
      const written = event && event !== line.event ? lineWithin(event, end - start) : undefined
      if (written) edits.push({ start, bytes: written, gone: false })
      else if (event !== line.event) blank()
    } else if ((line.kind === 'torn' || line.kind === 'rotten') && spoils(bytes.subarray(start, end))) blank()
  }
  // Not closed yet: its writer died, or is writing it now, and then it is found the next time.
  return edits
}

/** The event's line in just so many bytes, without its newline; undefined where it needs more. */
function lineWithin(event: Event, length: number): Buffer | undefined {
  const bare = lineOf(event)
  const room = length - (bare.length - 1)
  return room < 0 ? undefined : lineOf(event, room).subarray(0, length)
}
