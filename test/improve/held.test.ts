// Held back and placebo: help dealt out among recalls moves nothing, although it favours some memories over others.
import { expect, test } from 'vitest'
import { SHIPPED } from '../../src/broker/policy/served.ts'
import { fitted, type List } from '../../src/improve/fit.ts'
import { heldBack } from '../../src/improve/held.ts'
import type { Judged } from '../../src/improve/judge.ts'
import { nextStep } from '../../src/improve/learn.ts'
import { told } from '../../src/improve/lists.ts'
import type { EventId, SessionId } from '../../src/model/id.ts'
import { NOTHING_LEARNED } from '../../src/model/policy.ts'
import { BEGIN, HOUR, idOf, iso } from '../build.ts'
import { chanceOf } from '../chance.ts'

const MEMORIES = 40

/** Recalls that rank the same forty memories; `helps` says which of them helped, by what each recall has of words and files. */
function recalls(seed: number, count: number, helps: (words: number, files: number, long: number) => number): Judged[] {
  const chance = chanceOf(seed)
  const lengths = Array.from({ length: MEMORIES }, () => chance())
  return Array.from({ length: count }, (_, n) => ({
    recall: `recall-${n}` as EventId,
    session: `session-${n}` as SessionId,
    ...({ moment: 'ask', at: iso(BEGIN + n * HOUR), withheld: true } as const),
    memories: lengths.map((length, i) => {
      const [words, files] = [chance() ** 2, chance() ** 2]
      return {
        ...{ memory: idOf(i), used: 0, traces: [], parts: { success: 0, time: 0, calls: 0, errors: 0 } },
        ...{ features: { words, files, length }, contribution: helps(words, files, length) > 0.8 ? 1 : 0 },
      }
    }),
  }))
}

/** Each recall with the help of another: what helped there is said to have helped here. */
function dealt(all: readonly Judged[], seed: number): Judged[] {
  const chance = chanceOf(seed)
  const order = all.map((_, i) => ({ i, key: chance() })).sort((a, b) => a.key - b.key)
  return all.map((one, i) => ({
    ...one,
    memories: one.memories.map((memory, row) => ({
      ...memory,
      contribution: all[order[i]!.i]!.memories[row]!.contribution,
    })),
  }))
}

const seeds = Array.from({ length: 40 }, (_, i) => 50 + i)

// Long memories help more often: dealt out, help still favours the long ones, and a ranking by length would truly fit it better.
const byFilesAndLength = (_words: number, files: number, long: number): number => 0.6 * files + 0.4 * long

test('improve: help that knows its recall is learned from lists, and holds on recalls held back', () => {
  for (const seed of seeds.slice(0, 8)) {
    const held = heldBack(told(recalls(seed, 60, byFilesAndLength), 'ask', SHIPPED), 'ask', 1.64)
    expect(held.advantage.lower).toBeGreaterThan(0)
    expect(held.own().lower).toBeGreaterThan(0)
    expect(nextStep(recalls(seed, 60, byFilesAndLength), SHIPPED, NOTHING_LEARNED)?.values).toHaveProperty([
      'recall.asked.files',
    ])
  }
})

test('improve: help dealt out among recalls seems to teach, and the placebo knows better: nothing serves', () => {
  let tempting = 0
  for (const seed of seeds) {
    const shuffled = dealt(recalls(seed, 60, byFilesAndLength), seed)
    if (heldBack(told(shuffled, 'ask', SHIPPED), 'ask', 1.64).advantage.lower > 0) tempting++
    expect(nextStep(shuffled, SHIPPED, NOTHING_LEARNED), String(seed)).toBeUndefined()
  }
  expect(tempting).toBeGreaterThan(20) // Else this proves nothing.
})

test('improve: help that is the same for every memory, and none at all, teach nothing', () => {
  for (const constant of [1, 0]) {
    const all = recalls(3, 60, () => constant)
    expect(nextStep(all, SHIPPED, NOTHING_LEARNED)).toBeUndefined()
  }
})

test('improve: weights stay where they start as far as the evidence does not speak of them', () => {
  const list = (shares: readonly number[]): List => ({
    ...{ columns: 2, features: Float64Array.from([1, 0, 0, 0]), start: new Float64Array(2) },
    ...{ shares: Float64Array.from(shares), weight: 1 },
  })
  const [told, untold] = fitted([list([1, 0])], { steepness: 8, spreads: [0.15, 0.15] })
  expect(told).toBeGreaterThan(0)
  expect(untold).toBe(0)
  // At the minimum the slope is none: β · (chosen − share) + change / σ² = 0.
  const chosen = 1 / (1 + Math.exp(-8 * told!))
  expect(8 * (chosen - 1) + told! / 0.15 ** 2).toBeCloseTo(0, 4)
  expect([...fitted([], { steepness: 8, spreads: [0.15, 0.15] })]).toEqual([0, 0])
  expect([...fitted([list([1, 0])], { steepness: 8, spreads: [0, 0.15] })]).toEqual([0, 0])
})

test('improve: what lists teach is not learned where the notes that were shown speak against it', () => {
  const lists = recalls(50, 60, byFilesAndLength)
  const notes = (worthOfFiles: number): Judged[] =>
    recalls(51, 30, () => 0).map((one, n) => ({
      ...one,
      ...{ recall: `note-${n}` as EventId, session: `later-${n}` as SessionId, withheld: false },
      memories: one.memories.slice(0, 2).map((memory, i) => ({
        ...memory,
        // Near enough to change places: one has a little more of the words, the other many of the files.
        features: i === 0 ? { words: 0.6, files: 0 } : { words: 0, files: 0.6 },
        contribution: i === 0 ? -worthOfFiles : worthOfFiles,
      })),
    }))
  expect(nextStep([...lists, ...notes(0.5)], SHIPPED, NOTHING_LEARNED)?.values).toHaveProperty(['recall.asked.files'])
  expect(nextStep([...lists, ...notes(-0.5)], SHIPPED, NOTHING_LEARNED)).toBeUndefined()
})
