// The real worker, killed at random times or started twice, gives the same result as one that runs undisturbed.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { pause, type Refusal, refusingDisk } from '../../bench/fixture/processes.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { realDisk } from '../../src/store/disk/files.ts'
import { readLog } from '../../src/store/log/readLog.ts'
import { createRandom } from '../random.ts'
import { createTestProject } from '../tempFolders.ts'
import { built, started, stoppedClock } from './processes.ts'
import { weeksAndTwoWaiting } from './shop.ts'
import { readThrough, stateOf } from './state.ts'

const KILLS = 3

/** Every twelfth write of the worker: organize.test.ts dies at each. Another FC_SEED begins with another one. */
const STEP = 12
const FIRST = Number(process.env['FC_SEED'] ?? 0) % STEP

const { folder, project } = createTestProject('worker')
let clock: string
let refusing: string
let now: number
let undisturbed: ReturnType<typeof stateOf>
let workMs: number

beforeAll(async () => {
  await built(path.join(folder, 'built'), ['src/hook/worker.ts'])
  fs.mkdirSync(path.join(folder, 'built', 'hooks'))
  now = weeksAndTwoWaiting(homeAt('base'), 3)
  clock = stoppedClock(folder, now)
  refusing = refusingDisk(folder)
  const store = fresh('undisturbed')
  const began = performance.now()
  await worker('undisturbed').ended
  workMs = performance.now() - began
  undisturbed = stateOf(store, now)
})

const homeAt = (name: string): Store => openStore(project, { MEMCTL_HOME: path.join(folder, name) })

/** A home with two ended sessions that are not organized. */
function fresh(name: string): Store {
  fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  fs.cpSync(path.join(folder, 'base'), path.join(folder, name), { recursive: true })
  return homeAt(name)
}

/** Calls of node:fs that change what is on a disk. */
const WRITES = ['writeSync', 'writeFileSync', 'linkSync', 'renameSync', 'rmSync']

const NEVER: Refusal = { calls: [], code: '', path: '' }

const worker = (home: string, refusal = NEVER) =>
  started(['-r', clock, '-r', refusing, path.join(folder, 'built', 'worker.cjs'), project], {
    MEMCTL_HOME: path.join(folder, home),
    HOME: folder,
    REFUSE: JSON.stringify(refusal),
  })

describe('crash: the worker', () => {
  test('crash: without a crash the worker organizes both sessions', () => {
    expect(undisturbed.pending.flatMap((item) => item.pending)).toEqual([])
    expect(Object.values(undisturbed.memories).map((memory) => memory.session)).toEqual(
      expect.arrayContaining(['one', 'two']),
    )
  })

  test('crash: a worker killed at any time and started again gives the same memory', async () => {
    const random = createRandom(11)
    let killed = 0
    // A worker that ended before its kill shortens the wait for those that follow.
    let waitMs = workMs * 0.5
    for (let i = 0; i < KILLS || killed < KILLS; i++) {
      const store = fresh('killed')
      // Twice in a row: a worker that continues after a crash may be killed too.
      for (let again = 0; again < 2; again++) {
        const { child, ended } = worker('killed')
        while (!fs.existsSync(store.layout.lock) && child.exitCode === null) await pause(1)
        await pause(random() * waitMs)
        child.kill('SIGKILL')
        if ((await ended).signal === 'SIGKILL') killed++
        else waitMs /= 2
        readThrough(store)
      }
      expect(await worker('killed').ended).toMatchObject({ status: 0, stdout: '', stderr: '' })
      expect({ i, ...stateOf(store, now) }).toEqual({ i, ...undisturbed })
      expect(fs.existsSync(store.layout.faults)).toBe(false)
    }
  }, 120_000)

  test('crash: a worker killed at every twelfth write and started again gives the same memory', async () => {
    /** Kills a worker after so many writes. Returns whether it ended before. */
    const killAfter = async (after: number, home: string): Promise<boolean> => {
      const store = fresh(home)
      const refusal: Refusal = { calls: WRITES, code: 'KILL', path: '/projects/', after }
      const { signal, status } = await worker(home, refusal).ended
      if (signal === null) {
        expect({ status, isAfterMany: after > 40 }).toEqual({ status: 0, isAfterMany: true })
        return true
      }
      readThrough(store)
      expect(await worker(home).ended).toMatchObject({ status: 0, stdout: '', stderr: '' })
      expect({ after, ...stateOf(store, now) }).toEqual({ after, ...undisturbed })
      return false
    }
    // Two at once, each with a home of its own: most of the time is the start of processes.
    for (let after = FIRST, isOver = false; !isOver; after += 2 * STEP) {
      const ends = await Promise.all([killAfter(after, 'killed'), killAfter(after + STEP, 'killed-too')])
      isOver = ends.includes(true)
    }
  }, 240_000)

  test('crash: two concurrent workers give the same memory as two in sequence', async () => {
    for (let i = 0; i < 2; i++) {
      const store = fresh('together')
      const ends = await Promise.all([worker('together').ended, worker('together').ended])
      expect(ends).toMatchObject([{ status: 0 }, { status: 0 }])
      expect({ i, ...stateOf(store, now) }).toEqual({ i, ...undisturbed })
      const markers = readLog(realDisk, store.layout.events).events.filter(
        (event) => event.kind === 'session.organized',
      )
      expect(markers.filter((event) => ['one', 'two'].includes(event.session)).length).toBe(2)
    }
    const store = fresh('one-by-one')
    await worker('one-by-one').ended
    await worker('one-by-one').ended
    expect(stateOf(store, now)).toEqual(undisturbed)
    rebuildStore(store, now)
    expect(stateOf(store, now)).toEqual(undisturbed)
  }, 60_000)
})
