// Small JSON files, written whole by lowdb over the store's own disk, so that a reader sees the old or the new one.
import { LowSync, type SyncAdapter } from 'lowdb'
import type { Files } from './files.ts'
import { readJson } from './jsonRead.ts'

/** The value a JSON file holds; `empty` where there is no file. Throws STORE_INVALID for a damaged one. */
export function readJsonFile<T>(files: Files, file: string, empty: T): T {
  const low = lowOf(files, file, empty)
  low.read()
  return low.data
}

/** Replaces a JSON file whole, whatever it held: a damaged one is mended by writing it. */
export const writeJsonFile = <T>(files: Files, file: string, data: T): void => lowOf(files, file, data).write()

function lowOf<T>(files: Files, file: string, data: T): LowSync<T> {
  const adapter: SyncAdapter<T> = {
    read: () => readJson<T>(files, file) ?? null,
    write: (value) => files.replace(file, Buffer.from(`${JSON.stringify(value)}\n`)),
  }
  return new LowSync<T>(adapter, data)
}
