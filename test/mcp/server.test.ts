// The MCP server as a client meets it: a process on two pipes.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../src/tools/toolRegistry.ts'
import { REPOSITORY } from '../cli/testContext.ts'
import { newFolder } from '../tempFolders.ts'
import { type Json, mcpClient, mcpDoor } from '../tools/callers.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true })
})
const inFolder = (): string => {
  const folder = newFolder()
  folders.push(folder)
  return folder
}

/** The server as `memctl mcp` and as the plugin's one file. */
const SERVERS = { command: ['dist/cli.js', 'mcp'], plugin: ['dist/mcp.mjs'] }

function server([script, ...words]: readonly string[] = SERVERS.plugin) {
  const folder = inFolder()
  return spawn(process.execPath, [path.join(REPOSITORY, script!), ...words], {
    cwd: folder,
    env: { HOME: folder, MEMCTL_HOME: path.join(folder, 'home'), PATH: process.env['PATH'] ?? '' },
  })
}

const lined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Runs a server with these lines or bytes as its stdin. Returns every response and the exit status. */
async function serve(input: readonly string[] | Buffer, words?: readonly string[]) {
  const child = server(words)
  return heard(child, Buffer.isBuffer(input) ? input : Buffer.from(lined(input)))
}

async function heard(child: ReturnType<typeof server>, bytes: Buffer) {
  const result = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (result.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.err += text))
  child.stdin.on('error', () => {}) // It may have given up before it has read all.
  child.stdin.end(bytes)
  const status = await new Promise<number | null>((done) => child.once('close', done))
  return {
    status,
    err: result.err,
    answers: result.out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Json),
  }
}

const HELLO = JSON.stringify({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})
const ask = (id: number, method: string, params: Json = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

test.each(Object.entries(SERVERS))(
  'mcp: invalid input gets a JSON-RPC error from the %s, and the next request is served',
  async (_, words) => {
    const nonsense = [
      'nonsense',
      '{',
      '[]',
      '"text"',
      '{"a":1}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '\u0000\u0007',
      '{}',
    ]
    const { answers, status, err } = await serve([...nonsense, HELLO, ask(2, 'ping')], words)
    const refused = answers.filter((item) => item['error'] !== undefined)
    expect(refused.map((item) => item['id'])).toEqual(Array(nonsense.length).fill(null))
    for (const { error } of refused) {
      expect([-32700, -32600]).toContain((error as Json)['code'])
    }
    expect(answers.find((item) => item['id'] === 2)).toMatchObject({ result: {} })
    expect({ status, err }).toEqual({ status: 0, err: '' })
  },
)

test('mcp: an unknown name is an error with the request’s id, and no crash', async () => {
  const { answers, status } = await serve([
    HELLO,
    ask(2, 'no/such/method'),
    ask(3, 'tools/call', { name: 'no_such_tool', arguments: {} }),
    ask(4, 'tools/call', {}),
    ask(5, 'prompts/get', { name: 'nothing' }),
    ask(6, 'resources/read', { uri: 'memctl://memory/none' }),
    ask(7, 'tools/call', { name: 'memory_get', arguments: 'nonsense' }),
    ask(8, 'ping'),
  ])
  const codes = new Map(answers.map((item) => [item['id'], (item['error'] as Json | undefined)?.['code']]))
  for (const id of [2, 3, 4, 5, 6, 7]) expect([id, codes.get(id)]).toEqual([id, expect.any(Number)])
  expect(codes.get(8)).toBe(undefined)
  expect(status).toBe(0)
})

const requests = fc.record({
  method: fc.oneof(
    fc.constantFrom('tools/call', 'tools/list', 'prompts/get', 'resources/read', 'initialize', 'no/such', ''),
    fc.string(),
  ),
  params: fc.oneof(
    fc.jsonValue(),
    fc.record({
      name: fc.oneof(fc.constantFrom(...TOOLS.map((tool) => tool.name)), fc.string()),
      arguments: fc.jsonValue(),
    }),
    fc.record({ uri: fc.string() }),
  ),
})

test('mcp: each of a thousand invalid lines gets a response, and the next request is served', async () => {
  const count = 500
  const junk = fc
    .sample(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), count)
    .map((item) => item.replace(/\n/g, ' '))
  const query = fc.sample(requests, count).map(({ method, params }, i) => ask(10 + i, method, params as Json))
  const lines = junk.flatMap((line, i) => [line, query[i]!])
  const { answers, status, err } = await serve([HELLO, ...lines, ask(2, 'ping')], [...SERVERS.plugin, '--tools', 'all'])
  const ids = answers.map((item) => item['id'])
  // A line that is no valid message has no id to be answered by.
  expect(ids.filter((id) => id === null || Number(id) >= 10)).toHaveLength(2 * count)
  expect(ids.filter((id) => id === null).length).toBeGreaterThanOrEqual(count)
  expect(answers.find((item) => item['id'] === 2)).toMatchObject({ result: {} })
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test('mcp: bytes that are not text get errors, and the next request is served', async () => {
  const bytes = Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 151 + (i >> 8)) % 256))
  const { answers, status, err } = await serve(Buffer.concat([bytes, Buffer.from(lined(['', HELLO, ask(2, 'ping')]))]))
  expect(answers.filter((item) => item['id'] === null).length).toBeGreaterThan(1)
  expect(answers.find((item) => item['id'] === 2)).toMatchObject({ result: {} })
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test('mcp: a line that is too long gets an error, and the server ends', async () => {
  const huge = 'x'.repeat(25 * 1024 * 1024)
  for (const after of [`\n${ask(2, 'ping')}\n`, '']) {
    const { answers, status, err } = await serve(Buffer.from(`${HELLO}\n${huge}${after}`))
    expect(answers.filter((item) => item['id'] === null)).toMatchObject([{ error: { code: -32600 } }])
    expect({ status, err }).toEqual({ status: 0, err: '' })
  }
})

test('mcp: the largest call is accepted: a hundred memories of 64,000 characters', async () => {
  const items = Array.from({ length: 100 }, (_, i) => ({ content: `${i} ${'緊急調達の'.repeat(12_799)}` }))
  const call = ask(2, 'tools/call', { name: 'memory_batch_store', arguments: { items } })
  const { answers } = await serve([HELLO, call], [...SERVERS.plugin, '--tools', 'memory'])
  expect(answers.find((item) => item['id'] === 2)).toMatchObject({
    result: { structuredContent: { stored_count: 100 } },
  })
})

test('mcp: objects that are nested too deeply are refused, and the server continues', async () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const call = ask(2, 'tools/call', { name: 'memory_store', arguments: { content: 'x', metadata: 'DEEP' } })
  const { answers, status, err } = await serve([HELLO, call.replace('"DEEP"', deep), ask(3, 'ping')])
  expect(answers.find((item) => item['id'] !== 1 && item['id'] !== 3)).toSatisfy(
    (item: Json) => item['error'] !== undefined || (item['result'] as Json)['isError'] === true,
  )
  expect(answers.find((item) => item['id'] === 3)).toMatchObject({ result: {} })
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test('mcp: of input that ends inside a line, what comes before it is answered', async () => {
  const { answers, status, err } = await serve(
    Buffer.from(`${HELLO}\n${ask(2, 'ping')}\n${ask(3, 'ping').slice(0, 9)}`),
  )
  expect(answers.map((item) => item['id'])).toEqual([1, 2])
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test.each(Object.entries(SERVERS))('mcp: when its output is closed the %s exits normally', async (_, words) => {
  const child = server(words)
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  child.stdin.on('error', () => {}) // It ends while it is still being asked.
  child.stdin.write(`${HELLO}\n`)
  await new Promise((heardOf) => child.stdout.once('data', heardOf))
  child.stdout.destroy()
  for (let i = 2; i < 2_000; i++) child.stdin.write(`${ask(i, 'tools/list')}\n`)
  const status = await new Promise<number | null>((done) => child.once('close', done))
  expect({ status, err }).toEqual({ status: 0, err: '' })
})

test('mcp: the server exits when its stdin ends, also before the first request', async () => {
  expect(await serve([])).toEqual({ status: 0, err: '', answers: [] })
})

test('mcp: each set has its tools for a role, and the core set is small and costs few tokens', async () => {
  const folder = inFolder()
  const offered = async (...words: string[]) => {
    const { client } = await mcpClient(folder, ...words)
    const { tools } = await client.listTools()
    await client.close()
    return tools
  }
  const named = async (...words: string[]) => (await offered(...words)).map(({ name }) => name)
  const core = await offered()
  expect(core.map(({ name }) => name)).toEqual([
    ...['memory_search', 'memory_get', 'memory_save', 'memory_delete', 'memory_restore'],
  ])
  // What the client sends to the model: neither titles nor hints.
  const sent = core.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  // Some four characters a token: about a thousand tokens in every session.
  expect(JSON.stringify(sent).length).toBeLessThan(4_400)
  const seed001 = TOOLS.filter((tool) => tool.group === 'memory').map((tool) => tool.name)
  expect(seed001).toHaveLength(11)
  expect(await named('--tools', 'memory')).toEqual(seed001)
  expect(await named('--tools', 'entries')).toHaveLength(15)
  expect(await named('--tools', 'entries', '--role', 'admin')).toHaveLength(19)
  const all = await offered('--tools', 'all', '--role', 'owner')
  expect(all.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
  expect(all).toHaveLength(30)
  // The command has the same defaults and options.
  for (const words of [[], ['--tools', 'entries'], ['--tools', 'all', '--role', 'owner']]) {
    const { answers } = await serve([HELLO, ask(2, 'tools/list')], [...SERVERS.command, ...words])
    const tools = (await named(...words)).map((name) => expect.objectContaining({ name }))
    expect(answers.find((item) => item['id'] === 2)).toMatchObject({ result: { tools } })
  }
  // A client that defers tools has search and save at once, and words to find the others by.
  for (const [set, loaded] of [
    [core, ['memory_search', 'memory_save']],
    [all, ['memory_store', 'memory_search']],
  ] as const) {
    const having = (key: string) => set.flatMap(({ name, _meta }) => (_meta?.[key] ? [name] : []))
    expect(having('anthropic/alwaysLoad')).toEqual(loaded)
    expect([...loaded, ...having('anthropic/searchHint')].sort()).toEqual(set.map(({ name }) => name).sort())
  }
  // Every tool describes its input.
  for (const { name, description, inputSchema } of all) {
    expect([name, description]).toEqual([name, expect.stringMatching(/\w/)])
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      expect([name, field, schema]).toEqual([name, field, expect.objectContaining({ description: expect.any(String) })])
    }
  }
})

test('mcp: search shows the start of a long memory, and get returns all of it', async () => {
  const door = await mcpDoor()
  const content = `How the harbour is lit.\n${'A lamp stands on the pier. '.repeat(100)}`
  const { id } = await door.call('memory_store', { content })
  const { results } = await door.call('memory_search', { query: 'harbour lamp' })
  const [shown] = results as Json[]
  expect(String(shown!['content']).length).toBeLessThan(300)
  expect(content.startsWith(String(shown!['content']).slice(0, -1))).toBe(true)
  expect(await door.call('memory_get', { id })).toMatchObject({ content })
  await door.end()
})

type Call = (name: string, input: Json) => Promise<Json>

describe('mcp: four servers of a project', () => {
  const folder = newFolder('servers')
  let clients: readonly Awaited<ReturnType<typeof mcpClient>>['client'][]
  let calls: readonly Call[]
  beforeAll(async () => {
    clients = (await Promise.all([1, 2, 3, 4].map(() => mcpClient(folder, '--tools', 'all')))).map((one) => one.client)
    calls = clients.map((client) => async (name, input) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: input })
      expect(isError ?? false).toBe(false)
      return structuredContent as Json
    })
  })
  afterAll(async () => {
    for (const client of clients) await client.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  const countStored = async (): Promise<number> => Number((await calls[0]!('memory_list', { limit: 1 }))['total'])

  test('mcp: 40 concurrent stores through four servers give 40 memories in each server', async () => {
    const before = await countStored()
    const stored = await Promise.all(
      Array.from({ length: 40 }, (_, i) => calls[i % 4]!('memory_store', { content: `lamp number ${i}` })),
    )
    expect(new Set(stored.map(({ id }) => id)).size).toBe(40)
    for (const call of calls) {
      const { memories, total } = (await call('memory_list', { limit: 100, offset: before })) as Page
      expect(total).toBe(before + 40)
      expect(new Set(memories.map(({ content }) => content)).size).toBe(40)
    }
  })

  test('mcp: pages stay stable while three servers store: earlier memories appear once, in order', async () => {
    const before = await countStored()
    const [reader, ...writers] = calls as [Call, ...Call[]]
    const items = Array.from({ length: 40 }, (_, i) => ({ content: `before ${i}` }))
    const { stored_ids } = await reader('memory_batch_store', { items })
    const meanwhile = writers.map(async (write, writer) => {
      for (let i = 0; i < 15; i++) await write('memory_store', { content: `meanwhile ${writer} ${i}` })
    })
    const seen: unknown[] = []
    for (let total = before + 1, offset = before; offset < total; offset += 5) {
      const page = (await reader('memory_list', { limit: 5, offset })) as Page
      seen.push(...page.memories.map(({ id }) => id))
      total = page.total
    }
    await Promise.all(meanwhile)
    expect(seen.slice(0, 40)).toEqual(stored_ids)
    expect(new Set(seen).size).toBe(seen.length)
    expect(await countStored()).toBe(before + 40 + 3 * 15)
  })

  test('mcp: 40 concurrent entries through four servers give 40 files, and 40 entries in each server', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        calls[i % 4]!('save_to_memory', { key: `ランプ ${i}`, content: `lamp ${i}` }),
      ),
    )
    expect(fs.readdirSync(path.join(folder, '.memctl/memory'))).toHaveLength(40)
    for (const call of calls)
      expect(await call('list_memory_entries', { limit: 100 })).toMatchObject({ total: 40, count: 40 })
  })
})

type Page = { readonly memories: readonly Json[]; readonly total: number }

test('mcp: a working memory is removed when its server has exited', async () => {
  const folder = inFolder()
  const { client } = await mcpClient(folder, '--tools', 'memory')
  await client.callTool({ name: 'memory_store', arguments: { content: 'half lit', memory_tier: 'working' } })
  expect((await client.callTool({ name: 'memory_list', arguments: {} })).structuredContent).toMatchObject({ total: 1 })
  await client.close()
  const { client: next } = await mcpClient(folder, '--tools', 'memory')
  expect((await next.callTool({ name: 'memory_list', arguments: {} })).structuredContent).toMatchObject({ total: 0 })
  await next.close()
})

test('mcp: a call that is cancelled with the same message stores nothing; one that stores is answered', async () => {
  const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
  const store = (id: number, content: string) => ask(id, 'tools/call', { name: 'memory_store', arguments: { content } })
  const find = ask(9, 'tools/call', { name: 'memory_list', arguments: {} })
  const { answers } = await serve(
    [HELLO, store(5, 'cancelled note'), cancel, store(6, 'kept note'), find],
    [...SERVERS.plugin, '--tools', 'all'],
  )
  expect(answers.some((item) => item['id'] === 5)).toBe(false)
  expect(answers.find((item) => item['id'] === 6)).toMatchObject({
    result: { structuredContent: { content: 'kept note' } },
  })
  expect(JSON.stringify(answers.find((item) => item['id'] === 9))).not.toContain('cancelled note')
})
