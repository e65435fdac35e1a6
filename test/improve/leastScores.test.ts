// Learned limits: active only while the lower bound of their advantage is above 0; none from noise; real effects
// are learned; what a user asked for is not governed by them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedMemory, AttributedRecall } from '../../src/improve/attribution.ts'
import { computeAdvantage, learnLeastScores, NOTES_MIN, type ScoredRecall } from '../../src/improve/leastScores.ts'
import type { EventId, SessionId } from '../../src/model/id.ts'
import { applyLearnedPolicy, EMPTY_LEARNED_POLICY, type LearnedPolicy } from '../../src/model/policy.ts'
import { computeScore, FEATURES, selectRankingModel } from '../../src/model/rankingScore.ts'
import type { RecallMoment } from '../../src/model/recallQuery.ts'
import { createRandom } from '../random.ts'
import { BEGIN, HOUR, iso, testMemoryId } from '../testData.ts'

const NO_PARTS = { success: 0, time: 0, calls: 0, errors: 0 }
const { recall } = DEFAULT_POLICY
const PROMPT = 'recall.moments.prompt.scoreMin'
const TOP_K = 'recall.moments.agent.topK'

/** Recalls in one session. */
const SESSION = 2

type Note = Pick<AttributedMemory, 'features' | 'contribution'> & Partial<AttributedMemory>

function judged(n: number, moment: RecallMoment, memories: readonly Note[]): AttributedRecall {
  return {
    recall: `${moment}-${n}` as EventId,
    session: `session-${Math.floor(n / SESSION)}` as SessionId,
    moment,
    at: iso(BEGIN + n * HOUR),
    withheld: false,
    memories: memories.map((note, i) => ({
      memory: testMemoryId(10 * n + i),
      kind: 'lesson',
      used: note.contribution > 0 ? 1 : 0,
      traces: note.contribution > 0 ? ['command'] : [],
      parts: NO_PARTS,
      ...note,
    })),
  }
}

type Worth = (features: Readonly<Record<string, number>>, chance: () => number) => number

/** `count` recalls of one to three memories, with random features and the contribution `worth` gives. */
function recallsOf(seed: number, count: number, worth: Worth, moment: RecallMoment = 'prompt'): AttributedRecall[] {
  const chance = createRandom(seed)
  return Array.from({ length: count }, (_, n) => {
    const memories = Array.from({ length: 1 + Math.floor(3 * chance()) }, () => {
      const features = Object.fromEntries(FEATURES.map((name) => [name, chance()]))
      return { features, contribution: worth(features, chance) }
    })
    return judged(n, moment, memories)
  })
}

const scoreOf = (features: Readonly<Record<string, number>>): number =>
  computeScore(features, selectRankingModel(recall, 'prompt'))

/** Whether a note helps has nothing to do with its score. */
const NOISE: Readonly<Record<string, Worth>> = {
  'as often good as bad': (_features, chance) => (chance() < 0.5 ? 0.5 * chance() : -0.5 * chance()),
  'mostly good': (_features, chance) => (chance() < 0.6 ? 0.7 : -0.05),
  'mostly of no use': (_features, chance) => (chance() < 0.1 ? 0.7 : -0.05),
  'all or nothing': (_features, chance) => (chance() < 0.5 ? 1 : -1),
}

/** The median score is about 1.1: the notes below it are hardly ever used, the others mostly. */
const byScore: Worth = (features, chance) => (chance() < (scoreOf(features) > 1.1 ? 0.6 : 0.03) ? 0.7 : -0.05)

/** The policy learned from a project's recalls, with a session's end after every ten of them. */
function learnFrom(all: readonly AttributedRecall[]): { learned: LearnedPolicy; everLearned: boolean } {
  let learned = EMPTY_LEARNED_POLICY
  let everLearned = false
  for (let end = 10; end <= all.length; end += 10) {
    const step = learnLeastScores(all.slice(0, end), DEFAULT_POLICY, learned)
    if (step) learned = { version: learned.version + 1, values: step.values }
    everLearned ||= Object.keys(learned.values).length > 0
  }
  return { learned, everLearned }
}

/** The same recalls with their verdicts shuffled among all memories. */
function shuffle(all: readonly AttributedRecall[], seed: number): AttributedRecall[] {
  const chance = createRandom(seed + 1)
  const drawn = all.flatMap(({ memories }) =>
    memories.map(({ used, traces, contribution }) => ({ verdict: { used, traces, contribution }, key: chance() })),
  )
  const dealt = drawn.sort((a, b) => a.key - b.key).map(({ verdict }) => verdict)
  return all.map((one) => ({ ...one, memories: one.memories.map((memory) => ({ ...memory, ...dealt.pop() })) }))
}

const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, i) => 1_000 + i)

test.each(Object.entries(NOISE))(
  'improve: noise (%s) is ever active in at most 1 of 30 projects',
  (_name, worth) => {
    const moved = seedsOf(30).filter((seed) => learnFrom(recallsOf(seed, 200, worth, 'agent')).everLearned)
    expect(moved.length).toBeLessThanOrEqual(1)
  },
  120_000,
)

test('improve: informative feedback that is shuffled among the memories changes nothing', () => {
  const moved = seedsOf(30).filter((seed) => learnFrom(shuffle(recallsOf(seed, 100, byScore), seed)).everLearned)
  expect(moved).toEqual([])
}, 120_000)

test('improve: notes that are hardly used are left out by a learned least score, those that are used stay', () => {
  for (const seed of seedsOf(20)) {
    const all = recallsOf(seed, 100, byScore)
    const { [PROMPT]: scoreMin = Number.NaN } = learnFrom(all).learned.values
    expect(scoreMin).toBeGreaterThan(recall.moments.prompt.scoreMin)
    const notes = all.flatMap(({ memories }) => memories)
    const shareOf = (isKind: (note: AttributedMemory) => boolean): number => {
      const own = notes.filter(isKind)
      return own.filter(({ features }) => scoreOf(features) >= scoreMin).length / own.length
    }
    expect(shareOf(({ used }) => used === 1)).toBeGreaterThan(0.8)
    expect(shareOf(({ features }) => scoreOf(features) < 1.1)).toBeLessThan(0.7)
  }
}, 120_000)

test('improve: a learned least score whose bound falls to 0 or below goes back to the configured one', () => {
  const learned: LearnedPolicy = { version: 3, values: { [PROMPT]: 1.1 } }
  expect(learnLeastScores(recallsOf(1, 120, byScore), DEFAULT_POLICY, learned)?.values ?? learned.values).not.toEqual(
    {},
  )
  const step = learnLeastScores(recallsOf(1, 120, NOISE['mostly good']!), DEFAULT_POLICY, learned)
  expect(step).toMatchObject({ values: {}, reason: expect.stringContaining('rolled back') })
  expect(step).toMatchObject({ evidence: { prompt: { lowerBound: expect.any(Number) } } })
  // Without any evidence there is no bound either.
  expect(learnLeastScores([], DEFAULT_POLICY, learned)?.values).toEqual({})
})

test('improve: the logged lower bound is that of the active number, and above 0 while it is active', () => {
  let stated = 0
  for (const seed of seedsOf(10)) {
    const recalls = recallsOf(seed, 120, byScore)
    const step = learnLeastScores(recalls, DEFAULT_POLICY, EMPTY_LEARNED_POLICY)
    const evidence = step?.evidence['prompt'] as Record<string, number> | undefined
    if (!evidence) continue
    stated++
    expect(evidence['notes']).toBeGreaterThanOrEqual(NOTES_MIN)
    expect(evidence['lowerBound']).toBeGreaterThan(0)
    expect(evidence['advantage']).toBeGreaterThan(evidence['lowerBound'] ?? 0)
  }
  expect(stated).toBeGreaterThan(0)
})

test('improve: fewer notes than the stated number move nothing, however often they are shown and however clear', () => {
  const chance = createRandom(7)
  const features = Array.from({ length: NOTES_MIN - 1 }, () =>
    Object.fromEntries(FEATURES.map((name) => [name, chance()])),
  )
  const recalls = Array.from({ length: 200 }, (_, n) => {
    const own = features[n % features.length] ?? {}
    return judged(n, 'prompt', [
      { memory: testMemoryId(n % features.length), features: own, contribution: scoreOf(own) > 1.1 ? 0.8 : -0.05 },
    ])
  })
  expect(learnFrom(recalls)).toEqual({ learned: EMPTY_LEARNED_POLICY, everLearned: false })
})

test('improve: what a user asked for, holdouts and what was not ranked are no evidence', () => {
  const useless: Worth = () => -0.05
  const all = recallsOf(5, 120, useless)
  expect(learnFrom(all).everLearned).toBe(true)
  const change = (fields: Partial<AttributedMemory>) =>
    all.map((one) => ({ ...one, memories: one.memories.map((memory) => ({ ...memory, ...fields })) }))
  expect(learnFrom(change({ kind: undefined })).everLearned).toBe(false)
  expect(learnFrom(change({ features: { unranked: 1 } })).everLearned).toBe(false)
  expect(learnFrom(all.map((one) => ({ ...one, withheld: true }))).everLearned).toBe(false)
})

test('improve: what prompts prove moves only prompts', () => {
  const calls = recallsOf(12, 120, NOISE['mostly good']!, 'call')
  const both = recallsOf(11, 120, byScore).flatMap((one, i) => [one, ...calls.slice(i, i + 1)])
  expect(Object.keys(learnFrom(both).learned.values)).toEqual([PROMPT])
  expect(learnFrom(recallsOf(11, 120, byScore, 'start')).everLearned).toBe(false)
})

test('improve: the same evidence for ever moves a number once', () => {
  const recalls = recallsOf(3, 200, byScore)
  const values = learnLeastScores(recalls, DEFAULT_POLICY, EMPTY_LEARNED_POLICY)?.values ?? {}
  expect(values).not.toEqual({})
  expect(learnLeastScores(recalls, DEFAULT_POLICY, { version: 1, values })).toBeUndefined()
})

test('improve: numbers that an earlier version learned are dropped at the next change', () => {
  const learned: LearnedPolicy = {
    version: 9,
    values: { 'recall.prompted.words': 0.5, 'recall.moments.call.budgetTokens': 1 },
  }
  const step = learnLeastScores(recallsOf(1, 40, NOISE['mostly good']!), DEFAULT_POLICY, learned)
  expect(step).toMatchObject({ values: {}, reason: expect.stringContaining('earlier version') })
})

const arbitraryScored: fc.Arbitrary<ScoredRecall[]> = fc.array(
  fc.record({
    session: fc.constantFrom('a', 'b', 'c', 'd'),
    notes: fc.array(
      fc.record({
        memory: fc.constantFrom('1', '2', '3'),
        score: fc.double({ min: 0, max: 3, noNaN: true }),
        value: fc.double({ min: -1, max: 2, noNaN: true }),
      }),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 40 },
)

test('improve: limits have no advantage over themselves, and a bound is never above its mean', () => {
  const limits = fc.record({
    scoreMin: fc.double({ min: 0, max: 3, noNaN: true }),
    topK: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(arbitraryScored, limits, limits, (recalls, from, to) => {
      expect(computeAdvantage(recalls, from, from).mean).toBeLessThanOrEqual(0)
      const { mean, lower } = computeAdvantage(recalls, from, to)
      expect(lower).toBeLessThanOrEqual(mean)
    }),
  )
})

test('improve: a moment whose second and third notes are hardly used shows one', () => {
  const first = (seed: number): AttributedRecall[] =>
    recallsOf(seed, 150, NOISE['mostly good']!, 'agent').map((one) => ({
      ...one,
      memories: one.memories.map((note, i) => (i === 0 ? note : { ...note, used: 0, traces: [], contribution: -0.05 })),
    }))
  const learned = seedsOf(10).map((seed) => learnFrom(first(seed)).learned.values[TOP_K])
  expect(learned.filter((count) => count === 1).length).toBeGreaterThan(7)
  const policy = applyLearnedPolicy(DEFAULT_POLICY, { version: 1, values: { [TOP_K]: 1 } })
  expect(policy.recall.moments.agent).toMatchObject({ topK: recall.moments.agent.topK, learnedTopK: 1 })
})
