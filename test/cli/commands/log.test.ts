// memctl doctor --log, and config.yaml as far as the log is concerned.
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { readSyncChoice } from '../../../src/broker/open/hookConfig.ts'
import { openStore, type Store } from '../../../src/broker/open/openStore.ts'
import type { DoctorReport } from '../../../src/cli/commands/doctor.ts'
import { type Files, realDisk } from '../../../src/store/disk/files.ts'
import { acquireLock } from '../../../src/store/disk/lock.ts'
import { LOG_HEADER, logFileName } from '../../../src/store/log/eventLog.ts'
import { compressedLogName, readLog } from '../../../src/store/log/readLog.ts'
import type { LogRepairResult } from '../../../src/store/log/rewriteLog.ts'
import { verifyLog } from '../../../src/store/log/verifyLog.ts'
import { BEGIN, DAY, exampleSession, loadMemories, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
let store: Store
beforeEach(() => {
  world = newWorld()
  store = storeFor(realDisk)
  const session = exampleSession()
    .starts()
    .asks('Why does the build fail?')
    .fails('npm test', 'Error: no prices')
    .answers('So.')
    .ends()
  runHookPayloads(store, session.recorded)
})
afterEach(() => world.end())

const storeFor = (files: Files): Store =>
  openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') }, files)
const logFile = (number = 1): string => path.join(store.layout.events, logFileName(number))
const bytes = (): Buffer => fs.readFileSync(logFile())
const events = () => readLog(realDisk, store.layout.events).events
const config = (text: string): void => fs.writeFileSync(path.join(world.folder, 'home', 'config.yaml'), text)
const checkLog = () => world.json<DoctorReport>('doctor', '--log')
const linesOfLog = () => verifyLog(realDisk, store.layout.events, Date.now())
const kept = (): string[] => fs.readdirSync(store.layout.events).filter((name) => name.startsWith('damaged-'))

/** Line `at` of the log (0 is its header) as something else. */
function spoil(at: number, change: (line: string) => string): void {
  const lines = bytes().toString('latin1').split('\n')
  lines[at] = change(lines[at]!)
  fs.writeFileSync(logFile(), lines.join('\n'), 'latin1')
}

describe('doctor --log', () => {
  test('doctor --log: an undamaged log is intact, and every event is counted', async () => {
    const lines = bytes().toString().split('\n').length - 1
    const { healthy, checks } = await checkLog()
    expect([healthy, checks.length, checks[0]?.what]).toEqual([
      true,
      1,
      expect.stringContaining(`${lines - 1} events in 1 files`),
    ])
  })

  test('doctor --log: truncated, corrupt and open lines are counted, with the hint', async () => {
    spoil(2, (line) => line.slice(0, 40))
    spoil(3, (line) => line.replace('"kind"', '"kinD"'))
    spoil(4, (line) => `${line}\n`)
    fs.appendFileSync(logFile(), '{"id":"open')
    const { healthy, checks } = await checkLog()
    expect(healthy).toBe(false)
    expect(checks[0]?.what).toMatch(/1 truncated .*; 11 bytes at its end are not terminated/)
    expect(checks[1]).toMatchObject({ what: `1 events changed after they were written (${logFileName(1)}, line 4)` })
    expect(JSON.stringify(checks[1])).toMatch(/doctor --log --fix/)
    expect((await world.memctl('doctor', '--log')).status).toBe(1)
  })

  test('doctor --log: a log with only truncated lines is intact: nothing acknowledged is lost', async () => {
    spoil(2, (line) => line.slice(0, 40))
    expect(await world.memctl('doctor', '--log')).toMatchObject({
      status: 0,
      out: expect.stringContaining('1 truncated'),
    })
  })

  test('doctor --log: an invalid compressed file and one of a later version are reported by name', async () => {
    fs.writeFileSync(path.join(store.layout.events, compressedLogName(2)), 'not packed')
    fs.writeFileSync(logFile(3), '{"memctl":"log","version":2}\n')
    const { out, status } = await world.memctl('doctor', '--log')
    expect(status).toBe(1)
    expect(out).toContain(`${compressedLogName(2)} cannot be decompressed`)
    expect(out).toContain(`A newer memctl wrote ${logFileName(3)}`)
  })
})

describe('doctor --log --fix', () => {
  test('doctor --log --fix: for any damaged lines, all other events stay, and every moved byte is kept', async () => {
    const whole = bytes()
    const before = events()
    const lines = before.length
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ at: fc.integer({ min: 1, max: lines }), cut: fc.integer({ min: 1, max: 60 }) }), {
          selector: (item) => item.at,
          minLength: 1,
        }),
        fc.boolean(),
        async (places, isCorrupt) => {
          for (const name of kept()) fs.rmSync(path.join(store.layout.events, name))
          fs.writeFileSync(logFile(), whole)
          for (const { at, cut } of places) {
            spoil(at, (line) => (isCorrupt ? `${line.slice(0, cut)}\x01${line.slice(cut + 1)}` : line.slice(0, cut)))
          }
          const spoiled = bytes()
          const left = events()
          expect(left).toEqual(before.filter((_, i) => !places.some(({ at }) => at === i + 1)))
          const repair = await world.json<LogRepairResult>('doctor', '--log', '--fix')
          expect(repair.files).toMatchObject([
            { truncated: isCorrupt ? 0 : places.length, corrupt: isCorrupt ? places.length : 0 },
          ])
          expect(events()).toEqual(left)
          expect(bytes().length).toBe(spoiled.length)
          const text = fs.readFileSync(repair.keptIn!, 'latin1')
          for (const { at } of places) expect(text).toContain(spoiled.toString('latin1').split('\n')[at])
          expect(linesOfLog()).toMatchObject({ truncated: 0, corrupt: 0 })
        },
      ),
      { numRuns: 25 },
    )
  })

  test('doctor --log --fix: an event right after truncated bytes in the same line stays', async () => {
    spoil(2, (line) => `{"id":"0123456789abcdef","at":"2026-${line}`)
    const before = events()
    expect(await world.memctl('doctor', '--log', '--fix')).toMatchObject({ status: 0, err: '' })
    expect(events()).toEqual(before)
    expect(linesOfLog()).toMatchObject({
      truncated: 0,
      events: before.length,
    })
  })

  test('doctor --log --fix: a dry run reports the same and changes nothing', async () => {
    spoil(2, (line) => line.slice(0, 40))
    const before = bytes()
    const dry = await world.json<LogRepairResult>('doctor', '--log', '--fix', '--dry-run')
    expect(bytes()).toEqual(before)
    expect(kept()).toEqual([])
    expect((await world.json<LogRepairResult>('doctor', '--log', '--fix')).files).toEqual(dry.files)
    expect(kept().length).toBe(1)
  })

  test('doctor --log --fix: positions stay, so the snapshot continues from its position', async () => {
    runMaintenance(store, { now: BEGIN + DAY })
    const before = loadMemories(store)
    spoil(3, (line) => line.replace('"kind"', '"kinD"'))
    await world.memctl('doctor', '--log', '--fix')
    const more = exampleSession('two', BEGIN + 2 * DAY)
      .starts()
      .asks('And now?')
      .ends()
    runHookPayloads(store, more.recorded)
    expect(runMaintenance(store, { now: BEGIN + 2 * DAY }).organized).toEqual(['two'])
    expect(Object.keys(loadMemories(store))).toEqual(expect.arrayContaining(Object.keys(before)))
  })

  test('doctor --log --fix: what can be read of a damaged compressed file is kept, and that file too', async () => {
    fs.renameSync(logFile(1), logFile(2))
    const lines = Array.from({ length: 400 }, () => bytesOf2().toString('latin1').split('\n')[1]).join('\n')
    const packed = gzipSync(Buffer.from(`${LOG_HEADER}${lines}\n`, 'latin1'), { level: 1 })
    const damaged = path.join(store.layout.events, compressedLogName(1))
    fs.writeFileSync(damaged, packed.subarray(0, -30))
    expect(await world.memctl('list', '--events')).toMatchObject({
      status: 2,
      err: expect.stringContaining('memctl doctor --log --fix'),
    })
    const repair = await world.json<LogRepairResult>('doctor', '--log', '--fix')
    expect(repair.files).toMatchObject([{ name: compressedLogName(1), incomplete: true }])
    expect(linesOfLog()).toMatchObject({ damagedFiles: [], truncated: 0 })
    expect(linesOfLog().events).toBeGreaterThan(10)
    expect(kept().some((name) => name.endsWith(compressedLogName(1)))).toBe(true)
  })
  const bytesOf2 = (): Buffer => fs.readFileSync(logFile(2))

  test('doctor --log --fix: files of a later version are left alone', async () => {
    const later = '{"memctl":"log","version":2}\nwhat a later version writes\n'
    fs.writeFileSync(logFile(2), later)
    expect((await world.json<LogRepairResult>('doctor', '--log', '--fix')).newerFiles).toEqual([logFileName(2)])
    expect(fs.readFileSync(logFile(2), 'utf8')).toBe(later)
  })

  test('doctor --log --fix: while another process organizes it is STORE_BUSY', async () => {
    const lock = acquireLock(realDisk, store.layout.lock)!
    expect(await world.json('doctor', '--log', '--fix')).toMatchObject({ error: { code: 'STORE_BUSY' } })
    lock.release()
  })
})

describe('log.sync', () => {
  /** Whether the next hook's append waits for the disk. */
  function waits(): boolean {
    let waited = false
    const files: Files = {
      ...realDisk,
      append(file, more, sync) {
        waited ||= sync === true
        realDisk.append(file, more, sync)
      },
    }
    runHookPayloads(storeFor(files), exampleSession().answers('Yes.').recorded)
    return waited
  }

  test('log.sync: session is the default; always waits at every append until the line is removed', async () => {
    expect(waits()).toBe(false)
    config('log: { sync: always }\n')
    await world.memctl('doctor', '--log')
    expect(readSyncChoice(store)).toBe('always')
    expect(waits()).toBe(true)
    config('log:\n  sync: session\n')
    await world.memctl('organize')
    expect(waits()).toBe(false)
    config('log: { sync: always }\n')
    await world.memctl('rebuild')
    expect(waits()).toBe(true)
    fs.rmSync(path.join(world.folder, 'home', 'config.yaml'))
    await world.memctl('doctor', '--log')
    expect(readSyncChoice(store)).toBe('session')
    expect(waits()).toBe(false)
  })

  test('log.sync: at a session end the log is synced before the snapshot that contains it', () => {
    const order: string[] = []
    const files: Files = {
      ...realDisk,
      sync: (file) => void order.push(`sync ${path.basename(file)}`),
      replace(file, more) {
        order.push(`replace ${path.basename(file)}`)
        realDisk.replace(file, more)
      },
    }
    runMaintenance(storeFor(files), { now: BEGIN + DAY })
    expect(order[0]).toBe(`sync ${logFileName(1)}`)
    expect(order).toContain('replace manifest.json')
  })

  test.each([
    ['log: { sync: sometimes }\n', 1, 'sometimes'],
    ['# mine\n\nlog:\n  sync: "yes"\n', 4, 'yes'],
    ['log:\n  sync: [always]\n', 2, 'always'],
    ['log:\n  snyc: always\n', 2, 'snyc'],
    ['log: always\n', 1, 'always'],
    ['recall: 1\nlog: [\n', 3, ''],
    ['- always\n', 1, ''],
  ])(
    'log.sync: %j is CONFIG_INVALID with file, line, value and what is allowed, and changes nothing',
    async (text, line, value) => {
      config('log: { sync: always }\n')
      await world.memctl('doctor', '--log')
      config(text)
      const { error: result } = await world.json<{ error: { code: string; message: string; hint: string } }>('organize')
      expect(result).toMatchObject({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(`config.yaml, line ${line}`),
      })
      expect(result.message).toContain(value)
      expect(result.hint).toMatch(/always, session|log\.sync|name: value|sync: session|Correct/)
      expect(waits()).toBe(true)
      const { checks } = await world.json<{ checks: { name: string; state: string; what: string }[] }>('doctor')
      expect(checks).toContainEqual(expect.objectContaining({ name: 'config', state: 'fail', what: result.message }))
    },
  )
})
