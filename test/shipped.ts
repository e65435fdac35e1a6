// Stores as they were shipped: every version stays under fixtures/, and a test gets a copy to do with as it likes.
import fs from 'node:fs'
import path from 'node:path'
import { openStoreAt, type Store } from '../src/broker/open/openStore.ts'
import { BEGIN, DAY, ROOT } from './build.ts'
import { newFolder } from './place.ts'

export const FIXTURES = path.resolve(import.meta.dirname, 'fixtures')

/** When the fixtures were written. */
export const WRITTEN = BEGIN + 60 * DAY

/** The names of all versions of a kind: `log-v1` of `log`. */
export const shipped = (kind: string): string[] =>
  fs.readdirSync(FIXTURES).filter((name) => new RegExp(`^${kind}-v\\d+$`).test(name))

/** A copy of one of them. */
export function shippedStore(name: string): Store {
  const copy = path.join(newFolder(name), name)
  fs.cpSync(path.join(FIXTURES, name), copy, { recursive: true })
  return openStoreAt(copy, ROOT)
}
