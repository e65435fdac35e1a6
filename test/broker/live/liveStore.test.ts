// Live stores: tools and sessions see the same memories, at any time and in any process.
import fs from 'node:fs'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { eraseEverywhere } from '../../../src/broker/forget/eraseEverywhere.ts'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import { openStoreAt, type Store } from '../../../src/broker/open/openStore.ts'
import { loadProjection } from '../../../src/broker/projection/projectionFiles.ts'
import { recallMemories } from '../../../src/broker/search/recallMemories.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import { PRIVACY_LEVELS, type Privacy } from '../../../src/model/privacy.ts'
import { appendEvents } from '../../../src/store/log/eventLog.ts'
import { invokeTool } from '../../../src/tools/definition/invokeTool.ts'
import { createToolContext, type ToolContext } from '../../../src/tools/definition/toolContext.ts'
import { findTool } from '../../../src/tools/toolRegistry.ts'
import { newFolder } from '../../tempFolders.ts'
import { BEGIN, buildMemory, HOUR, testMemoryId } from '../../testData.ts'
import { type Json, libraryDoor } from '../../tools/callers.ts'
import { promptEvent, storedEvent } from '../../tools/events.ts'
import { otherNote } from '../../tools/notes.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})

function newStore(): Store {
  const folder = newFolder()
  folders.push(folder)
  return openStoreAt(folder, '/home/dev/shop')
}

/** A caller with a fixed clock and ids. */
function callerOf(store: Store, clock: { now: number }, session?: string): ToolContext {
  let made = 0
  const newId = (): MemoryId => testMemoryId(1_000 + made++)
  return createToolContext({ store, role: 'owner', session, env: {}, now: () => clock.now, newId })
}

const answer = async (context: ToolContext, tool: string, input: Json): Promise<Json> => {
  const result = await invokeTool(findTool(tool)!, input, context)
  return (result.kind === 'answer' ? result.output : result.failure) as Json
}

const WORDS = ['paraffin lamps', 'tide tables', '緊急調達のコスト', 'dark mode', '在庫の見積']

type Step = readonly [tool: string, input: (ids: readonly string[]) => Json]

const word = fc.constantFrom(...WORDS)
const which = fc.nat(20)
const at = (ids: readonly string[], i: number): string => ids[i % Math.max(1, ids.length)] ?? testMemoryId(7)
const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(word, fc.constantFrom('long_term', 'short_term', 'working'))
      .map(([content, memory_tier]): Step => ['memory_store', () => ({ content, memory_tier })]),
  },
  fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((contents): Step => ['memory_batch_store', () => ({ items: contents.map((content) => ({ content })) })]),
  fc
    .tuple(which, word)
    .map(([i, content]): Step => ['memory_update', (ids) => ({ id: at(ids, i), content, tags: ['new'] })]),
  which.map((i): Step => ['memory_get', (ids) => ({ id: at(ids, i) })]),
  which.map((i): Step => ['memory_delete', (ids) => ({ id: at(ids, i) })]),
  fc
    .tuple(which, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([i, score]): Step => ['memory_set_score', (ids) => ({ id: at(ids, i), score })]),
  fc
    .tuple(which, which, fc.boolean())
    .map(
      ([i, j, preserve_originals]): Step => [
        'memory_consolidate',
        (ids) => ({ memory_ids: [at(ids, i), at(ids, j)], preserve_originals }),
      ],
    ),
  { weight: 2, arbitrary: fc.constant<Step>(['maintenance', () => ({})]) },
)

const projectionOf = (store: Store): unknown => {
  const { projection } = loadProjection(store)
  return JSON.parse(
    JSON.stringify({
      ...projection,
      memories: [...projection.memories.values()],
      sessions: [...projection.sessions.values()],
    }),
  )
}

test('tools: whatever they do, with maintenance at any time, a rebuild gives the same', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryStep, { minLength: 1, maxLength: 14 }), async (steps) => {
      const store = newStore()
      const clock = { now: BEGIN }
      const context = callerOf(store, clock)
      for (const [tool, input] of steps) {
        clock.now += HOUR
        const ids = [...context.liveStore.memories().keys()]
        if (tool === 'maintenance') runMaintenance(store, { now: clock.now, sessions: 'all' })
        else await answer(context, tool, input(ids))
      }
      runMaintenance(store, { now: clock.now, sessions: 'all' })
      const live = [...context.liveStore.memories().values()]
      expect(JSON.parse(JSON.stringify(live))).toEqual((projectionOf(store) as { memories: unknown }).memories)
      const incremental = projectionOf(store)
      rebuildStore(store, clock.now)
      expect(projectionOf(store)).toEqual(incremental)
    }),
    { numRuns: 25 },
  )
})

test('tools: a search finds the same before and after a snapshot', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryStep, { minLength: 1, maxLength: 12 }), word, async (steps, query) => {
      const store = newStore()
      const clock = { now: BEGIN }
      const longRunning = callerOf(store, clock)
      for (const [tool, input] of steps) {
        clock.now += HOUR
        // A search after every step, so that the index of this context grows by log tails.
        if (tool !== 'maintenance') await answer(longRunning, tool, input([...longRunning.liveStore.memories().keys()]))
        await answer(longRunning, 'memory_search', { query, search_mode: 'hybrid' })
      }
      runMaintenance(store, { now: clock.now })
      const fresh = callerOf(store, clock)
      const found = async (context: ToolContext, search_mode: string): Promise<unknown> =>
        ((await answer(context, 'memory_search', { query, search_mode }))['results'] as Json[])
          .map((result) => result['id'])
          .sort()
      for (const mode of ['semantic', 'keyword', 'hybrid'])
        expect(await found(longRunning, mode)).toEqual(await found(fresh, mode))
    }),
    { numRuns: 20 },
  )
})

test('tools: a working memory is visible only in its own session, and expires with it', async () => {
  const store = newStore()
  const clock = { now: BEGIN }
  const own = callerOf(store, clock, 'mine')
  const stored = await answer(own, 'memory_store', { content: 'half of the lamps are lit', memory_tier: 'working' })
  const countListed = async (context: ToolContext): Promise<unknown> =>
    (await answer(context, 'memory_list', {}))['total']
  expect([
    await countListed(own),
    await countListed(callerOf(store, clock, 'another')),
    await countListed(callerOf(store, clock)),
  ]).toEqual([1, 0, 0])
  expect(await answer(callerOf(store, clock, 'another'), 'memory_get', { id: stored['id'] })).toMatchObject({
    error_type: 'NotFoundError',
  })
  const { expireWorking } = await import('../../../src/mcp/serveTools.ts')
  expireWorking(own)
  expect(await countListed(own)).toBe(0)
})

test('tools: a caller cannot find, list, get, change or delete a memory it may not see', async () => {
  const store = newStore()
  const clock = { now: BEGIN + HOUR }
  const hidden = PRIVACY_LEVELS.filter((privacy) => privacy !== 'public').map((privacy: Privacy, i) =>
    buildMemory(i, { content: 'the vault opens at noon', privacy, role: 'guard', agentId: 'g1' }),
  )
  appendEvents(store.files, store.layout.events, hidden.map(storedEvent))
  for (const saved of [false, true]) {
    if (saved) runMaintenance(store, { now: clock.now })
    const context = callerOf(store, clock)
    for (const search_mode of ['semantic', 'keyword', 'hybrid']) {
      expect(await answer(context, 'memory_search', { query: 'vault noon', search_mode })).toMatchObject({ total: 0 })
    }
    expect(await answer(context, 'memory_list', {})).toMatchObject({ total: 0 })
    for (const { id } of hidden) {
      expect(await answer(context, 'memory_get', { id })).toMatchObject({ error_type: 'NotFoundError' })
      expect(await answer(context, 'memory_update', { id, tags: [] })).toMatchObject({ error_type: 'NotFoundError' })
      expect(await answer(context, 'memory_delete', { id })).toMatchObject({ deleted_count: 0 })
    }
  }
  expect(loadProjection(store).projection.memories.size).toBe(hidden.length)
})

test('tools: a consolidated memory is as private as its most private source', async () => {
  const { consolidateMemories } = await import('../../../src/broker/commands/newMemory.ts')
  const input = { id: testMemoryId(9), now: BEGIN }
  const open = buildMemory(1, { content: 'Lamps are lit at dusk.' })
  const roles = buildMemory(2, { content: 'The vault opens at noon.', privacy: 'agent-only', role: 'guard' })
  expect(consolidateMemories([open, roles], input)).toMatchObject({ privacy: 'agent-only', role: 'guard' })
  const own = buildMemory(3, { content: 'The code is on the wall.', privacy: 'private', role: 'guard', agentId: 'g1' })
  expect(consolidateMemories([open, roles, own], input)).toMatchObject({
    privacy: 'private',
    role: 'guard',
    agentId: 'g1',
  })
})

test('tools: deleting by tier or time never deletes memories of sessions', async () => {
  const store = newStore()
  appendEvents(store.files, store.layout.events, [
    storedEvent(buildMemory(1, { content: 'learnt', source: 'task' }), 1),
  ])
  const context = callerOf(store, { now: BEGIN + HOUR })
  await answer(context, 'memory_store', { content: 'written' })
  expect(await answer(context, 'memory_delete', { memory_tier: 'long_term' })).toMatchObject({ deleted_count: 1 })
  expect(await answer(context, 'memory_list', {})).toMatchObject({ total: 1, memories: [{ content: 'learnt' }] })
  expect(await answer(context, 'memory_delete', { id: testMemoryId(1) })).toMatchObject({ deleted_count: 1 })
})

test('tools: pages stay the same while others store', async () => {
  const folder = newFolder()
  folders.push(folder)
  const [reader, writer] = [libraryDoor({ folder }), libraryDoor({ folder })]
  for (let i = 0; i < 30; i++) await writer.call('memory_store', { content: `before ${i}` })
  const contents: unknown[] = []
  for (let offset = 0; offset < 30; offset += 5) {
    const { memories } = await reader.call('memory_list', { limit: 5, offset })
    contents.push(...(memories as Json[]).map((listed) => listed['content']))
    for (let i = 0; i < 7; i++) await writer.call('memory_store', { content: `meanwhile ${offset} ${i}` })
    await writer.call('memory_update', { id: (memories as Json[])[0]!['id'], tags: ['read'] })
  }
  expect(contents).toEqual(Array.from({ length: 30 }, (_, i) => `before ${i}`))
})

test('tools: a large log tail is written as a snapshot; where hooks record, so is the first memory', async () => {
  const content = 'The lamps of the pier are lit at dusk. '.repeat(1_500)
  for (const hooks of [false, true]) {
    const store = newStore()
    if (hooks) appendEvents(store.files, store.layout.events, [promptEvent('What is the time?')])
    const context = callerOf(store, { now: BEGIN })
    const writes = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await answer(context, 'memory_store', { content: `${i} ${content}` })
      context.close()
    }
    await writes(1)
    expect(loadProjection(store).manifest.generation).toBe(hooks ? 1 : 0)
    await writes(20)
    expect(loadProjection(store).manifest.generation).toBe(hooks ? 2 : 1)
    expect(await answer(context, 'memory_search', { query: 'pier', top_k: 100 })).toMatchObject({ total: 21 })
  }
})

test('tools: 緊急調達のコスト is found first among 1,000 others, also with a trained vocabulary', async () => {
  const store = newStore()
  const context = callerOf(store, { now: BEGIN })
  for (let batch = 0; batch < 10; batch++) {
    const items = Array.from({ length: 100 }, (_, i) => ({ content: otherNote(100 * batch + i) }))
    await answer(context, 'memory_batch_store', { items })
  }
  const wanted = await answer(context, 'memory_store', { content: '緊急調達では15%のコスト増を見込む' })
  runMaintenance(store, { now: BEGIN })
  for (const caller of [context, callerOf(store, { now: BEGIN })]) {
    for (const search_mode of ['semantic', 'keyword', 'hybrid']) {
      const { results } = await answer(caller, 'memory_search', { query: '緊急調達のコスト', search_mode })
      expect((results as Json[])[0], search_mode).toMatchObject({ id: wanted['id'] })
    }
  }
})

test('tools: a stored memory is recalled in sessions; once deleted it is in no file but the log', async () => {
  const store = newStore()
  const clock = { now: BEGIN }
  const context = callerOf(store, clock)
  const stored = await answer(context, 'memory_store', { content: 'The staging database is reset on Mondays at noon' })
  const recalled = (): string => {
    runMaintenance(store, { now: clock.now })
    return recallMemories(store, { text: 'migrations on the staging database', now: clock.now }).text
  }
  const filesWithText = (): string[] =>
    fs
      .readdirSync(store.layout.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => fs.statSync(`${store.layout.folder}/${name}`).isFile())
      .filter((name) => fs.readFileSync(`${store.layout.folder}/${name}`, 'utf8').includes('reset on Mondays'))
  expect(recalled()).toContain('reset on Mondays')
  expect(filesWithText().length).toBeGreaterThan(1)
  await answer(context, 'memory_delete', { id: stored['id'] })
  expect(recalled()).not.toContain('reset on Mondays')
  expect(filesWithText().map((name) => name.split('/')[0])).toEqual(['events'])
})

test('tools: what another process has forgotten or removed is gone from a running server', async () => {
  const store = newStore()
  const context = callerOf(store, { now: BEGIN })
  const find = async (): Promise<Json> => answer(context, 'memory_search', { query: 'staging database' })
  await answer(context, 'memory_store', { content: 'The staging database is reset on Mondays at noon' })
  await answer(context, 'memory_store', { content: 'Tide tables are in docs/' })
  runMaintenance(store, { now: BEGIN })
  expect(await find()).toMatchObject({ total: 1 })
  const other = openStoreAt(store.layout.folder, '/home/dev/shop')
  eraseEverywhere(other, { text: 'The staging database is reset on Mondays' }, { now: BEGIN + HOUR })
  expect(await find()).toMatchObject({ total: 0 })
  expect(await answer(context, 'memory_search', { query: 'tide tables' })).toMatchObject({ total: 1 })
  fs.rmSync(store.layout.folder, { recursive: true })
  const saved = await answer(context, 'memory_store', { content: 'A new beginning with paraffin lamps' })
  expect(await answer(context, 'memory_get', { id: saved['id'] })).toMatchObject({
    content: 'A new beginning with paraffin lamps',
  })
  expect(await answer(context, 'memory_search', { query: 'tide tables' })).toMatchObject({ total: 0 })
})
