// Reads what a person gives a command: stdin, which may be a slow pipe or an endless one, or a file.
import fs from 'node:fs'
import { MemoryError } from '../../model/memoryError.ts'
import { systemErrorCode } from '../../store/disk/diskCalls.ts'
import { isFileFault, readUntrusted } from '../../store/disk/untrustedFiles.ts'

/** A command reads at most this, in bytes: a recording of a long session. */
const BYTES_MAX = 256 * 1024 * 1024

/** Pause before an empty pipe is read again, in milliseconds. */
const PAUSE_MS = 10

/** The text on stdin; empty if there is none. Throws INPUT_INVALID for a folder, and if there is too much. */
export function readStdin(): string {
  const parts: Buffer[] = []
  let bytes = 0
  for (;;) {
    const part = Buffer.allocUnsafe(65_536)
    const count = readPart(part)
    if (count === 0) return Buffer.concat(parts).toString('utf8')
    parts.push(part.subarray(0, count))
    bytes += count
    if (bytes > BYTES_MAX)
      throw new MemoryError('INPUT_INVALID', `stdin has more than ${BYTES_MAX} bytes`, {
        hint: 'Pass less at once, or import files.',
      })
  }
}

/** The number of bytes read; 0 at the end. */
function readPart(into: Buffer): number {
  for (;;) {
    try {
      return fs.readSync(0, into, 0, into.length, null)
    } catch (error) {
      const code = systemErrorCode(error)
      // The other end of the pipe has set it to be non-blocking, and has nothing yet.
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
      else if (code === 'EOF' || code === 'EBADF') return 0
      else
        throw new MemoryError('INPUT_INVALID', `stdin cannot be read (${code ?? String(error)})`, {
          hint: 'Pass the text through a pipe or as an argument.',
        })
    }
  }
}

/** The text of a file. Throws NOT_FOUND, and INPUT_INVALID for what is no regular file or cannot be read. */
export function readInputFile(file: string): string {
  const read = readUntrusted(undefined, file, BYTES_MAX)
  if (read === undefined) throw new MemoryError('NOT_FOUND', `There is no file ${file}`, { hint: 'Check the path.' })
  if (!isFileFault(read)) return read.toString('utf8')
  throw new MemoryError('INPUT_INVALID', `${file} cannot be read: ${read.what}`, {
    hint: 'Name a file that you may read.',
  })
}
