// Organizing on a disk with errors: they are reported, nothing blocks, and the work completes afterwards.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refusingDisk } from '../../bench/fixture/processes.ts'
import { checkStore } from '../../src/broker/checks/checkStore.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import { ioErrorHint } from '../../src/store/disk/diskCalls.ts'
import { type Files, realDisk } from '../../src/store/disk/files.ts'
import { createTestProject, homeLike } from '../tempFolders.ts'
import { burdenDead } from './dying.ts'
import { built, started, stoppedClock } from './processes.ts'
import { copied, weeksAndTwoWaiting } from './shop.ts'
import { readThrough, stateOf } from './state.ts'

const { folder, project, home: base } = createTestProject('refused')
let home: string
let store: Store
let now: number
/** After the same work on a disk without errors. */
let undisturbed: ReturnType<typeof stateOf>

beforeAll(async () => {
  await built(path.join(folder, 'built'), ['src/hook/worker.ts'])
  fs.mkdirSync(path.join(folder, 'built', 'hooks'))
  now = weeksAndTwoWaiting(openStore(project, { MEMCTL_HOME: base }), 4)
  const complete = openStore(project, { MEMCTL_HOME: homeLike(base) })
  runMaintenance(complete, { now })
  undisturbed = stateOf(complete, now)
})
beforeEach(() => {
  home = homeLike(base)
  store = openStore(project, { MEMCTL_HOME: home })
})

describe('crash: disk errors while organizing', () => {
  /** A disk whose call `name` fails with `code` from its `from`-th time on, `times` times. */
  function refusing(
    name: 'replace' | 'append' | 'sync' | 'create' | 'remove',
    code: string,
    from = 1,
    times = Number.POSITIVE_INFINITY,
  ): Files {
    let count = 0
    return {
      ...realDisk,
      [name]: (...args: Parameters<Files[typeof name]>) => {
        count++
        if (count >= from && count < from + times) throw Object.assign(new Error(`${code}: refused`), { code })
        return (realDisk[name] as (...args: unknown[]) => unknown)(...args)
      },
    }
  }

  // Above the calls of the disk a code is only named, so each is tried in another place.
  test.each(
    (['replace', 'append', 'sync', 'remove'] as const).flatMap((name, i) =>
      (
        [
          [1, 1],
          [1, Number.POSITIVE_INFINITY],
          [4, 1],
          [4, Number.POSITIVE_INFINITY],
        ] as const
      ).map(([from, times], j) => {
        return { name, from, times, code: ['ENOSPC', 'EBUSY', 'ESTALE', 'EXDEV', 'EROFS'][(4 * i + j) % 5]! }
      }),
    ),
  )(
    'crash: if $name fails from call $from on, $times times, with $code, the work completes afterwards',
    ({ name, from, times, code }) => {
      const copy = copied(store, path.join(home, 'copy'))
      try {
        runMaintenance({ ...copy, files: refusing(name, code, from, times) }, { now })
      } catch (error) {
        expect(error).toMatchObject({ code })
        expect(ioErrorHint(code)).toMatch(/\w/)
      }
      readThrough(copy)
      // It died without the lock, or could not release it: then this process has it, and its exit releases it.
      burdenDead(copy.layout.lock)
      runMaintenance(copy, { now })
      expect(stateOf(copy, now)).toEqual(undisturbed)
    },
  )

  test.each(['EBUSY', 'EXDEV', 'ENOSPC'])(
    'crash: if renames fail with %s, the worker logs the hint, and the next worker completes',
    async (code) => {
      const words = [
        '-r',
        stoppedClock(folder, now),
        '-r',
        refusingDisk(folder),
        path.join(folder, 'built', 'worker.cjs'),
        project,
      ]
      const env = { MEMCTL_HOME: home, HOME: folder }
      const refusal = JSON.stringify({ calls: ['renameSync'], code, path: '/projects/' })
      expect(await started(words, { ...env, REFUSE: refusal }).ended).toMatchObject({
        status: 0,
        stdout: '',
        stderr: '',
      })
      readThrough(store)
      expect(fs.readFileSync(store.layout.faults, 'utf8')).toContain(JSON.stringify(ioErrorHint(code)))
      expect(checkStore(store, Date.now())).toContainEqual(
        expect.objectContaining({
          name: 'faults',
          state: 'warn',
          hint: ioErrorHint(code),
          what: expect.stringContaining(code),
        }),
      )
      expect(fs.existsSync(store.layout.lock)).toBe(false)
      await started(words, { ...env, REFUSE: JSON.stringify({ calls: [], code, path: 'x' }) }).ended
      expect(stateOf(store, now)).toEqual(undisturbed)
    },
  )

  test('crash: a rename that a network disk refuses once is retried without a report', () => {
    const file = path.join(home, 'file.json')
    const real = fs.renameSync
    let refused = 0
    fs.renameSync = (from, to) => {
      if (refused++ === 0) throw Object.assign(new Error('ESTALE'), { code: 'ESTALE' })
      real(from, to)
    }
    syncBuiltinESMExports()
    try {
      realDisk.replace(file, Buffer.from('{}'))
    } finally {
      fs.renameSync = real
      syncBuiltinESMExports()
    }
    expect(refused).toBe(2)
    expect(fs.readFileSync(file, 'utf8')).toBe('{}')
  })
})
