// The MemoryAgent of the agent-framework spec calls its recorder and retriever, by default the project's memory.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  MemoryAgent,
  MemoryRecorder,
  type MemoryRecorderInput,
  MemoryRetriever,
  type MemoryRetrieverInput,
  openMemory,
  type ProjectMemory,
} from '../../../src/index.ts'

let folder: string
let memory: ProjectMemory

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-agent-'))
  memory = openMemory({ store: folder, project: folder, env: {} })
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The spec's store in memory, as process functions. */
function inMemory() {
  const store = new Map<string, { id: string; content: unknown; createdAt: string }>()
  const record = async ({ content }: MemoryRecorderInput) => ({
    memories: content.map((item) => {
      const one = { id: `m${store.size + 1}`, content: item, createdAt: new Date().toISOString() }
      store.set(one.id, one)
      return one
    }),
  })
  const retrieve = async ({ search, limit = 10 }: MemoryRetrieverInput) => {
    const all = [...store.values()]
    const filtered = search ? all.filter((one) => JSON.stringify(one.content).includes(search as string)) : all
    return { memories: filtered.slice(0, limit) }
  }
  return { record, retrieve }
}

/** The spec's engine: it invokes a function with its input and a context. */
const aigne = {
  invoke: <I, O>(process: (input: I, options: { context: object }) => O, input: I): O =>
    process(input, { context: aigne }),
}

const CAPITAL = { content: [{ input: { query: 'What is the capital of France?' } }] }

test.each([
  [
    'instances',
    (own: ReturnType<typeof inMemory>) => ({
      recorder: new MemoryRecorder({ process: own.record }),
      retriever: new MemoryRetriever({ process: own.retrieve }),
    }),
  ],
  [
    'options',
    (own: ReturnType<typeof inMemory>) => ({
      recorder: { name: 'Mine', process: own.record },
      retriever: { process: own.retrieve },
    }),
  ],
  ['functions', (own: ReturnType<typeof inMemory>) => ({ recorder: own.record, retriever: own.retrieve })],
  ['nothing: the project’s own', () => ({})],
])('library: a MemoryAgent of %s records and retrieves, as in the spec’s example', async (_, options) => {
  const memoryAgent = memory.memoryAgent(options(inMemory()))
  const recorded = await aigne.invoke(memoryAgent.record.bind(memoryAgent), CAPITAL)
  expect(recorded.memories).toHaveLength(1)
  expect(recorded.memories[0]).toMatchObject({ content: CAPITAL.content[0], id: expect.any(String) })
  expect(Date.parse(recorded.memories[0]!.createdAt)).not.toBeNaN()
  await memoryAgent.record({ content: [{ input: { query: 'How many moons has Mars?' }, output: { text: 'Two.' } }] })
  const retrieved = await aigne.invoke(memoryAgent.retrieve.bind(memoryAgent), { search: 'France', limit: 5 })
  expect(retrieved.memories.map((one) => one.id)).toEqual([recorded.memories[0]!.id])
  expect((await memoryAgent.retrieve({ limit: 1 })).memories).toHaveLength(1)
  expect((await memoryAgent.retrieve()).memories).toHaveLength(2)
})

test('library: recorder and retriever are added after the agent’s own skills', () => {
  const skill = { name: 'Translate' }
  const agent = memory.memoryAgent({ skills: [skill] })
  expect(agent.skills).toEqual([skill, agent.recorder, agent.retriever])
  expect(agent.skills.map((one) => one.name)).toEqual(['Translate', 'MemoryRecorder', 'MemoryRetriever'])
})

test('library: an operation is recorded at its end if autoUpdate is on, and not if it is off', async () => {
  const quiet = memory.memoryAgent()
  expect(await quiet.observe({ q: '発注はいつ' }, { a: '月末' })).toBeNull()
  const agent = memory.memoryAgent({ autoUpdate: true })
  await agent.observe({ q: '発注はいつ' }, { a: '発注は月末に行う' }, 'buyer')
  const { memories } = await agent.retrieve({ search: { text: '発注 月末' } })
  expect(memories.map((one) => one.content)).toEqual([
    { input: { q: '発注はいつ' }, output: { a: '発注は月末に行う' }, source: 'buyer' },
  ])
})

test('library: messages of subscribed topics are recorded, on any context with a subscribe function', async () => {
  const listeners = new Map<string, (payload: object) => unknown>()
  const context = {
    subscribe(topic: string, listener: (payload: object) => unknown) {
      listeners.set(topic, listener)
      return () => listeners.delete(topic)
    },
  }
  const agent = memory.memoryAgent({ subscribeTopic: ['orders', 'stock'] })
  const end = agent.attach(context)
  expect([...listeners.keys()]).toEqual(['orders', 'stock'])
  await listeners.get('orders')!({ text: 'order 7 is late' })
  await listeners.get('stock')!({ role: 'agent', source: 'counter', message: { text: 'shelf 3 is empty' } })
  expect((await agent.retrieve()).memories.map((one) => one.content)).toEqual([
    { output: { text: 'shelf 3 is empty' }, source: 'counter' },
    { input: { text: 'order 7 is late' }, source: 'orders' },
  ])
  end()
  expect(listeners.size).toBe(0)
  expect(memory.memoryAgent({ subscribeTopic: 'one' }).subscribeTopic).toEqual(['one'])
})

test('library: a failing recorder never throws into the context that called it', async () => {
  const failed: unknown[] = []
  const listeners: ((payload: object) => unknown)[] = []
  const agent = new MemoryAgent({
    recorder: () => Promise.reject(new Error('disk full')),
    retriever: () => ({ memories: [] }),
    subscribeTopic: 'orders',
  })
  agent.attach({ subscribe: (_, listener) => listeners.push(listener) }, (error) => failed.push(error))()
  await listeners[0]!({ text: 'order 7' })
  expect(failed).toEqual([new Error('disk full')])
})

test('library: the default process functions work alone, as a framework’s own recorder calls them', async () => {
  const { recorder, retriever } = memory.memoryAgent()
  const { process: record } = recorder
  const { process: retrieve } = retriever
  await record(CAPITAL, { context: {} })
  expect((await retrieve({ search: 'capital' }, { context: {} })).memories).toHaveLength(1)
})

test('library: a MemoryAgent stores ordinary memories, and finds the memories of hooks', async () => {
  const agent = memory.memoryAgent()
  await agent.record(CAPITAL)
  const found = await memory.call('memory_search', { query: 'capital of France' })
  expect(found['results']).toMatchObject([{ content: 'What is the capital of France?' }])
  await memory.call('memory_store', { content: 'the cache is in Redis' })
  expect((await agent.retrieve({ search: 'Redis' })).memories.map((one) => one.content)).toEqual([
    'the cache is in Redis',
  ])
  const token = `ghp_${'a1B2'.repeat(9)}`
  await agent.record({ content: [{ input: { text: `use ${token}` } }] })
  expect(JSON.stringify(await agent.retrieve())).not.toContain(token)
})

test('library: what only the name of its field makes a secret is in no file of the store', async () => {
  const input = { host: 'db1', login: { password: 'hunter2xyzzBJ' }, argv: ['--client-secret', 'Zq8sKd02mfLw93Hx'] }
  await memory.memoryAgent().record({ content: [{ input, output: { pin: 482913, text: 'ok' } }] })
  const taskFunc = () => ({ host: 'db1', db_password: 'hunter3xyzzBJ' })
  const task = { agentId: 'a', query: 'db1', taskFunc, extractLearning: true }
  expect((await memory.taskExecutor().executeTask(task)).errors).toEqual([])
  await memory.organize()
  expect(await memory.search('db1')).toHaveLength(2)
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map(({ parentPath, name }) => fs.readFileSync(path.join(parentPath, name), 'utf8'))
  expect(texts.join('\n')).not.toMatch(/hunter|Zq8sKd02mfLw93Hx|482913/)
})

test.each([
  [{ content: 'no list' }, undefined],
  [{ content: [1] }, undefined],
  [{ content: [{}] }, undefined],
  [undefined, { limit: 0 }],
  [undefined, { search: 3 }],
])('library: %j, %j is rejected with a hint', async (recorded, sought) => {
  const agent = memory.memoryAgent()
  const asked = sought ? agent.retrieve(sought as object) : agent.record(recorded as unknown as MemoryRecorderInput)
  await expect(asked).rejects.toMatchObject({ code: 'INPUT_INVALID', hint: expect.any(String) })
})

test('library: a process that returns no memories is named in the error', async () => {
  const agent = new MemoryAgent({
    recorder: () => ({}) as never,
    retriever: { name: 'Mine', process: () => null as never },
  })
  await expect(agent.record(CAPITAL)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  await expect(agent.retrieve()).rejects.toThrow(/Mine/)
})
