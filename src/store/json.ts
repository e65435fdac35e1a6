// Small JSON files, written whole by lowdb over the store's own disk, so that a reader sees the old or the new one.
import { LowSync, type SyncAdapter } from 'lowdb'
import type { Files } from './files.ts'

/** Replaces a JSON file whole, whatever it held: a damaged one is mended by writing it. */
export function writeJsonFile<T>(files: Files, file: string, data: T): void {
  const adapter: SyncAdapter<T> = {
    read: () => null,
    write: (value) => files.replace(file, Buffer.from(`${JSON.stringify(value)}\n`)),
  }
  new LowSync<T>(adapter, data).write()
}
