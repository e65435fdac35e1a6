// A program can cancel a call by a signal, and close what it has opened by `await using`.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { embedMissing } from '../../../src/broker/embedding/configuredEmbedder.ts'
import { MemoryAgent, openMemory } from '../../../src/index.ts'
import { realDisk } from '../../../src/store/disk/files.ts'
import { readLog } from '../../../src/store/log/readLog.ts'
import { REPOSITORY } from '../../cli/testContext.ts'
import { newFolder } from '../../tempFolders.ts'

let folder: string
let server: http.Server | undefined
beforeEach(() => {
  folder = newFolder('cancel')
})
afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
  fs.rmSync(folder, { recursive: true, force: true })
})

const open = () => openMemory({ project: folder, env: { MEMCTL_HOME: path.join(folder, 'home') } })

/** An embedder's service. It answers until it is told to be silent, and says how many requests were given up. */
async function embeddingService() {
  const state = { isSilent: false, waiting: 0, ended: 0 }
  server = http.createServer(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join('')) as { input: readonly string[] }
    if (state.isSilent) {
      state.waiting += 1
      response.once('close', () => {
        state.ended += 1
      })
      return
    }
    const data = body.input.map((text, index) => ({ index, embedding: [text.length, 1, 0, 0, 0, 0, 0, 0] }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state }
}

const payload = (session_id: string, prompt: string) => ({ session_id, hook_event_name: 'UserPromptSubmit', prompt })
test('library: a call with an aborted signal rejects with CANCELLED and its reason, and changes nothing', async () => {
  const memory = open()
  const options = { signal: AbortSignal.abort('利用者が中止した') }
  const agent = memory.memoryAgent()
  const content = [{ input: { text: 'the oven needs ten minutes' } }]
  for (const call of [
    () => memory.call('memory_store', { content: 'the oven needs ten minutes' }, options),
    () => memory.recall('oven', options),
    () => memory.search('oven', options),
    () => memory.organize(options),
    () => memory.rebuild(options),
    () => agent.record({ content }, options),
    () => agent.retrieve({ search: 'oven' }, options),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'CANCELLED', cause: '利用者が中止した' })
  expect((await memory.call('memory_list')).total).toBe(0)
})

test('library: a search that waits for an embedder ends at once, and so does its request', async () => {
  const { url, state } = await embeddingService()
  const env = { MEMCTL_HOME: path.join(folder, 'home') }
  fs.mkdirSync(env.MEMCTL_HOME, { recursive: true })
  const config = `embedder:\n  kind: openai\n  endpoint: ${url}\n  dimensions: 8\n`
  fs.writeFileSync(path.join(env.MEMCTL_HOME, 'config.yaml'), config)
  const memory = open()
  await memory.call('memory_store', { content: 'the oven needs ten minutes' })
  await memory.organize()
  expect(await embedMissing(memory.store, env)).toBe(1)
  state.isSilent = true
  for (const search of [
    (signal: AbortSignal) => memory.call('memory_search', { query: 'oven', search_mode: 'semantic' }, { signal }),
    (signal: AbortSignal) => memory.memoryAgent().retrieve({ search: 'オーブン' }, { signal }),
  ]) {
    const { waiting } = state
    const cancel = new AbortController()
    const searching = search(cancel.signal)
    await vi.waitUntil(() => state.waiting > waiting)
    cancel.abort()
    await expect(searching).rejects.toMatchObject({ code: 'CANCELLED' })
    await vi.waitUntil(() => state.ended > waiting)
  }
  state.isSilent = false
  // The embedder is not given up because somebody did not want to wait.
  expect(await memory.call('memory_search', { query: 'oven', search_mode: 'semantic' })).toMatchObject({ total: 1 })
})

test('library: a recorder that does not look at the signal is not waited for', async () => {
  const cancel = new AbortController()
  const agent = new MemoryAgent({ recorder: () => new Promise(() => {}), retriever: () => new Promise(() => {}) })
  const calls = [
    agent.record({ content: [] }, { signal: cancel.signal }),
    agent.retrieve({}, { signal: cancel.signal }),
  ]
  cancel.abort()
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'CANCELLED' })
})

test('library: calls that are not awaited are stored in their order', async () => {
  const memory = open()
  const prompts = Array.from({ length: 20 }, (_, i) => payload('s1', `prompt ${i}`))
  await Promise.all(prompts.map((each) => memory.record(each)))
  const { events } = readLog(realDisk, memory.store.layout.events)
  expect(events.flatMap((event) => (event.kind === 'prompt' ? [event.text] : []))).toEqual(
    prompts.map(({ prompt }) => prompt),
  )
})

test('library: `await using` closes a memory, its connection and a MemoryAgent', async () => {
  let closed: ReturnType<typeof open>
  {
    await using memory = open()
    closed = memory
    await memory.call('memory_store', { content: 'the oven needs ten minutes' })
    await memory.memoryAgent().record({ content: [{ input: { text: 'hot' } }] })
    expect(memory.connection).toBe(memory.connection)
  }
  expect(await closed.connection.healthCheck()).toBe(false)
  const ended: string[] = []
  {
    await using agent = new MemoryAgent({
      recorder: () => ({ memories: [] }),
      retriever: () => ({ memories: [] }),
      subscribeTopic: ['a', 'b'],
    })
    agent.attach({ subscribe: (topic) => () => ended.push(topic) })
  }
  expect(ended).toEqual(['a', 'b'])
})

test('library: without Symbol.asyncDispose, as in Node 20.0, the classes work and are closed by `close`', () => {
  // A context of its own: the symbol cannot be removed from this one.
  const script = `
    const real = Symbol
    globalThis.Symbol = new Proxy(function () {}, {
      get: (_, name) => (name === 'asyncDispose' ? undefined : real[name]),
      apply: (_, __, words) => real(...words),
    })
    const { MemoryAgent, openMemory } = require(${JSON.stringify(path.join(REPOSITORY, 'dist/index.cjs'))})
    const memory = openMemory({ project: '.', env: { MEMCTL_HOME: ${JSON.stringify(path.join(folder, 'home'))} } })
    memory.call('memory_store', { content: 'hot' })
      .then(() => memory.memoryAgent().shutdown())
      .then(() => memory.close())
      .then(() => console.log(typeof memory.close, Symbol.asyncDispose))
  `
  expect(execFileSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })).toBe('function undefined\n')
})
