// Reads a small JSON file. Separate from jsonFile.ts, so that no hook bundle contains lowdb.
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from './files.ts'

/** The value in a JSON file; undefined if there is no file. Throws STORE_INVALID for a damaged one. */
export function readJson<T>(files: Files, file: string): T | undefined {
  const bytes = files.read(file)
  if (!bytes) return undefined
  try {
    return JSON.parse(bytes.toString('utf8')) as T
  } catch (cause) {
    throw new MemoryError('STORE_INVALID', `${file} is not valid JSON`, {
      hint: 'Run `memctl rebuild`, which writes the file again from the log.',
      cause,
    })
  }
}
