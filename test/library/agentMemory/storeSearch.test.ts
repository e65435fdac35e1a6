// Vector search and scopes: what every store must do.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  AgentMemory,
  createTaskExecutor,
  type DatabaseConnection,
  MemoryRepository,
  Phase1Config,
  SleepPhaseProcessor,
  StrengthManager,
  VectorSearch,
} from '../../../src/index.ts'
import type { AgentChange } from '../../../src/library/agentMemory/agentStore.ts'
import { changeStatement } from '../../../src/library/agentMemory/postgresStatements.ts'
import { AGENT, clientOf, codeOf, createWith, DIMENSION, STORES, useStore } from './testStores.ts'

const UNIVERSAL = { scopeLevel: 'universal' } as const
const PROCUREMENT = { scopeLevel: 'domain', scopeDomain: 'procurement' } as const

describe.each(STORES)('store search, %s', (kind) => {
  const store = useStore(kind)
  const config = new Phase1Config({ embeddingDimension: DIMENSION })
  let db: DatabaseConnection
  let repository: MemoryRepository
  let create: ReturnType<typeof createWith>
  beforeEach(() => {
    db = store.connect()
    repository = new MemoryRepository(db, config)
    create = createWith(repository)
  })
  const contentsOf = (found: readonly (readonly [AgentMemory, number])[]) => found.map(([{ content }]) => content)

  test('store: candidates are above the threshold, nearest first, at most the limit, with their cosine', async () => {
    const vectors = { near: [1, 0.1, 0], nearer: [2, 0, 0], far: [0.1, 1, 0], opposite: [-1, 0, 0] }
    for (const [content, embedding] of Object.entries(vectors)) await create(content, { embedding })
    const search = new VectorSearch(db, clientOf({ query: [1, 0, 0] }), config)
    const found = await search.searchCandidates({ query: 'query', agentId: AGENT })
    expect(contentsOf(found)).toEqual(['nearer', 'near'])
    expect(found.map(([, similarity]) => similarity)).toEqual([1, expect.closeTo(1 / Math.hypot(1, 0.1), 6)])
    expect(found[0]![0].embedding).toEqual([2, 0, 0])
    expect(await search.countCandidates({ query: 'query', agentId: AGENT })).toBe(2)
    const by = (more: object) => search.searchByEmbedding({ queryEmbedding: [1, 0, 0], agentId: AGENT, ...more })
    expect(contentsOf(await by({ candidateLimit: 1 }))).toEqual(['nearer'])
    expect(contentsOf(await by({ similarityThreshold: 0.05 }))).toEqual(['nearer', 'near', 'far'])
    expect(await by({ similarityThreshold: 0 })).toHaveLength(4)
    expect(await by({ candidateLimit: 0 })).toEqual([])
  })

  test('store: of equally similar memories the newest comes first; a zero vector is similar to nothing', async () => {
    for (const content of ['old', 'new']) {
      store.now += 1_000
      const memory = AgentMemory.create({ agentId: AGENT, content, embedding: [1, 0, 0] })
      await repository.create(memory.copyWith({ createdAt: new Date(store.now) }))
    }
    await create('zero', { embedding: [0, 0, 0] })
    const search = new VectorSearch(db, clientOf({}), config)
    const all = await search.searchByEmbedding({ queryEmbedding: [1, 0, 0], agentId: AGENT, similarityThreshold: 0 })
    expect(all.map(([{ content }, similarity]) => [content, similarity])).toEqual([
      ['new', 1],
      ['old', 1],
      ['zero', 0],
    ])
  })

  test('store: a memory without a vector gets one of the client when it is searched', async () => {
    await create('緊急調達では15%のコスト増を見込む', { tags: ['コスト'], learnings: { 納期: '二週間' } })
    const asked: string[] = []
    const text = '緊急調達では15%のコスト増を見込む\n二週間\nコスト'
    const client = {
      ...clientOf({ query: [0, 1, 0], [text]: [0, 1, 0] }),
      getEmbeddings: async (texts: readonly string[]) => {
        asked.push(...texts)
        return texts.map(() => [0, 1, 0])
      },
    }
    const search = new VectorSearch(db, client, config)
    for (let i = 0; i < 2; i++)
      expect(contentsOf(await search.searchCandidates({ query: 'query', agentId: AGENT }))).toHaveLength(1)
    expect(asked).toEqual([text])
  })

  test('store: a vector that one program had made is made by no other; a vector of its own stays', async () => {
    await create('a text of the shop')
    const own = await create('a text with a vector', { embedding: [0, 1, 0] })
    const asked: string[] = []
    const getEmbeddings = async (texts: readonly string[]) => {
      asked.push(...texts)
      return texts.map(() => [0, 2, 0])
    }
    for (let i = 0; i < 3; i++) {
      const search = new VectorSearch(store.connect(), { ...clientOf({ query: [0, 1, 0] }), getEmbeddings }, config)
      expect(await search.searchCandidates({ query: 'query', agentId: AGENT })).toHaveLength(2)
    }
    expect(asked).toEqual(['a text of the shop'])
    expect((await repository.getById(own.id))?.embedding).toEqual([0, 1, 0])
  })

  test('store: a text that changes while its vector is being made does not get it', async () => {
    const near = (text: string): number[] => (text.includes('OLD') ? [1, 0, 0] : [0, 1, 0])
    const memory = await create('OLD text')
    const tagged = await create('OLD words')
    let change = async (): Promise<void> => {
      await repository.update(memory.copyWith({ content: 'new text' }))
      await repository.update(tagged.copyWith({ content: 'new words', learnings: { general: 'x' } }))
    }
    const client = {
      ...clientOf({}),
      getEmbedding: async (text: string) => near(text),
      getEmbeddings: async (texts: readonly string[]) => {
        await change()
        change = async () => {}
        return texts.map(near)
      },
    }
    const search = new VectorSearch(db, client, config)
    const find = async (query: string) => contentsOf(await search.searchCandidates({ query, agentId: AGENT })).sort()
    await find('OLD')
    expect([await find('new'), await find('OLD')]).toEqual([['new text', 'new words'], []])
  })

  test('store: without a client texts are compared by their words, in Japanese and English', async () => {
    await create('緊急調達では15%のコスト増を見込む')
    await create('会議室の予約は前日まで')
    await create('Run the linter before a commit')
    const search = new VectorSearch(db, undefined, config)
    expect(contentsOf(await search.searchCandidates({ query: '緊急調達のコスト', agentId: AGENT }))).toEqual([
      '緊急調達では15%のコスト増を見込む',
    ])
    expect(contentsOf(await search.searchCandidates({ query: 'linter commit', agentId: AGENT }))).toEqual([
      'Run the linter before a commit',
    ])
    expect(await search.countCandidates({ query: '緊急調達のコスト', agentId: AGENT })).toBe(1)
  })

  test('store: archived memories are not found; those of other agents and projects by their scope alone', async () => {
    const vector = { embedding: [1, 0, 0] }
    const createFor = (agentId: string, content: string, more: object = {}) =>
      repository.create(AgentMemory.create({ agentId, content, ...vector, ...more }))
    await createFor('agent_02', 'universal', UNIVERSAL)
    await createFor('agent_02', 'procurement', PROCUREMENT)
    await createFor('agent_02', 'cooking', { scopeLevel: 'domain', scopeDomain: 'cooking' })
    await createFor('agent_02', 'theirs')
    await createFor(AGENT, 'mine')
    await createFor(AGENT, 'of another project', { scopeProject: 'elsewhere' })
    await repository.archive((await createFor(AGENT, 'archived')).id)
    const related = new Phase1Config({ embeddingDimension: DIMENSION, relatedDomains: ['procurement'] })
    const find = async (from: DatabaseConnection, given: Phase1Config) => {
      const search = new VectorSearch(from, clientOf({ query: [1, 0, 0] }), given)
      return contentsOf(await search.searchCandidates({ query: 'query', agentId: AGENT })).sort()
    }
    expect(await find(db, config)).toEqual(['mine', 'universal'])
    expect(await find(db, related)).toEqual(['mine', 'procurement', 'universal'])
    expect(await find(store.connect('farm'), config)).toEqual(['universal'])
    expect(await find(store.connect('farm'), related)).toEqual(['procurement', 'universal'])
  })

  test('store: a memory that projects share exists once: a use, an update and a decay hold in all', async () => {
    const { id } = await create('Lamps are lit at dusk', UNIVERSAL)
    const farm = new MemoryRepository(store.connect('farm'), config)
    const strength = new StrengthManager(farm, config)
    for (let i = 0; i < 5; i++) await strength.markAsUsed(id, 'light')
    await new StrengthManager(repository, config).markAsUsed(id)
    for (const project of [repository, farm]) {
      expect(await project.getById(id)).toMatchObject({ accessCount: 6, consolidationLevel: 1 })
      expect((await project.getByAgentId(AGENT)).map((memory) => memory.id)).toEqual([id])
    }
    store.now += 1_000
    await farm.update((await farm.getById(id))!.copyWith({ content: 'Lamps are lit at six' }))
    expect((await repository.getById(id))!.content).toBe('Lamps are lit at six')
    const { decayedCount, errors } = await new SleepPhaseProcessor(store.connect('farm'), config).processAll(AGENT)
    expect([decayedCount, errors]).toEqual([1, []])
    expect((await repository.getById(id))!.strength).toBeCloseTo(1.6 * 0.97 ** 0.1, 12)
    store.now += 1_000
    await repository.update((await repository.getById(id))!.copyWith({ scopeLevel: 'project' }))
    expect(await farm.getById(id)).toBeNull()
    expect(await repository.getById(id)).toMatchObject({ content: 'Lamps are lit at six', accessCount: 6 })
    store.now += 1_000
    await repository.update((await repository.getById(id))!.copyWith(PROCUREMENT))
    expect(await farm.getById(id)).toMatchObject({ content: 'Lamps are lit at six', accessCount: 6 })
  })

  test('store: a failed search is a VectorSearchError with code and hint; a cancelled one is CANCELLED', async () => {
    await create('x')
    const broken = { ...clientOf({}), getEmbedding: async () => Promise.reject(new Error('quota')) }
    const failed = new VectorSearch(db, broken, config).searchCandidates({ query: 'q', agentId: AGENT })
    await expect(failed).rejects.toMatchObject({ name: 'VectorSearchError', code: 'EMBEDDER_UNAVAILABLE' })
    const search = new VectorSearch(db, clientOf({}), config)
    expect(await codeOf(search.searchCandidates({ query: ' ', agentId: AGENT }))).toBe('INPUT_INVALID')
    const waiting = { ...clientOf({}), getEmbedding: () => new Promise<never>(() => {}) }
    const abort = new AbortController()
    const task = { query: 'q', agentId: AGENT, signal: abort.signal, taskFunc: () => 'never' }
    const cancelled = createTaskExecutor(db, { config, embeddingClient: waiting }).executeTask(task)
    setTimeout(() => abort.abort('the user left'), 20)
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED', cause: 'the user left' })
    await expect(new SleepPhaseProcessor(db, config).processAll(AGENT, { signal: abort.signal })).rejects.toMatchObject(
      { code: 'CANCELLED' },
    )
  })
})

describe('store search, postgresql only', () => {
  const store = useStore('postgresql')
  const config = new Phase1Config({ embeddingDimension: DIMENSION })

  test('store: an agent’s few memories are found among nearer ones of others; the index can be used', async () => {
    const db = store.connect()
    const createMany = (agent: string, count: number, x: number): Promise<void> =>
      db.getCursor((cursor) =>
        cursor.execute(
          `insert into agent_memory (project_id, agent_id, content, embedding)
           select 'another', %s, 'memory ' || i, array[%s::float8, 1, i / 1000.0]::vector
           from generate_series(1, %s) i`,
          [agent, x, count],
        ),
      )
    await createMany('agent_02', 1_000, 1)
    const repository = new MemoryRepository(store.connect('shop', { projectId: 'another' }), config)
    for (let i = 0; i < 5; i++) await createWith(repository)(`mine ${i}`, { embedding: [i, 1, 5] })
    const search = new VectorSearch(store.connect('shop', { projectId: 'another' }), clientOf({}), config)
    const found = await search.searchByEmbedding({
      queryEmbedding: [1, 1, 0],
      agentId: AGENT,
      similarityThreshold: 0.01,
    })
    expect(found).toHaveLength(5)
    const theirs = await search.searchByEmbedding({ queryEmbedding: [1, 1, 0], agentId: 'agent_02' })
    expect(theirs.map(([{ content }]) => content)).toEqual(Array.from({ length: 50 }, (_, i) => `memory ${i + 1}`))
    const plan = await db.getCursor(async (cursor) => {
      // Few rows are faster to sort: without sorting, only the index can order them.
      await cursor.execute('set local enable_sort = off')
      await cursor.execute(
        `explain select id from agent_memory where project_id = any('{another,*}') and status = 'active'
         order by embedding <=> '[1,1,0]' limit 10`,
      )
      return cursor.fetchAll()
    })
    expect(JSON.stringify(plan)).toContain('agent_memory_embedding')
  })

  test('store: a use, an impact and a decay are updates in place, which write no index', async () => {
    const repository = new MemoryRepository(store.connect(), config)
    const { id } = await createWith(repository)('used', { embedding: [1, 0, 0] })
    const changes: AgentChange[] = [
      { uses: 1, strength: 0.1, perspectives: { コスト: 0.15 }, levelUses: config.consolidationThresholds },
      { candidates: 1, impact: 2 },
      { keptByLevel: [0.9], only: 'active' },
    ]
    const target = { projects: [store.connect().store.project.id], ids: [id], now: Date.now() }
    await store.connect().getCursor(async (cursor) => {
      // The server adds what earlier transactions of this connection have not yet reported.
      const inPlace = async (): Promise<number> => {
        await cursor.execute(`select pg_stat_get_xact_tuples_hot_updated('agent_memory'::regclass) as count`)
        return Number((await cursor.fetchOne())?.['count'])
      }
      const before = await inPlace()
      for (const change of changes) {
        const statement = changeStatement(change, target)
        await cursor.execute(statement?.sql ?? '', statement?.parameters)
        expect(cursor.rowCount).toBe(1)
      }
      expect((await inPlace()) - before).toBe(changes.length)
    })
  })

  test('store: an embedder with vectors of another length is a CONFIG_INVALID that names both lengths', async () => {
    const db = store.connect()
    await createWith(new MemoryRepository(db, config))('x')
    const client = { ...clientOf({}), getEmbeddings: async (texts: readonly string[]) => texts.map(() => [1, 2]) }
    const search = new VectorSearch(db, client, config).searchCandidates({ query: 'q', agentId: AGENT })
    await expect(search).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(/2 .*3/) })
  })
})
