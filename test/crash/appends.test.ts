// Many processes append to one log at once and some are killed, while others read it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ended, pause, type Running } from '../../bench/fixture/processes.ts'
import { openStoreAt } from '../../src/broker/open/openStore.ts'
import { eventsNewestFirst } from '../../src/broker/queries/browse.ts'
import type { EventId } from '../../src/model/id.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import {
  appendEvents,
  countBytesAfter,
  LOG_START,
  listPlainLogFiles,
  logFileName,
  readTailEvents,
} from '../../src/store/log/eventLog.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { verifyLog } from '../../src/store/log/verifyLog.ts'
import { createRandom } from '../random.ts'
import { BEGIN, exampleSession, ROOT, recordEvents, sessionId } from '../testData.ts'
import { built, started } from './processes.ts'

const PROCESSES = 64
const EVENTS = 100
const KILLED = 16

/** A process that appends events one by one, and writes each id to its own file once the append has returned. */
const APPENDER = `
import fs from 'node:fs'
import type { Event } from './model/event.ts'
import { realDisk } from './store/disk/files.ts'
import { appendEvents } from './store/log/eventLog.ts'
const [folder, acks, gate, number, count] = process.argv.slice(2) as [string, string, string, string, string]
const acknowledged = fs.openSync(acks, 'a')
while (!fs.existsSync(gate)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
for (let i = 0; i < Number(count); i++) {
  const id = number.padStart(4, '0') + String(i).padStart(12, '0')
  const event = {
    id, at: new Date(${BEGIN} + i).toISOString(), session: 'process-' + number, role: 'main', outcome: 'unknown', lessons: [],
    privacy: 'public', kind: 'prompt', text: 'number ' + i + ' ' + 'of many words '.repeat(i % 90), signals: [],
  } as unknown as Event
  appendEvents(realDisk, folder, [event])
  fs.writeSync(acknowledged, id + '\\n')
}
`

let folder: string
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-appends-'))
  await built(folder, ['appender.cjs'], APPENDER)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Ids that a process has acknowledged: a line cut short by its death is none. */
const acknowledgedBy = (number: number): string[] =>
  (fs.existsSync(acks(number)) ? fs.readFileSync(acks(number), 'utf8') : '').split('\n').slice(0, -1)

const acks = (number: number): string => path.join(folder, `acks-${number}`)

describe('crash: appending together', () => {
  test('crash: 64 processes append, some are killed, and each acknowledged event is there once', async () => {
    const store = openStoreAt(path.join(folder, 'store'), ROOT)
    const events = store.layout.events
    // So full that the first file is closed and the next one begun while all are at it.
    const [large] = recordEvents(exampleSession('before').asks('long '.repeat(1_200)).recorded)
    const before = Array.from({ length: 1_040 }, (_, i) => ({
      ...large!,
      id: `ffff${String(i).padStart(12, '0')}` as EventId,
    }))
    appendEvents(realDisk, events, before)

    const gate = path.join(folder, 'gate')
    const random = createRandom(7)
    const running: Running[] = []
    for (let number = 0; number < PROCESSES; number++) {
      // Those to be killed go on until they are.
      const count = number < KILLED ? 1_000_000 : EVENTS
      const words = [path.join(folder, 'appender.cjs'), events, acks(number), gate, String(number), String(count)]
      running.push(started(words, {}))
    }
    while (!running.every((_, number) => fs.existsSync(acks(number)))) await pause(20)
    fs.writeFileSync(gate, '')

    const readers = lookOn(store)
    const ended: Promise<Ended>[] = running.map(async ({ child, ended }, number) => {
      if (number >= KILLED) return ended
      while (acknowledgedBy(number).length < 1 + 60 * random()) await pause(5)
      child.kill('SIGKILL')
      return ended
    })
    const ends = await Promise.all(ended)
    const looks = await readers.stop()

    expect(ends.map(({ signal }) => signal)).toEqual(ends.map((_, number) => (number < KILLED ? 'SIGKILL' : null)))
    expect(ends.slice(KILLED)).toEqual(
      Array.from({ length: PROCESSES - KILLED }, () => ({ status: 0, signal: null, stdout: '', stderr: '' })),
    )
    expect(looks.faults).toEqual([])
    expect(looks.counts).toEqual([...looks.counts].sort((a, b) => a - b))

    const read = readLog(realDisk, events)
    expect(verifyLog(realDisk, events, Date.now()).corrupt).toBe(0)
    // Who read on from where he stood has met each of them too.
    expect(looks.counts.at(-1)).toBe(read.events.length)
    const times = new Map<string, number>()
    for (const { id } of read.events) times.set(id, (times.get(id) ?? 0) + 1)
    expect([...times].filter(([, count]) => count !== 1)).toEqual([])
    const acknowledged = running.flatMap((_, number) => acknowledgedBy(number))
    expect(acknowledged.length).toBeGreaterThanOrEqual((PROCESSES - KILLED) * EVENTS + KILLED)
    expect(acknowledged.filter((id) => !times.has(id))).toEqual([])
    expect(listPlainLogFiles(realDisk, events).length).toBeGreaterThan(1)
    // In each process's own order, whatever came between.
    for (let number = KILLED; number < PROCESSES; number++) {
      const own = read.events.filter((event) => event.session === `process-${number}`).map((event) => event.id)
      expect(own).toEqual(acknowledgedBy(number))
    }
  }, 120_000)
})

/** Reads the log repeatedly in every way until it is stopped. Returns errors and the number of events per read. */
function lookOn(store: ReturnType<typeof openStoreAt>) {
  const { files, layout } = store
  const counts: number[] = []
  const faults: unknown[] = []
  let cursor = LOG_START
  let folded = 0
  const ways = [
    () => {
      // As a worker would: from where it stood.
      const read = readLog(files, layout.events, cursor)
      cursor = read.end
      folded += read.events.length
      counts.push(folded)
    },
    () => readTailEvents(files, layout.events, { session: sessionId('process-9'), bytesMax: 65_536 }),
    () => countBytesAfter(files, layout.events, cursor),
    () => [...take(eventsNewestFirst(store), 500)],
    () => verifyLog(files, layout.events, BEGIN),
    () => files.readAt(path.join(layout.events, logFileName(1)), 0, 10),
  ]
  let going = true
  const done = (async () => {
    for (let i = 0; going; i++) {
      try {
        ways[i % ways.length]!()
      } catch (fault) {
        faults.push(fault)
      }
      await pause(5)
    }
  })()
  return {
    async stop() {
      going = false
      await done
      ways[0]!()
      return { counts, faults }
    },
  }
}

function* take<T>(from: Iterable<T>, count: number): Generator<T> {
  let taken = 0
  for (const item of from) {
    if (taken++ === count) return
    yield item
  }
}
