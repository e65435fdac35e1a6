// The tools on the command line: arguments, options, stdin, and one clear line where something is wrong.
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { exampleSession, HOUR, runHookPayloads } from '../../testData.ts'
import { newWorld, type World } from '../testContext.ts'

let world: World
beforeEach(() => {
  world = newWorld()
})
afterEach(() => world.end())

const idOf = async (...words: string[]): Promise<string> =>
  (await world.json<{ id: string }>('memory', 'store', ...words)).id

test('cli: a memory is stored from words, from stdin and from JSON', async () => {
  await world.memctl('memory', 'store', 'The', 'harbour', 'is', 'lit', '--tags', 'pier,lamps', '--tags', 'night')
  expect((await world.fed('Two lines\nof a note\n', 'memory', 'store')).status).toBe(0)
  expect((await world.fed('A dash\n', 'memory', 'store', '-', '--memory-tier', 'short_term')).status).toBe(0)
  await world.memctl('memory', 'store', '--input', '{"content": "By JSON", "metadata": {"a": 1}}')
  expect((await world.fed('{"content": "By JSON on stdin"}', 'memory', 'store', '--input', '-')).status).toBe(0)
  const { memories } = await world.json<{ memories: Record<string, unknown>[] }>('memory', 'list')
  expect(memories.map(({ content, tags, memory_tier }) => [content, tags, memory_tier])).toEqual([
    ['The harbour is lit', ['pier', 'lamps', 'night'], 'long_term'],
    ['Two lines\nof a note', [], 'long_term'],
    ['A dash', [], 'short_term'],
    ['By JSON', [], 'long_term'],
    ['By JSON on stdin', [], 'long_term'],
  ])
})

test('cli: other commands find a stored memory at once', async () => {
  await idOf('緊急調達では15%のコスト増を見込む')
  expect((await world.memctl('search', '緊急調達のコスト')).out).toContain('緊急調達では15%のコスト増を見込む')
  expect((await world.memctl('list')).out).toContain('緊急調達では15%のコスト増を見込む')
})

test('cli: a batch is read from stdin, as a list, an object or a line each', async () => {
  const items = [{ content: 'one' }, { content: 'two', tags: ['x'] }]
  for (const stdin of [
    JSON.stringify(items),
    JSON.stringify({ items }),
    items.map((item) => JSON.stringify(item)).join('\n'),
  ]) {
    const { status, out } = await world.fed(stdin, 'memory', 'batch-store', '--json')
    expect([status, JSON.parse(out)]).toEqual([0, expect.objectContaining({ success: true, stored_count: 2 })])
  }
  const { memories } = await world.json<{ memories: { id: string }[] }>('memory', 'list')
  const updates = JSON.stringify(memories.map(({ id }) => ({ id, tags: ['seen'] })))
  expect((await world.fed(updates, 'memory', 'batch-update', '--on-error', 'stop')).status).toBe(0)
  expect(await world.json('memory', 'list', '--tags', 'seen')).toMatchObject({ total: 6 })
})

test('cli: numbers, choices and switches reach the tool', async () => {
  const [first, second] = [await idOf('Lamps are lit at dusk.'), await idOf('Lamps are out at dawn.')]
  expect(await world.json('memory', 'set-score', first, '0.9', '--reason', 'asked for daily')).toMatchObject({
    new_score: 0.9,
  })
  expect(await world.json('memory', 'get-score', first)).toMatchObject({ importance_score: 0.9 })
  const search = ['memory', 'search', 'lamps', '--top-k', '1', '--search-mode', 'keyword', '--sort-by', 'importance']
  expect(await world.json(...search, '--importance-weight', '0.9')).toMatchObject({
    total: 1,
    results: [{ id: first }],
  })
  // Before the memory is gone: then nothing says that it was not private.
  const events = await world.json<{ events: unknown[] }>('list', '--events', 'memory.scored')
  expect(events.events).toMatchObject([{ memory: first, score: 0.9, previous: 0.5, reason: 'asked for daily' }])
  expect(await world.json('memory', 'consolidate', first, second, '--no-preserve-originals')).toMatchObject({
    preserved: false,
  })
  expect(await world.json('memory', 'list')).toMatchObject({ total: 1 })
})

test('cli: sleep computes the strength of a task from experiences, or from all memories of an agent', async () => {
  const env = { MEMCTL_HOME: path.join(world.folder, 'home') }
  const project = path.join(world.folder, 'project')
  const session = exampleSession('today', Date.now() - HOUR)
    .starts()
    .asks('Why does the build fail?')
    .fails('npm test', 'Error: no prices')
    .runs('npm test')
  runHookPayloads(openStore(project, env), session.ends().recorded, project)
  const mine = await idOf('Lamps are lit at dusk', '--agent-id', 'agent_01')
  await idOf('Lamps are lit at dusk', '--agent-id', 'agent_02')
  await world.memctl('organize')
  const { memories } = await world.json<{ memories: { kind: string }[] }>('list')
  const experiences = memories.filter(({ kind }) => kind === 'experience').length
  expect(experiences).toBeGreaterThan(0)
  expect(await world.json('organize', '--sleep', 'main')).toMatchObject({
    decayedCount: experiences + 1,
    archivedCount: 0,
  })
  expect(await world.json('organize', '--sleep', 'agent_01')).toEqual({
    ...{ agentId: 'agent_01', decayedCount: 1, archivedCount: 0, consolidatedCount: 0, errors: [] },
    processedAt: expect.any(String),
  })
  expect(await world.json('show', mine)).toMatchObject({ memory: { strength: expect.closeTo(0.95 ** 0.1, 9) } })
  expect((await world.memctl('organize', '--sleep', 'agent_01')).out).toMatch(
    /^Agent agent_01: weakened 1 memory, archived 0/,
  )
  expect(await world.json('organize', '--sleep', 'nobody')).toMatchObject({ decayedCount: 0, errors: [] })
})

test('cli: optional input is not read from stdin', async () => {
  const id = await idOf('Lamps are lit')
  expect((await world.fed('the next id\n', 'memory', 'update', id, '--tags', 'new')).status).toBe(0)
  expect(await world.json('memory', 'get', id)).toMatchObject({ content: 'Lamps are lit', tags: ['new'] })
  expect((await world.fed('Lamps are out\n', 'memory', 'update', id, '--content', '-')).status).toBe(0)
  expect(await world.json('memory', 'get', id)).toMatchObject({ content: 'Lamps are out\n' })
})

test.each([
  [['memory', 'store'], /Nothing was given for content/],
  [['memory', 'store', ''], /Content cannot be empty/],
  [['memory', 'store', 'x', '--memory-tier', 'forever'], /Invalid --memory-tier: "forever".*long_term/],
  [['memory', 'store', 'x', '--ttl-seconds', 'soon'], /--ttl-seconds must be a number/],
  [['memory', 'store', 'x', '--metadata', '{'], /is not JSON/],
  [['memory', 'store', 'x', '--input', '[]'], /--input is not a JSON object/],
  [['memory', 'search', 'x', '--top-k', '0'], /--top-k must be between 1 and 1000/],
  [['memory', 'get', 'no-such-id'], /Memory not found: no-such-id/],
  [['memory', 'delete'], /There is nothing to delete/],
  [['memory', 'set-score', 'no-such-id', '2'], /score must be between 0 and 1/],
  [['memory', 'consolidate', 'one'], /ids has 1 items/],
  [['memory', 'no-such-tool'], /unknown command/],
  [['mcp', '--tools', 'none'], /--tools/],
  [['mcp', '--role', 'king'], /--role/],
])('cli: %j is one clear line and exit status 2', async (words, says) => {
  const { status, out, err } = await world.memctl(...words)
  expect([status, out]).toEqual([2, ''])
  expect(err.trimEnd().split('\n')).toHaveLength(1)
  expect(err).toMatch(says)
})
