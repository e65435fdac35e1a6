// Weighed anew: where the weights of importance change, so does what was made of sessions; by the log, so that a rebuild does it too.
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/systemEvent.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { replaySessions } from '../../../src/broker/replay/replaySessions.ts'
import type { Event } from '../../../src/model/event.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { BEGIN, DAY, freshStore, memoriesIn, tale } from '../../build.ts'

const learnt = tale('first').starts().asks('Get the tests to run. Remember that prices are built first.')
learnt.fails('npm test', "Exit code 1\nError: Cannot find module '../dist/prices.json'")
const recorded = learnt.runs('npm run build:prices').runs('npm test').ends().recorded

const changed = (version: number, values: Record<string, number>): Event =>
  systemEvent(
    { kind: 'policy.changed', version, values, reason: 'a person', evidence: {}, by: 'person' },
    { now: BEGIN + version * DAY },
  )

test('broker: other weights of importance weigh what is kept anew, a rebuild alike, and going back takes it back', () => {
  const store = freshStore()
  replaySessions(store, [recorded])
  const importances = () => Object.values(memoriesIn(store)).map(({ id, importance }) => [id, importance] as const)
  const before = new Map(importances())
  expect(before.size).toBeGreaterThan(1)
  appendEvents(store.files, store.layout.events, [changed(1, { 'importance.outcome': 0.9, 'importance.novelty': 0 })])
  runMaintenance(store, { now: BEGIN + 2 * DAY })
  const other = new Map(importances())
  expect([...other].filter(([id, importance]) => importance !== before.get(id)).length).toBeGreaterThan(0)
  rebuildStore(store, BEGIN + 2 * DAY)
  expect(new Map(importances())).toEqual(other)
  appendEvents(store.files, store.layout.events, [changed(2, {})])
  runMaintenance(store, { now: BEGIN + 3 * DAY })
  for (const [id, importance] of importances()) expect(importance).toBeCloseTo(before.get(id)!, 9)
})
