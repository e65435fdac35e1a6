// Lessons: what somebody knows of recalls goes the way of all learning: events, judge, learner, guard; and no further by itself.
import { expect, test } from 'vitest'
import type { RankedCandidate } from '../../../bench/eval/rankQuestion.ts'
import { type RankedQuery, trainFromLabels } from '../../../bench/eval/trainFromLabels.ts'
import { exportPolicy, importPolicy } from '../../../src/broker/commands/policyExchange.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { DEFAULT_POLICY, readActivePolicy } from '../../../src/broker/policy/activePolicy.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { createRandom } from '../../random.ts'
import { BEGIN, buildMemory, createTestStore, DAY, HOUR, testMemoryId } from '../../testData.ts'

/** Questions of twenty memories each: what is near in time helps, which the shipped weights for questions hardly count. */
function lessons(seed: number, count = 50): RankedQuery[] {
  const chance = createRandom(seed)
  return Array.from({ length: count }, (_, n) => {
    const ranked = Array.from({ length: 20 }, (_, i): RankedCandidate => {
      const features = { window: chance(), recency: chance() }
      const score =
        DEFAULT_POLICY.recall.asked.window * features.window + DEFAULT_POLICY.recall.asked.recency * features.recency
      return { id: testMemoryId(i), score, features, memory: () => buildMemory(i) }
    })
    const worth = ({ features }: RankedCandidate): number => features['window']! + 2 * features['recency']!
    const [best] = [...ranked].sort((a, b) => worth(b) - worth(a))
    return { id: `${n}`, text: `question ${n}`, at: BEGIN + n * HOUR, ranked, helped: [best!.id] }
  })
}

test('lessons: what helped is learned, kept by a rebuild, and reaches another project by export and import alone', () => {
  const [here, there, elsewhere] = [createTestStore(), createTestStore(), createTestStore()]
  expect(trainFromLabels(here, lessons(1), BEGIN + 90 * DAY)).toBeGreaterThan(0)
  const learned = readActivePolicy(here).policy
  expect(learned.recall.asked.recency).toBeGreaterThan(DEFAULT_POLICY.recall.asked.recency + 0.1)
  expect(readActivePolicy(there).policy).toEqual(DEFAULT_POLICY)

  const { projection } = loadProjection(here)
  rebuildStore(here, BEGIN + 91 * DAY)
  expect(readActivePolicy(here).policy).toEqual(learned)
  expect(loadProjection(here).projection.judged).toEqual(projection.judged)

  const { text } = exportPolicy(here, BEGIN + 92 * DAY)
  importPolicy(there, { text, file: 'learned.yaml', now: BEGIN + 92 * DAY })
  expect(readActivePolicy(there).policy).toEqual(learned)
  expect(readActivePolicy(elsewhere).policy).toEqual(DEFAULT_POLICY)
})

test('lessons: the same lessons teach the same, and each other’s answers teach nothing', () => {
  const taught = [createTestStore(), createTestStore()].map((store) => {
    trainFromLabels(store, lessons(2), BEGIN + 90 * DAY)
    return readActivePolicy(store).policy
  })
  expect(taught[0]).toEqual(taught[1])

  const all = lessons(2)
  const dealt = all.map((lesson, i) => ({ ...lesson, helped: all[(i + 7) % all.length]!.helped }))
  const store = createTestStore()
  expect(trainFromLabels(store, dealt, BEGIN + 90 * DAY)).toBe(0)
  expect(readActivePolicy(store).policy).toEqual(DEFAULT_POLICY)
})
