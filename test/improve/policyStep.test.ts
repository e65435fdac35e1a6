// Policy steps: small and bounded, none without evidence, none from noise, rolled back if the guard rejects them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedMemory, AttributedRecall } from '../../src/improve/attribution.ts'
import { computeAdvantage } from '../../src/improve/offPolicy.ts'
import { computePolicyStep } from '../../src/improve/policyStep.ts'
import type { EventId } from '../../src/model/id.ts'
import {
  applyLearnedPolicy,
  EMPTY_LEARNED_POLICY,
  FEATURES,
  getPolicyValue,
  type LearnedPolicy,
} from '../../src/model/policy.ts'
import { RECALL_MOMENTS, type RecallMoment } from '../../src/model/recallQuery.ts'
import { arbitraryFeatures } from '../arbitraries.ts'
import { createRandom } from '../random.ts'
import { BEGIN, HOUR, iso, testMemoryId } from '../testData.ts'

const NO_PARTS = { success: 0, time: 0, calls: 0, errors: 0 }

function judged(
  n: number,
  moment: RecallMoment,
  memories: readonly Pick<AttributedMemory, 'features' | 'contribution'>[],
): AttributedRecall {
  return {
    recall: `recall-${n}` as EventId,
    moment,
    at: iso(BEGIN + n * HOUR),
    withheld: false,
    memories: memories.map((one, i) => ({
      memory: testMemoryId(10 * n + i),
      used: one.contribution > 0 ? 1 : 0,
      traces: one.contribution > 0 ? ['command'] : [],
      parts: NO_PARTS,
      ...one,
    })),
  }
}

/** `count` recalls of one to three memories, each with chance features and the contribution `worth` gives it. */
function recallsOf(seed: number, count: number, worth: Worth): AttributedRecall[] {
  const chance = createRandom(seed)
  return Array.from({ length: count }, (_, n) => {
    const memories = Array.from({ length: 1 + Math.floor(3 * chance()) }, () => {
      const features = Object.fromEntries(FEATURES.map((name) => [name, chance()]))
      return { features, contribution: Math.min(1, Math.max(-1, worth(features, chance))) }
    })
    return judged(n, chance() < 0.7 ? 'failure' : 'call', memories)
  })
}

/** The active policy after a project's recalls, ten per session, with the due step at each session's end. */
function servedAfter(all: readonly AttributedRecall[]): { learned: LearnedPolicy; everServed: boolean } {
  let learned = EMPTY_LEARNED_POLICY
  let everServed = false
  for (let end = 10; end <= all.length; end += 10) {
    const step = computePolicyStep(all.slice(0, end), DEFAULT_POLICY, learned)
    if (step) learned = { version: learned.version + 1, values: step.values }
    everServed ||= Object.keys(learned.values).length > 0
  }
  return { learned, everServed }
}

type Worth = (features: Record<string, number>, chance: () => number) => number

/** Half the memories were useful and half were not, at random. */
const noise: Worth = (_features, chance) => (chance() < 0.5 ? 0.5 * chance() : -0.5 * chance())
const NOISE: Readonly<Record<string, Worth>> = {
  'as often good as bad': noise,
  'mostly good': (_features, chance) => (chance() < 0.6 ? 0.7 : -0.05),
  'mostly of no use': (_features, chance) => (chance() < 0.1 ? 0.7 : -0.05),
  'all or nothing': (_features, chance) => (chance() < 0.5 ? 1 : -1),
}
/** Memories that share files help, memories that only share words are harmful. */
const telling: Worth = (features, chance) => features['files']! - features['words']! + 0.2 * (chance() - 0.5)

/** The same recalls with their contributions shuffled. */
function shuffled(all: readonly AttributedRecall[], seed: number): AttributedRecall[] {
  const chance = createRandom(seed + 1)
  const drawn = all.flatMap((one) => one.memories.map(({ contribution }) => ({ contribution, key: chance() })))
  const dealt = drawn.sort((a, b) => a.key - b.key).map((one) => one.contribution)
  return all.map((one) => ({
    ...one,
    memories: one.memories.map((memory) => ({ ...memory, contribution: dealt.pop()! })),
  }))
}

const seeds = Array.from({ length: 100 }, (_, i) => 1_000 + i)

test('improve: noise changes nothing in at least 95 of 100 projects, checked after every session', () => {
  for (const [name, worth] of Object.entries(NOISE)) {
    const served = seeds.filter((seed) => servedAfter(recallsOf(seed, 100, worth)).everServed)
    expect(served.length, name).toBeLessThanOrEqual(5)
  }
}, 120_000)

test('improve: informative feedback that is shuffled among the memories changes nothing', () => {
  const served = seeds.filter((seed) => servedAfter(shuffled(recallsOf(seed, 100, telling), seed)).everServed)
  expect(served.length).toBeLessThanOrEqual(5)
}, 60_000)

test('improve: informative feedback moves the policy in its direction, and the step becomes active', () => {
  const steps = seeds.map((seed) => servedAfter(recallsOf(seed, 100, telling)).learned)
  const learned = steps.filter((one) => Object.keys(one.values).length > 0)
  expect(learned.length).toBeGreaterThanOrEqual(90)
  for (const { values } of learned) {
    expect(values['recall.weights.files'] ?? 1).toBeGreaterThan(DEFAULT_POLICY.recall.weights.files)
    expect(values['recall.weights.words'] ?? 0).toBeLessThan(DEFAULT_POLICY.recall.weights.words)
  }
}, 60_000)

test('improve: if all feedback is harmful, the moment’s minimum score rises', () => {
  const chance = createRandom(7)
  const harmful = Array.from({ length: 80 }, (_, n) =>
    judged(n, 'prompt', [
      { features: { words: 1, branch: 0.56, importance: chance() }, contribution: -0.2 - 0.1 * chance() },
    ]),
  )
  const { learned } = servedAfter(harmful)
  expect(learned.values['recall.moments.prompt.scoreMin']).toBeGreaterThan(
    DEFAULT_POLICY.recall.moments.prompt.scoreMin,
  )
})

const arbitraryJudged: fc.Arbitrary<AttributedRecall[]> = fc
  .array(
    fc.tuple(
      fc.constantFrom(...RECALL_MOMENTS),
      fc.array(fc.record({ features: arbitraryFeatures, contribution: fc.double({ min: -1, max: 1, noNaN: true }) }), {
        maxLength: 3,
      }),
    ),
    { maxLength: 40 },
  )
  .map((all) => all.map(([moment, memories], n) => judged(n, moment, memories)))

const learnable = [...FEATURES.map((name) => `recall.weights.${name}`), 'recall.moments.prompt.scoreMin']
const arbitraryLearned: fc.Arbitrary<LearnedPolicy> = fc
  .dictionary(fc.constantFrom(...learnable), fc.double({ min: 0, max: 1, noNaN: true }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  .map((values) => ({ version: Object.keys(values).length, values }))

/** Feedback with a meaning, so that steps are really taken, or any at all. */
const arbitraryFeedback = fc.oneof(
  arbitraryJudged,
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 60 })).map(([seed, count]) => recallsOf(seed, count, telling)),
)

test('improve: a step moves a number by at most its share of the range, and never out of the range', () => {
  let taken = 0
  fc.assert(
    fc.property(arbitraryFeedback, arbitraryLearned, (feedback, learned) => {
      const step = computePolicyStep(feedback, DEFAULT_POLICY, learned)
      if (!step || Object.keys(step.values).length === 0) return // A return to the default policy is immediate.
      taken++
      const serving = applyLearnedPolicy(DEFAULT_POLICY, learned)
      const next = applyLearnedPolicy(DEFAULT_POLICY, { version: 0, values: step.values })
      for (const path of new Set([...Object.keys(step.values), ...Object.keys(learned.values)])) {
        const range = /weights|prompted|asked/.test(path)
          ? { min: -1, max: 2 }
          : path.includes('boosts')
            ? { min: 0, max: 1 }
            : { min: 0, max: 2 }
        const most = DEFAULT_POLICY.improve.stepMax * (range.max - range.min)
        // A number within a thousandth of the default becomes the default.
        expect(Math.abs(getPolicyValue(next, path)! - getPolicyValue(serving, path)!), path).toBeLessThanOrEqual(
          most + 0.0011,
        )
        expect(getPolicyValue(next, path)!).toBeGreaterThanOrEqual(range.min)
        expect(getPolicyValue(next, path)!).toBeLessThanOrEqual(range.max)
      }
    }),
    { numRuns: 200 },
  )
  expect(taken).toBeGreaterThan(0)
})

test('improve: the same feedback gives the same step, and inputs stay unchanged', () => {
  fc.assert(
    fc.property(arbitraryFeedback, arbitraryLearned, (feedback, learned) => {
      const before = structuredClone({ feedback, learned, SHIPPED: DEFAULT_POLICY })
      expect(computePolicyStep(feedback, DEFAULT_POLICY, learned)).toEqual(
        computePolicyStep(structuredClone(feedback), DEFAULT_POLICY, learned),
      )
      expect({ feedback, learned, SHIPPED: DEFAULT_POLICY }).toEqual(before)
    }),
  )
})

test('improve: nothing moves before there is enough evidence, however clear it is', () => {
  const { evidenceMin } = DEFAULT_POLICY.improve
  for (const seed of seeds.slice(0, 10)) {
    const few = recallsOf(seed, evidenceMin - 1, (features) => features['files']! - features['words']!)
    expect(computePolicyStep(few, DEFAULT_POLICY, EMPTY_LEARNED_POLICY)).toBeUndefined()
    // A recall without a memory to judge is no evidence.
    const empty = Array.from({ length: 50 }, (_, i) => judged(100 + i, 'prompt', []))
    expect(computePolicyStep([...few, ...empty], DEFAULT_POLICY, EMPTY_LEARNED_POLICY)).toBeUndefined()
  }
})

test('improve: a step is rolled back when the guard’s lower bound falls to 0 or below', () => {
  const worse: LearnedPolicy = { version: 3, values: { 'recall.weights.files': -0.5, 'recall.weights.words': 1.5 } }
  const step = computePolicyStep(recallsOf(1, 60, telling), DEFAULT_POLICY, worse)
  expect(step).toMatchObject({ values: {}, reason: expect.stringContaining('rolled back') })
  const same: LearnedPolicy = { version: 1, values: { 'recall.weights.branch': DEFAULT_POLICY.recall.weights.branch } }
  expect(computePolicyStep(recallsOf(1, 60, noise), DEFAULT_POLICY, same)).toMatchObject({ values: {} })
  fc.assert(
    fc.property(arbitraryFeedback, arbitraryLearned, (feedback, learned) => {
      const step = computePolicyStep(feedback, DEFAULT_POLICY, learned)
      const seen = feedback.filter((one) => one.memories.length > 0)
      if (seen.length < DEFAULT_POLICY.improve.evidenceMin || Object.keys(learned.values).length === 0) return
      const bound = computeAdvantage(seen, DEFAULT_POLICY, applyLearnedPolicy(DEFAULT_POLICY, learned))
      if (bound.lower <= 0) expect(step?.values).toEqual({})
      else if (step) expect(Object.keys(step.values)).not.toEqual([])
    }),
  )
})

test('improve: the guard accepts every step that is taken, and states its evidence', () => {
  for (const seed of seeds.slice(0, 20)) {
    const all = recallsOf(seed, 100, telling)
    const step = computePolicyStep(all, DEFAULT_POLICY, EMPTY_LEARNED_POLICY)
    if (!step) continue
    const bound = computeAdvantage(
      all,
      DEFAULT_POLICY,
      applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: step.values }),
    )
    expect(bound.lower).toBeGreaterThan(0)
    expect(step.evidence).toMatchObject({ recalls: 100, lowerBound: expect.any(Number), advantage: expect.any(Number) })
  }
})

test('improve: a policy has no advantage over itself', () => {
  fc.assert(
    fc.property(arbitraryJudged, (feedback) => {
      const bound = computeAdvantage(feedback, DEFAULT_POLICY, DEFAULT_POLICY)
      expect(bound.mean).toBe(0)
      expect(bound.lower).toBeLessThanOrEqual(0)
    }),
  )
})
