// The event log: appended events are read back, corrupt bytes cost one event, and the tail has the session's events.
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Event, type EventKind, eventToLogFields } from '../../../src/model/event.ts'
import { EVENT_BYTES_MAX, LOG_FILE_BYTES_MAX } from '../../../src/model/limits.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import {
  appendEvents,
  encodeLogLine,
  listPlainLogFiles,
  logFileName,
  readTailEvents,
} from '../../../src/store/log/eventLog.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { verifyLog } from '../../../src/store/log/verifyLog.ts'
import { arbitraryEvent } from '../../arbitraries.ts'
import { createTestStore, exampleSession, recordEvents, sessionId } from '../../testData.ts'

const freshFolder = (): string => createTestStore().layout.events
const firstFile = (folder: string): string => path.join(folder, logFileName(1))
const written = (event: Event): unknown => JSON.parse(JSON.stringify(eventToLogFields(event)))

const batches = fc.array(fc.array(arbitraryEvent, { minLength: 1, maxLength: 3 }), { maxLength: 6 })

function logOf(all: readonly (readonly Event[])[]): string {
  const folder = freshFolder()
  for (const batch of all) appendEvents(realDisk, folder, batch)
  return folder
}

test('store: appended events are read back, equal and in order', () => {
  fc.assert(
    fc.property(batches, (all) => {
      const folder = logOf(all)
      const read = readLog(realDisk, folder)
      expect(read.events).toEqual(all.flat())
      expect(read.hasLateEvents).toBe(false)
      expect(verifyLog(realDisk, folder, Date.now())).toMatchObject({ truncated: 0, corrupt: 0 })
    }),
    { numRuns: 60 },
  )
})

test('store: reading in parts, each from the end of the last, reads every event once', () => {
  fc.assert(
    fc.property(batches, (all) => {
      const folder = freshFolder()
      const seen: Event[] = []
      let { end } = readLog(realDisk, folder)
      for (const batch of all) {
        appendEvents(realDisk, folder, batch)
        const read = readLog(realDisk, folder, end)
        seen.push(...read.events)
        end = read.end
      }
      expect(seen).toEqual(all.flat())
      expect(readLog(realDisk, folder, end).events).toEqual([])
    }),
    { numRuns: 40 },
  )
})

test('store: a corrupt byte is detected and costs only the event that it is in', () => {
  const folder = freshFolder()
  appendEvents(
    realDisk,
    folder,
    recordEvents(exampleSession().starts().asks('領収書を出す。').runs('npm test').answers('Done.').recorded),
  )
  const whole = fs.readFileSync(firstFile(folder))
  const events = readLog(realDisk, folder).events.map(written)
  const starts = [0, ...[...whole].flatMap((byte, at) => (byte === 0x0a ? [at + 1] : []))]
  for (let at = starts[1]!; at < whole.length; at++) {
    for (const byte of [whole[at]! ^ 1, 0x0a, 0x20, 0xff]) {
      if (byte === whole[at]) continue
      const damaged = Buffer.from(whole)
      damaged[at] = byte
      fs.writeFileSync(firstFile(folder), damaged)
      const read = readLog(realDisk, folder)
      const hit = starts.findLastIndex((start) => start <= at) - 1
      const others = events.filter((_, i) => i !== hit)
      const left = read.events.map(written)
      const place = `byte ${at} as ${byte}`
      // The last two bytes end the line. Without them the event is complete, unless they look like a line end.
      if (left.length === events.length) expect(left, place).toEqual(events)
      else {
        expect(left, place).toEqual(others)
        // Without the last newline the last event is still being written.
        const { truncated, corrupt } = verifyLog(realDisk, folder, Date.now())
        if (at < whole.length - 1) expect(truncated + corrupt, place).toBeGreaterThan(0)
      }
    }
  }
})

test('store: arbitrary bytes in a log do not make reading throw', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('\n', '{"memctl":"log","version":1}\n', ',"crc":"00000000"}\n', '{"id":"0123456789abcdef","at":"')
      .map((text) => Buffer.from(text)),
    arbitraryEvent.map(encodeLogLine),
    fc.jsonValue().map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const folder = freshFolder()
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(firstFile(folder), Buffer.concat(pieces))
      const before = readLog(realDisk, folder).events
      readTailEvents(realDisk, folder, { session: sessionId('s1'), bytesMax: 65_536 })
      const [next] = recordEvents(exampleSession().asks('And it goes on.').recorded)
      appendEvents(realDisk, folder, [next!])
      // An event after an unfinished line is complete when the next append ends that line.
      expect(readLog(realDisk, folder).events.slice(0, before.length)).toEqual(before)
      expect(readLog(realDisk, folder).events.at(-1)).toEqual(next)
    }),
    { numRuns: 150 },
  )
})

test('store: a full log file is closed, and reading and the tail continue in the next one', () => {
  const folder = freshFolder()
  const [first] = recordEvents(exampleSession('s').asks('x'.repeat(6_000)).recorded)
  const lineBytes = encodeLogLine(first!).length
  const count = Math.ceil(LOG_FILE_BYTES_MAX / lineBytes) + 20
  for (let at = 0; at < count; at += 10) {
    appendEvents(
      realDisk,
      folder,
      Array.from({ length: 10 }, (_, i) => numbered(first!, at + i)),
    )
  }
  expect(listPlainLogFiles(realDisk, folder)).toEqual([1, 2])
  const sizes = [1, 2].map((file) => realDisk.size(path.join(folder, logFileName(file)))!)
  expect(sizes[0]).toBeGreaterThanOrEqual(LOG_FILE_BYTES_MAX)
  expect(sizes[0]).toBeLessThan(LOG_FILE_BYTES_MAX + 10 * EVENT_BYTES_MAX)
  const read = readLog(realDisk, folder)
  expect(read.events.length).toBeGreaterThanOrEqual(count)
  expect(new Set(read.events.map((event) => event.id)).size).toBe(read.events.length)
  const tail = readTailEvents(realDisk, folder, { session: sessionId('s'), bytesMax: sizes[1]! + 5 * lineBytes })
  expect(tail.map((event) => event.id)).toEqual(read.events.slice(-tail.length).map((event) => event.id))
  expect(tail.length).toBeGreaterThan((sizes[1]! - 100) / lineBytes)
})

const numbered = (event: Event, n: number): Event => ({ ...event, id: n.toString(16).padStart(16, '0') as Event['id'] })

test('store: the tail has exactly the session’s events of the given bytes and kinds', () => {
  const arbitraryKinds = fc.option(
    fc.uniqueArray(
      fc.constantFrom<EventKind>('prompt', 'call.failed', 'call.succeeded', 'recalled', 'answer', 'session.started'),
      { minLength: 1 },
    ),
    { nil: undefined },
  )
  fc.assert(
    fc.property(
      fc.array(arbitraryEvent, { maxLength: 12 }),
      fc.constantFrom('s1', 's2', 'セッション'),
      fc.double({ min: 0, max: 1.2, noNaN: true }),
      arbitraryKinds,
      (events, name, share, kinds) => {
        const folder = freshFolder()
        if (events.length > 0) appendEvents(realDisk, folder, events)
        const size = realDisk.size(firstFile(folder)) ?? 0
        const bytesMax = Math.floor(share * size)
        // Only complete lines; the header belongs to no session.
        const inside = events.filter((_, i) => Buffer.concat(events.slice(i).map(encodeLogLine)).length <= bytesMax)
        const expected = inside.filter((event) => event.session === name && (kinds?.includes(event.kind) ?? true))
        expect(readTailEvents(realDisk, folder, { session: sessionId(name), bytesMax, kinds })).toEqual(expected)
      },
    ),
    { numRuns: 150 },
  )
})

test('store: a filter of the tail keeps the newest events, and older ones that contain a text', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryEvent, { maxLength: 12 }),
      fc.nat({ max: 4 }),
      fc.array(fc.nat({ max: 11 }), { maxLength: 3 }),
      fc.nat({ max: 3 }),
      (events, newest, chosen, containingMax) => {
        const folder = freshFolder()
        const kind = events[0]?.kind ?? 'prompt'
        const own = events.map((event) => ({ ...event, session: sessionId('s1') }))
        if (own.length > 0) appendEvents(realDisk, folder, own)
        const containing = chosen.flatMap((i) => (own[i] ? [`"id":"${own[i].id}"`] : []))
        const alike = own.filter((event) => event.kind === kind)
        const latest = newest === 0 ? [] : alike.slice(-newest)
        const older = alike.slice(0, alike.length - latest.length)
        const matching = older.filter((event) => containing.some((text) => encodeLogLine(event).includes(text)))
        const expected = [...(containingMax === 0 ? [] : matching.slice(-containingMax)), ...latest]
        const filter = { newest, containing, containingMax }
        const query = { session: sessionId('s1'), bytesMax: 1_048_576, kinds: [kind] }
        expect(readTailEvents(realDisk, folder, query, filter)).toEqual(expected)
      },
    ),
    { numRuns: 150 },
  )
})

test('store: processes that start a log at the same time append to the same file', () => {
  fc.assert(
    fc.property(
      arbitraryEvent,
      fc.array(arbitraryEvent, { minLength: 1, maxLength: 3 }),
      fc.nat(4),
      (own, others, at) => {
        const folder = freshFolder()
        // The others are as far as they can be between any two of this one's looks at the disk.
        let looks = 0
        const meanwhile = (): void => {
          if (looks++ === at) for (const other of others) appendEvents(realDisk, folder, [other])
        }
        const files = {
          ...realDisk,
          list: (name: string) => {
            const names = realDisk.list(name)
            meanwhile()
            return names
          },
          create: (name: string, bytes: Buffer) => {
            meanwhile()
            return realDisk.create(name, bytes)
          },
          size: (name: string) => {
            const size = realDisk.size(name)
            meanwhile()
            return size
          },
        }
        appendEvents(files, folder, [own])
        while (looks <= at) meanwhile()
        expect(listPlainLogFiles(realDisk, folder)).toEqual([1])
        const read = readLog(realDisk, folder).events.map(written)
        expect(read).toHaveLength(1 + others.length)
        expect(read).toEqual(expect.arrayContaining([own, ...others].map(written)))
      },
    ),
  )
})
