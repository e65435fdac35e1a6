// Reading a small JSON file. Apart from json.ts so that a hook's bundle holds no lowdb.
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from './files.ts'

/** The value in a JSON file; undefined where there is none. Throws STORE_INVALID for one that is damaged. */
export function readJson<T>(files: Files, file: string): T | undefined {
  const bytes = files.read(file)
  if (!bytes) return undefined
  try {
    return JSON.parse(bytes.toString('utf8')) as T
  } catch (cause) {
    throw new MemoryError('STORE_INVALID', `${file} is not the JSON it should be`, {
      hint: 'Run `memctl rebuild`: it is derived from the log and written anew.',
      cause,
    })
  }
}
