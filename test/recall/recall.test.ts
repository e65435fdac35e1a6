// Recall: hidden memories take no place, shown memories are not shown again, and an empty result is valid.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { MemoryId } from '../../src/model/id.ts'
import type { Memory } from '../../src/model/memory.ts'
import type { Policy } from '../../src/model/policy.ts'
import { selectRankingModel } from '../../src/model/rankingScore.ts'
import { RECALL_MOMENTS, type RecallQuery, type RecallResult } from '../../src/model/recallQuery.ts'
import { buildIndexTerms } from '../../src/recall/indexTerms.ts'
import { rankByPolicy } from '../../src/recall/rankByPolicy.ts'
import { recall } from '../../src/recall/recall.ts'
import { canRecall, type RecallCandidate } from '../../src/recall/recallCandidate.ts'
import { buildSessionBriefing } from '../../src/recall/sessionBriefing.ts'
import { arbitraryMatch, arbitraryMemories } from '../arbitraries.ts'
import { buildEntry } from '../knowledge/knowledgeData.ts'
import { BEGIN, buildMatch, buildMemory, buildQuery, DAY, HOUR, iso, sessionId, testMemoryId } from '../testData.ts'

const NOTHING_SHOWN: ReadonlySet<MemoryId> = new Set()
const recalled = (
  query: RecallQuery,
  candidates: readonly RecallCandidate[],
  shown = NOTHING_SHOWN,
  policy: Policy = DEFAULT_POLICY,
): RecallResult => recall({ query, candidates, policy, alreadyShown: () => shown })
const ids = (result: RecallResult): MemoryId[] => result.shown.map((one) => one.memory.id)

const arbitraryCue: fc.Arbitrary<RecallQuery> = fc
  .record({
    moment: fc.constantFrom(...RECALL_MOMENTS),
    branch: fc.option(fc.constantFrom('main', 'fix/rounding'), { nil: undefined }),
    session: fc.constantFrom('s1', 's2').map(sessionId),
    role: fc.constantFrom('main', 'Explore'),
    agentId: fc.option(fc.constantFrom('a1', 'a2'), { nil: undefined }),
  })
  .map(({ moment, role, agentId, ...given }) =>
    buildQuery(moment, { ...given, viewer: { role, agentId, session: given.session } }),
  )

const arbitraryFound: fc.Arbitrary<RecallCandidate[]> = arbitraryMemories(14).chain((memories) =>
  fc.tuple(...memories.map((one) => arbitraryMatch.map((met) => ({ memory: one, match: met })))),
)

/** A recall of either kind, so that both follow the same rules. */
const WAYS: Readonly<
  Record<string, (asked: RecallQuery, found: readonly RecallCandidate[], told?: ReadonlySet<MemoryId>) => RecallResult>
> = {
  recall: recalled,
  opening: (asked, found, shown = NOTHING_SHOWN) =>
    buildSessionBriefing({
      query: { ...asked, moment: 'start' },
      memories: found.map((candidate) => candidate.memory as Memory),
      policy: DEFAULT_POLICY,
      alreadyShown: shown,
    }),
}

describe.each(Object.entries(WAYS))('%s', (_name, way) => {
  test('recall: an invisible memory changes nothing, whatever its rank', () => {
    fc.assert(
      fc.property(arbitraryCue, arbitraryFound, (asked, found) => {
        const visible = found.filter((one) => canRecall(asked, one.memory))
        expect(way(asked, found)).toEqual(way(asked, visible))
      }),
    )
  })

  test('recall: hidden, archived, expired and other sessions’ working memories are never shown', () => {
    fc.assert(
      fc.property(arbitraryCue, arbitraryFound, (asked, found) => {
        for (const { memory: shown } of way(asked, found).shown) {
          expect(shown.status).toBe('active')
          expect(shown.expires === undefined || Date.parse(shown.expires) > asked.now).toBe(true)
          expect(shown.retention === 'working' && shown.session !== asked.session).toBe(false)
          if (shown.privacy !== 'public') expect(shown.role).toBe(asked.viewer.role)
          if (shown.privacy === 'private' && shown.agentId) expect(shown.agentId).toBe(asked.viewer.agentId)
          if (shown.privacy === 'private' && !shown.agentId) expect(shown.session).toBe(asked.viewer.session)
        }
      }),
    )
  })

  test('recall: a score is the sum of its breakdown, and every candidate is shown or listed as left out', () => {
    fc.assert(
      fc.property(arbitraryCue, arbitraryFound, (asked, found) => {
        const result = way(asked, found)
        for (const one of result.shown) {
          expect(Object.values(one.breakdown).reduce((sum, part) => sum + part, 0)).toBeCloseTo(one.score, 9)
          for (const [name, part] of Object.entries(one.breakdown)) {
            expect(Number.isFinite(part), name).toBe(true)
            expect(Math.abs(one.features[name]!), name).toBeLessThanOrEqual(1.000001)
          }
        }
        const all = [...ids(result), ...result.others.map((one) => one.id)]
        expect(new Set(all).size).toBe(all.length)
        const scores = result.others.map((one) => one.score)
        expect(scores).toEqual([...scores].sort((a, b) => b - a))
      }),
    )
  })

  test('recall: the result does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(arbitraryCue, arbitraryFound, fc.infiniteStream(fc.nat()), (asked, found, chance) => {
        const keys = new Map(found.map((one) => [one, chance.next().value as number]))
        const shuffled = [...found].sort((a, b) => keys.get(a)! - keys.get(b)!)
        expect(way(asked, shuffled)).toEqual(way(asked, found))
      }),
    )
  })

  test('recall: at most the moment’s number of memories are shown, and only of its kinds', () => {
    fc.assert(
      fc.property(arbitraryCue, arbitraryFound, (asked, found) => {
        const { shown } = way(asked, found)
        const limits = DEFAULT_POLICY.recall.moments[_name === 'opening' ? 'start' : asked.moment]
        expect(shown.length).toBeLessThanOrEqual(limits.topK)
        for (const one of shown) expect(limits.kinds).toContain(one.memory.kind)
      }),
    )
  })
})

test('recall: no memory is shown twice in a session, also not at a failure', () => {
  fc.assert(
    fc.property(
      arbitraryCue,
      arbitraryFound,
      fc.array(fc.integer({ min: 1, max: 14 }).map(testMemoryId)),
      (asked, found, told) => {
        const shown = ids(recalled(asked, found, new Set(told)))
        for (const id of shown) expect(told).not.toContain(id)
        for (const id of ids(WAYS['opening']!(asked, found, new Set(told)))) expect(told).not.toContain(id)
      },
    ),
  )
})

test('recall: the next best memory takes the place of one that was shown before', () => {
  const found = [1, 2, 3].map((n) => ({ memory: buildMemory(n, { importance: 1 - n / 10 }), match: buildMatch() }))
  const policy = withMoment({ topK: 1 })
  expect(ids(recalled(buildQuery('prompt'), found, NOTHING_SHOWN, policy))).toEqual([testMemoryId(1)])
  expect(ids(recalled(buildQuery('prompt'), found, new Set([testMemoryId(1)]), policy))).toEqual([testMemoryId(2)])
})

test('recall: nothing is shown below the minimum score or the minimum relevance', () => {
  const far = buildMatch({ words: 1, coverage: 0.24 })
  expect(recalled(buildQuery('prompt'), [{ memory: buildMemory(1, { importance: 1 }), match: far }])).toMatchObject({
    shown: [],
    text: '',
  })
  expect(
    recalled(buildQuery('prompt'), [{ memory: buildMemory(1), match: { ...far, coverage: 0.26 } }]).shown,
  ).toHaveLength(1)
  const found = [{ memory: buildMemory(1), match: buildMatch() }]
  const { score } = recalled(buildQuery('prompt'), found).shown[0]!
  expect(recalled(buildQuery('prompt'), found, NOTHING_SHOWN, withMoment({ scoreMin: score })).shown).toHaveLength(1)
  expect(recalled(buildQuery('prompt'), found, NOTHING_SHOWN, withMoment({ scoreMin: score + 1e-9 }))).toMatchObject({
    shown: [],
    text: '',
  })
  expect(recalled(buildQuery('prompt'), [])).toEqual({ shown: [], others: [], text: '' })
})

test('recall: an open failure is returned only on request', () => {
  const open = buildMemory(1, { errorSignature: 'bash|error', outcome: 'failure' })
  const found = [{ memory: open, match: buildMatch({ error: 1 }) }]
  expect(ids(recalled(buildQuery('failure'), found))).toEqual([])
  expect(ids(recalled(buildQuery('ask'), found))).toEqual([open.id])
})

test('recall: of equal scores the newer memory comes first, then the lower id', () => {
  const old = { updated: iso(BEGIN), created: iso(BEGIN) }
  const found = [
    buildMemory(1, old),
    buildMemory(3, { ...old, updated: iso(BEGIN + 1) }),
    buildMemory(2, { ...old, updated: iso(BEGIN + 1) }),
  ]
  const candidates = found.map((one) => ({ memory: one, match: buildMatch() }))
  // At a prompt recency does not count, which would distinguish them otherwise.
  const ranked = rankByPolicy(candidates, buildQuery('prompt'), DEFAULT_POLICY)
  expect(ranked.map(({ memory }) => memory.id)).toEqual([testMemoryId(2), testMemoryId(3), testMemoryId(1)])
})

test('recall: each boost of the self-improving-cycle spec raises the memories it is for', () => {
  const other = buildMemory(9, { kind: 'experience', updated: iso(BEGIN - 9 * DAY) })
  const boostOf = (name: string, asked: Partial<RecallQuery>, given: Partial<Memory>): number => {
    const about = recalled(buildQuery('ask', asked), [
      { memory: { ...other, ...given, id: testMemoryId(1) }, match: buildMatch() },
    ])
    return about.shown[0]!.breakdown[name] ?? 0
  }
  const { sameTask, recentFailure, successPattern } = selectRankingModel(DEFAULT_POLICY.recall, 'ask').boosts
  expect(boostOf('sameTask', { taskId: 't' }, { taskId: 't' })).toBe(sameTask)
  expect(boostOf('sameTask', { branch: 'fix/tax' }, { branch: 'fix/tax' })).toBe(sameTask)
  expect(boostOf('sameTask', { branch: 'main' }, { branch: 'main' })).toBe(0)
  expect(boostOf('recentFailure', {}, { outcome: 'failure', updated: iso(BEGIN + DAY - HOUR) })).toBe(recentFailure)
  expect(boostOf('recentFailure', {}, { outcome: 'failure' })).toBe(0)
  expect(boostOf('successPattern', {}, { kind: 'lesson', outcome: 'success' })).toBe(successPattern)
})

test('recall: helpful memories rank before unjudged ones, and those before memories that never helped', () => {
  const help = (shown: number, contribution: number) => ({ help: { shown, used: shown, contribution } })
  const found = [buildMemory(1, help(8, -6)), buildMemory(2), buildMemory(3, help(8, 6))]
  expect(
    ids(
      recalled(
        buildQuery('ask'),
        found.map((one) => ({ memory: one, match: buildMatch() })),
      ),
    ),
  ).toEqual([testMemoryId(3), testMemoryId(2), testMemoryId(1)])
})

test('recall: a session start shows what the person said and where work stopped, and no lesson', () => {
  const lessons = Array.from({ length: 30 }, (_, i) => buildMemory(i + 1, { importance: 1, outcome: 'success' }))
  const said = buildMemory(100, { kind: 'preference', importance: 0.1 })
  const before = buildMemory(101, { kind: 'summary', branch: 'feature', importance: 0.1 })
  const result = buildSessionBriefing({
    query: buildQuery('start', { branch: 'feature' }),
    memories: [...lessons, said, before],
    policy: DEFAULT_POLICY,
    alreadyShown: NOTHING_SHOWN,
  })
  expect(ids(result).sort()).toEqual([said.id, before.id].sort())
})

test('recall: a start says where work stopped only if the latest session left something open', () => {
  const summary = (n: number, leftOpen: string[], fields = {}) =>
    buildMemory(n, { kind: 'summary', branch: 'main', updated: iso(BEGIN - n * HOUR), leftOpen, ...fields })
  const start = (...memories: Memory[]) =>
    ids(
      buildSessionBriefing({
        query: buildQuery('start', { branch: 'main' }),
        memories,
        policy: DEFAULT_POLICY,
        alreadyShown: NOTHING_SHOWN,
      }),
    )
  const open = summary(3, ['tests fail'])
  expect(start(open)).toEqual([open.id])
  expect(start(open, summary(2, []))).toEqual([])
  // Talk changes nothing, and another branch is other work.
  expect(start(open, summary(1, [], { searchOnly: true }), summary(2, [], { branch: 'list' }))).toEqual([open.id])
})

test('recall: the words of the occasions at which an entry is shown find it', () => {
  const when = [{ at: 'call', tool: 'Bash', has: ['npm test'] }] as const
  const { terms } = buildIndexTerms(buildEntry(1, { type: 'lesson', line: 'Make the prices first', when }))
  expect(terms.has('npm')).toBe(true)
})

function withMoment(limits: Partial<Policy['recall']['moments']['prompt']>): Policy {
  const { moments } = DEFAULT_POLICY.recall
  return {
    ...DEFAULT_POLICY,
    recall: { ...DEFAULT_POLICY.recall, moments: { ...moments, prompt: { ...moments.prompt, ...limits } } },
  }
}
