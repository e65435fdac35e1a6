// Reads the lines of a file of any size in parts, so that memory is bounded by the longest line.
import type { Files } from '../../store/disk/files.ts'

/** A longer line is skipped and counted, in bytes: the largest tool results and images stay below it. */
const LINE_BYTES_MAX = 33_554_432

const CHUNK_BYTES = 1_048_576
const NEWLINE = 0x0a

/** The complete lines of a file without their newlines; undefined for one that is too long. The last may have none. */
export function* readLines(files: Files, file: string): Generator<Buffer | undefined> {
  const opened = files.open(file)
  if (!opened) return
  try {
    let parts: Buffer[] = []
    let length = 0
    for (let at = 0; ; ) {
      const chunk = opened.readAt(at, CHUNK_BYTES)
      if (chunk.length === 0) break
      at += chunk.length
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        length += end - start
        if (length > LINE_BYTES_MAX) yield undefined
        else if (length > 0) yield joinParts(parts, chunk.subarray(start, end))
        parts = []
        length = 0
        start = end + 1
      }
      length += chunk.length - start
      // Of a line that is too long nothing is kept.
      if (length > LINE_BYTES_MAX) parts = []
      else if (start < chunk.length) parts.push(Buffer.from(chunk.subarray(start)))
    }
    if (length > LINE_BYTES_MAX) yield undefined
    else if (length > 0) yield Buffer.concat(parts)
  } finally {
    opened.close()
  }
}

const joinParts = (parts: readonly Buffer[], last: Buffer): Buffer =>
  parts.length === 0 ? last : Buffer.concat([...parts, last])
