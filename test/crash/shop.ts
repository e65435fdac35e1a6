// A shop's weeks, for stores to crash in: sessions that fail and hint, say things, and are shown what was learnt.
import fs from 'node:fs'
import path from 'node:path'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { LOG_HEADER, logFileName } from '../../src/store/log/eventLog.ts'
import { BEGIN, DAY, type ExampleSession, exampleSession, ROOT, runHookPayloads } from '../testData.ts'

/** A session on day `day`: a known failure occurs and is fixed. */
export function day(day: number, name = `day-${day}`): ExampleSession {
  return exampleSession(name, BEGIN + day * DAY)
    .starts()
    .asks(day % 2 === 0 ? 'From now on keep money in integer cents.' : `Why is stock ${day} wrong?`)
    .edits(`src/stock-${day}.ts`)
    .fails('npm test', `Error: prices are not built\n  at stock-${day % 3}`)
    .runs('npm run build:prices', 'built')
    .runs('npm test', 'ok')
    .answers(`Stock ${day} is right again.`)
    .ends()
}

/** Runs the hook handlers with a session; nothing is organized. */
export const live = (store: Store, session: ExampleSession): void => void runHookPayloads(store, session.recorded)

/** A new log file begins. */
export function rotate(store: Store, number: number): void {
  realDisk.create(path.join(store.layout.events, logFileName(number)), Buffer.from(LOG_HEADER))
}

/** The same store in another folder. */
export function copied(store: Store, folder: string): Store {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.cpSync(store.layout.folder, folder, { recursive: true })
  return openStoreAt(folder, ROOT)
}

/** Days organized one by one, with a log file each, then two ended sessions. Returns the time to organize at. */
export function weeksAndTwoWaiting(store: Store, days = 6): number {
  for (let number = 0; number < days; number++) {
    if (number > 0) rotate(store, number + 1)
    live(store, day(number))
    runMaintenance(store, { now: BEGIN + number * DAY + 3_600_000 })
  }
  live(store, day(40, 'one'))
  live(store, day(41, 'two'))
  return BEGIN + 42 * DAY
}
