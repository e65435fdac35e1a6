// A recall is attributed once, also when events come between improving and organizing.
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import {
  BEGIN,
  createTestStore,
  DAY,
  exampleSession,
  loadMemories,
  runHookPayloads,
  sessionId,
} from '../../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const NO_FLAG = 'Exit code 1\nunknown flag: --stat'

test('broker: after a crash between improving and organizing, only new events are attributed', () => {
  const store = createTestStore()
  const first = exampleSession('first').starts().asks('Get the tests to run.').fails('npm test', NO_MODULE)
  first.runs('npm run build:prices').runs('npm test')
  first.fails('gh pr diff 7 --stat', NO_FLAG).runs('gh pr diff 7 --name-only').ends()
  runHookPayloads(store, first.recorded)
  runMaintenance(store, { now: first.now() })

  const second = exampleSession('second', BEGIN + DAY)
    .starts()
    .asks('Red again?')
    .fails('npm test', NO_MODULE)
  second.runs('npm run build:prices').runs('npm test')
  runHookPayloads(store, second.recorded)
  const improved = systemEvent({ kind: 'session.improved' }, { now: second.now(), session: sessionId('second') })
  appendEvents(store.files, store.layout.events, [improved])
  const more = exampleSession('second', second.now() + 60_000)
    .starts('compact')
    .asks('Anything else in the tests?')
  more.fails('gh pr diff 8 --stat', NO_FLAG).runs('gh pr diff 8 --name-only')
  runHookPayloads(store, more.answers('No.').ends().recorded)
  runMaintenance(store, { now: more.now() })

  const { projection } = loadProjection(store)
  const recalls = projection.judged.map(({ recall }) => recall)
  expect(recalls).toHaveLength(2)
  expect(new Set(recalls).size).toBe(recalls.length)
  const shown = new Map<string, number>()
  for (const { memory } of projection.judged.flatMap(({ memories }) => memories))
    shown.set(memory, (shown.get(memory) ?? 0) + 1)
  const memories = loadMemories(store)
  for (const [id, times] of shown) expect(memories[id]!.help.shown, id).toBe(times)
})
