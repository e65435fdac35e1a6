// Embeddings over HTTP, against a server on this machine that reads the wire as OpenAI and Azure document it.
import { describe, expect, test } from 'vitest'
import {
  createHttpEmbedder,
  type HttpEmbedderConfig,
  httpEmbedderConfigFromEnv,
} from '../../src/embed/modelEmbedders.ts'
import { cosine, embedderContract } from './contract.ts'
import { ownService, type Reply } from './localServer.ts'

const KEY = 'sk-test-0123456789abcdef'

const service = ownService()

const openai = (more: Partial<HttpEmbedderConfig> = {}) =>
  createHttpEmbedder({ kind: 'openai', endpoint: `${service.base}/v1`, key: KEY, backoffMs: 1, ...more })
const azure = (more: Partial<HttpEmbedderConfig> = {}) =>
  createHttpEmbedder({
    kind: 'azure',
    endpoint: service.base,
    key: KEY,
    deployment: 'small one',
    backoffMs: 1,
    ...more,
  })

embedderContract('openai', () => openai())
embedderContract('azure', () => azure())

describe('embed: over HTTP', () => {
  test('embed: a request to OpenAI follows its reference', async () => {
    await openai().embed(['one', 'two'])
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]).toMatchObject({ method: 'POST', url: '/v1/embeddings' })
    expect(service.asked[0]!.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
    })
    expect(service.asked[0]!.body).toEqual({
      input: ['one', 'two'],
      model: 'text-embedding-3-small',
      encoding_format: 'float',
    })
  })

  test('embed: a request to Azure has deployment, version and its own header', async () => {
    await azure().embed(['one'])
    expect(service.asked[0]!.url).toBe('/openai/deployments/small%20one/embeddings?api-version=2024-02-01')
    expect(service.asked[0]!.headers).toMatchObject({ 'api-key': KEY })
    expect(service.asked[0]!.headers.authorization).toBeUndefined()
    expect(service.asked[0]!.body).toEqual({ input: ['one'], encoding_format: 'float' })
    await azure({
      endpoint: `${service.base}/openai/deployments/x/embeddings?api-version=2023-05-15`,
      deployment: undefined,
    }).embed(['two'])
    expect(service.asked[1]!.url).toBe('/openai/deployments/x/embeddings?api-version=2023-05-15')
  })

  test('embed: fewer dimensions are requested if the model supports them', async () => {
    const [vector] = await openai({ dimensions: 256, shortened: true }).embed(['one'])
    expect(service.asked[0]!.body.dimensions).toBe(256)
    expect(vector).toHaveLength(256)
  })

  test('embed: many texts are sent in batches of 96, blank ones not at all, and vectors are in order', async () => {
    const texts = Array.from({ length: 250 }, (_, i) => (i % 7 === 0 ? '' : `text number${i}`))
    const vectors = await openai().embed(texts)
    expect(service.asked.map((one) => one.body.input.length)).toEqual([96, 96, 22])
    expect(service.asked.flatMap((one) => one.body.input)).toEqual(texts.filter(Boolean))
    const [last] = await openai().embed([texts[249]!])
    expect(cosine(vectors[249]!, last!)).toBeCloseTo(1, 5)
    expect(vectors[0]!.every((value) => value === 0)).toBe(true)
  })

  test('embed: a temporary failure is retried, after the wait that the service requests', async () => {
    service.replies = [
      { status: 429, headers: { 'retry-after': '1' }, body: { error: { code: 'rate_limit_exceeded' } } },
      { status: 503, body: 'down for a moment' },
      'drop',
    ]
    // A wait can only be told by the clock; that it is not shorter holds on the slowest machine.
    const before = Date.now()
    expect(await openai().embed(['one'])).toHaveLength(1)
    expect(service.asked).toHaveLength(4)
    expect(Date.now() - before).toBeGreaterThanOrEqual(990)
  })

  test('embed: it gives up after its retries, and at once on a permanent failure', async () => {
    service.replies = Array.from({ length: 9 }, () => ({ status: 500, body: {} }))
    await expect(openai({ retriesMax: 2 }).embed(['one'])).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' })
    expect(service.asked).toHaveLength(3)
    for (const [status, hint] of [
      [401, 'key'],
      [404, 'deployment'],
      [400, ''],
    ] as const) {
      service.asked = []
      service.replies = [{ status, body: { error: { code: 'some_code' } } }]
      const asking = openai().embed(['one'])
      await expect(asking).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE', hint: expect.stringContaining(hint) })
      await expect(asking).rejects.toThrow(`${status} (some_code)`)
      expect(service.asked).toHaveLength(1)
    }
  })

  test('embed: a server that does not answer is given up after the time limit', async () => {
    service.replies = ['hang', 'hang']
    const asking = openai({ timeoutMs: 60, retriesMax: 1 }).embed(['one'])
    await expect(asking).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      message: expect.stringContaining('60 ms'),
    })
    expect(service.asked).toHaveLength(2)
  })

  test('embed: a response of the wrong shape gives no vector', async () => {
    const wrong: [unknown, string][] = [
      [{ data: [{ index: 0, embedding: [1, 0, 0] }] }, '3 numbers instead of 1536'],
      [{ data: [] }, 'no vector for text 1'],
      [{ data: [{ index: 0, embedding: 'AAAA' }] }, 'without index or numbers'],
      [{ data: [null] }, 'without index or numbers'],
      [{ hello: 'there' }, 'no list of vectors'],
      [null, 'no list of vectors'],
      ['<html>', 'not JSON'],
    ]
    for (const [body, message] of wrong) {
      service.replies = [{ status: 200, body: body === null ? 'null' : body }]
      const asking = openai().embed(['one'])
      await expect(asking, message).rejects.toMatchObject({
        code: 'EMBEDDER_UNAVAILABLE',
        message: expect.stringContaining(message),
      })
    }
  })

  test('embed: the key is in no error, whatever the service answers, and is not sent after a redirect', async () => {
    const all: Reply[] = [
      { status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}`, code: `bad ${KEY}` } } },
      { status: 400, body: `no ${KEY} here` },
      { status: 307, headers: { location: `${service.base}/elsewhere` }, body: '' },
    ]
    for (const embedder of [openai({ retriesMax: 0 }), azure({ retriesMax: 0 })]) {
      for (const reply of all) {
        service.replies = [reply]
        service.asked = []
        const error = await Promise.resolve(embedder.embed(['one'])).then(
          () => undefined,
          (thrown: Error) => thrown,
        )
        expect(error).toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' })
        expect(JSON.stringify([error, error?.message, error?.stack, String(error?.cause)])).not.toContain('0123456789')
        expect(service.asked).toHaveLength(1)
      }
    }
  })

  test('embed: the environment selects the service', () => {
    expect(httpEmbedderConfigFromEnv({})).toBeUndefined()
    expect(httpEmbedderConfigFromEnv({ OPENAI_API_KEY: 'k' })).toEqual({
      kind: 'openai',
      endpoint: undefined,
      key: 'k',
    })
    expect(httpEmbedderConfigFromEnv({ OPENAI_BASE_URL: 'http://localhost:1/v1' })).toMatchObject({
      kind: 'openai',
      endpoint: 'http://localhost:1/v1',
    })
    const named = {
      AZURE_OPENAI_ENDPOINT: 'https://a',
      AZURE_OPENAI_API_KEY: 'k',
      AZURE_OPENAI_EMBEDDING_DEPLOYMENT: 'd',
      OPENAI_API_KEY: 'o',
    }
    expect(httpEmbedderConfigFromEnv(named)).toEqual({
      kind: 'azure',
      endpoint: 'https://a',
      key: 'k',
      deployment: 'd',
    })
    const older = { OpenAIEmbeddingURI: 'https://b', OpenAIEmbeddingKey: 'l' }
    expect(httpEmbedderConfigFromEnv(older)).toEqual({
      kind: 'azure',
      endpoint: 'https://b',
      key: 'l',
      deployment: undefined,
    })
  })

  test('embed: a missing setting is reported before any request', () => {
    const missing: [HttpEmbedderConfig, string][] = [
      [{ kind: 'openai' }, 'OPENAI_API_KEY'],
      [{ kind: 'azure', key: 'k', deployment: 'd' }, 'AZURE_OPENAI_ENDPOINT'],
      [{ kind: 'azure', endpoint: service.base, deployment: 'd' }, 'AZURE_OPENAI_API_KEY'],
      [{ kind: 'azure', endpoint: service.base, key: 'k' }, 'AZURE_OPENAI_EMBEDDING_DEPLOYMENT'],
      [{ kind: 'openai', endpoint: 'ftp://host', key: 'k' }, 'https://'],
      [{ kind: 'openai', endpoint: 'nowhere', key: 'k' }, 'https://'],
    ]
    for (const [config, hint] of missing) {
      expect(() => createHttpEmbedder(config), hint).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID', hint: expect.stringContaining(hint) }),
      )
    }
    expect(service.asked).toHaveLength(0)
  })
})
