// Metadata is the user's alone: whatever is stored there stays as it is, and changes nothing that memctl does.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openLiveStore } from '../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../src/broker/maintenance/rebuild.ts'
import { compileConfig } from '../../src/broker/open/configFile.ts'
import { openStore, type Store } from '../../src/broker/open/openStore.ts'
import type { Memory } from '../../src/model/memory.ts'
import { createTestProject } from '../tempFolders.ts'
import {
  BEGIN,
  buildMemory,
  DAY,
  type ExampleSession,
  exampleSession,
  loadMemories,
  runHookPayloads,
} from '../testData.ts'

const NO_MODULE = "Exit code 1\nError: Cannot find module '../dist/prices.json'"

/** Under each of these keys memctl once kept something of its own. */
const ONCE_READ = {
  fixed: false,
  again: true,
  calls: ['x'],
  costMs: 9_000_000,
  sessions: 90,
  passed: 80,
  kept: true,
  edited: ['README.md'],
  open: ['everything'],
  prompts: 1_000,
  privacySince: '2001-01-01T00:00:00.000Z',
  month: '2001-01',
  folded: 7,
  entry: { layer: 'project', key: 'api', file: '.memctl/memory/api.md', since: '2001-01-01T00:00:00.000Z' },
  consolidated_from: ['nobody'],
  origin_project: 'another',
  scope_project: 'another',
  recorded: { input: { text: 'another' } },
}

/** Runs some weeks with `metadata` on every memory of the first days. Returns hook outputs and the final memories. */
function live(metadata: Readonly<Record<string, unknown>>) {
  const { home, project } = createTestProject('metadata')
  fs.mkdirSync(home)
  fs.mkdirSync(path.join(project, 'src'), { recursive: true })
  fs.writeFileSync(path.join(home, 'config.yaml'), 'warnings: block\n')
  const store: Store = openStore(project, { MEMCTL_HOME: home })
  compileConfig(store)
  const day = (n: number): ExampleSession => exampleSession(`day-${n}`, BEGIN + n * DAY).starts()
  const live = (session: ExampleSession): unknown => {
    const answers = runHookPayloads(store, session.ends().recorded, project)
    runMaintenance(store, { now: session.now() + 1 })
    return answers
  }
  const first = day(0).asks('From now on, keep money in integer cents.').asks('Get the tests to run, please.')
  live(first.fails('npm test', NO_MODULE).runs('npm run build:prices').runs('npm test').edits('src/cart.js'))
  const liveStore = openLiveStore(store)
  const secret = buildMemory(900, {
    kind: 'decision',
    content: 'Books cost more in autumn.',
    privacy: 'private',
    metadata,
  })
  liveStore.commit({ kind: 'memory.stored', memory: secret }, { now: BEGIN + DAY, nonce: 'secret' })
  const changes = [...liveStore.memories().keys()].map((id) => ({ memory: id, metadata }))
  liveStore.commit({ kind: 'memory.batch', stored: [], changes }, { now: BEGIN + DAY, nonce: 'all' })
  const results = [
    live(day(2).asks('Do the tests still run?').runs('npm test')),
    live(day(3).asks('From now on, keep money in integer cents.').fails('npm test', NO_MODULE).runs('npm test')),
    live(day(20).asks('What did we do with the cart?').edits('src/cart.js')),
    live(day(45).asks('What did we do with the cart and the tests?').runs('npm test')),
  ]
  const known = loadMemories(store)
  rebuildStore(store, BEGIN + 46 * DAY)
  return { said: results, known, rebuilt: loadMemories(store) }
}

const withoutMetadata = (memories: Readonly<Record<string, Memory>>) =>
  Object.values(memories).map(({ metadata: _, ...memory }) => memory)

test('broker: what a user stores in metadata stays there, and changes nothing', () => {
  const plain = live({ colour: 'red' })
  const crafted = live(ONCE_READ)
  expect(crafted.said).toEqual(plain.said)
  expect(withoutMetadata(crafted.known)).toEqual(withoutMetadata(plain.known))
  const marked = Object.values(crafted.known).filter((memory) => Object.keys(memory.metadata).length > 0)
  expect(marked.length).toBeGreaterThan(3)
  for (const memory of marked) expect(memory.metadata).toEqual(ONCE_READ)
  expect(crafted.rebuilt).toEqual(crafted.known)
})
