// The log truncated at every byte of its tail, as by a crash or a full disk. Then work continues.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import { openStoreAt, type Store } from '../../src/broker/open/openStore.ts'
import type { Event } from '../../src/model/event.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { appendEvents, encodeLogLine, logFileName, readTailEvents } from '../../src/store/log/eventLog.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { verifyLog } from '../../src/store/log/verifyLog.ts'
import {
  BEGIN,
  createTestStore,
  DAY,
  exampleSession,
  loadMemories,
  ROOT,
  recordEvents,
  sessionId,
} from '../testData.ts'
import { day, live } from './shop.ts'

/** So many lines at the end are cut through. */
const LINES_CUT = 3

/** Organising is done at every so-many-th byte, and around each line's end. */
const ORGANISED_EVERY = 41

let log: Buffer
let ends: number[]
let whole: readonly Event[]
let store: Store
const next = recordEvents(exampleSession('day-1', BEGIN + DAY + 3_600_000).asks('Does it go on?').recorded)[0]!

beforeAll(() => {
  const base = createTestStore()
  live(base, day(0))
  runMaintenance(base, { now: BEGIN + 3_600_000 })
  live(base, day(1))
  log = fs.readFileSync(file(base))
  ends = [...log].flatMap((byte, at) => (byte === 0x0a ? [at + 1] : []))
  whole = readLog(realDisk, base.layout.events).events
  store = base
})

const file = (of: Store): string => path.join(of.layout.events, logFileName(1))

/** The store with its log truncated after `bytes`, and an unchanged snapshot. */
function cutAt(bytes: number): Store {
  fs.writeFileSync(file(store), log.subarray(0, bytes))
  return store
}

/** Events whose line is on disk up to its checksum. Without a newline it counts after the next append. */
const eventsWithin = (bytes: number): Event[] => {
  const lines = ends.slice(1).filter((end) => end - 1 <= bytes).length
  return whole.slice(0, lines)
}

const everyCut = (): number[] => {
  const from = ends.at(-1 - LINES_CUT)!
  return Array.from({ length: log.length - from + 1 }, (_, i) => from + i)
}

describe('crash: a truncated tail', () => {
  test('crash: wherever the log is truncated, all earlier events and the next one are read', () => {
    const cuts = everyCut()
    expect(cuts.length).toBeGreaterThan(600)
    for (const cut of cuts) {
      const { files, layout } = cutAt(cut)
      // Before the next append complete lines count already.
      const before = readLog(files, layout.events).events
      expect({ cut, ids: before.map((event) => event.id) }).toEqual({
        cut,
        ids: whole.slice(0, ends.slice(1).filter((end) => end <= cut).length).map((event) => event.id),
      })
      appendEvents(files, layout.events, [next])
      const read = readLog(files, layout.events)
      expect({ cut, events: read.events }).toEqual({ cut, events: [...eventsWithin(cut), next] })
      expect(verifyLog(files, layout.events, Date.now()).corrupt).toBe(0)
      expect(readTailEvents(files, layout.events, { session: sessionId('day-1'), bytesMax: 65_536 }).at(-1)).toEqual(
        next,
      )
      // The bytes that were read before are unchanged: reading on from there finds exactly the rest.
      const cursor = { file: 1, offset: ends[4]!, previous: 0 }
      expect(readLog(files, layout.events, cursor).events).toEqual(read.events.slice(4))
    }
  })

  test('crash: wherever the log is truncated, organizing gives the same result as a rebuild', () => {
    const around = ends.slice(-1 - LINES_CUT).flatMap((end) => [end - 1, end, end + 1])
    const cuts = everyCut().filter((cut) => around.includes(cut) || cut % ORGANISED_EVERY === 0)
    const folder = createTestStore().layout.folder
    for (const cut of cuts) {
      const { layout } = cutAt(cut)
      fs.rmSync(folder, { recursive: true })
      fs.cpSync(layout.folder, folder, { recursive: true })
      const copy = openStoreAt(folder, ROOT)
      appendEvents(copy.files, copy.layout.events, [next])
      const report = runMaintenance(copy, { now: BEGIN + 2 * DAY, sessions: 'all' })
      expect({ cut, organized: report.organized }).toEqual({ cut, organized: ['day-1'] })
      const memories = loadMemories(copy)
      rebuildStore(copy, BEGIN + 2 * DAY)
      expect({ cut, memories: loadMemories(copy) }).toEqual({ cut, memories })
    }
  }, 60_000)

  test('crash: two truncated events in a row leave the events between and after them intact', () => {
    const { files, layout } = cutAt(log.length)
    const [first, second, third] = ['one', 'two', 'three'].map(
      (name) => recordEvents(exampleSession(name, BEGIN + DAY).asks(`And ${name}?`).recorded)[0]!,
    )
    const at = file(store)
    for (const cut of [1, 9, 60, encodeLogLine(first!).length - 2]) {
      cutAt(log.length)
      fs.appendFileSync(at, encodeLogLine(first!).subarray(0, cut))
      // The second one has looked at the log's end before the first was cut short, so it seals nothing.
      fs.appendFileSync(at, encodeLogLine(second!))
      fs.appendFileSync(at, encodeLogLine(third!).subarray(0, cut))
      appendEvents(files, layout.events, [third!])
      const { events } = readLog(files, layout.events)
      expect({ cut, events: events.slice(whole.length) }).toEqual({ cut, events: [second, third] })
    }
  })
})
