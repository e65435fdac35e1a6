// Releases of private memories: each step is an event, changes who may see the memory, and survives a rebuild.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { findMemoryByPrefix, listLatestEvents, listReleaseEvents } from '../../../src/broker/queries/browse.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import {
  BEGIN,
  buildMemory,
  createTestStore,
  DAY,
  exampleSession,
  loadMemories,
  runHookPayloads,
} from '../../testData.ts'

test('broker: a subagent’s report becomes public after some days, by an event that a rebuild keeps', () => {
  const store = createTestStore()
  const first = exampleSession('first').starts().asks('Where are the prices read?')
  first.sends(
    'Explore',
    'a1',
    (agent) => agent.runs('grep -rn prices src'),
    'The prices are read in src/prices.js at load.',
  )
  runHookPayloads(store, first.answers('In src/prices.js.').ends().recorded)
  runMaintenance(store, { now: first.now() })
  const [id] = Object.values(loadMemories(store)).flatMap(({ id, privacy }) => (privacy === 'agent-only' ? [id] : []))
  const isShownToMain = (now: number) =>
    recallMemories(store, { text: 'prices read at load', now }).shown.some(({ memory }) => memory.id === id)
  expect([isShownToMain(first.now()), listLatestEvents(store, { kind: 'memory.released', limit: 9 })]).toEqual([
    false,
    [],
  ])

  for (const days of [5, 20, 21]) {
    const later = exampleSession(`later-${days}`, BEGIN + days * DAY)
      .starts()
      .asks('Something else, please.')
      .answers('Yes.')
      .ends()
    runHookPayloads(store, later.recorded)
    runMaintenance(store, { now: later.now() })
  }
  const [event, ...more] = listLatestEvents(store, { kind: 'memory.released', limit: 9 })
  expect(more).toEqual([])
  expect(event).toMatchObject({ memory: id, from: 'agent-only', to: 'public' })
  expect(listReleaseEvents(store, findMemoryByPrefix(store, id!))).toEqual([event])
  const before = loadMemories(store)
  expect(before[id!]!.privacy).toBe('public')
  for (const name of fs.readdirSync(store.layout.folder)) {
    if (name !== 'events') fs.rmSync(`${store.layout.folder}/${name}`, { recursive: true })
  }
  rebuildStore(store, BEGIN + 400 * DAY)
  expect(loadMemories(store)).toEqual(before)
})

test('broker: metadata from a tool does not release a memory before its time', () => {
  const store = createTestStore()
  const liveStore = openLiveStore(store)
  const secret = buildMemory(1, {
    privacy: 'private',
    kind: 'entry',
    metadata: { privacySince: '2001-01-01T00:00:00.000Z' },
  })
  liveStore.commit({ kind: 'memory.stored', memory: secret }, { now: BEGIN, nonce: '1' })
  const change = { memory: secret.id, metadata: { privacySince: '2001-01-01T00:00:00.000Z', colour: 'red' } }
  liveStore.commit({ kind: 'memory.updated', change }, { now: BEGIN, nonce: '2' })
  runMaintenance(store, { now: BEGIN + 29 * DAY })
  expect(loadMemories(store)[secret.id]).toMatchObject({
    privacy: 'private',
    metadata: { colour: 'red', privacySince: '2001-01-01T00:00:00.000Z' },
  })
  liveStore.commit(
    { kind: 'memory.updated', change: { memory: secret.id, content: 'other' } },
    { now: BEGIN, nonce: '3' },
  )
  runMaintenance(store, { now: BEGIN + 31 * DAY })
  expect(loadMemories(store)[secret.id]!.privacy).toBe('agent-only')
})
