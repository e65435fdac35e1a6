// Exclusions: a lesson that never helps is excluded, tried again later, and included again when it helps.
import { expect, test } from 'vitest'
import { resetPolicy, rollBackPolicy, setPolicyFrozen } from '../../../src/broker/commands/policyCommands.ts'
import { exportPolicy, importPolicy } from '../../../src/broker/commands/policyExchange.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { summarizePolicy } from '../../../src/broker/queries/policySummary.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { BEGIN, createTestStore, DAY, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'

/** Its fix is an edit of the file that it names: no project fact says that already at the start. */
const LINT = 'npm run lint'
const FINDING = 'Exit code 1\nsrc/total.js:3:9 error: Missing semicolon after the total'

/** Sessions of one day that have the known error and do not follow the lesson. */
function ignoreLesson(store: Store, day: number, sessions = 6): void {
  for (let i = 0; i < sessions; i++) {
    const session = exampleSession(`day-${day}-${i}`, BEGIN + day * DAY + i * HOUR)
      .starts()
      .asks('Please look at the list again.')
    runHookPayloads(store, session.fails(LINT, FINDING).answers('Later.').ends().recorded)
    runMaintenance(store, { now: session.now() })
  }
}

/** A session with the known error that fixes it as the lesson says. */
function followLesson(store: Store, day: number): void {
  const session = exampleSession(`day-${day}`, BEGIN + day * DAY)
    .starts()
    .asks('Get the tests to run.')
    .fails(LINT, FINDING)
  runHookPayloads(store, session.edits('src/total.js').runs(LINT).ends().recorded)
  runMaintenance(store, { now: session.now() })
}

/** The number of recalls after failures on this day. */
const countFailureRecalls = (store: Store, day: number): number =>
  readLog(store.files, store.layout.events).events.filter(
    (event) => event.kind === 'recalled' && event.moment === 'failure' && `${event.session}-`.startsWith(`day-${day}-`),
  ).length

const listRules = (store: Store) =>
  summarizePolicy(store).exclusions.map(({ moment, by, value }) => `${moment} ${by} ${value}`)

test('broker: what never helps is excluded for a time, then tried again, and one use ends the exclusion', () => {
  const store = createTestStore()
  followLesson(store, 0)
  for (let day = 1; day <= 9; day++) ignoreLesson(store, day)
  expect(countFailureRecalls(store, 9)).toBeGreaterThan(0)
  const rule = summarizePolicy(store).exclusions.find(({ moment }) => moment === 'failure')
  expect(rule).toMatchObject({ by: 'shape', value: LINT, evidence: { used: 0 } })

  ignoreLesson(store, 12)
  expect(countFailureRecalls(store, 12)).toBe(0)
  // A question by a person is still answered.
  const question = { text: LINT, error: FINDING, now: BEGIN + 12 * DAY }
  expect(recallMemories(store, question).shown.length).toBeGreaterThan(0)
  const called = recallMemories(store, { ...question, command: LINT, moment: 'failure' })
  expect(called.shown).toEqual([])
  expect(called.rules).toEqual([rule])

  followLesson(store, 45)
  expect(countFailureRecalls(store, 45)).toBe(1)
  expect(listRules(store)).not.toContain('failure shape npm run lint')
  const { learned, history } = loadProjection(store).projection
  expect(history.at(-1)?.reason).toContain('includes again shape npm run lint (failure)')
  rebuildStore(store, BEGIN + 46 * DAY)
  expect(loadProjection(store).projection).toMatchObject({ learned, history })
})

test('broker: a person freezes, resets and rolls back exclusions, and exports those that name no command', () => {
  const store = createTestStore()
  followLesson(store, 0)
  for (let day = 1; day <= 9; day++) ignoreLesson(store, day)
  const now = BEGIN + 10 * DAY
  const learned = listRules(store)
  expect(learned).toContain('failure shape npm run lint')
  const { text } = exportPolicy(store, now)
  expect(text).not.toContain(LINT)

  resetPolicy(store, now)
  expect(listRules(store)).toEqual([])
  rollBackPolicy(store, undefined, now)
  expect(listRules(store)).toEqual(learned)

  const other = createTestStore()
  importPolicy(other, { text, file: 'learned.yaml', now })
  expect(listRules(other)).toEqual(learned.filter((rule) => !rule.includes('shape')))

  setPolicyFrozen(store, true, now)
  followLesson(store, 60)
  expect(listRules(store)).toEqual(learned)
})
