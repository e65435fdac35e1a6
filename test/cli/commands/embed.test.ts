// doctor --embedder and rebuild --vectors: an embedder is configured and shown. Its errors never stop recording.
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { embedMissing } from '../../../src/broker/embedding/configuredEmbedder.ts'
import { openStore } from '../../../src/broker/open/openStore.ts'
import { createProgressBar } from '../../../src/report/textOutput.ts'
import { hash32 } from '../../../src/text/hash.ts'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import { writeTinyModel } from '../../embed/tinyModel.ts'
import { newWorld, type World } from '../testContext.ts'

const KEY = 'sk-loopback-0123456789'
let server: http.Server
let endpoint: string
let list: { readonly url: string; readonly authorization: string | undefined; readonly input: readonly string[] }[]
let world: World
let config: string

beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { input, dimensions = 1536 } = JSON.parse(body) as { input: string[]; dimensions?: number }
      const key = request.headers['api-key'] ?? request.headers.authorization
      list.push({ url: request.url!, authorization: key as string | undefined, input })
      const data = input.map((text, index) => {
        const embedding = new Array<number>(dimensions).fill(0)
        for (const term of extractTerms(text)) embedding[hash32(term) % dimensions]! += 1
        return { index, embedding }
      })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

beforeEach(async () => {
  list = []
  world = newWorld({ LOOPBACK_KEY: KEY })
  config = path.join(world.folder, 'home/config.yaml')
  for (const text of ['invoices are rounded in cents', 'the browser test is flaky', 'rotate the signing key in May']) {
    expect((await world.memctl('memory', 'store', text)).status).toBe(0)
  }
  expect((await world.memctl('organize')).status).toBe(0)
})
afterEach(() => world.end())

interface Status {
  configured: { kind: string }
  model: string
  dimensions: number
  memories: number
  embedded: number
  matchesConfig: boolean
  probe?: { fault?: string; hint?: string; id?: string }
}
interface Found {
  results: { content: string }[]
}
const status = (...words: string[]) => world.json<Status>('doctor', '--embedder', ...words)
const meant = async (text: string) =>
  (await world.json<Found>('memory', 'search', '--top-k', '1', text)).results.map(({ content }) => content)
const OPENAI = () => `kind: openai, endpoint: ${endpoint}/v1, keyEnv: LOOPBACK_KEY`

/** Writes the embedder into config.yaml, none for the built-in one, and computes all vectors. */
const use = (embedder: string | undefined, ...before: readonly string[]) => {
  fs.writeFileSync(config, [...before, embedder ? `embedder: { ${embedder} }\n` : ''].join(''))
  return world.json('rebuild', '--vectors')
}

test('cli: the built-in embedder is the default, and needs no vectors', async () => {
  expect(await status('--probe')).toMatchObject({
    ...{ configured: { kind: 'builtin' }, memories: 3, embedded: 0, model: '', matchesConfig: true },
    probe: { dimensions: 256 },
  })
  expect(await meant('cents of an invoice')).toEqual(['invoices are rounded in cents'])
})

test('cli: rebuild --vectors computes the vectors of the configured embedder', async () => {
  const done = await use(`${OPENAI()}, dimensions: 64`, 'log: { sync: session }\n')
  expect(done).toMatchObject({ embedder: 'openai', embedded: 3 })
  expect(list.map(({ url, authorization }) => [url, authorization])).toEqual([['/v1/embeddings', `Bearer ${KEY}`]])
  expect(await status()).toMatchObject({ model: 'openai:text-embedding-3-small:64', dimensions: 64, embedded: 3 })
  expect(await meant('cents of an invoice')).toEqual(['invoices are rounded in cents'])
  expect((await world.memctl('doctor')).out).toContain('Embedder openai is configured')
})

test('cli: vectors of two embedders are never mixed, in either order', async () => {
  await use(`${OPENAI()}, dimensions: 256`)
  const openai = await status()
  expect(openai).toMatchObject({ model: 'openai:text-embedding-3-small:256', dimensions: 256, embedded: 3 })
  await world.memctl('memory', 'store', 'a fourth about octopus recipes')
  await world.memctl('organize')
  // Its vector is the chosen embedder's to make: until then it has none, and no other's.
  expect(await status()).toMatchObject({ model: openai.model, memories: 4, embedded: 3 })
  const store = openStore(path.join(world.folder, 'project'), { MEMCTL_HOME: path.join(world.folder, 'home') })
  expect(await embedMissing(store, { LOOPBACK_KEY: KEY })).toBe(1)
  expect(await status()).toMatchObject({ model: openai.model, memories: 4, embedded: 4 })
  expect(await meant('octopus')).toEqual(['a fourth about octopus recipes'])
  expect(await use(undefined)).toMatchObject({ embedder: 'builtin', embedded: 4 })
  expect(await status()).toMatchObject({
    configured: { kind: 'builtin' },
    dimensions: 256,
    embedded: 4,
    matchesConfig: true,
  })
  expect((await status()).model).toMatch(/^builtin-/)
})

test('cli: Azure’s environment variables are used by the azure embedder, and do not select it', async () => {
  world.end()
  world = newWorld({
    AZURE_OPENAI_ENDPOINT: endpoint,
    OpenAIEmbeddingKey: KEY,
    AZURE_OPENAI_EMBEDDING_DEPLOYMENT: 'small',
  })
  config = path.join(world.folder, 'home/config.yaml')
  await world.memctl('memory', 'store', 'invoices are rounded in cents')
  await world.memctl('organize')
  await world.memctl('rebuild', '--vectors')
  expect(list).toEqual([])
  expect(await use('kind: azure')).toMatchObject({ embedder: 'azure', embedded: 1 })
  expect(list[0]).toMatchObject({ authorization: KEY, input: ['invoices are rounded in cents'] })
  expect(list[0]!.url).toMatch(/^\/openai\/deployments\/small\/embeddings\?api-version=/)
  expect(await world.json<Status>('doctor', '--embedder')).toMatchObject({
    model: 'azure:small:1536',
    dimensions: 1536,
  })
})

test('cli: a model in a folder is used, and finds paraphrases', async () => {
  const model = fs.mkdtempSync(path.join(os.tmpdir(), 'tiny-model-'))
  writeTinyModel(model)
  await world.memctl('memory', 'store', 'crash')
  await world.memctl('memory', 'store', 'invoice')
  await world.memctl('organize')
  expect(await use(`kind: transformers, folder: ${JSON.stringify(model)}`)).toMatchObject({ embedded: 5 })
  expect(await meant('segfault')).toEqual(['crash'])
  expect(await world.json('rebuild', '--vectors')).toMatchObject({ embedder: 'transformers', embedded: 5 })
  fs.rmSync(model, { recursive: true })
})

test('cli: an unavailable embedder is reported, and does not stop recording or keyword search', async () => {
  expect(await use('kind: azure')).toMatchObject({
    error: { code: 'CONFIG_INVALID', hint: expect.stringContaining('AZURE_OPENAI_ENDPOINT') },
  })
  await use(`${OPENAI()}, dimensions: 64`)
  const yaml = fs.readFileSync(config, 'utf8')
  fs.writeFileSync(config, yaml.replace(endpoint, 'http://127.0.0.1:9'))
  expect((await world.memctl('memory', 'store', 'kept without any vector')).status).toBe(0)
  expect((await world.memctl('organize')).status).toBe(0)
  expect((await world.memctl('search', 'vector')).out).toContain('kept without any vector')
  const found = await world.json<{ results: { content: string }[] }>('memory', 'search', 'kept without any vector')
  expect(found.results[0]!.content).toBe('kept without any vector')
  const { probe } = await status('--probe')
  expect(probe).toMatchObject({ fault: expect.stringContaining('127.0.0.1:9'), hint: expect.any(String) })
  const rebuilt = await world.memctl('rebuild', '--vectors', '--json')
  expect(JSON.parse(rebuilt.out)).toMatchObject({ error: { code: 'EMBEDDER_UNAVAILABLE' } })
}, 30_000)

test.each([
  ['embedder: word2vec\n', 'word2vec', 1],
  ['log: { sync: session }\nembedder: { kind: openai, dimensions: many }\n', 'many', 2],
  ['embedder:\n  kind: azure\n  secret: x\n', 'embedder.secret', 3],
  ['embedder: [openai]\n', '["openai"]', 1],
  ['embedder: { kind: transformers, quantized: 3 }\n', 'quantized is 3', 1],
])('cli: %j is reported with its line and the allowed values', async (text, named, line) => {
  fs.writeFileSync(config, text)
  const { status, err } = await world.memctl('doctor', '--embedder')
  expect(status).toBe(2)
  expect(err).toContain(named)
  expect(err).toContain(`line ${line}`)
  expect((await world.memctl('search', 'flaky')).out).toContain('the browser test is flaky')
})

test('report: the length of a bar is its count', () => {
  const drawn: string[] = []
  const err = { isTTY: true, columns: 80, write: (text: string) => drawn.push(text) }
  const bar = createProgressBar({ err, env: { NO_COLOR: '1' } }, 200)
  bar.setDone(96, 'openai')
  bar.setDone(200, 'openai')
  expect(drawn.join('')).toContain('96/200')
  expect(drawn.join('')).toContain('200/200')
})
