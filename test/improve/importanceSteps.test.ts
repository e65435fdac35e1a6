// Learned weights of importance: they follow what helps, their sum stays, noise moves none.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedRecall } from '../../src/improve/attribution.ts'
import { computeImportanceSteps } from '../../src/improve/importanceSteps.ts'
import { computeAdvantage } from '../../src/improve/offPolicy.ts'
import { computePolicyStep } from '../../src/improve/policyStep.ts'
import type { EventId, SessionId } from '../../src/model/id.ts'
import { computeImportance, IMPORTANCE_TERMS, type ImportanceTerms } from '../../src/model/importance.ts'
import { applyLearnedPolicy, EMPTY_LEARNED_POLICY, type LearnedPolicy } from '../../src/model/policy.ts'
import { createRandom } from '../random.ts'
import { BEGIN, HOUR, iso, testMemoryId } from '../testData.ts'
import { FOUR_PLACES } from './project.ts'

type Worth = (terms: ImportanceTerms, chance: () => number) => number

/** Recalls of three notes that differ only in the terms of their importance, five per session. */
function recallsOf(seed: number, count: number, worth: Worth): AttributedRecall[] {
  const chance = createRandom(seed)
  return Array.from({ length: count }, (_, n) => ({
    recall: `recall-${n}` as EventId,
    session: `session-${Math.floor(n / 5)}` as SessionId,
    ...({ moment: 'prompt', at: iso(BEGIN + n * HOUR), withheld: false } as const),
    memories: Array.from({ length: 3 }, (_, i) => {
      const terms = Object.fromEntries(IMPORTANCE_TERMS.map((name) => [name, chance()])) as unknown as ImportanceTerms
      return {
        ...{
          memory: testMemoryId(3 * n + i),
          used: 0,
          traces: [],
          parts: { success: 0, time: 0, calls: 0, errors: 0 },
        },
        features: { error: 1, files: 1, importance: computeImportance(terms, DEFAULT_POLICY.importance) },
        contribution: Math.min(1, Math.max(-1, worth(terms, chance))),
        terms,
      }
    }),
  }))
}

/** Notes that saved cost help, notes that are only new do not. */
const telling: Worth = ({ costSaved, novelty }, chance) => costSaved - novelty + 0.2 * (chance() - 0.5)
const noise: Worth = (_terms, chance) => (chance() < 0.5 ? 0.5 * chance() : -0.5 * chance())

/** The active policy after each session of ten recalls. */
function servedAfter(all: readonly AttributedRecall[]): LearnedPolicy[] {
  const served: LearnedPolicy[] = []
  let learned = EMPTY_LEARNED_POLICY
  for (let end = 10; end <= all.length; end += 10) {
    const step = computePolicyStep(all.slice(0, end), DEFAULT_POLICY, learned)
    if (step) learned = { version: learned.version + 1, values: step.values }
    served.push(learned)
  }
  return served
}

const moved = ({ values }: LearnedPolicy): boolean => Object.keys(values).some((path) => path.startsWith('importance.'))

test('improve: importance weights follow what helps, and become active if the guard accepts them', () => {
  const projects = Array.from({ length: 10 }, (_, i) => servedAfter(recallsOf(5_000 + i, 150, telling)).filter(moved))
  expect(projects.filter((served) => served.length > 0).length).toBeGreaterThanOrEqual(9)
  for (const served of projects.flat()) {
    const { importance } = applyLearnedPolicy(DEFAULT_POLICY, served)
    expect(importance.costSaved).toBeGreaterThan(DEFAULT_POLICY.importance.costSaved)
    expect(importance.novelty).toBeLessThan(DEFAULT_POLICY.importance.novelty)
  }
})

test('improve: noise moves no weight of importance, in at least 38 of 40 projects', () => {
  const projects = Array.from({ length: 40 }, (_, i) => servedAfter(recallsOf(6_000 + i, 100, noise)))
  expect(projects.filter((served) => served.some(moved)).length).toBeLessThanOrEqual(2)
}, 60_000)

test('improve: a step keeps the sum of the weights and their ranges, and moves none too far', () => {
  let taken = 0
  const arbitraryWeights = fc.tuple(...IMPORTANCE_TERMS.map(() => fc.constantFrom(0, 0, 0.01, 0.1, 0.25, 0.6, 1)))
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...IMPORTANCE_TERMS), arbitraryWeights, (seed, liked, weights) => {
      const worth: Worth = (terms, chance) => terms[liked] - terms.outcome - terms.reuse + 0.1 * chance()
      const values = Object.fromEntries(IMPORTANCE_TERMS.map((term, i) => [`importance.${term}`, weights[i]!]))
      const serving = applyLearnedPolicy(DEFAULT_POLICY, { version: 0, values })
      const steps = computeImportanceSteps(recallsOf(seed, 60, worth), serving)
      if (Object.keys(steps).length === 0) return
      taken++
      const sum = (all: readonly number[]) => all.reduce((total, value) => total + value, 0)
      const next = IMPORTANCE_TERMS.map((term) => steps[`importance.${term}`]!)
      expect(sum(next)).toBeCloseTo(sum(weights), 2)
      next.forEach((value, i) => {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
        expect(Math.abs(value - weights[i]!)).toBeLessThanOrEqual(DEFAULT_POLICY.improve.stepMax + 1e-4)
      })
    }),
    { numRuns: 60 },
  )
  expect(taken).toBeGreaterThan(30)
})

test('improve: no weight of importance moves if importance has no weight or its terms are unknown', () => {
  const all = recallsOf(7, 100, telling)
  expect(computeImportanceSteps(all, DEFAULT_POLICY)).not.toEqual({})
  for (const importance of [0, -0.2]) {
    const unwanted = applyLearnedPolicy(DEFAULT_POLICY, {
      version: 0,
      values: { 'recall.weights.importance': importance },
    })
    expect(computeImportanceSteps(all, unwanted)).toEqual({})
  }
  const untold = all.map((one) => ({ ...one, memories: one.memories.map(({ terms: _terms, ...memory }) => memory) }))
  expect(computeImportanceSteps(untold, DEFAULT_POLICY)).toEqual({})
})

test('improve: under other weights of importance, memories are ranked by the importance they would have had', () => {
  const all = recallsOf(8, 100, telling)
  const step = applyLearnedPolicy(DEFAULT_POLICY, {
    version: 0,
    values: { 'importance.costSaved': 0.6, 'importance.novelty': 0 },
  })
  expect(computeAdvantage(all, DEFAULT_POLICY, step).lower).toBeGreaterThan(0)
  const contrary = applyLearnedPolicy(DEFAULT_POLICY, {
    version: 0,
    values: { 'importance.novelty': 0.6, 'importance.costSaved': 0 },
  })
  expect(computeAdvantage(all, DEFAULT_POLICY, contrary).mean).toBeLessThan(0)
})

test('improve: importance gains nothing from another number’s gain, and returns to its configured value', () => {
  // The fourth place never helps, so topK falls; the terms of importance carry no information.
  const useless = recallsOf(9, 150, noise).map((one) => ({
    ...one,
    memories: [...one.memories, { ...one.memories[0]!, contribution: -0.05, features: { error: 1, files: 1 } }],
  }))
  const unvouched = { 'importance.costSaved': 0.15, 'importance.outcome': 0.15 }
  const learned = { version: 4, values: { 'recall.moments.prompt.topK': 3, ...unvouched } }
  const step = computePolicyStep(useless, FOUR_PLACES, learned)
  expect(step?.values['recall.moments.prompt.topK']).toBe(3)
  expect(Object.keys(step!.values).filter((path) => path.startsWith('importance.'))).toEqual([])
})
