// Policies: learned values over shipped ones, and the score they give.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SHIPPED } from '../../src/broker/policy/served.ts'
import { FEATURES, NOTHING_LEARNED, policyWith, valueAt } from '../../src/model/policy.ts'
import { breakdownOf, scoreOf } from '../../src/model/score.ts'
import { arbitraryFeatures } from '../generate.ts'

const path = fc.constantFrom(...FEATURES.map((name) => `recall.weights.${name}`), 'recall.moments.prompt.scoreMin')
const values = fc.dictionary(path, fc.double({ min: -1, max: 2, noNaN: true }), { noNullPrototype: true })

test('model: the learned values stand in their places, and everything else is the shipped policy', () => {
  fc.assert(
    fc.property(values, (learned) => {
      const policy = policyWith(SHIPPED, { version: 1, values: learned })
      for (const [at, value] of Object.entries(learned)) expect(valueAt(policy, at)).toBe(value)
      const back = Object.fromEntries(Object.keys(learned).map((at) => [at, valueAt(SHIPPED, at)!]))
      expect(policyWith(policy, { version: 2, values: back })).toEqual(SHIPPED)
    }),
  )
})

test('model: learning changes nothing of the shipped policy itself, and nothing learned is the shipped policy', () => {
  const before = structuredClone(SHIPPED)
  policyWith(SHIPPED, { version: 1, values: { 'recall.weights.words': 2 } })
  expect(SHIPPED).toEqual(before)
  expect(policyWith(SHIPPED, NOTHING_LEARNED)).toEqual(SHIPPED)
})

test('model: a path that is not there, or leads to no number, is left out', () => {
  const strange = { 'recall.weights.colour': 1, recall: 1, name: 2, 'no.such.thing': 3, '__proto__.polluted': 4, '': 5 }
  expect(policyWith(SHIPPED, { version: 1, values: strange })).toEqual(SHIPPED)
  expect(valueAt(SHIPPED, 'recall.weights')).toBeUndefined()
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

test('model: a score is the sum of weight times feature, and an absent feature is 0', () => {
  fc.assert(
    fc.property(arbitraryFeatures, fc.constantFrom(...FEATURES), (features, gone) => {
      const breakdown = breakdownOf(features, SHIPPED.recall)
      const expected = FEATURES.reduce((sum, name) => sum + SHIPPED.recall.weights[name] * features[name]!, 0)
      expect(scoreOf(breakdown)).toBeCloseTo(expected, 9)
      const { [gone]: _gone, ...rest } = features
      expect(breakdownOf(rest, SHIPPED.recall)).toEqual(breakdownOf({ ...features, [gone]: 0 }, SHIPPED.recall))
    }),
  )
})
