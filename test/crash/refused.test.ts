// Organising over a disk that refuses, once or always: it says so, holds nobody up, and what is left is done when it works again.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkStore } from '../../src/broker/check/store.ts'
import { type Store, storeOf } from '../../src/broker/store.ts'
import { upkeep } from '../../src/broker/upkeep.ts'
import { diskMend } from '../../src/store/diskMend.ts'
import { disk, type Files } from '../../src/store/files.ts'
import { homeLike, newPlace } from '../place.ts'
import { burdenDead } from './dying.ts'
import { built, refusingDisk, started, stoppedClock } from './processes.ts'
import { copied, weeksAndTwoWaiting } from './shop.ts'
import { readThrough, stateOf } from './state.ts'

const { folder, project, home: base } = newPlace('refused')
let home: string
let store: Store
let now: number

beforeAll(async () => {
  await built(path.join(folder, 'built'), ['src/hook/worker.ts'])
  fs.mkdirSync(path.join(folder, 'built', 'hooks'))
  now = weeksAndTwoWaiting(storeOf(project, { MEMCTL_HOME: base }))
})
beforeEach(() => {
  home = homeLike(base)
  store = storeOf(project, { MEMCTL_HOME: home })
})

describe('crash: organising over a disk that refuses', () => {
  /** A disk whose call `name` fails with `code` from its `from`-th time on, `times` times. */
  function refusing(
    name: 'replace' | 'append' | 'sync' | 'create' | 'remove',
    code: string,
    from = 1,
    times = Number.POSITIVE_INFINITY,
  ): Files {
    let count = 0
    return {
      ...disk,
      [name]: (...args: Parameters<Files[typeof name]>) => {
        count++
        if (count >= from && count < from + times) throw Object.assign(new Error(`${code}: refused`), { code })
        return (disk[name] as (...args: unknown[]) => unknown)(...args)
      },
    }
  }

  test.each(
    ['ENOSPC', 'EBUSY', 'ESTALE', 'EXDEV', 'EROFS'].flatMap((code) =>
      (['replace', 'append', 'sync', 'remove'] as const).map((name) => [name, code] as const),
    ),
  )(
    'crash: when %s fails with %s, at once or in the middle, once or always, what is left is done when it works again',
    (name, code) => {
      for (const [from, times] of [
        [1, 1],
        [1, Number.POSITIVE_INFINITY],
        [4, 1],
        [4, Number.POSITIVE_INFINITY],
      ] as const) {
        const copy = copied(store, path.join(home, 'copy'))
        const undisturbed = copied(store, path.join(home, 'undisturbed'))
        upkeep(undisturbed, { now })
        try {
          upkeep({ ...copy, files: refusing(name, code, from, times) }, { now })
        } catch (error) {
          expect(error).toMatchObject({ code })
          expect(diskMend(code)).toMatch(/\w/)
        }
        readThrough(copy)
        // It died holding nothing, or could not let go: then it is this very process that holds it, and lets go by ending.
        burdenDead(copy.layout.lock)
        upkeep(copy, { now })
        expect({ from, times, ...stateOf(copy, now) }).toEqual({ from, times, ...stateOf(undisturbed, now) })
      }
    },
  )

  test.each(['EBUSY', 'EXDEV', 'ENOSPC'])(
    'crash: a worker whose renames fail with %s ends, notes it with the mend, and the next one does the work',
    async (code) => {
      const undisturbed = copied(store, path.join(home, 'undisturbed'))
      upkeep(undisturbed, { now })
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
      expect(fs.readFileSync(store.layout.faults, 'utf8')).toContain(JSON.stringify(diskMend(code)))
      expect(checkStore(store, Date.now())).toContainEqual(
        expect.objectContaining({
          name: 'faults',
          state: 'warn',
          mend: diskMend(code),
          what: expect.stringContaining(code),
        }),
      )
      expect(fs.existsSync(store.layout.lock)).toBe(false)
      await started(words, { ...env, REFUSE: JSON.stringify({ calls: [], code, path: 'x' }) }).ended
      expect(stateOf(store, now)).toEqual(stateOf(undisturbed, now))
    },
  )

  test('crash: a rename that a network disk refuses once is tried again, and nobody hears of it', () => {
    const file = path.join(home, 'file.json')
    const real = fs.renameSync
    let refused = 0
    fs.renameSync = (from, to) => {
      if (refused++ === 0) throw Object.assign(new Error('ESTALE'), { code: 'ESTALE' })
      real(from, to)
    }
    syncBuiltinESMExports()
    try {
      disk.replace(file, Buffer.from('{}'))
    } finally {
      fs.renameSync = real
      syncBuiltinESMExports()
    }
    expect(refused).toBe(2)
    expect(fs.readFileSync(file, 'utf8')).toBe('{}')
  })
})
