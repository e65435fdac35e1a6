// Live stores and open sessions: commands, tools and the library see what a session learns before it ends.
import { expect, test } from 'vitest'
import { openLiveStore } from '../../../src/broker/live/liveStore.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../../src/broker/maintenance/refreshRecent.ts'
import type { Store } from '../../../src/broker/open/openStore.ts'
import { listCoveredMemories } from '../../../src/broker/projection/projectionFiles.ts'
import { eventsNewestFirst, listMemories, readKnownIds } from '../../../src/broker/queries/browse.ts'
import { searchByWords } from '../../../src/broker/search/recallMemories.ts'
import type { Memory } from '../../../src/model/memory.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import {
  BEGIN,
  createTestStore,
  type ExampleSession,
  exampleSession,
  loadMemories,
  MINUTE,
  runHookPayloads,
} from '../../testData.ts'

const RULE = 'From now on, always run the linter before you commit.'
const ERROR = 'Error: Cannot find module "../dist/prices.json"\n    at check.js:4'

const fixed = (session: string, start = BEGIN): ExampleSession =>
  exampleSession(session, start)
    .starts()
    .asks(RULE)
    .fails('npm run check', ERROR)
    .runs('npm run build:prices')
    .runs('npm run check', 'ok')

const callerOf = (store: Store, now: number) =>
  createToolContext({ store, role: 'owner', session: 'tools', env: {}, now: () => now })

async function call(store: Store, now: number, tool: string, input: Record<string, unknown>): Promise<unknown> {
  const context = callerOf(store, now)
  const result = await invokeTool(findTool(tool)!, input, context)
  context.close()
  if (result.kind === 'failure') throw result.cause
  return result.output
}

const findByKind = (store: Store, kind: Memory['kind']): Memory => {
  const [memory] = listMemories(store, { kinds: [kind] })
  if (!memory) throw new Error(`There is no ${kind}`)
  return memory
}

const contents = (store: Store): string[] => listMemories(store, { status: 'active' }).map(({ content }) => content)

test('open sessions: to shorten the ids of what was found they are not organized', () => {
  const store = createTestStore()
  runHookPayloads(store, fixed('window-a').recorded)
  expect(readKnownIds(store, true)).toEqual([])
  expect(readKnownIds(store, false)).toHaveLength(1)
})

test('open sessions: commands and tools see the fix and the statement of a session that goes on', async () => {
  const store = createTestStore()
  const session = fixed('window-a')
  runHookPayloads(store, session.recorded)
  expect(contents(store).join('\n')).toContain('npm run build:prices')
  expect(contents(store)).toContain(RULE)
  const hits = searchByWords(store, { text: 'module prices', limit: 3, now: session.now() })
  expect(hits.map(({ memory }) => memory.kind)).toContain('lesson')
  const found = await call(store, session.now(), 'memory_search', { query: 'prices' })
  expect(JSON.stringify(found)).toContain('npm run build:prices')
})

test('open sessions: a live store follows a session event by event, and nothing of it is in the log', () => {
  const store = createTestStore()
  const liveStore = openLiveStore(store)
  const session = fixed('window-a')
  const seen = session.recorded.map((recorded) => {
    runHookPayloads(store, [recorded])
    return [...liveStore.memories().values()].filter(({ kind }) => kind === 'lesson').length
  })
  expect([seen[0], seen.at(-1)]).toEqual([0, 1])
  expect([...eventsNewestFirst(store)].filter(({ kind }) => kind.startsWith('memory.'))).toEqual([])
  expect([...liveStore.loaded.projection.memories]).toEqual([])
})

test('open sessions: what a person edits, supersedes or deletes stays so when the session ends', async () => {
  const store = createTestStore()
  const session = fixed('window-a')
  runHookPayloads(store, session.recorded)
  const [lesson, rule] = [findByKind(store, 'lesson'), findByKind(store, 'preference')]
  const after = 'Run `npm ci` first.'
  await call(store, session.now(), 'memory_update', { id: lesson.id, content: after })
  await call(store, session.now() + 1, 'memory_delete', { id: rule.id })
  for (const end of [false, true]) {
    if (end) runMaintenance(store, { now: session.now() + MINUTE, sessions: 'all' })
    expect(contents(store)).toContain(after)
    expect(listMemories(store).map(({ id }) => id)).not.toContain(rule.id)
  }
  const before = loadMemories(store)
  rebuildStore(store, session.now() + MINUTE)
  expect(loadMemories(store)).toEqual(before)
})

test('open sessions: the importance that a tool gives a memory of an open session stays when it ends', async () => {
  const store = createTestStore()
  const session = fixed('window-a')
  runHookPayloads(store, session.recorded)
  const { id } = findByKind(store, 'lesson')
  await call(store, session.now(), 'memory_set_score', { id, score: 0.97, reason: 'It costs an hour each time' })
  expect(findByKind(store, 'lesson').importance).toBe(0.97)
  runMaintenance(store, { now: session.now() + MINUTE, sessions: 'all' })
  expect(findByKind(store, 'lesson')).toMatchObject({ id, importance: 0.97, sessionCount: 1 })
})

test('open sessions: a hook sees what a tool stored once the tools are closed', async () => {
  const store = createTestStore()
  const session = exampleSession('window-a').starts().asks('What do we need for the pier?')
  runHookPayloads(store, session.recorded)
  await call(store, session.now(), 'memory_store', { content: 'The lamps of the pier are lit at dusk' })
  expect(listCoveredMemories(store).map(({ content }) => content)).toContain('The lamps of the pier are lit at dusk')
})

test.each(['window-a', 'window-b'])(
  'open sessions: what %s was shown before its source ended is attributed',
  (first) => {
    const store = createTestStore()
    const source = fixed('window-a')
    runHookPayloads(store, source.recorded)
    refreshRecent(store, source.now())
    const viewer = exampleSession('window-b', source.now() + MINUTE)
      .starts()
      .asks('Make the check pass')
      .fails('npm run check', ERROR)
      .runs('npm run build:prices')
      .runs('npm run check', 'ok')
    const shown = runHookPayloads(store, viewer.recorded).map(({ context }) => context ?? '')
    expect(shown.join('\n')).toContain('npm run build:prices')
    const now = viewer.now() + MINUTE
    const { id } = findByKind(store, 'lesson')
    for (const session of first === 'window-a' ? [source, viewer] : [viewer, source])
      runMaintenance(store, { now, sessions: [session.session as never] })
    expect(loadMemories(store)[id]?.help.shown).toBeGreaterThan(0)
    const before = loadMemories(store)
    rebuildStore(store, now)
    expect(loadMemories(store)).toEqual(before)
  },
)
