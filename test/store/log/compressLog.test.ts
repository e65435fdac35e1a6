// Cold log files: compressed only when it is safe, and then read like any other file.
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { eventsNewestFirst } from '../../../src/broker/queries/browse.ts'
import { explainFile } from '../../../src/broker/queries/fileHistory.ts'
import { countEvents } from '../../../src/broker/queries/storeStatus.ts'
import type { Event } from '../../../src/model/event.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { removeStaleTempFiles } from '../../../src/store/disk/lock.ts'
import {
  appendEvents,
  encodeLogLine,
  LOG_HEADER,
  LOG_START,
  logFileName,
  readTailEvents,
} from '../../../src/store/log/eventLog.ts'
import { compressedLogName, readLog } from '../../../src/store/log/readLog.ts'
import { compressColdFiles } from '../../../src/store/log/rewriteLog.ts'
import { verifyLog } from '../../../src/store/log/verifyLog.ts'
import { BEGIN, createTestStore, DAY, exampleSession, loadMemories, recordEvents, sessionId } from '../../testData.ts'

let store: Store
let results: Event[]
beforeEach(() => {
  store = createTestStore()
  results = []
})

const file = (number: number): string => path.join(store.layout.events, logFileName(number))
const packed = (number: number): string => path.join(store.layout.events, compressedLogName(number))
const readAll = () => readLog(realDisk, store.layout.events).events
const names = () => fs.readdirSync(store.layout.events)

/** One short session a day, each in a log file of its own. */
function days(count: number): void {
  for (let day = 0; day < count; day++) {
    const number = names0() + 1
    realDisk.create(file(number), Buffer.from(LOG_HEADER))
    const events = recordEvents(
      exampleSession(`session-${day}`, BEGIN + day * DAY)
        .starts()
        .asks(`What about number ${day}?`)
        .fails('npm test', `Error: price ${day} is no number`)
        .runs('npm run build:prices')
        .runs('npm test')
        .ends().recorded,
    )
    appendEvents(realDisk, store.layout.events, events)
    results.push(...events)
  }
}
const names0 = (): number => (fs.existsSync(store.layout.events) ? names().length : 0)

const at = (number: number) => ({ file: number, offset: 1, previous: 1 })

describe('log: cold files', () => {
  test('log: a file is compressed once the snapshot is two files further and its newest event is a week old', () => {
    days(12)
    const week = BEGIN + 7 * DAY
    expect(compressColdFiles(realDisk, store.layout.events, at(12), week)).toEqual([])
    expect(compressColdFiles(realDisk, store.layout.events, at(2), week + 20 * DAY)).toEqual([])
    expect(compressColdFiles(realDisk, store.layout.events, at(12), week + 2.5 * DAY)).toEqual([1, 2, 3])
    expect(names().slice(0, 4)).toEqual(['000001.jsonl.gz', '000002.jsonl.gz', '000003.jsonl.gz', '000004.jsonl'])
    expect(compressColdFiles(realDisk, store.layout.events, at(5), week + 60 * DAY)).toEqual([])
    // Maintenance compresses a few files at a time, the next run continues.
    expect(compressColdFiles(realDisk, store.layout.events, at(12), week + 60 * DAY)).toEqual([4, 5, 6])
    expect(compressColdFiles(realDisk, store.layout.events, at(12), week + 60 * DAY)).toEqual([7, 8, 9])
    expect(compressColdFiles(realDisk, store.layout.events, at(12), week + 60 * DAY)).toEqual([10])
    expect(compressColdFiles(realDisk, store.layout.events, at(12), week + 60 * DAY)).toEqual([])
  })

  test('log: every reader finds the same events in compressed files', () => {
    days(5)
    const plain = { log: readAll(), back: [...eventsNewestFirst(store)], lines: countEvents(store) }
    compressColdFiles(realDisk, store.layout.events, at(5), BEGIN + 60 * DAY)
    expect(names()).toContain(compressedLogName(3))
    expect(readAll()).toEqual(plain.log)
    expect(plain.log).toEqual(results)
    expect([...eventsNewestFirst(store)]).toEqual(plain.back)
    expect(countEvents(store)).toBe(plain.lines)
    expect(verifyLog(realDisk, store.layout.events, Date.now())).toMatchObject({
      files: 5,
      events: results.length,
      truncated: 0,
    })
    expect(
      readTailEvents(realDisk, store.layout.events, { session: sessionId('session-4'), bytesMax: 65_536 }),
    ).toEqual(results.slice(-9))
  })

  test('log: maintenance compresses cold files, and appending and rebuilding still work', () => {
    days(4)
    runMaintenance(store, { now: BEGIN + 4 * DAY })
    expect(names().filter((name) => name.endsWith('.gz'))).toEqual([])
    days(1)
    runMaintenance(store, { now: BEGIN + 40 * DAY })
    expect(names().filter((name) => name.endsWith('.gz'))).toEqual([1, 2, 3].map(compressedLogName))
    const before = loadMemories(store)
    expect(Object.keys(before).length).toBeGreaterThan(4)
    rebuildStore(store, BEGIN + 41 * DAY)
    expect(loadMemories(store)).toEqual(before)
  })

  test('log: if a crash left both files, the plain one counts, and the next maintenance compresses it', () => {
    days(4)
    compressColdFiles({ ...realDisk, remove: () => {} }, store.layout.events, at(4), BEGIN + 60 * DAY)
    expect(names()).toContain(logFileName(1))
    expect(names()).toContain(compressedLogName(1))
    fs.writeFileSync(packed(2), 'half written')
    expect(readAll()).toEqual(results)
    expect(compressColdFiles(realDisk, store.layout.events, at(4), BEGIN + 60 * DAY)).toEqual([1, 2])
    expect(names()).not.toContain(logFileName(1))
    expect(readAll()).toEqual(results)
  })

  test('log: a plain file stays if its compressed copy differs', () => {
    days(4)
    const damaging: Files = {
      ...realDisk,
      replace: (name, bytes) => realDisk.replace(name, (bytes as Buffer).subarray(0, -20)),
    }
    expect(() => compressColdFiles(damaging, store.layout.events, at(4), BEGIN + 60 * DAY)).toThrow(/is damaged/)
    expect(names()).toContain(logFileName(1))
    expect(readAll()).toEqual(results)
  })

  test('log: events appended to a file that was compressed meanwhile are kept', () => {
    days(4)
    compressColdFiles(realDisk, store.layout.events, at(4), BEGIN + 60 * DAY)
    const [late] = recordEvents(exampleSession('late', BEGIN + 2 * DAY).asks('Is it too late?').recorded)
    const line = encodeLogLine(late!)
    fs.appendFileSync(file(1), line)
    expect(readAll().filter((event) => event.id === late!.id).length).toBe(1)
    compressColdFiles(realDisk, store.layout.events, at(4), BEGIN + 60 * DAY)
    expect(names()).not.toContain(logFileName(1))
    expect(gunzipSync(fs.readFileSync(packed(1))).subarray(-line.length)).toEqual(line)
    expect(readAll().length).toBe(results.length + 1)
  })

  test('log: a damaged compressed file is an error with a hint, and no events are left out', () => {
    days(4)
    compressColdFiles(realDisk, store.layout.events, at(4), BEGIN + 60 * DAY)
    fs.truncateSync(packed(2), fs.statSync(packed(2)).size - 10)
    expect(readAll).toThrow(
      expect.objectContaining({ code: 'STORE_INVALID', hint: expect.stringContaining('doctor --log --fix') }),
    )
    expect(verifyLog(realDisk, store.layout.events, Date.now()).damagedFiles).toEqual([compressedLogName(2)])
    expect(() => readLog(realDisk, store.layout.events, { ...LOG_START, file: 4 })).not.toThrow()
  })
})

describe('log: lines', () => {
  test('log: an event after truncated bytes in the same line is found', () => {
    days(1)
    const lines = fs.readFileSync(file(1)).toString('latin1').split('\n').slice(1, -1)
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.nat(lines.length - 1), fc.nat(), (a, b, cut) => {
        const truncated = lines[a]!.slice(0, 1 + (cut % (lines[a]!.length - 1)))
        fs.writeFileSync(file(1), `${LOG_HEADER}${truncated}${lines[b]}\n`, 'latin1')
        expect(verifyLog(realDisk, store.layout.events, Date.now())).toMatchObject({ truncated: 1, corrupt: 0 })
        expect(readLog(realDisk, store.layout.events).events).toEqual([results[b]])
      }),
    )
  })

  test('log: arbitrary bytes neither make reading throw nor count as an event', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(`{"id":"${text}","crc":"00000000"}\n`)),
    )
    days(1)
    fc.assert(
      fc.property(bytes, (noise) => {
        fs.writeFileSync(file(1), Buffer.concat([Buffer.from(LOG_HEADER), noise, Buffer.from('\n')]))
        expect(readAll()).toEqual([])
      }),
    )
  })

  test('log: temporary files of dead processes are removed, those of living ones stay', () => {
    days(1)
    const dead = path.join(store.layout.events, '000002.jsonl.4194303.0.aside')
    const own = path.join(store.layout.events, `000002.jsonl.${process.pid}.7.aside`)
    for (const name of [dead, own]) fs.writeFileSync(name, '')
    expect(removeStaleTempFiles(realDisk, store.layout.events)).toBe(1)
    expect(names()).toEqual([logFileName(1), path.basename(own)])
  })

  test('log: why a file is as it is reads of compressed files only those that changed it, and the next ones', () => {
    const changed = [
      'src/tax.js',
      'src/a.js',
      'src/b.js',
      'src/a.js',
      'src/tax.js',
      'src/a.js',
      'lib/tax.js',
      'src/a.js',
    ]
    for (const [i, name] of changed.entries()) {
      realDisk.create(file(i + 1), Buffer.from(LOG_HEADER))
      const session = exampleSession(`session-${i}`, BEGIN + i * DAY)
      session
        .starts()
        .asks(`Change number ${i}.`)
        .edits(name)
        .runs('git commit -m "n"', `[main 1a2b3c${i}] Number ${i}`)
      appendEvents(realDisk, store.layout.events, recordEvents(session.ends().recorded))
    }
    const question = { file: 'src/tax.js', cwd: store.project.root, limit: 8 }
    const plain = explainFile(store, question)
    expect(plain.changes.map(({ prompt }) => prompt)).toEqual(['Change number 4.', 'Change number 0.'])
    compressColdFiles(realDisk, store.layout.events, at(20), BEGIN + 60 * DAY)
    compressColdFiles(realDisk, store.layout.events, at(20), BEGIN + 60 * DAY)
    compressColdFiles(realDisk, store.layout.events, at(20), BEGIN + 60 * DAY)
    expect(names()).toEqual(changed.map((_, i) => compressedLogName(i + 1)))
    const read: string[] = []
    const files: Files = {
      ...realDisk,
      read: (name) => {
        read.push(path.basename(name))
        return realDisk.read(name)
      },
    }
    expect(explainFile({ ...store, files }, question)).toEqual(plain)
    // What follows is for the memories: this store has no snapshot of them.
    const ofLog = read.filter((name) => name.endsWith('.gz')).slice(0, 6)
    expect(ofLog).toEqual([8, 7, 6, 5, 2, 1].map(compressedLogName))
  })

  test('log: a compressed file without names, as earlier versions wrote it, is read for every question', () => {
    days(1)
    const question = { file: 'src/tax.js', cwd: store.project.root, limit: 8 }
    appendEvents(
      realDisk,
      store.layout.events,
      recordEvents(exampleSession('edit', BEGIN).asks('Change it.').edits('src/tax.js').recorded),
    )
    const plain = explainFile(store, question)
    expect(plain.changes.length).toBe(1)
    fs.writeFileSync(packed(1), gzipSync(fs.readFileSync(file(1))))
    fs.rmSync(file(1))
    expect(explainFile(store, question)).toEqual(plain)
  })
})
