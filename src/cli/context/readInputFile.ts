// Reads a file that a person names on the command line.
import fs from 'node:fs'
import { MemoryError } from '../../model/memoryError.ts'
import { systemErrorCode } from '../../store/disk/files.ts'
import { readStdin } from './readStdin.ts'

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
