// Reads a small JSON file. Separate from jsonFile.ts, so that no hook bundle contains lowdb.
import { MemoryError } from '../../model/memoryError.ts'
import type { Files } from './files.ts'

/** The end of a file with a checksum: `,"crc":"9ae0daaf"}` and a newline. See jsonFile.ts. */
export const JSON_TRAILER_START = ',"crc":"'
export const JSON_TRAILER_BYTES = 19

/** The value in a JSON file, without its checksum; undefined if there is no file. Throws STORE_INVALID. */
export function readJson<T>(files: Files, file: string): T | undefined {
  const bytes = files.read(file)
  return bytes && parse<T>(bytes, file)
}

/**
 * The same for a file that the next worker writes again: undefined also if it is damaged or cannot be read. Asks for the
 * size first, which is faster than a failed read.
 */
export function readJsonIfIntact<T>(files: Files, file: string, read: typeof readJson = readJson): T | undefined {
  try {
    return files.size(file) === undefined ? undefined : read<T>(files, file)
  } catch {
    return undefined
  }
}

const parsed = new Map<string, { readonly bytes: Buffer; readonly value: unknown }>()

/** The same for a file that is read repeatedly: parsed again only if its bytes differ. Nobody changes the value. */
export function readJsonAgain<T>(files: Files, file: string): T | undefined {
  const bytes = files.read(file)
  if (!bytes) return undefined
  const known = parsed.get(file)
  if (known?.bytes.equals(bytes)) return known.value as T
  const value = parse<T>(bytes, file)
  parsed.set(file, { bytes, value })
  return value
}

function parse<T>(bytes: Buffer, file: string): T {
  try {
    const text = bytes.toString('utf8')
    const value = JSON.parse(text)
    if (text.startsWith(JSON_TRAILER_START, text.length - JSON_TRAILER_BYTES)) delete value.crc
    return value as T
  } catch (cause) {
    throw new MemoryError('STORE_INVALID', `${file} is not valid JSON`, {
      hint: 'Run `memctl rebuild`, which writes the file again from the log.',
      cause,
    })
  }
}
