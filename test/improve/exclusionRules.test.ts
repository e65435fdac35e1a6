// Exclusion rules: memories that never help are excluded for some time and tried again, not from noise or few showings.
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

test('exclude: a memory shown 50 times in many sessions and never used is excluded, with evidence and an end', () => {
  const rules = rulesOf(many(50))
  expect(rules.map(({ moment, by, value }) => [moment, by, value])).toEqual([['call', 'shape', 'git status']])
  expect(rules[0]).toMatchObject({ since: iso(NOW), until: iso(NOW + POLICY.excludeDays * DAY), renewed: 0 })
  expect(rules[0]!.evidence).toMatchObject({ shown: 50, sessions: 10, used: 0, contribution: -2.5 })
  expect(rules[0]!.evidence.usedAtMost).toBeLessThan(POLICY.excludeBelow)
})

test('exclude: few showings or sessions, some use, requested recalls and holdouts make no rule', () => {
  expect(rulesOf(many(40))).toEqual([])
  expect(rulesOf(many(60, () => ({ perSession: 20 })))).toEqual([])
  expect(rulesOf(many(60, (n) => ({ used: n % 12 === 0 })))).toEqual([])
  expect(rulesOf(many(60, () => ({ kind: undefined })))).toEqual([])
  expect(rulesOf(many(60).map((one) => ({ ...one, withheld: true })))).toEqual([])
  expect(updateExclusionRules(many(60), [], { ...POLICY, excludeBelow: 0 }, NOW) ?? []).toEqual([])
})

test('exclude: a whole tool or kind is excluded only if it occurred with several commands', () => {
  const shapes = ['git status', 'ls', 'git diff', 'cat']
  const spread = rulesOf(many(60, (n) => ({ call: { tool: 'Bash', shape: shapes[n % 4]! } })))
  expect(spread.map(({ by, value }) => `${by} ${value}`)).toEqual(['tool Bash', 'kind experience'])
  const mostly = rulesOf(many(60, (n) => ({ call: { tool: 'Bash', shape: n < 50 ? 'git status' : shapes[n % 4]! } })))
  expect(mostly.map(({ by, value }) => `${by} ${value}`)).toEqual(['shape git status'])
})

test('exclude: after the end a use removes the rule, and unused showings renew it for twice the time', () => {
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

test('exclude: with a chance use rate of one fifth, hardly any project excludes anything', () => {
  const shapes = ['git status', 'npm test', 'ls', 'cat', 'git diff', 'node']
  let excluding = 0
  for (let seed = 1; seed <= 100; seed++) {
    const chance = createRandom(seed)
    const judged = many(400, () => ({
      used: chance() < 0.2,
      call: { tool: 'Bash', shape: shapes[Math.floor(shapes.length * chance() ** 2)]! },
    }))
    // Checked after every ten recalls, as at the end of a session.
    let ever = false
    for (let end = 10; end <= judged.length; end += 10) ever ||= rulesOf(judged.slice(0, end)).length > 0
    if (ever) excluding++
  }
  expect(excluding).toBeLessThanOrEqual(2)
})
