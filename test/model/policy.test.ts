// Policies: learned values over shipped ones, and the score they give.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import { applyLearnedPolicy, EMPTY_LEARNED_POLICY, FEATURES, getPolicyValue } from '../../src/model/policy.ts'
import { computeBreakdown, sumBreakdown } from '../../src/model/rankingScore.ts'
import { arbitraryFeatures } from '../arbitraries.ts'

const path = fc.constantFrom(...FEATURES.map((name) => `recall.weights.${name}`), 'recall.moments.prompt.scoreMin')
const values = fc.dictionary(path, fc.double({ min: -1, max: 2, noNaN: true }), { noNullPrototype: true })

test('model: the learned values are at their paths, and everything else is the default policy', () => {
  fc.assert(
    fc.property(values, (learned) => {
      const policy = applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: learned })
      for (const [at, value] of Object.entries(learned)) expect(getPolicyValue(policy, at)).toBe(value)
      const back = Object.fromEntries(Object.keys(learned).map((at) => [at, getPolicyValue(DEFAULT_POLICY, at)!]))
      expect(applyLearnedPolicy(policy, { version: 2, values: back })).toEqual(DEFAULT_POLICY)
    }),
  )
})

test('model: applying learned values does not change the default policy, and no learned values give the default policy', () => {
  const before = structuredClone(DEFAULT_POLICY)
  applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: { 'recall.weights.words': 2 } })
  expect(DEFAULT_POLICY).toEqual(before)
  expect(applyLearnedPolicy(DEFAULT_POLICY, EMPTY_LEARNED_POLICY)).toEqual(DEFAULT_POLICY)
})

test('model: a path that does not exist or is not that of a number is ignored', () => {
  const strange = { 'recall.weights.colour': 1, recall: 1, name: 2, 'no.such.thing': 3, '__proto__.polluted': 4, '': 5 }
  expect(applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: strange })).toEqual(DEFAULT_POLICY)
  expect(getPolicyValue(DEFAULT_POLICY, 'recall.weights')).toBeUndefined()
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('model: a score is the sum of weight times feature, and an absent feature is 0', () => {
  fc.assert(
    fc.property(arbitraryFeatures, fc.constantFrom(...FEATURES), (features, gone) => {
      const breakdown = computeBreakdown(features, DEFAULT_POLICY.recall)
      const expected = FEATURES.reduce((sum, name) => sum + DEFAULT_POLICY.recall.weights[name] * features[name]!, 0)
      expect(sumBreakdown(breakdown)).toBeCloseTo(expected, 9)
      const { [gone]: _gone, ...rest } = features
      expect(computeBreakdown(rest, DEFAULT_POLICY.recall)).toEqual(
        computeBreakdown({ ...features, [gone]: 0 }, DEFAULT_POLICY.recall),
      )
    }),
  )
})
