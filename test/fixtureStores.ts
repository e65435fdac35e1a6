// Stores as earlier versions wrote them, under fixtures/. A test gets a copy that it may change.
import fs from 'node:fs'
import path from 'node:path'
import { openStoreAt, type Store } from '../src/broker/open/openStore.ts'
import { newFolder } from './tempFolders.ts'
import { BEGIN, DAY, ROOT } from './testData.ts'

export const FIXTURES_FOLDER = path.resolve(import.meta.dirname, 'fixtures')

/** When the fixtures were written. */
export const FIXTURES_WRITTEN_AT = BEGIN + 60 * DAY

/** The names of all versions of a kind of fixture: `log-v1` for `log`. */
export const listFixtures = (kind: string): string[] =>
  fs.readdirSync(FIXTURES_FOLDER).filter((name) => new RegExp(`^${kind}-v\\d+$`).test(name))

/** A store over a copy of one fixture. */
export function copyFixtureStore(name: string): Store {
  const copy = path.join(newFolder(name), name)
  fs.cpSync(path.join(FIXTURES_FOLDER, name), copy, { recursive: true })
  return openStoreAt(copy, ROOT)
}
