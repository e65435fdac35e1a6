// Reads what a person gives a command: stdin, which may be a slow pipe or an endless one, or a file.
import fs from 'node:fs'
import { MemoryError } from '../../model/memoryError.ts'
import { systemErrorCode } from '../../store/disk/diskCalls.ts'

/** A command reads at most this, in bytes: a recording of a long session. */
const STDIN_BYTES_MAX = 256 * 1024 * 1024

/** Pause before an empty pipe is read again, in milliseconds. */
const PAUSE_MS = 10

/**
 * The text on stdin, or on another open file; empty if there is none. Throws INPUT_INVALID for a folder, and if there
 * is too much. `name` is for the message.
 */
export function readStdin(descriptor = 0, name = 'stdin'): string {
  const parts: Buffer[] = []
  let bytes = 0
  for (;;) {
    const part = Buffer.allocUnsafe(65_536)
    const count = readPart(descriptor, part, name)
    if (count === 0) return Buffer.concat(parts).toString('utf8')
    parts.push(part.subarray(0, count))
    bytes += count
    if (bytes > STDIN_BYTES_MAX)
      throw new MemoryError('INPUT_INVALID', `${name} has more than ${STDIN_BYTES_MAX} bytes`, {
        hint: 'Pass less at once, or import files.',
      })
  }
}

/** The number of bytes read; 0 at the end. */
function readPart(descriptor: number, into: Buffer, name: string): number {
  for (;;) {
    try {
      return fs.readSync(descriptor, into, 0, into.length, null)
    } catch (error) {
      const code = systemErrorCode(error)
      // The other end of the pipe has set it to be non-blocking, and has nothing yet.
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
      else if (code === 'EOF' || code === 'EBADF') return 0
      else
        throw new MemoryError('INPUT_INVALID', `${name} cannot be read (${code ?? String(error)})`, {
          hint: 'Pass the text through a pipe or as an argument.',
        })
    }
  }
}

/**
 * The text of a file, or of a pipe such as `<(command)`. Throws NOT_FOUND, and INPUT_INVALID for a folder, a device,
 * and what cannot be read. A FIFO that nobody writes to is empty: nothing waits for a writer.
 */
export function readInputFile(file: string): string {
  let descriptor: number | undefined
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0))
    const stats = fs.fstatSync(descriptor)
    if (!stats.isFile() && !stats.isFIFO())
      throw unreadable(file, stats.isDirectory() ? 'is a folder' : 'is neither a file nor a pipe')
    return readStdin(descriptor, file)
  } catch (error) {
    if (error instanceof MemoryError) throw error
    const code = systemErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new MemoryError('NOT_FOUND', `There is no file ${file}`, { hint: 'Check the path.', cause: error })
    throw unreadable(file, `cannot be read (${code ?? String(error)})`)
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor)
  }
}

const unreadable = (file: string, what: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `${file} ${what}`, { hint: 'Name a file that you may read.' })
