// With log files missing, nothing is rebuilt: it would have less than the snapshot.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { formatLogGaps, readLog } from '../../../src/store/log/readLog.ts'
import { day, live, rotate } from '../../crash/shop.ts'
import { BEGIN, createTestStore, DAY, loadMemories } from '../../testData.ts'

/** A store of five log files, organized. */
function storeWithFiveFiles(): Store {
  const store = createTestStore()
  for (let number = 1; number <= 5; number++) {
    if (number > 1) rotate(store, number)
    live(store, day(number))
    runMaintenance(store, { now: BEGIN + number * DAY + 3_600_000 })
  }
  return store
}

const NOW = BEGIN + 6 * DAY
const logFile = (store: Store, number: number): string => path.join(store.layout.events, `00000${number}.jsonl`)
const logFails = (store: Store) =>
  checkStore(store, NOW).filter(({ name, state }) => name === 'log' && state === 'fail')

test.each<[string, readonly number[], RegExp]>([
  ['an early file', [1], /^000001\.jsonl is missing/],
  ['files between', [2, 3], /^000002\.jsonl to 000003\.jsonl is missing/],
  ['the last file of the snapshot', [5], /^000005\.jsonl is missing/],
  ['all files', [1, 2, 3, 4, 5], /^000001\.jsonl to 000005\.jsonl is missing/],
])('broker: a log without %s is not rebuilt, and doctor names the missing files', (_, missing, message) => {
  const store = storeWithFiveFiles()
  const before = loadMemories(store)
  expect(logFails(store)).toEqual([])
  for (const number of missing) fs.rmSync(logFile(store, number))
  expect(() => rebuildStore(store, NOW)).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }))
  expect(loadMemories(store)).toEqual(before)
  expect(logFails(store)).toMatchObject([
    { what: expect.stringMatching(message), hint: expect.stringContaining('backup') },
  ])
  // With the option, the rebuild uses the remaining files.
  rebuildStore(store, NOW, { allowIncomplete: true })
  expect(Object.keys(loadMemories(store)).length).toBeLessThan(Object.keys(before).length)
})

test('broker: a file at the path of the log is not an empty log', () => {
  const store = storeWithFiveFiles()
  const before = loadMemories(store)
  fs.renameSync(store.layout.events, `${store.layout.events}.aside`)
  fs.writeFileSync(store.layout.events, 'in the way')
  expect(() => rebuildStore(store, NOW)).toThrow(/000001\.jsonl to 000005\.jsonl of the log is missing/)
  expect(loadMemories(store)).toEqual(before)
})

test('broker: late events in a closed file of a log with gaps are added to the projection', () => {
  const store = storeWithFiveFiles()
  const before = loadMemories(store)
  const late = createTestStore()
  live(late, day(9, 'late'))
  const events = readLog(late.files, late.layout.events).events
  fs.rmSync(logFile(store, 1))
  const last = logFile(store, 5)
  fs.renameSync(last, `${last}.aside`)
  appendEvents(store.files, store.layout.events, events)
  fs.renameSync(`${last}.aside`, last)
  expect(runMaintenance(store, { now: NOW }).organized).toEqual(['late'])
  expect(Object.keys(loadMemories(store))).toEqual(expect.arrayContaining(Object.keys(before)))
})

test('store: consecutive missing files are formatted as a range', () => {
  expect(formatLogGaps([1])).toBe('000001.jsonl')
  expect(formatLogGaps([2, 3, 4, 9])).toBe('000002.jsonl to 000004.jsonl, 000009.jsonl')
})
