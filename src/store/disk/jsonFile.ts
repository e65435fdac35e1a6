// Small JSON files, managed by lowdb with an adapter over `Files`, so that readers see the old file or the new one.
import { LowSync, type SyncAdapter } from 'lowdb'
import type { Files } from './files.ts'
import { readJson } from './readJson.ts'

/** Replaces a JSON file with `data`, even a damaged one. */
export function writeJsonFile<T>(files: Files, file: string, data: T): void {
  // lowdb's own `JSONFileSync` renames a temporary file over the old one but never calls fsync: after a power cut the
  // file can be empty. `Files.replace` writes a temporary file, fsyncs it and renames it.
  const adapter: SyncAdapter<T> = {
    read: () => readJson<T>(files, file) ?? null,
    write: (value) => files.replace(file, Buffer.from(`${JSON.stringify(value)}\n`)),
  }
  new LowSync<T>(adapter, data).write()
}
