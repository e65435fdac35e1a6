// Policies: learned values over shipped ones, and the score they give.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { applyLearnedPolicy, EMPTY_LEARNED_POLICY } from '../../src/model/policy.ts'
import { computeBreakdown, FEATURES, selectRankingModel, sumBreakdown } from '../../src/model/rankingScore.ts'
import { LEARNED_MOMENTS, leastScorePath, RECALL_MOMENTS, topKPath } from '../../src/model/recallQuery.ts'
import { arbitraryFeatures } from '../arbitraries.ts'

const values = fc.dictionary(
  fc.constantFrom(
    ...LEARNED_MOMENTS.flatMap((moment) => [leastScorePath(moment), topKPath(moment)]),
    'recall.weights.words',
  ),
  fc.double({ min: -1, max: 4, noNaN: true }),
  { noNullPrototype: true },
)

test('model: a learned limit is stricter than that of its moment; requested memories keep the configured one', () => {
  fc.assert(
    fc.property(values, (learned) => {
      const { recall, ...others } = applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: learned })
      const { recall: configured, ...before } = DEFAULT_POLICY
      expect(others).toEqual(before)
      expect({ ...recall, moments: {} }).toEqual({ ...configured, moments: {} })
      for (const moment of RECALL_MOMENTS) {
        const { scoreMin, configuredScoreMin = scoreMin, learnedTopK, ...limits } = recall.moments[moment]
        const { scoreMin: from, ...limitsBefore } = configured.moments[moment]
        expect(limits).toEqual(limitsBefore)
        expect(scoreMin).toBe(Math.max(from, learned[`recall.moments.${moment}.scoreMin`] ?? from))
        expect(configuredScoreMin).toBe(from)
        const count = learned[`recall.moments.${moment}.topK`] ?? 0
        expect(learnedTopK).toBe(count >= 1 && count < limits.topK ? count : undefined)
      }
    }),
  )
})

test('model: applying learned values does not change the default policy, and no learned values give the default policy', () => {
  const before = structuredClone(DEFAULT_POLICY)
  applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: { 'recall.moments.prompt.scoreMin': 2 } })
  expect(DEFAULT_POLICY).toEqual(before)
  expect(applyLearnedPolicy(DEFAULT_POLICY, EMPTY_LEARNED_POLICY)).toEqual(DEFAULT_POLICY)
})

test('model: a path that is not that of a least score is ignored', () => {
  const strange = { 'recall.weights.colour': 1, recall: 1, name: 2, 'no.such.thing': 3, '__proto__.polluted': 4 }
  expect(applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: strange })).toEqual(DEFAULT_POLICY)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('model: a score is the sum of weight times feature, and an absent feature is 0', () => {
  const model = selectRankingModel(DEFAULT_POLICY.recall, 'call')
  fc.assert(
    fc.property(arbitraryFeatures, fc.constantFrom(...FEATURES), (features, gone) => {
      const breakdown = computeBreakdown(features, model)
      const expected = FEATURES.reduce((sum, name) => sum + (model.weights[name] ?? 0) * features[name]!, 0)
      expect(sumBreakdown(breakdown)).toBeCloseTo(expected, 9)
      const { [gone]: _gone, ...rest } = features
      expect(computeBreakdown(rest, model)).toEqual(computeBreakdown({ ...features, [gone]: 0 }, model))
    }),
  )
})
