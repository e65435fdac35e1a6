// Edit overlap: the share of edited files, weighted by rarity. Explicit feedback counts in proportion to its share.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editOverlap } from '../../../bench/eval/editOverlap.ts'
import { logFeedback, logShadowRecall } from '../../../bench/eval/logFeedback.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import type { SessionId } from '../../../src/model/id.ts'
import { BEGIN, createTestStore, HOUR, sessionId, testMemoryId } from '../../testData.ts'

const files = fc.uniqueArray(fc.constantFrom('a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts')).map((some) => new Set(some))
const earlier = fc
  .array(files, { maxLength: 6 })
  .map((all) => new Map(all.map((some, i) => [`s${i}` as SessionId, some])))

test('eval: the overlap is a share, absent without a common file, and does not fall if a session edited more of the same files', () => {
  fc.assert(
    fc.property(files, earlier, (edited, all) => {
      const overlaps = editOverlap(edited, all)
      for (const [session, share] of overlaps) {
        expect(share).toBeGreaterThan(0)
        expect(share).toBeLessThanOrEqual(1 + 1e-9)
        expect([...all.get(session)!].some((file) => edited.has(file))).toBe(true)
      }
      for (const [session, own] of all) {
        for (const [other, its] of all) {
          if ([...own].every((file) => its.has(file)))
            expect(overlaps.get(other) ?? 0).toBeGreaterThanOrEqual((overlaps.get(session) ?? 0) - 1e-9)
        }
      }
    }),
  )
})

test('eval: a file that every session edits is no evidence', () => {
  const all = new Map(['s1', 's2', 's3'].map((id) => [id as SessionId, new Set(['README.md'])]))
  expect(editOverlap(new Set(['README.md']), all)).toEqual(new Map())
})

test('eval: logged feedback on a recall that was not shown counts with its share, and strengthens nothing', () => {
  const store = createTestStore()
  const ranked = [1, 2, 3].map((n) => ({
    session: sessionId(`s${n}`),
    memory: testMemoryId(n),
    score: 1 / n,
    features: { words: 1 / n },
  }))
  const recall = logShadowRecall(store, sessionId('now'), ranked, BEGIN)
  logFeedback(store, recall, new Map([[testMemoryId(2), 0.25]]), BEGIN + HOUR)
  runMaintenance(store, { now: BEGIN + 2 * HOUR, sessions: 'all' })
  const [judged] = loadProjection(store).projection.judged
  expect(judged).toMatchObject({ recall: recall.id, withheld: true, session: 'now' })
  expect(judged!.memories.map(({ contribution }) => contribution)).toEqual([0, 0.25, 0])
})
