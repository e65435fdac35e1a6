// Near misses: memories left out only by a moment's limits are recorded, so that learning can judge a higher limit.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { Policy } from '../../src/model/policy.ts'
import { recall } from '../../src/recall/recall.ts'
import { buildMatch, buildMemory, buildQuery } from '../testData.ts'

const under = (limits: Partial<Policy['recall']['moments']['prompt']>): Policy => ({
  ...DEFAULT_POLICY,
  recall: {
    ...DEFAULT_POLICY.recall,
    moments: { ...DEFAULT_POLICY.recall.moments, prompt: { ...DEFAULT_POLICY.recall.moments.prompt, ...limits } },
  },
})

/** `count` lessons that all match the query, the first ones better. Their texts differ in a digit. */
const found = (count: number, content = 'Build the prices first.') =>
  Array.from({ length: count }, (_, i) => ({
    memory: buildMemory(i + 1, { kind: 'lesson', outcome: 'success', content: `${content}${i}` }),
    match: buildMatch({ words: 10 - i, coverage: 0.9, error: 1, files: 1 }),
  }))

const asked = (policy: Policy, count: number, content?: string, told: readonly number[] = []) => {
  const known = new Set(told.map((n) => buildMemory(n).id))
  const query = buildQuery('prompt', { text: 'prices' })
  return recall({ query, candidates: found(count, content), policy, alreadyShown: () => known })
}

test('recall: the near miss is the best memory without a place, and is shown if there is one place more', () => {
  const two = asked(under({ topK: 2 }), 5)
  expect(two.shown.map((one) => one.memory.id)).toEqual([buildMemory(1).id, buildMemory(2).id])
  expect(two.next?.id).toBe(buildMemory(3).id)
  const three = asked(under({ topK: 3 }), 5)
  expect(three.shown[2]).toMatchObject({
    memory: { id: two.next!.id },
    score: two.next!.score,
    features: two.next!.features,
  })
})

test('recall: a memory that does not fit the budget is a near miss too', () => {
  const long = 'x'.repeat(4 * 90)
  const { shown, next } = asked(under({ topK: 4, budgetTokens: 200 }), 5, long)
  expect(shown.length).toBe(2)
  expect(next?.id).toBe(buildMemory(3).id)
  expect(asked(under({ topK: 4, budgetTokens: 300 }), 5, long).shown.length).toBe(3)
})

test('recall: there is no near miss if all fit, and none that was shown before or scores too low', () => {
  expect(asked(under({ topK: 4, budgetTokens: 300 }), 4).next).toBeUndefined()
  expect(asked(under({ topK: 2 }), 4, undefined, [3]).next?.id).toBe(buildMemory(4).id)
  const [first, , last] = asked(under({ topK: 3, budgetTokens: 300 }), 3).shown
  expect(first!.score).toBeGreaterThan(last!.score)
  expect(asked(under({ topK: 2, scoreMin: last!.score + 1e-6 }), 3).next).toBeUndefined()
})
