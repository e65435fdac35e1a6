// Training from labels: uses the product's own events, judge, learner and guard, and changes no other project.
import { expect, test } from 'vitest'
import type { RankedCandidate } from '../../../bench/eval/rankQuestion.ts'
import { type RankedQuery, trainFromLabels } from '../../../bench/eval/trainFromLabels.ts'
import { exportPolicy, importPolicy } from '../../../src/broker/commands/policyExchange.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { DEFAULT_POLICY, readActivePolicy } from '../../../src/broker/policy/activePolicy.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { createRandom } from '../../random.ts'
import { BEGIN, buildMemory, createTestStore, DAY, HOUR, testMemoryId } from '../../testData.ts'

/**
 * Queries with twenty memories each. Recent memories help, although the shipped weight of recency for questions is
 * low.
 */
function labelledQueries(seed: number, count = 50): RankedQuery[] {
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

test('train: the learned policy survives a rebuild and reaches another project only by export and import', () => {
  const [here, there, elsewhere] = [createTestStore(), createTestStore(), createTestStore()]
  expect(trainFromLabels(here, labelledQueries(1), BEGIN + 90 * DAY)).toBeGreaterThan(0)
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

test('train: the same labels give the same policy, and shuffled answers change nothing', () => {
  const policies = [createTestStore(), createTestStore()].map((store) => {
    trainFromLabels(store, labelledQueries(2), BEGIN + 90 * DAY)
    return readActivePolicy(store).policy
  })
  expect(policies[0]).toEqual(policies[1])

  const all = labelledQueries(2)
  const shuffled = all.map((query, i) => ({ ...query, helped: all[(i + 7) % all.length]!.helped }))
  const store = createTestStore()
  expect(trainFromLabels(store, shuffled, BEGIN + 90 * DAY)).toBe(0)
  expect(readActivePolicy(store).policy).toEqual(DEFAULT_POLICY)
})
