// openMemory: the entry point to everything a project's memory can do.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemEvent } from '../../../src/broker/commit/commitEvents.ts'
import { eraseTexts } from '../../../src/broker/forget/erasurePlan.ts'
import { AgentMemory, MemoryRepository, openMemory, type ProjectMemory } from '../../../src/index.ts'
import { writeTrust } from '../../../src/store/project/contentTrust.ts'
import { createCopyFinder } from '../../../src/text/copies/findCopies.ts'
import { TOOLS } from '../../../src/tools/toolRegistry.ts'
import { buildMemory } from '../../testData.ts'

const WITH_VECTOR = { embedding: { model: 'm', vector: 'AACAPwAAAAAAAAA/' } }

let folder: string
let memory: ProjectMemory

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-open-'))
  memory = openMemory({ project: folder, env: { MEMCTL_HOME: path.join(folder, 'home') } })
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const payload = (hook_event_name: string, more: object = {}) => ({
  ...{ session_id: 's1', hook_event_name, cwd: folder, ...more },
})

test('library: recorded events are organized, and found by recall and search', async () => {
  expect(await memory.record(payload('SessionStart', { source: 'startup' }))).toBe('')
  await memory.record(payload('UserPromptSubmit', { prompt: 'remember: always run the linter before a commit' }))
  await memory.record(payload('SessionEnd', { reason: 'exit' }))
  expect(await memory.organize()).toMatchObject({ organized: ['s1'], busy: false })
  expect((await memory.search('linter commit', { limit: 1 }))[0]!.memory.content).toContain('linter')
  expect((await memory.recall('linter before a commit')).text).toContain('linter')
  expect((await memory.recall({ text: 'linter', topK: 1 })).shown).toHaveLength(1)
  const later = openMemory({ project: folder, env: { MEMCTL_HOME: path.join(folder, 'home') } })
  expect(await later.record({ ...payload('SessionStart', { source: 'startup' }), session_id: 's2' })).toContain(
    'linter',
  )
  await later.close()
})

test('library: every tool exists with its schema, and returns or throws as documented', async () => {
  expect(memory.tools.map((tool) => tool.name)).toEqual(TOOLS.map((tool) => tool.name))
  for (const { inputSchema, description } of memory.tools) {
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(description).not.toBe('')
  }
  const { id } = await memory.call('memory_store', { content: '緊急調達では15%のコスト増を見込む' })
  expect(await memory.call('memory_get', { id })).toMatchObject({ content: '緊急調達では15%のコスト増を見込む' })
  await expect(memory.call('memory_get', { id: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(memory.call('memory_store', {})).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  await expect(memory.call('memory_sing')).rejects.toMatchObject({ code: 'NOT_FOUND', hint: expect.any(String) })
})

test('library: an invalid payload is rejected', async () => {
  await expect(memory.record({ hello: 1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
})

test('library: what is stored through one entry point is found through the others', async () => {
  const executor = memory.taskExecutor()
  await executor.recordLearning({ agentId: 'agent_01', content: 'the oven needs ten minutes', learning: 'preheat' })
  expect((await memory.memoryAgent().retrieve({ search: 'oven' })).memories).toHaveLength(1)
  expect((await memory.call('memory_search', { query: 'oven', agent_id: 'agent_01' }))['results']).toHaveLength(1)
  await memory.organize()
  expect(await memory.search('oven')).toHaveLength(1)
  expect(await memory.search('preheat')).toHaveLength(1)
})

test('library: the vector of a text that a tool changes, or of which one is forgotten, is right or gone', async () => {
  const repository = new MemoryRepository(memory.connection)
  // In base64 the vector begins with AACA.
  const create = (content: string) =>
    repository.create(AgentMemory.create({ agentId: 'a', content, embedding: [1, 0, 0.5] }))
  const [changed, tagged] = [await create('the old text'), await create('a text that says aaca')]
  await memory.call('memory_update', { id: changed.id, content: 'another text' })
  await memory.call('memory_update', { id: tagged.id, tags: ['t'] })
  const vectorOf = async ({ id }: AgentMemory) => (await repository.getById(id))?.embedding
  expect(await Promise.all([changed, tagged].map(vectorOf))).toEqual([null, [1, 0, 0.5]])
  const event = systemEvent({ kind: 'memory.stored', memory: buildMemory(1, WITH_VECTOR) } as const, { now: 0 })
  const forgotten = eraseTexts(createCopyFinder(['AACAPwAAAAAAAAA']))(event) as typeof event
  expect(forgotten.memory).toEqual({ ...event.memory, embedding: undefined })
})

test('library: an entry file written by hand is searchable and recalled at once, a deleted one is not', async () => {
  const entries = path.join(folder, '.memctl/memory')
  fs.mkdirSync(entries, { recursive: true })
  writeTrust(memory.store, 'trusted', Date.now())
  fs.writeFileSync(path.join(entries, 'oven.md'), '---\nkey: oven\n---\n\nThe oven needs ten minutes\n')
  expect((await memory.search('oven minutes'))[0]!.memory.content).toBe('oven: The oven needs ten minutes')
  expect((await memory.recall('how long does the oven need')).text).toContain('ten minutes')
  fs.writeFileSync(path.join(entries, 'oven.md'), '---\nkey: oven\n---\n\nThe oven needs a quarter of an hour\n')
  expect((await memory.recall('how long does the oven need')).text).toContain('a quarter of an hour')
  expect(await memory.call('get_memory_entry', { key: 'oven' })).toMatchObject({ success: true })
  fs.rmSync(path.join(entries, 'oven.md'))
  expect(await memory.search('oven')).toEqual([])
})
