// Small JSON files, written whole by lowdb over the store's own disk, so that a reader sees the old or the new one.
import { LowSync, type SyncAdapter } from 'lowdb'
import type { Files } from './files.ts'
import { readJson } from './jsonRead.ts'

/** A JSON file as lowdb keeps it; `empty` stands in where there is no file. */
export function jsonFile<T>(files: Files, file: string, empty: T): LowSync<T> {
  const adapter: SyncAdapter<T> = {
    read: () => readJson<T>(files, file) ?? null,
    write: (data) => files.replace(file, Buffer.from(`${JSON.stringify(data)}\n`)),
  }
  const low = new LowSync<T>(adapter, empty)
  low.read()
  return low
}
