// Importance is computed again when the policy changes its weights, and a rebuild gives the same.
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/systemEvent.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { replaySessions } from '../../../src/broker/replay/replaySessions.ts'
import type { Event } from '../../../src/model/event.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { BEGIN, createTestStore, DAY, exampleSession, loadMemories } from '../../testData.ts'

const firstSession = exampleSession('first')
  .starts()
  .asks('Get the tests to run. Remember that prices are built first.')
firstSession.fails('npm test', "Exit code 1\nError: Cannot find module '../dist/prices.json'")
const recorded = firstSession.runs('npm run build:prices').runs('npm test').ends().recorded

const chosen = (day: number, values: Record<string, number>): Event =>
  systemEvent({ kind: 'policy.chosen', name: `day-${day}`, values }, { now: BEGIN + day * DAY })

test('broker: new weights change the importance of derived memories, and old weights restore it', () => {
  const store = createTestStore()
  replaySessions(store, [recorded])
  const importances = () => Object.values(loadMemories(store)).map(({ id, importance }) => [id, importance] as const)
  const before = new Map(importances())
  expect(before.size).toBeGreaterThan(1)
  appendEvents(store.files, store.layout.events, [chosen(1, { 'importance.outcome': 0.9, 'importance.novelty': 0 })])
  runMaintenance(store, { now: BEGIN + 2 * DAY })
  const changedImportances = new Map(importances())
  expect([...changedImportances].filter(([id, importance]) => importance !== before.get(id)).length).toBeGreaterThan(0)
  rebuildStore(store, BEGIN + 2 * DAY)
  expect(new Map(importances())).toEqual(changedImportances)
  appendEvents(store.files, store.layout.events, [chosen(2, {})])
  runMaintenance(store, { now: BEGIN + 3 * DAY })
  for (const [id, importance] of importances()) expect(importance).toBeCloseTo(before.get(id)!, 9)
})
