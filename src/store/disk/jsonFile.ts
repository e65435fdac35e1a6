// Small JSON files, managed by lowdb with an adapter over `Files`, so that readers see the old file or the new one.
import { LowSync, type SyncAdapter } from 'lowdb'
import type { Files } from './files.ts'
import { readJson } from './readJson.ts'

/**
 * lowdb's own `JSONFileSync` renames a temporary file over the old one but never calls fsync: after a power cut the
 * file can be empty. `Files.replace` writes a temporary file, fsyncs it and renames it.
 */
class StoreAdapter<T> implements SyncAdapter<T> {
  readonly #files: Files
  readonly #file: string

  constructor(files: Files, file: string) {
    this.#files = files
    this.#file = file
  }

  /** Null if there is no file, as lowdb expects. Throws STORE_INVALID for invalid JSON. */
  read(): T | null {
    return readJson<T>(this.#files, this.#file) ?? null
  }

  write(data: T): void {
    this.#files.replace(this.#file, Buffer.from(`${JSON.stringify(data)}\n`))
  }
}

/** Replaces a JSON file with `data`, even a damaged one. */
export const writeJsonFile = <T>(files: Files, file: string, data: T): void =>
  new LowSync<T>(new StoreAdapter<T>(files, file), data).write()
