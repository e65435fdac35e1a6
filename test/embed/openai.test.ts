// Embeddings over HTTP, against a server on this machine that reads the wire as OpenAI and Azure document it.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpEmbedderConfig, httpEmbedder, httpEmbedderFromEnv } from '../../src/embed/openai.ts'
import { hash32 } from '../../src/text/hash.ts'
import { termsOf } from '../../src/text/words.ts'
import { cosine, embedderContract } from './contract.ts'

const KEY = 'sk-test-0123456789abcdef'

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: {
    readonly input: readonly string[]
    readonly model?: string
    readonly dimensions?: number
    readonly encoding_format?: string
  }
}

type Reply =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | 'hang'
  | 'drop'

let server: http.Server
let base: string
let asked: Asked[]
/** What the next requests get before the server answers rightly. */
let replies: Reply[]

beforeAll(async () => {
  server = http.createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as Asked['body']
      asked.push({ method: request.method!, url: request.url!, headers: request.headers, body })
      const reply = replies.shift() ?? right(body)
      if (reply === 'hang') return
      if (reply === 'drop') return void request.socket.destroy()
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  replies = []
})

/** As the service answers: a vector a text, here in an order of its own, told by `index`. */
function right({ input, dimensions = 1536 }: Asked['body']): Reply {
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: hashed(text, dimensions) }))
  return { status: 200, body: { object: 'list', data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } } }
}

function hashed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const term of termsOf(text)) vector[hash32(term) % dimensions]! += 1
  return vector
}

const openai = (more: Partial<HttpEmbedderConfig> = {}) =>
  httpEmbedder({ kind: 'openai', endpoint: `${base}/v1`, key: KEY, backoffMs: 1, ...more })
const azure = (more: Partial<HttpEmbedderConfig> = {}) =>
  httpEmbedder({ kind: 'azure', endpoint: base, key: KEY, deployment: 'small one', backoffMs: 1, ...more })

embedderContract('openai', () => openai())
embedderContract('azure', () => azure())

describe('embed: over HTTP', () => {
  test('embed: OpenAI is asked as its reference says', async () => {
    await openai().embed(['one', 'two'])
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/v1/embeddings' })
    expect(asked[0]!.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' })
    expect(asked[0]!.body).toEqual({ input: ['one', 'two'], model: 'text-embedding-3-small', encoding_format: 'float' })
  })

  test('embed: Azure is asked by deployment and version, with its own header', async () => {
    await azure().embed(['one'])
    expect(asked[0]!.url).toBe('/openai/deployments/small%20one/embeddings?api-version=2024-02-01')
    expect(asked[0]!.headers).toMatchObject({ 'api-key': KEY })
    expect(asked[0]!.headers.authorization).toBeUndefined()
    expect(asked[0]!.body).toEqual({ input: ['one'], encoding_format: 'float' })
    await azure({
      endpoint: `${base}/openai/deployments/x/embeddings?api-version=2023-05-15`,
      deployment: undefined,
    }).embed(['two'])
    expect(asked[1]!.url).toBe('/openai/deployments/x/embeddings?api-version=2023-05-15')
  })

  test('embed: fewer dimensions are asked for where the model can give them', async () => {
    const [vector] = await openai({ dimensions: 256, shortened: true }).embed(['one'])
    expect(asked[0]!.body.dimensions).toBe(256)
    expect(vector).toHaveLength(256)
  })

  test('embed: many texts go in requests of 96 at most, blank ones not at all, and come back in order', async () => {
    const texts = Array.from({ length: 250 }, (_, i) => (i % 7 === 0 ? '' : `text number${i}`))
    const vectors = await openai().embed(texts)
    expect(asked.map((one) => one.body.input.length)).toEqual([96, 96, 22])
    expect(asked.flatMap((one) => one.body.input)).toEqual(texts.filter(Boolean))
    const [last] = await openai().embed([texts[249]!])
    expect(cosine(vectors[249]!, last!)).toBeCloseTo(1, 5)
    expect(vectors[0]!.every((value) => value === 0)).toBe(true)
  })

  test('embed: a refusal that may pass is tried again, as late as the service asks', async () => {
    replies = [
      { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'rate_limit_exceeded' } } },
      { status: 503, body: 'down for a moment' },
      'drop',
    ]
    // A wait can only be told by the clock; that it is not shorter holds on the slowest machine.
    const before = Date.now()
    expect(await openai().embed(['one'])).toHaveLength(1)
    expect(asked).toHaveLength(4)
    expect(Date.now() - before).toBeGreaterThanOrEqual(990)
  })

  test('embed: it gives up after its tries, and at once on what will not pass', async () => {
    replies = Array.from({ length: 9 }, () => ({ status: 500, body: {} }))
    await expect(openai({ retriesMax: 2 }).embed(['one'])).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' })
    expect(asked).toHaveLength(3)
    for (const [status, mend] of [
      [401, 'key'],
      [404, 'deployment'],
      [400, ''],
    ] as const) {
      asked = []
      replies = [{ status, body: { error: { code: 'some_code' } } }]
      const asking = openai().embed(['one'])
      await expect(asking).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE', mend: expect.stringContaining(mend) })
      await expect(asking).rejects.toThrow(`${status} (some_code)`)
      expect(asked).toHaveLength(1)
    }
  })

  test('embed: a server that is silent is left after the time set', async () => {
    replies = ['hang', 'hang']
    const asking = openai({ timeoutMs: 60, retriesMax: 1 }).embed(['one'])
    await expect(asking).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringContaining('60 ms'),
    })
    expect(asked).toHaveLength(2)
  })

  test('embed: an answer of the wrong shape is no vector', async () => {
    const wrong: [unknown, string][] = [
      [{ data: [{ index: 0, embedding: [1, 0, 0] }] }, '3 numbers instead of 1536'],
      [{ data: [] }, 'no vector for text 1'],
      [{ data: [{ index: 0, embedding: 'AAAA' }] }, 'without index or numbers'],
      [{ data: [null] }, 'without index or numbers'],
      [{ hello: 'there' }, 'no list of vectors'],
      [null, 'no list of vectors'],
      ['<html>', 'no JSON'],
    ]
    for (const [body, message] of wrong) {
      replies = [{ status: 200, body: body === null ? 'null' : body }]
      const asking = openai().embed(['one'])
      await expect(asking, message).rejects.toMatchObject({
        code: 'EMBEDDER_UNAVAILABLE',
        message: expect.stringContaining(message),
      })
    }
  })

  test('embed: the key stands in no error, whatever the service says back, and follows no redirect', async () => {
    const all: Reply[] = [
      { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}`, code: `bad ${KEY}` } } },
      { status: 400, body: `no ${KEY} here` },
      { status: 307, headers: { location: `${base}/elsewhere` }, body: '' },
    ]
    for (const embedder of [openai({ retriesMax: 0 }), azure({ retriesMax: 0 })]) {
      for (const reply of all) {
        replies = [reply]
        asked = []
        const error = await Promise.resolve(embedder.embed(['one'])).then(
          () => undefined,
          (thrown: Error) => thrown,
        )
        expect(error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' })
        expect(JSON.stringify([error, error?.message, error?.stack, String(error?.cause)])).not.toContain('0123456789')
        expect(asked).toHaveLength(1)
      }
    }
  })

  test('embed: the environment says which service', () => {
    expect(httpEmbedderFromEnv({})).toBeUndefined()
    expect(httpEmbedderFromEnv({ OPENAI_API_KEY: 'k' })).toEqual({ kind: 'openai', endpoint: undefined, key: 'k' })
    expect(httpEmbedderFromEnv({ OPENAI_BASE_URL: 'http://localhost:1/v1' })).toMatchObject({
      kind: 'openai',
      endpoint: 'http://localhost:1/v1',
    })
    const named = {
      AZURE_OPENAI_ENDPOINT: 'https://a',
      AZURE_OPENAI_API_KEY: 'k',
      AZURE_OPENAI_EMBEDDING_DEPLOYMENT: 'd',
      OPENAI_API_KEY: 'o',
    }
    expect(httpEmbedderFromEnv(named)).toEqual({ kind: 'azure', endpoint: 'https://a', key: 'k', deployment: 'd' })
    const older = { OpenAIEmbeddingURI: 'https://b', OpenAIEmbeddingKey: 'l' }
    expect(httpEmbedderFromEnv(older)).toEqual({
      kind: 'azure',
      endpoint: 'https://b',
      key: 'l',
      deployment: undefined,
    })
  })

  test('embed: what is missing is named before anything is asked', () => {
    const missing: [HttpEmbedderConfig, string][] = [
      [{ kind: 'openai' }, 'OPENAI_API_KEY'],
      [{ kind: 'azure', key: 'k', deployment: 'd' }, 'AZURE_OPENAI_ENDPOINT'],
      [{ kind: 'azure', endpoint: base, deployment: 'd' }, 'AZURE_OPENAI_API_KEY'],
      [{ kind: 'azure', endpoint: base, key: 'k' }, 'AZURE_OPENAI_EMBEDDING_DEPLOYMENT'],
      [{ kind: 'openai', endpoint: 'ftp://host', key: 'k' }, 'https://'],
      [{ kind: 'openai', endpoint: 'nowhere', key: 'k' }, 'https://'],
    ]
    for (const [config, mend] of missing) {
      expect(() => httpEmbedder(config), mend).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID', mend: expect.stringContaining(mend) }),
      )
    }
    expect(asked).toHaveLength(0)
  })
})
