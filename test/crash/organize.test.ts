// Organizing dies at every write, and the next process gives the same memory.
import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import { createTestStore, DAY } from '../testData.ts'
import { burdenDead, DEATHS, type Death, Died, dyingDisk } from './dying.ts'
import { copied, weeksAndTwoWaiting } from './shop.ts'
import { readThrough, stateOf } from './state.ts'

const WORK = {
  organize: (store: Store, now: number) => runMaintenance(store, { now }),
  rebuild: (store: Store, now: number) => rebuildStore(store, now),
}

let base: Store
let scratch: string
let now: number
beforeAll(() => {
  base = createTestStore()
  scratch = path.join(createTestStore().layout.folder, 'copy')
  now = weeksAndTwoWaiting(base, 3)
})

/** Does the work on a copy with a disk that dies at write `at`; undefined when it came to its end before. */
function diedAt(at: number, death: Death, work: keyof typeof WORK): Store | undefined {
  const store = copied(base, scratch)
  const dying = dyingDisk(at, death)
  try {
    WORK[work]({ ...store, files: dying.files }, now)
  } catch (error) {
    if (!(error instanceof Died)) throw error
  }
  return dying.isDead() ? store : undefined
}

describe.each(['organize', 'rebuild'] as const)('crash: %s', (work) => {
  let undisturbed: ReturnType<typeof stateOf>
  let writes: string[]
  beforeAll(() => {
    const store = copied(base, scratch)
    writes = []
    const watched = dyingDisk(Number.POSITIVE_INFINITY, 'before', (call) => {
      writes.push(call)
      readThrough(store)
    })
    WORK[work]({ ...store, files: watched.files }, now)
    undisturbed = stateOf(store, now)
  })

  test(`crash: ${work} completes, and a concurrent reader always sees a complete snapshot`, () => {
    expect(writes.length).toBeGreaterThan(10)
    expect(Object.keys(undisturbed.memories).length).toBeGreaterThan(6)
    if (work === 'rebuild') return
    expect(undisturbed.pending.flatMap((session) => session.pending)).toEqual([])
    // All that upkeep ever does to a disk is among the writes that are died at.
    for (const call of [/create .*lock/, /append .*jsonl/, /replace .*\.idx/, /replace .*manifest/, /remove .*\.row/]) {
      expect(
        writes.some((write) => call.test(write)),
        String(call),
      ).toBe(true)
    }
    expect(writes.some((write) => /replace .*jsonl\.gz/.test(write))).toBe(true)
    expect(undisturbed.answers.flat().length).toBeGreaterThan(2)
  })

  test.each(DEATHS)(
    `crash: ${work} that dies at any write (%s it) and is repeated gives the same memory`,
    (death) => {
      for (let at = 1; ; at++) {
        const store = diedAt(at, death, work)
        if (!store) {
          expect(at).toBeGreaterThan(writes.length)
          break
        }
        readThrough(store)
        burdenDead(store.layout.lock)
        WORK[work](store, now)
        expect({ at, ...stateOf(store, now) }).toEqual({ at, ...undisturbed })
        expect(leftAside(store)).toEqual([])
      }
    },
    120_000,
  )

  test(`crash: ${work} that dies repeatedly, one write later each time, gives the same memory`, () => {
    const store = copied(base, scratch)
    for (let at = 1; ; at++) {
      const dying = dyingDisk(at, at % 2 === 0 ? 'half' : 'before')
      try {
        WORK[work]({ ...store, files: dying.files }, now)
      } catch (error) {
        if (!(error instanceof Died)) throw error
      }
      if (!dying.isDead()) break
      burdenDead(store.layout.lock)
      readThrough(store)
    }
    expect(stateOf(store, now)).toEqual(undisturbed)
    rebuildStore(store, now)
    expect(stateOf(store, now)).toEqual(undisturbed)
  }, 60_000)
})

describe('crash: a clock set back', () => {
  test.each([1, 400, 20_000])(
    'crash: organized %i days before its events, nothing is lost, and a rebuild gives the same',
    (days) => {
      const store = copied(base, scratch)
      const early = now - days * DAY
      expect(runMaintenance(store, { now: early }).organized).toEqual(['one', 'two'])
      const state = stateOf(store, now)
      expect(Object.values(state.memories).map((memory) => memory.session)).toEqual(
        expect.arrayContaining(['one', 'two']),
      )
      for (const memory of Object.values(state.memories)) {
        expect(memory.strength).toBeGreaterThan(0)
        expect(memory.importance).toBeGreaterThanOrEqual(0)
      }
      rebuildStore(store, early)
      expect(stateOf(store, now)).toEqual(state)
      // With the right clock again, memories age from then on and remain.
      runMaintenance(store, { now, sessions: 'all' })
      expect(stateOf(store, now).shelved).toEqual(expect.arrayContaining(state.shelved))
    },
  )
})

/** What killed writers left beside files, anywhere in the store. */
const leftAside = (store: Store): string[] =>
  fs
    .readdirSync(store.layout.folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.aside') || name.endsWith('.dead'))
