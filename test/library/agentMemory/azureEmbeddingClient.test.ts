// The AzureEmbeddingClient of the agent-memory spec, against a local service: environment, vectors, errors.
import { expect, test } from 'vitest'
import {
  AgentMemory,
  AzureEmbeddingClient,
  AzureEmbeddingError,
  DatabaseConnection,
  getEmbeddingClient,
  MemoryRepository,
  resetClient,
  VectorSearch,
} from '../../../src/index.ts'
import { ownService } from '../../embed/localServer.ts'
import { newFolder } from '../../tempFolders.ts'

const service = ownService()

const client = (more: object = {}) =>
  new AzureEmbeddingClient({ endpoint: service.base, apiKey: 'key', env: {}, backoffMs: 1, retriesMax: 0, ...more })

test('library: each text becomes a vector of 1536 numbers, requested under the model’s name', async () => {
  const embedding = await client().getEmbedding('緊急調達のコスト管理')
  expect(embedding).toHaveLength(1536)
  expect(await client().getEmbeddings(['緊急調達のコスト管理', '納期'])).toEqual([embedding, expect.any(Array)])
  expect(service.asked.map(({ url }) => url)).toEqual(
    Array(2).fill(expect.stringContaining('/deployments/text-embedding-3-small/embeddings')),
  )
  await client({ deployment: 'mine' }).getEmbedding('納期')
  expect(service.asked.at(-1)!.url).toContain('/deployments/mine/')
})

test.each([
  [{ AZURE_OPENAI_ENDPOINT: 'URL', AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_EMBEDDING_DEPLOYMENT: 'd' }, 'd'],
  [{ OpenAIEmbeddingURI: 'URL', OpenAIEmbeddingKey: 'k' }, 'text-embedding-3-small'],
])('library: the environment %j configures the service', async (named, deployment) => {
  const env = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, value.replace('URL', service.base)]),
  )
  await new AzureEmbeddingClient({ env }).getEmbedding('納期')
  expect(service.asked).toMatchObject([{ headers: { 'api-key': 'k' } }])
  expect(service.asked[0]!.url).toContain(`/deployments/${deployment}/`)
})

test.each([{ apiKey: 'k' }, { endpoint: 'https://host.invalid' }])(
  'library: with %j alone there is no client',
  (given) => {
    expect(() => new AzureEmbeddingClient({ ...given, env: {} })).toThrow(AzureEmbeddingError)
    expect(() => new AzureEmbeddingClient({ ...given, env: {} })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', hint: expect.stringMatching(/AZURE_OPENAI_/) }),
    )
  },
)

test('library: no text, a blank text and a refused request each throw an AzureEmbeddingError', async () => {
  const refused = { status: 401, body: { error: { code: 'no' } } }
  for (const [code, ask] of [
    ['INPUT_INVALID', () => client().getEmbedding(' ')],
    ['INPUT_INVALID', () => client().getEmbeddings([])],
    ['INPUT_INVALID', () => client().getEmbeddings(['納期', ''])],
    ['EMBEDDER_UNAVAILABLE', () => client().getEmbedding('納期')],
  ] as const) {
    service.replies = [refused]
    const asked = ask()
    await expect(asked).rejects.toThrow(AzureEmbeddingError)
    await expect(asked).rejects.toMatchObject({ name: 'AzureEmbeddingError', code, hint: expect.any(String) })
  }
})

test('library: a client is available while its service answers', async () => {
  expect(await client().isAvailable()).toBe(true)
  service.replies = ['drop']
  expect(await client().isAvailable()).toBe(false)
})

test('library: the process shares one client until it is reset; a new one reads the environment again', () => {
  const before = { ...process.env }
  try {
    Object.assign(process.env, { AZURE_OPENAI_ENDPOINT: service.base, AZURE_OPENAI_API_KEY: 'k' })
    resetClient()
    const one = getEmbeddingClient()
    expect(getEmbeddingClient()).toBe(one)
    resetClient()
    expect(getEmbeddingClient()).not.toBe(one)
    resetClient()
    delete process.env['AZURE_OPENAI_ENDPOINT']
    expect(getEmbeddingClient).toThrow(AzureEmbeddingError)
  } finally {
    process.env = before
    resetClient()
  }
})

test('library: a search with this client finds texts of the same meaning, with one request per text', async () => {
  const db = new DatabaseConnection({ store: newFolder('azure'), env: {} })
  const repository = new MemoryRepository(db)
  for (const content of ['緊急調達では15%のコスト増を見込む', '会議室の予約は前日まで'])
    await repository.create(AgentMemory.create({ agentId: 'agent_01', content }))
  const search = new VectorSearch(db, client())
  for (let i = 0; i < 2; i++) {
    const [first] = await search.searchCandidates({ query: '緊急調達のコスト', agentId: 'agent_01' })
    expect(first![0].content).toBe('緊急調達では15%のコスト増を見込む')
  }
  expect(service.asked.flatMap(({ body }) => body.input).sort()).toEqual(
    ['緊急調達のコスト', '緊急調達のコスト', '緊急調達では15%のコスト増を見込む', '会議室の予約は前日まで'].sort(),
  )
})
