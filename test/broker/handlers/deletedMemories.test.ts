// Hooks do not show deleted memories, though the snapshot files are written only later.
import { expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { BEGIN, createTestStore, type ExampleSession, exampleSession, HOUR, runHookPayloads } from '../../testData.ts'

const ERROR = "Exit code 1\nError: Cannot find module '../dist/prices.json'"
const PROMPT = 'Never round prices before the total, please.'

/** A store that knows a preference and a fix. */
function shop(): { store: Store; now: number } {
  const store = createTestStore()
  const chosen = { kind: 'policy.chosen' as const, name: 'all', values: { 'recall.withholdShare': 0 } }
  appendEvents(store.files, store.layout.events, [systemEvent(chosen, { now: BEGIN - HOUR })])
  const session = exampleSession('first')
    .starts()
    .asks(`From now on never round prices before the total.`)
    .fails('npm test', ERROR)
  runHookPayloads(store, session.runs('npm run build:prices').runs('npm test').ends().recorded)
  runMaintenance(store, { now: session.now() })
  return { store, now: session.now() }
}

const next = (now: number): ExampleSession =>
  exampleSession('second', now).starts().asks(PROMPT).fails('npm test', ERROR)

const saidIn = (store: Store, session: ExampleSession): string =>
  runHookPayloads(store, session.recorded)
    .flatMap(({ context }) => context ?? [])
    .join('\n')

test('broker: a deleted memory is shown at no moment, also before the next snapshot', () => {
  const { store, now } = shop()
  const stored = shop()
  const text = saidIn(stored.store, next(stored.now))
  expect(text).toContain('The person said:')
  expect(text).toContain('- Run `npm run build:prices` before `npm test`')

  const liveStore = openLiveStore(store)
  const memories = [...liveStore.memories().keys()]
  liveStore.commit({ kind: 'memory.deleted', memories }, { now, nonce: 'one' })
  expect(saidIn(store, next(now))).toBe('')
})

test('broker: memories that were not deleted are shown as before', () => {
  const { store, now } = shop()
  const liveStore = openLiveStore(store)
  const memories = [...liveStore.memories().values()].flatMap((item) => (item.kind === 'preference' ? item.id : []))
  expect(memories).toHaveLength(1)
  liveStore.commit({ kind: 'memory.deleted', memories }, { now, nonce: 'one' })
  const text = saidIn(store, next(now))
  expect(text).not.toContain('The person said:')
  expect(text).toContain('- Run `npm run build:prices` before `npm test`')
})
