// Exclusion rules: a note of no use at a moment is excluded there for some time and tried again; noise excludes none.
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../src/broker/policy/activePolicy.ts'
import type { AttributedRecall } from '../../src/improve/attribution.ts'
import {
  EXCLUDED_DAYS,
  MEMORIES_MAX,
  type MomentUseTable,
  SESSIONS_MIN,
  updateExclusionRules,
  updateMomentUse,
} from '../../src/improve/exclusionRules.ts'
import type { EventId, MemoryId, SessionId } from '../../src/model/id.ts'
import type { ExclusionRule, RecallMoment } from '../../src/model/recallQuery.ts'
import { createRandom } from '../random.ts'
import { BEGIN, DAY, HOUR, iso, testMemoryId } from '../testData.ts'

const { excludeBelow } = DEFAULT_POLICY.improve

/** Whether a note is used in a session. */
type UsedIn = (note: number, session: number) => boolean

interface Project {
  readonly notes: number
  readonly sessions: number
  readonly usedIn: UsedIn
  readonly moment?: RecallMoment
  /** Of a person's own memories the kind is not known to learning. */
  readonly isRequested?: boolean
  readonly withheld?: boolean
}

/** The recall of a session that shows all notes at once. */
const recallIn = (session: number, project: Project, from = 0): AttributedRecall => ({
  recall: `recall-${session}` as EventId,
  session: `session-${session}` as SessionId,
  moment: project.moment ?? 'start',
  at: iso(BEGIN + session * HOUR),
  withheld: project.withheld ?? false,
  memories: Array.from({ length: project.notes }, (_, note) => ({
    memory: testMemoryId(note + from),
    ...(project.isRequested ? {} : { kind: 'fact' as const }),
    features: {},
    used: project.usedIn(note, session) ? 0.7 : 0,
    traces: [],
    parts: { success: 0, time: 0, calls: 0, errors: 0 },
    contribution: 0,
  })),
})

const recallsOf = (project: Project): AttributedRecall[] =>
  Array.from({ length: project.sessions }, (_, session) => recallIn(session, project))

const countUses = (recalls: readonly AttributedRecall[]): MomentUseTable =>
  recalls.reduce<MomentUseTable>((table, recall) => updateMomentUse(table, [recall], () => true), {})

function rulesOf(recalls: readonly AttributedRecall[], rules: readonly ExclusionRule[] = [], now = BEGIN + 30 * DAY) {
  return updateExclusionRules({ uses: countUses(recalls), kindOf: () => 'fact', rules, excludeBelow, now }) ?? rules
}

const namesOf = (rules: readonly ExclusionRule[]) => rules.map(({ moment, memory }) => `${moment} ${memory}`)

/** Notes 0 and 1 are used in most sessions, the others never. */
const usedByFew: UsedIn = (note, session) => note < 2 && session % 4 !== 0

test('exclude: what starts show again and again without use is excluded at starts only, with its evidence', () => {
  const starts = recallsOf({ notes: 6, sessions: 40, usedIn: usedByFew })
  const rules = rulesOf(starts)
  expect(namesOf(rules)).toEqual([2, 3, 4, 5].map((note) => `start ${testMemoryId(note)}`))
  expect(rules[0]).toMatchObject({ renewed: 0, evidence: { sessions: 40, used: 0 } })
  // The same notes at calls, where all are used alike.
  const calls = recallsOf({ notes: 6, sessions: 40, moment: 'call', usedIn: (_, session) => session % 2 === 0 })
  expect(namesOf(rulesOf([...starts, ...calls]))).toEqual(namesOf(rules))
})

test('exclude: fewer sessions than the stated number, holdouts, failures and what a person said make no rule', () => {
  const project = { notes: 6, sessions: 40, usedIn: usedByFew }
  expect(rulesOf(recallsOf({ ...project, sessions: SESSIONS_MIN - 1 }))).toEqual([])
  expect(rulesOf(recallsOf({ ...project, withheld: true }))).toEqual([])
  expect(rulesOf(recallsOf({ ...project, moment: 'failure' }))).toEqual([])
  expect(rulesOf(recallsOf({ ...project, isRequested: true }))).toEqual([])
})

test('exclude: many showings in one session count as one session', () => {
  const once = recallsOf({ notes: 6, sessions: 10, usedIn: usedByFew })
  const uses = once.reduce<MomentUseTable>(
    (table, recall) =>
      updateMomentUse(
        table,
        [0, 1, 2, 3].map((n) => ({ ...recall, recall: `${n}` as EventId })),
        () => true,
      ),
    {},
  )
  expect(uses).toEqual(countUses(once))
})

test('exclude: a kind that prompts never use, beside one that they use, is excluded there, at starts never', () => {
  const kinds = (useful: UsedIn, moment: RecallMoment) => {
    // Each session shows two notes that no session showed before: one of a summary, one of an experience.
    const recalls = Array.from({ length: 60 }, (_, n) =>
      recallIn(n, { ...{ notes: 2, sessions: 60, moment }, usedIn: useful }, 2 * n),
    )
    const ids = new Map(recalls.flatMap(({ memories }) => memories.map(({ memory }, i) => [memory, i])))
    const kindOf = (id: MemoryId) => (ids.get(id) === 0 ? ('summary' as const) : ('experience' as const))
    const input = { uses: countUses(recalls), kindOf, rules: [], excludeBelow, now: BEGIN + 30 * DAY }
    return updateExclusionRules(input)?.map(({ moment: at, kind }) => `${at} ${kind}`) ?? []
  }
  expect(kinds((note, n) => note === 0 && n % 3 !== 0, 'prompt')).toEqual(['prompt experience'])
  expect(kinds((note, n) => note === 0 && n % 3 !== 0, 'start')).toEqual([])
  expect(kinds((_, n) => n % 3 === 0, 'prompt')).toEqual([])
})

test('exclude: notes that are used alike are not excluded: in 3 of 60 projects of noise at most', () => {
  for (const share of [0.05, 0.2, 0.6]) {
    const excluding = Array.from({ length: 60 }, (_, seed) => {
      const chance = createRandom(500 + seed)
      const recalls = recallsOf({ notes: 8, sessions: 60, usedIn: () => chance() < share })
      return [15, 30, 45, 60].some((sessions) => rulesOf(recalls.slice(0, sessions)).length > 0)
    })
    expect(excluding.filter(Boolean).length, `used in ${share}`).toBeLessThanOrEqual(3)
  }
}, 60_000)

test('exclude: sessions in which everything is used do not make notes differ', () => {
  const excluding = Array.from({ length: 40 }, (_, seed) => {
    const chance = createRandom(900 + seed)
    const busy = Array.from({ length: 60 }, () => chance() < 0.3)
    return rulesOf(recallsOf({ notes: 8, sessions: 60, usedIn: (_, session) => busy[session] === true })).length > 0
  })
  expect(excluding.filter(Boolean).length).toBeLessThanOrEqual(2)
})

test('exclude: after its end a rule waits for a trial, one use ends it, and none renews it for twice the time', () => {
  const project = { notes: 6, sessions: 40, usedIn: usedByFew }
  const before = recallsOf(project)
  const [rule] = rulesOf(before)
  if (!rule) throw new Error('there is no rule')
  const end = Date.parse(rule.until)
  expect(end - Date.parse(rule.since)).toBe(EXCLUDED_DAYS * DAY)
  expect(rulesOf(before, [rule], end - 1)).toContainEqual(rule)
  // Nothing has shown it since.
  expect(rulesOf(before, [rule], end + DAY)).toContainEqual(rule)

  const trial = (used: boolean): AttributedRecall => {
    const recall = recallIn(40, { ...project, usedIn: (note) => used && note === 2 })
    return { ...recall, at: iso(end + HOUR) }
  }
  const [renewed] = rulesOf([...before, trial(false)], [rule], end + DAY)
  expect(renewed).toMatchObject({ memory: rule.memory, renewed: 1 })
  expect(Date.parse(renewed?.until ?? '') - end - DAY).toBe(2 * EXCLUDED_DAYS * DAY)
  expect(namesOf(rulesOf([...before, trial(true)], [rule], end + DAY))).not.toContain(namesOf([rule])[0])
})

test('exclude: a rule of a memory that does not exist any more ends, and the number 0 ends all', () => {
  const recalls = recallsOf({ notes: 6, sessions: 40, usedIn: usedByFew })
  const rules = rulesOf(recalls)
  const known = { uses: countUses(recalls), kindOf: () => 'fact' as const }
  const input = { ...known, rules, excludeBelow, now: BEGIN + 30 * DAY }
  expect(updateExclusionRules(input)).toBeUndefined()
  expect(updateExclusionRules({ ...input, excludeBelow: 0 })).toEqual([])
  expect(updateExclusionRules({ ...input, uses: {} })).toEqual([])
  expect(updateExclusionRules({ ...input, kindOf: () => undefined })).toEqual([])
})

test('exclusion: the table has a limit, and keeps what was shown last and what can be excluded', () => {
  const unused: UsedIn = () => false
  const shownOften = recallsOf({ notes: 1, sessions: SESSIONS_MIN, usedIn: unused })
  const once = Array.from({ length: 3 }, (_, i) => {
    const project = { notes: MEMORIES_MAX / 2, sessions: 1, usedIn: unused }
    return recallIn(SESSIONS_MIN + i, project, 1 + (i * MEMORIES_MAX) / 2)
  })
  const table = countUses([...shownOften, ...once])
  expect(Object.keys(table)).toHaveLength(MEMORIES_MAX)
  const has = (note: number): boolean => testMemoryId(note) in table
  expect([0, 1, MEMORIES_MAX / 2 + 5, 1.5 * MEMORIES_MAX].map(has)).toEqual([true, false, true, true])
})
