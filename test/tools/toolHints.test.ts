// What MCP says about each tool is true: every tool is run, and its hints are compared with what happened to the store.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLiveStore } from '../../src/broker/live/liveStore.ts'
import { openStoreAt } from '../../src/broker/open/openStore.ts'
import { listTools, TOOLS, TOOLSETS } from '../../src/tools/toolRegistry.ts'
import { newFolder } from '../tempFolders.ts'
import { type Json, mcpClient } from './callers.ts'

const folder = newFolder('hints')
const home = path.join(folder, 'home')
let server: Awaited<ReturnType<typeof mcpClient>>['client']
const stored: string[] = []

beforeAll(async () => {
  server = (await mcpClient(folder, '--tools', 'all', '--role', 'owner')).client
  for (let i = 0; i < 22; i++) {
    const { id } = await call('memory_store', { content: `Note ${i}: 支払いの締め日は月末`, tags: ['dates'] })
    stored.push(String(id))
  }
  for (const [layer, name] of [
    ['project', 'save_to_memory'],
    ['global', 'save_to_global_memory'],
  ] as const) {
    await call(name, { key: 'kept', content: 'Tokens are JWT' })
    const entries = layer === 'project' ? `${folder}/.memctl/memory` : `${home}/global/memory`
    fs.mkdirSync(`${entries}/archive`, { recursive: true })
    const front = 'key: old\ntags: []\ncreated_at: 2024-01-15T10:30:00\nupdated_at: 2024-01-15T10:30:00'
    fs.writeFileSync(`${entries}/archive/old.md`, `---\n${front}\n---\n\nOld\n`)
  }
})

afterAll(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function call(name: string, input: Json): Promise<Json> {
  const { structuredContent } = await server.callTool({ name, arguments: input })
  return structuredContent as Json
}

/** Inputs for each tool that do what the tool can do at most; `ids` are memories of its own. */
const INPUTS: Readonly<Record<string, (ids: readonly string[]) => Json>> = {
  memory_store: () => ({ content: 'Deploy on Monday' }),
  memory_search: () => ({ query: '締め日' }),
  memory_get: ([id]) => ({ id }),
  memory_update: ([id]) => ({ id, content: 'Changed', metadata: { by: 'test' } }),
  memory_delete: ([id]) => ({ id }),
  memory_list: () => ({}),
  memory_batch_store: () => ({ items: [{ content: 'First' }, { content: 'Second' }] }),
  memory_batch_update: ([id]) => ({ updates: [{ id, tags: ['new'] }] }),
  memory_get_score: ([id]) => ({ id }),
  memory_set_score: ([id]) => ({ id, score: 0.9 }),
  memory_consolidate: (ids) => ({ memory_ids: ids, preserve_originals: false }),
  save_to_memory: () => ({ key: 'kept', content: 'Tokens are JWT, for now' }),
  save_to_global_memory: () => ({ key: 'kept', content: 'Tokens are JWT, for now' }),
}

function inputOf(name: string, ids: readonly string[]): Json {
  const known = INPUTS[name]
  if (known) return known(ids)
  if (/^(?:retrieve_from|search)_/.test(name)) return { query: 'JWT' }
  if (name.startsWith('restore_')) return { key: 'old' }
  if (name.startsWith('delete_') || name === 'get_memory_entry') return { key: 'kept' }
  return {}
}

/** Every byte of the logs and entry files, by file. */
function readBytes(): string {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const kept = files.filter((file) => /events\/.*jsonl$|memory\/.*\.md$/.test(file)).sort()
  return kept.map((file) => `${file}\n${fs.readFileSync(path.join(folder, file), 'base64')}`).join('\n')
}

/** The memories of both stores as the log has them, without times. */
function readState(): Map<string, string> {
  const [project = ''] = fs.readdirSync(`${home}/projects`)
  const stores = [`${home}/projects/${project}`, `${home}/global`]
  const memories = stores.flatMap((store) => [...openLiveStore(openStoreAt(store, folder)).memories().values()])
  return new Map(
    memories.map(({ id, content, tags, metadata, retention, importance, pinned, accessCount }) => {
      const fields = { content, tags, metadata, retention, importance: pinned && importance, accessCount }
      return [id, JSON.stringify(fields)]
    }),
  )
}

const withoutCounts = (state: ReadonlyMap<string, string>) =>
  new Map([...state].map(([id, fields]) => [id, fields.replace(/,"accessCount":.*$/, '')]))

test('mcp: the hints of every tool say what it does to the store', async () => {
  const { tools } = await server.listTools()
  expect(tools).toHaveLength(TOOLS.length)
  for (const { name, title, annotations } of tools) {
    const input = inputOf(name, name.startsWith('memory_') ? stored.splice(0, 2) : [])
    const [bytes, before] = [readBytes(), readState()]
    const answer = await call(name, input)
    expect([name, answer['error']]).toEqual([name, undefined])
    const [bytesAfter, after] = [readBytes(), readState()]
    await call(name, input)
    const twice = readState()

    const isReadOnly = bytes === bytesAfter
    const was = withoutCounts(before)
    const is = withoutCounts(after)
    const isDestructive = [...was].some(([id, fields]) => is.get(id) !== fields)
    // A second consolidation fails without its originals; with them it would add another memory.
    const isIdempotent =
      JSON.stringify([...after].sort()) === JSON.stringify([...twice].sort()) && name !== 'memory_consolidate'
    expect({ name, isReadOnly, isDestructive, isIdempotent }).toEqual({
      name,
      isReadOnly: annotations?.readOnlyHint,
      isDestructive: annotations?.destructiveHint,
      isIdempotent: annotations?.idempotentHint,
    })
    expect([name, annotations?.openWorldHint, annotations?.title]).toEqual([name, false, title])
  }
})

/** Of every set. */
const ALL_NAMES = [...new Set(TOOLSETS.flatMap((set) => listTools(set)).map((tool) => tool.name))]

test('mcp: a description names only tools that are offered with it, and no command but a person’s', async () => {
  for (const set of TOOLSETS) {
    for (const role of ['worker', 'owner']) {
      const { client } = await mcpClient(newFolder('hints'), '--tools', set, '--role', role)
      const { tools } = await client.listTools()
      await client.close()
      const offered = new Set(tools.map((tool) => tool.name))
      for (const { name, description = '' } of tools) {
        const named = ALL_NAMES.filter((other) => new RegExp(`\\b${other}\\b`).test(description))
        expect([set, name, named.filter((other) => !offered.has(other))]).toEqual([set, name, []])
        expect([name, /`|memctl/.test(description.replace('the person runs `memctl forget ID`', ''))]).toEqual([
          name,
          false,
        ])
        expect([name, description.split(/\. |\.$/).filter(Boolean).length <= 4]).toEqual([name, true])
      }
    }
  }
})

test('mcp: the tools that store say what not to store', () => {
  for (const name of ['memory_store', 'save_to_memory', 'save_to_global_memory']) {
    expect(TOOLS.find((tool) => tool.name === name)?.description).toMatch(/Not the task at hand/)
  }
})

test('mcp: a failure names no tool that may be missing, and no command', async () => {
  const { client } = await mcpClient(newFolder('hints'), '--tools', 'memory')
  const { id } = ((await client.callTool({ name: 'memory_store', arguments: { content: 'x' } })).structuredContent ??
    {}) as Json
  const failures = await Promise.all([
    client.callTool({ name: 'memory_get', arguments: { id: '無い' } }),
    client.callTool({ name: 'memory_update', arguments: { id } }),
    client.callTool({ name: 'memory_delete', arguments: {} }),
  ])
  await client.close()
  for (const { isError, structuredContent } of failures) {
    expect(isError).toBe(true)
    expect(JSON.stringify(structuredContent)).not.toMatch(/memory_(?:search|list|get|store)|save_to|memctl/)
  }
})
