// Exclude: what never helps is left out for some time and tried again; noise and too little evidence leave nothing out.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedCall, AttributedRecall } from '../../src/improve/attribution.ts'
import { updateExclusionRules } from '../../src/improve/exclusionRules.ts'
import type { EventId, SessionId } from '../../src/model/id.ts'
import type { MemoryKind } from '../../src/model/memory.ts'
import { createRandom } from '../random.ts'
import { BEGIN, DAY, HOUR, iso, testMemoryId } from '../testData.ts'

const POLICY = DEFAULT_POLICY.improve
const NOW = BEGIN + 30 * DAY
const STATUS: AttributedCall = { tool: 'Bash', shape: 'git status' }

interface Given {
  readonly used?: boolean
  readonly call?: AttributedCall
  readonly kind?: MemoryKind | undefined
  readonly perSession?: number
  readonly at?: number
}

/** The n-th recall, of one memory. */
function shown(
  n: number,
  { used = false, call = STATUS, perSession = 5, at = BEGIN, ...given }: Given = {},
): AttributedRecall {
  const kind = 'kind' in given ? given.kind : 'experience'
  return {
    ...{ recall: `recall-${n}` as EventId, session: `session-${Math.floor(n / perSession)}` as SessionId },
    ...{ moment: 'call', at: iso(at + n * HOUR), withheld: false, call },
    memories: [
      {
        ...{ memory: testMemoryId(n), kind, features: {}, used: used ? 0.7 : 0, traces: [] },
        parts: { success: 0, time: 0, calls: 0, errors: 0 },
        contribution: used ? 0.4 : -POLICY.unusedCost,
      },
    ],
  }
}

const many = (count: number, given: (n: number) => Given = () => ({}), from = 0): AttributedRecall[] =>
  Array.from({ length: count }, (_, n) => shown(from + n, given(n)))

const rulesOf = (judged: readonly AttributedRecall[]) => updateExclusionRules(judged, [], POLICY, NOW) ?? []

test('exclude: what was shown fifty times in many sessions and never used is left out, with its evidence and an end', () => {
  const rules = rulesOf(many(50))
  expect(rules.map(({ moment, by, value }) => [moment, by, value])).toEqual([['call', 'shape', 'git status']])
  expect(rules[0]).toMatchObject({ since: iso(NOW), until: iso(NOW + POLICY.excludeDays * DAY), renewed: 0 })
  expect(rules[0]!.evidence).toMatchObject({ shown: 50, sessions: 10, used: 0, contribution: -2.5 })
  expect(rules[0]!.evidence.usedAtMost).toBeLessThan(POLICY.excludeBelow)
})

test('exclude: too few showings, too few sessions, some use, what somebody asked for and what was withheld make no rule', () => {
  expect(rulesOf(many(40))).toEqual([])
  expect(rulesOf(many(60, () => ({ perSession: 20 })))).toEqual([])
  expect(rulesOf(many(60, (n) => ({ used: n % 12 === 0 })))).toEqual([])
  expect(rulesOf(many(60, () => ({ kind: undefined })))).toEqual([])
  expect(rulesOf(many(60).map((one) => ({ ...one, withheld: true })))).toEqual([])
  expect(updateExclusionRules(many(60), [], { ...POLICY, excludeBelow: 0 }, NOW) ?? []).toEqual([])
})

test('exclude: a tool or a kind is left out as a whole only where it was met with several commands', () => {
  const shapes = ['git status', 'ls', 'git diff', 'cat']
  const spread = rulesOf(many(60, (n) => ({ call: { tool: 'Bash', shape: shapes[n % 4]! } })))
  expect(spread.map(({ by, value }) => `${by} ${value}`)).toEqual(['tool Bash', 'kind experience'])
  const mostly = rulesOf(many(60, (n) => ({ call: { tool: 'Bash', shape: n < 50 ? 'git status' : shapes[n % 4]! } })))
  expect(mostly.map(({ by, value }) => `${by} ${value}`)).toEqual(['shape git status'])
})

test('exclude: when its time is over, a use frees the pattern, and showings without one renew the rule for twice the time', () => {
  const before = many(50)
  const rules = rulesOf(before)
  const over = NOW + POLICY.excludeDays * DAY
  const after = (count: number, used: (n: number) => boolean) => [
    ...before,
    ...many(count, (n) => ({ used: used(n), at: over }), 100),
  ]
  const later = over + 20 * DAY
  expect(updateExclusionRules(before, rules, POLICY, NOW + DAY)).toBeUndefined()
  expect(
    updateExclusionRules(
      after(9, () => false),
      rules,
      POLICY,
      later,
    ),
  ).toBeUndefined()
  expect(
    updateExclusionRules(
      after(3, (n) => n === 2),
      rules,
      POLICY,
      later,
    ),
  ).toEqual([])
  const renewed = updateExclusionRules(
    after(10, () => false),
    rules,
    POLICY,
    later,
  )
  expect(renewed).toMatchObject([{ value: 'git status', renewed: 1, evidence: { shown: 60, used: 0 } }])
  expect(Date.parse(renewed![0]!.until) - later).toBe(2 * POLICY.excludeDays * DAY)
})

test('exclude: where a fifth is used by chance, hardly any project leaves anything out', () => {
  const shapes = ['git status', 'npm test', 'ls', 'cat', 'git diff', 'node']
  let excluding = 0
  for (let seed = 1; seed <= 100; seed++) {
    const chance = createRandom(seed)
    const judged = many(400, () => ({
      used: chance() < 0.2,
      call: { tool: 'Bash', shape: shapes[Math.floor(shapes.length * chance() ** 2)]! },
    }))
    // As sessions end: looked at after every ten recalls.
    let ever = false
    for (let end = 10; end <= judged.length; end += 10) ever ||= rulesOf(judged.slice(0, end)).length > 0
    if (ever) excluding++
  }
  expect(excluding).toBeLessThanOrEqual(2)
})
