// Policy steps: small, bounded, towards a target, none without evidence, none from noise, judged moment by moment.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedMemory, AttributedRecall } from '../../src/improve/attribution.ts'
import { valueNotes } from '../../src/improve/noteValue.ts'
import { computeAdvantage } from '../../src/improve/offPolicy.ts'
import { computePolicyStep } from '../../src/improve/policyStep.ts'
import { computeTargetWeights } from '../../src/improve/rankingTarget.ts'
import type { EventId, SessionId } from '../../src/model/id.ts'
import {
  applyLearnedPolicy,
  EMPTY_LEARNED_POLICY,
  FEATURES,
  getPolicyValue,
  type LearnedPolicy,
} from '../../src/model/policy.ts'
import { findNumberSpec } from '../../src/model/policySchema.ts'
import { RECALL_MOMENTS, type RecallMoment } from '../../src/model/recallQuery.ts'
import { arbitraryFeatures } from '../arbitraries.ts'
import { createRandom } from '../random.ts'
import { BEGIN, HOUR, iso, testMemoryId } from '../testData.ts'

const NO_PARTS = { success: 0, time: 0, calls: 0, errors: 0 }
const { improve } = DEFAULT_POLICY

/** Recalls in one session. */
const SESSION = 2

type Note = Pick<AttributedMemory, 'features' | 'contribution'> & Partial<Pick<AttributedMemory, 'memory'>>

function judged(n: number, moment: RecallMoment, memories: readonly Note[]): AttributedRecall {
  return {
    recall: `recall-${n}` as EventId,
    session: `session-${Math.floor(n / SESSION)}` as SessionId,
    moment,
    at: iso(BEGIN + n * HOUR),
    withheld: false,
    memories: memories.map((note, i) => ({
      memory: testMemoryId(10 * n + i),
      used: note.contribution > 0 ? 1 : 0,
      traces: note.contribution > 0 ? ['command'] : [],
      parts: NO_PARTS,
      ...note,
    })),
  }
}

const randomFeatures = (chance: () => number): Record<string, number> =>
  Object.fromEntries(FEATURES.map((name) => [name, chance()]))

const clamp = (value: number): number => Math.min(1, Math.max(-1, value))

/** `count` recalls at a prompt of one to three memories, with random features and the contribution `worth` gives. */
function recallsOf(seed: number, count: number, worth: Worth, moment: RecallMoment = 'prompt'): AttributedRecall[] {
  const chance = createRandom(seed)
  return Array.from({ length: count }, (_, n) => {
    const memories = Array.from({ length: 1 + Math.floor(3 * chance()) }, () => {
      const features = randomFeatures(chance)
      return { features, contribution: clamp(worth(features, chance)) }
    })
    return judged(n, moment, memories)
  })
}

/** The policy learned from a project's recalls, with the due step after every ten of them. */
function learnFrom(all: readonly AttributedRecall[]): { learned: LearnedPolicy; everLearned: boolean } {
  let learned = EMPTY_LEARNED_POLICY
  let everLearned = false
  for (let end = 10; end <= all.length; end += 10) {
    const step = computePolicyStep(all.slice(0, end), DEFAULT_POLICY, learned)
    if (step) learned = { version: learned.version + 1, values: step.values }
    everLearned ||= Object.keys(learned.values).length > 0
  }
  return { learned, everLearned }
}

type Worth = (features: Record<string, number>, chance: () => number) => number

/** Whether a note helps has nothing to do with its features. */
const NOISE: Readonly<Record<string, Worth>> = {
  'as often good as bad': (_features, chance) => (chance() < 0.5 ? 0.5 * chance() : -0.5 * chance()),
  'mostly good': (_features, chance) => (chance() < 0.6 ? 0.7 : -0.05),
  'mostly of no use': (_features, chance) => (chance() < 0.1 ? 0.7 : -0.05),
  'all or nothing': (_features, chance) => (chance() < 0.5 ? 1 : -1),
}

/** Memories that share files help; memories that only share words are of no use. */
const clear: Worth = (features, chance) =>
  (features['files'] ?? 0) - (features['words'] ?? 0) + 0.2 * (chance() - 0.5) > 0 ? 0.5 : -0.05

/** The same recalls with their verdicts shuffled among all memories. */
function shuffle(all: readonly AttributedRecall[], seed: number): AttributedRecall[] {
  const chance = createRandom(seed + 1)
  const drawn = all.flatMap(({ memories }) =>
    memories.map(({ used, contribution }) => ({ verdict: { used, contribution }, key: chance() })),
  )
  const dealt = drawn.sort((a, b) => a.key - b.key).map(({ verdict }) => verdict)
  return all.map((recall) => ({
    ...recall,
    memories: recall.memories.map((memory) => ({ ...memory, ...dealt.pop() })),
  }))
}

const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, i) => 1_000 + i)

test('improve: pure noise moves a number in at most 3 of 60 projects, checked after every session', () => {
  for (const [name, worth] of Object.entries(NOISE)) {
    const moved = seedsOf(60).filter((seed) => learnFrom(recallsOf(seed, 100, worth)).everLearned)
    expect(moved.length, name).toBeLessThanOrEqual(3)
  }
}, 120_000)

test('improve: informative feedback that is shuffled among the memories changes nothing', () => {
  const moved = seedsOf(60).filter((seed) => learnFrom(shuffle(recallsOf(seed, 100, clear), seed)).everLearned)
  expect(moved.length).toBeLessThanOrEqual(3)
}, 60_000)

test('improve: informative feedback moves the weights in its direction, and a note of no use is not shown', () => {
  const projects = seedsOf(20).map((seed) => learnFrom(recallsOf(seed, 100, clear)).learned)
  const learned = projects.filter(({ values }) => Object.keys(values).length > 0)
  expect(learned.length).toBeGreaterThanOrEqual(18)
  const { files, words } = DEFAULT_POLICY.recall.prompted
  for (const values of learned) {
    const { prompted } = applyLearnedPolicy(DEFAULT_POLICY, values).recall
    expect(prompted.files - prompted.words).toBeGreaterThan(files - words)
  }
}, 60_000)

test('improve: fewer notes than the stated number move nothing, however often they are shown and however clear', () => {
  for (const count of [2, improve.notesMin - 1]) {
    const chance = createRandom(7)
    const features = Array.from({ length: count }, () => randomFeatures(chance))
    // Two notes once moved a weight from 0.3 to 1.9 in eighteen steps.
    const recalls = Array.from({ length: 200 }, (_, n) => {
      const own = features[n % count] ?? {}
      return judged(n, 'prompt', [
        { memory: testMemoryId(n % count), features: own, contribution: (own['files'] ?? 0) > 0.5 ? 0.8 : -0.05 },
      ])
    })
    expect(learnFrom(recalls), `${count} notes`).toEqual({ learned: EMPTY_LEARNED_POLICY, everLearned: false })
  }
})

test('improve: fewer sessions than the stated number move nothing', () => {
  const recalls = recallsOf(3, 150, clear).map((recall, n) => ({
    ...recall,
    session: `session-${n % (improve.sessionsMin - 1)}` as SessionId,
  }))
  expect(learnFrom(recalls).everLearned).toBe(false)
})

test('improve: the same evidence for ever moves a number to its target and no further', () => {
  for (const seed of seedsOf(2)) {
    const recalls = recallsOf(seed, 200, clear)
    let learned = EMPTY_LEARNED_POLICY
    const course: number[] = []
    for (let i = 0; i < 120; i++) {
      const step = computePolicyStep(recalls, DEFAULT_POLICY, learned)
      if (step) learned = { version: learned.version + 1, values: step.values }
      course.push(learned.values['recall.prompted.files'] ?? DEFAULT_POLICY.recall.prompted.files)
    }
    const target = computeTargetWeights(valueNotes(recalls, improve), 'prompt', DEFAULT_POLICY)
    const goal = target['recall.prompted.files'] ?? 0
    expect(goal).toBeGreaterThan(DEFAULT_POLICY.recall.prompted.files)
    expect(Math.max(...course)).toBeLessThanOrEqual(goal + 0.001)
    expect(Math.abs((course.at(-1) ?? 0) - goal)).toBeLessThan(0.01)
    expect(computePolicyStep(recalls, DEFAULT_POLICY, learned)).toBeUndefined()
  }
}, 60_000)

test('improve: what prompts prove moves only numbers of prompts, and other moments are not judged by it', () => {
  const prompts = recallsOf(11, 200, clear)
  const calls = recallsOf(12, 200, NOISE['mostly good'] ?? clear, 'call').map((recall, n) => ({
    ...recall,
    recall: `call-${n}` as EventId,
  }))
  const both = prompts.flatMap((recall, i) => [recall, ...calls.slice(i, i + 1)])
  const { learned } = learnFrom(both)
  const paths = Object.keys(learned.values)
  expect(paths.length).toBeGreaterThan(0)
  for (const path of paths) expect(path).toMatch(/^recall\.(prompted|moments\.prompt)\./)
})

test('improve: if all notes of a moment are harmful, its least score rises', () => {
  const chance = createRandom(7)
  const harmful = Array.from({ length: 120 }, (_, n) =>
    judged(n, 'prompt', [{ features: randomFeatures(chance), contribution: -0.2 - 0.1 * chance() }]),
  )
  const { learned } = learnFrom(harmful.map((recall, n) => ({ ...recall, memories: harmWithoutFiles(recall, n) })))
  expect(learned.values['recall.moments.prompt.scoreMin']).toBeGreaterThan(
    DEFAULT_POLICY.recall.moments.prompt.scoreMin,
  )
})

/** The fewer files in common, the more harm. */
const harmWithoutFiles = ({ memories }: AttributedRecall, n: number): AttributedMemory[] =>
  memories.map((memory) => ({
    ...memory,
    contribution: -0.3 + 0.2 * (memory.features['files'] ?? 0) + 0.01 * (n % 3),
  }))

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

const learnable = [...FEATURES.map((name) => `recall.prompted.${name}`), 'recall.moments.prompt.scoreMin']
const arbitraryLearned: fc.Arbitrary<LearnedPolicy> = fc
  .dictionary(fc.constantFrom(...learnable), fc.double({ min: 0, max: 1, noNaN: true }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  .map((values) => ({ version: Object.keys(values).length, values }))

/** Feedback with a meaning, so that steps are really taken, or any at all. */
const arbitraryFeedback = fc.oneof(
  arbitraryJudged,
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 120 })).map(([seed, count]) => recallsOf(seed, count, clear)),
)

test('improve: a step moves a number by at most its share of the range, and never out of the range', () => {
  let taken = 0
  fc.assert(
    fc.property(arbitraryFeedback, arbitraryLearned, (feedback, learned) => {
      const step = computePolicyStep(feedback, DEFAULT_POLICY, learned)
      if (!step || Object.keys(step.values).length === 0) return // A return to the default policy is immediate.
      taken++
      const active = applyLearnedPolicy(DEFAULT_POLICY, learned)
      const next = applyLearnedPolicy(DEFAULT_POLICY, { version: 0, values: step.values })
      for (const path of new Set([...Object.keys(step.values), ...Object.keys(learned.values)])) {
        const { min = 0, max = 0 } = findNumberSpec(path) ?? {}
        const value = getPolicyValue(next, path) ?? Number.NaN
        // A number within a thousandth of the default becomes the default.
        const most = improve.stepMax * (max - min) + 0.0011
        expect(Math.abs(value - (getPolicyValue(active, path) ?? 0)), path).toBeLessThanOrEqual(most)
        expect(value).toBeGreaterThanOrEqual(min)
        expect(value).toBeLessThanOrEqual(max)
      }
    }),
    { numRuns: 100 },
  )
  expect(taken).toBeGreaterThan(0)
}, 60_000)

test('improve: the same feedback gives the same step, and inputs stay unchanged', () => {
  fc.assert(
    fc.property(arbitraryFeedback, arbitraryLearned, (feedback, learned) => {
      const before = structuredClone({ feedback, learned, DEFAULT_POLICY })
      expect(computePolicyStep(feedback, DEFAULT_POLICY, learned)).toEqual(
        computePolicyStep(structuredClone(feedback), DEFAULT_POLICY, learned),
      )
      expect({ feedback, learned, DEFAULT_POLICY }).toEqual(before)
    }),
    { numRuns: 50 },
  )
}, 60_000)

test('improve: what is learned goes back to the configured policy when the evidence no longer speaks for it', () => {
  const learned: LearnedPolicy = { version: 3, values: { 'recall.prompted.files': 1.5, 'recall.prompted.words': -0.5 } }
  expect(computePolicyStep(recallsOf(1, 120, clear), DEFAULT_POLICY, learned)?.values).not.toEqual({})
  const step = computePolicyStep(recallsOf(1, 120, NOISE['mostly good'] ?? clear), DEFAULT_POLICY, learned)
  expect(step).toMatchObject({ values: {}, reason: expect.stringContaining('rolled back') })
})

test('improve: a step states its notes, its sessions and its advantage, which is not negative', () => {
  let stated = 0
  for (const seed of seedsOf(10)) {
    const step = computePolicyStep(recallsOf(seed, 200, clear), DEFAULT_POLICY, EMPTY_LEARNED_POLICY)
    const evidence = step?.evidence['prompt'] as Record<string, number> | undefined
    if (!evidence) continue
    stated++
    expect(evidence['notes']).toBeGreaterThanOrEqual(improve.notesMin)
    expect(evidence['sessions']).toBeGreaterThanOrEqual(improve.sessionsMin)
    expect(evidence['advantage']).toBeGreaterThanOrEqual(0)
  }
  expect(stated).toBeGreaterThan(0)
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
