// Small JSON files, managed by lowdb over the store's own disk access, so that a reader sees the old file or the new one.
import { LowSync, type SyncAdapter } from 'lowdb'
import type { Files } from './files.ts'
import { readJson } from './readJson.ts'

/**
 * lowdb's own `JSONFileSync` renames a temporary file over the old one but never calls fsync: after a power cut the file
 * can be empty. `Files.replace` writes aside, calls fsync on the file and its folder, and renames.
 */
class StoreAdapter<T> implements SyncAdapter<T> {
  readonly #files: Files
  readonly #file: string

  constructor(files: Files, file: string) {
    this.#files = files
    this.#file = file
  }

  /** Null where there is no file, as lowdb expects. Throws STORE_INVALID for one that is no JSON. */
  read(): T | null {
    return readJson<T>(this.#files, this.#file) ?? null
  }

  write(data: T): void {
    this.#files.replace(this.#file, Buffer.from(`${JSON.stringify(data)}\n`))
  }
}

/** A JSON file as a lowdb database. Nothing is read before `read()`; `write()` replaces the file, even a damaged one. */
const openJsonFile = <T>(files: Files, file: string, data: T): LowSync<T> =>
  new LowSync<T>(new StoreAdapter<T>(files, file), data)

/** Replaces a JSON file with `data`, whatever it held before. */
export const writeJsonFile = <T>(files: Files, file: string, data: T): void => openJsonFile(files, file, data).write()
