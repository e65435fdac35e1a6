// The log never makes things worse: one that was truncated, overwritten or exchanged never replaces memories.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkStore } from '../../../src/broker/checks/checkStore.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore, restoreLog } from '../../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { LOG_HEADER, logFileName } from '../../../src/store/log/eventLog.ts'
import { BLOCK_BYTES, extendLogChain, findBrokenLogFiles } from '../../../src/store/log/logChain.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { readManifest } from '../../../src/store/snapshot/snapshotReader.ts'
import { copied, day, live, weeksAndTwoWaiting } from '../../crash/shop.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, createTestStore, DAY, exampleSession, loadMemories, ROOT, runHookPayloads } from '../../testData.ts'

let whole: Store
let other: Store
const NOW = BEGIN + 60 * DAY

beforeAll(() => {
  whole = createTestStore()
  runMaintenance(whole, { now: weeksAndTwoWaiting(whole) })
  other = createTestStore()
  for (let number = 0; number < 3; number++) live(other, day(number, `other-${number}`))
})

const lastFile = (store: Store): string => path.join(store.layout.events, fs.readdirSync(store.layout.events).at(-1)!)
const contents = (store: Store): string[] => Object.values(loadMemories(store)).map(({ content }) => content)
const failures = (store: Store) => checkStore(store, NOW).filter(({ state }) => state === 'fail')

/** What can become of the file that hooks append to. */
const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'truncated to a half': (file) => fs.truncateSync(file, fs.statSync(file).size >> 1),
  'truncated to its header': (file) => fs.truncateSync(file, LOG_HEADER.length),
  emptied: (file) => fs.truncateSync(file, 0),
  zeroed: (file) => fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size)),
  'replaced by a shorter log of another store': (file) =>
    fs.writeFileSync(file, fs.readFileSync(lastFile(other)).subarray(0, 900)),
  'replaced by a longer log of another store': (file) => fs.copyFileSync(lastFile(other), file),
}

describe('log: one that does not belong to the snapshot replaces nothing', () => {
  test.each(Object.keys(DAMAGES))('log: %s, it is moved aside and reported, and every memory stays', (name) => {
    const store = copied(whole, newFolder('guard'))
    const before = contents(store)
    expect(before.length).toBeGreaterThan(8)
    DAMAGES[name]!(lastFile(store))
    // Hooks do not notice, and their events are kept.
    const more = exampleSession('after', NOW).starts().asks('Remember: the tax rate is 19 percent.').ends()
    runHookPayloads(store, more.recorded)
    expect(contents(store)).toEqual(before)
    runMaintenance(store, { now: NOW + 1 })
    expect(contents(store)).toEqual(expect.arrayContaining(before))
    const aside = readManifest(store.files, store.layout).aside ?? []
    expect(aside).toHaveLength(1)
    expect(fs.readdirSync(path.join(store.layout.folder, aside[0]!))).toHaveLength(1)
    expect(failures(store)).toMatchObject([{ name: 'log', hint: expect.stringContaining('memctl rebuild --from') }])
    expect(fs.readFileSync(store.layout.faults, 'utf8')).toContain('moved to aside-')
    // Nobody knows who wrote a foreign log; all else that was recorded since is organized.
    const isKept = contents(store).some((text) => text.includes('tax rate'))
    expect({ name, isKept }).toEqual({ name, isKept: !name.includes('another store') })
    // From here on everything is as in any store, and nothing is moved again.
    live(store, day(70))
    expect(runMaintenance(store, { now: NOW + 20 * DAY }).organized).toEqual(['day-70'])
    expect(readManifest(store.files, store.layout).aside).toEqual(aside)
    expect(() => rebuildStore(store, NOW)).toThrow(/missing/)
  })

  test('log: a refresh, and a command that reads, keep every memory too', () => {
    for (const act of [
      (store: Store) => refreshRecent(store, NOW),
      (store: Store) => openLiveStore(store).memories(),
    ]) {
      const store = copied(whole, newFolder('guard'))
      const before = contents(store)
      fs.truncateSync(lastFile(store), LOG_HEADER.length)
      act(store)
      expect(contents(store)).toEqual(expect.arrayContaining(before))
      expect(readManifest(store.files, store.layout).aside).toHaveLength(1)
    }
  })

  test('log: memories that only the recent segment has are kept', () => {
    const store = copied(whole, newFolder('guard'))
    live(store, exampleSession('open', NOW).starts().asks('From now on, invoices are numbered from 1000.'))
    refreshRecent(store, NOW + 1)
    fs.truncateSync(lastFile(store), LOG_HEADER.length)
    runMaintenance(store, { now: NOW + 2 })
    expect(contents(store).some((text) => text.includes('numbered from 1000'))).toBe(true)
  })

  test('log: a changed byte is reported, hooks go on, and no rebuild loses memories without being told to', () => {
    const store = copied(whole, newFolder('guard'))
    const before = Object.keys(loadMemories(store))
    const file = lastFile(store)
    const bytes = fs.readFileSync(file)
    const at = bytes.lastIndexOf('"kind":"prompt"', bytes.length >> 1) + 20
    bytes[at] = bytes[at]! ^ 1
    fs.writeFileSync(file, bytes)
    live(store, day(70))
    runMaintenance(store, { now: NOW + 20 * DAY })
    expect(readManifest(store.files, store.layout).aside).toBeUndefined()
    expect(Object.keys(loadMemories(store))).toEqual(expect.arrayContaining(before))
    expect(failures(store).map(({ name }) => name)).toContain('log')
    expect(() => rebuildStore(store, NOW)).toThrow(/not as the snapshot has read it/)
    // The damage is not taken over into the next checksums.
    live(store, day(71))
    runMaintenance(store, { now: NOW + 21 * DAY })
    expect(() => rebuildStore(store, NOW)).toThrow(/not as the snapshot has read it/)
  })

  test.each(['{}', '[]', 'null', '7', '{"version":3}', '{"version":3,"generation":"x","cursor":[],"segments":{}}', ''])(
    'log: a manifest of %j is written again from the log by the next maintenance or command',
    (text) => {
      for (const act of [
        (store: Store) => void runMaintenance(store, { now: NOW }),
        (store: Store) => void openLiveStore(store),
      ]) {
        const store = copied(whole, newFolder('guard'))
        const before = loadMemories(store)
        fs.writeFileSync(store.layout.manifest, text)
        act(store)
        expect(loadMemories(store)).toEqual(before)
        expect(failures(store)).toEqual([])
      }
    },
  )

  test('log: with a damaged manifest a truncated log is no source for a snapshot', () => {
    const store = copied(whole, newFolder('guard'))
    fs.writeFileSync(store.layout.manifest, '{}')
    fs.truncateSync(lastFile(store), LOG_HEADER.length)
    expect(() => runMaintenance(store, { now: NOW })).toThrow(/not as the snapshot has read it/)
  })
})

describe('log: rebuild --from', () => {
  test.each(Object.keys(DAMAGES))('log: %s, a backup gives the memories of before', (name) => {
    const store = copied(whole, newFolder('restore'))
    const before = loadMemories(store)
    const backup = newFolder('backup')
    fs.cpSync(store.layout.events, backup, { recursive: true })
    DAMAGES[name]!(lastFile(store))
    for (const isMoved of [false, true]) {
      if (isMoved) runMaintenance(store, { now: NOW })
      const state = fs.readdirSync(store.layout.folder, { recursive: true }).sort()
      expect(restoreLog(store, backup, { now: NOW, dryRun: true })).toMatchObject({
        memoriesAfter: expect.any(Number),
        aside: null,
      })
      expect(fs.readdirSync(store.layout.folder, { recursive: true }).sort()).toEqual(state)
    }
    const { added } = restoreLog(store, backup, { now: NOW, replace: true })
    expect(added).toBeGreaterThan(0)
    expect(loadMemories(store)).toEqual(before)
    expect(failures(store)).toEqual([])
    rebuildStore(store, NOW)
    expect(loadMemories(store)).toEqual(before)
    live(store, day(70))
    expect(runMaintenance(store, { now: NOW + 20 * DAY }).organized).toEqual(['day-70'])
  })

  test('log: without a backup the folder it was moved to is enough: the snapshot has the rest', () => {
    const store = copied(whole, newFolder('restore'))
    const before = Object.keys(loadMemories(store)).sort()
    fs.truncateSync(lastFile(store), fs.statSync(lastFile(store)).size >> 1)
    live(store, day(70))
    runMaintenance(store, { now: NOW + 20 * DAY })
    const [aside] = readManifest(store.files, store.layout).aside ?? []
    const result = restoreLog(store, path.join(store.layout.folder, aside!), { now: NOW + 21 * DAY })
    expect(result.kept).toBeGreaterThan(0)
    expect(Object.keys(loadMemories(store))).toEqual(expect.arrayContaining(before))
    expect(failures(store)).toEqual([])
    rebuildStore(store, NOW + 22 * DAY)
    expect(Object.keys(loadMemories(store))).toEqual(expect.arrayContaining(before))
  })

  test('log: what is no log is refused', () => {
    const store = copied(whole, newFolder('restore'))
    expect(() => restoreLog(store, path.join(store.layout.folder, 'hot.json'), { now: NOW })).toThrow('no events')
    expect(() => restoreLog(store, '/nowhere', { now: NOW })).toThrow('no events')
  })

  test('log: a device is no copy of a log, and is not read', () => {
    const store = createTestStore()
    expect(() => restoreLog(store, '/dev/full', { now: NOW })).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  })
})

describe('log: its chain of checksums', () => {
  const chainOf = (store: Store, before?: Parameters<typeof extendLogChain>[2]) =>
    extendLogChain(store.files, store.layout.events, before, readLog(store.files, store.layout.events).end)

  test('log: a chain that grew in steps equals one made at once', () => {
    const store = openStoreAt(newFolder('chain'), ROOT)
    let grown: ReturnType<typeof chainOf> | undefined
    for (let n = 0; n < 12; n++) {
      live(
        store,
        exampleSession(`s-${n}`, BEGIN + n * DAY)
          .asks('word '.repeat(700))
          .answers('text '.repeat(20 ** (n % 4))),
      )
      if (n === 7) store.files.create(`${store.layout.events}/${logFileName(2)}`, Buffer.from(LOG_HEADER))
      grown = chainOf(store, grown)
      expect(grown).toEqual(chainOf(store))
    }
    const big = Buffer.alloc(3 * BLOCK_BYTES, `${'x'.repeat(99)}\n`)
    fs.appendFileSync(`${store.layout.events}/${logFileName(2)}`, big)
    expect(chainOf(store, grown)).toEqual(chainOf(store))
    expect(chainOf(store, grown).blocks.length).toBeGreaterThanOrEqual(3)
  })

  test('log: every changed byte of the covered part is found, and none after it', () => {
    const store = copied(whole, newFolder('chain'))
    const { events } = store.layout
    const { log } = readManifest(store.files, store.layout)
    expect(log).toBeDefined()
    const broken = () => findBrokenLogFiles(store.files, events, log!, false).map(({ file }) => file)
    expect(broken()).toEqual([])
    for (const { file, bytes } of log!.files) {
      const name = path.join(events, logFileName(file))
      if (!fs.existsSync(name)) continue // Compressed: a changed byte keeps it from being decompressed.
      const intact = fs.readFileSync(name)
      for (let at = 0; at < bytes; at += 97) {
        const changed = Buffer.from(intact)
        changed[at] = changed[at]! ^ 4
        fs.writeFileSync(name, changed)
        expect({ at, broken: broken() }).toEqual({ at, broken: [file] })
      }
      fs.writeFileSync(name, Buffer.concat([intact, Buffer.from('anything')]))
      expect(broken()).toEqual([])
      fs.writeFileSync(name, intact)
    }
  })
})
