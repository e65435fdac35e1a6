// What a memory is worth by its use.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeAccessScore, currentImportanceTerms } from '../../src/model/currentImportance.ts'
import { computeImportance } from '../../src/model/importance.ts'
import { newMemory } from '../../src/model/memory.ts'
import { explainImportance } from '../../src/report/knowledgeText.ts'
import { testMemoryId } from '../testData.ts'

const DAY = 86_400_000
const BEGIN = Date.UTC(2026, 0, 1)
const iso = (ms: number): string => new Date(ms).toISOString()
const created = iso(BEGIN)
const of = (accessCount: number, usedDay: number | undefined, nowDay: number): number =>
  computeAccessScore(
    {
      importance: 0.1,
      accessCount,
      created,
      ...(usedDay === undefined ? {} : { lastUsed: iso(BEGIN + usedDay * DAY) }),
    },
    BEGIN + nowDay * DAY,
  )

test('model: the access score of a new memory is one half, after 12 recent accesses three quarters', () => {
  expect(of(0, undefined, 0)).toBe(0.5)
  expect(of(12, 3, 3)).toBe(0.75)
  expect(of(0, undefined, 30)).toBe(0.25)
})

test('model: the access score grows with the number and recency of accesses, 0 to 1', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(400), fc.nat(400), (count, used, now) => {
      const score = of(count, used, now)
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(1)
      expect(of(count + 1, used, now)).toBeGreaterThanOrEqual(score)
      expect(of(count, used + 1, now)).toBeGreaterThanOrEqual(score)
    }),
  )
})

test('model: a pinned memory keeps its importance, whatever is counted', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(50), (importance, accessCount) => {
      const pinned = { reason: 'Critical user preference', at: created }
      expect(computeAccessScore({ importance, accessCount, created, pinned }, BEGIN + 900 * DAY)).toBe(importance)
    }),
  )
})

test('model: what each term adds to an importance adds up to it, with the counts of now', () => {
  const terms = { outcome: 1, reuse: 0, crossImpact: 0, novelty: 0.5, userSignal: 1, costSaved: 0 }
  const fields = { id: testMemoryId(1), kind: 'entry', content: 'x', created, importance: 0.5 } as const
  const memory = {
    ...newMemory(fields),
    importanceTerms: terms,
    accessCount: 3,
    meetings: 2,
    sessionCount: 1,
  }
  const [, sum, shares] = /^(\d\.\d{3}) = (.+)$/.exec(explainImportance(memory)) ?? []
  const added = shares?.split(' + ').map((share) => Number(share.split(' ')[1])) ?? []
  expect(added.reduce((a, b) => a + b, 0)).toBeCloseTo(Number(sum), 3)
  expect(Number(sum)).toBeCloseTo(computeImportance(currentImportanceTerms(memory)), 2)
  expect(shares).toContain('reuse 0.15')
  expect(explainImportance({ ...memory, pinned: { reason: 'x', at: created }, importance: 1 })).toBe('1.000, pinned')
})
