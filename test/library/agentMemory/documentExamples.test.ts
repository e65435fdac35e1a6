// Every example of the agent-memory specification, in its order, on both stores.
import { describe, expect, test } from 'vitest'
import {
  AgentMemory,
  AzureEmbeddingClient,
  createTaskExecutor,
  MemoryRanker,
  MemoryRepository,
  Phase1Config,
  type ScoredMemory,
  SleepPhaseProcessor,
  StrengthManager,
  VectorSearch,
} from '../../../src/index.ts'
import { ownService } from '../../embed/localServer.ts'
import { AGENT, STORES, useStore } from './testStores.ts'

const config = new Phase1Config()
const service = ownService()

describe.each(STORES)('examples of the specification, %s', (kind) => {
  const store = useStore(kind, config.embeddingDimension)

  test.each(['the built-in embedder', 'Azure'])('examples: TaskExecutor, with %s', async (embedder) => {
    const azure = new AzureEmbeddingClient({ endpoint: service.base, apiKey: 'key', env: {}, retriesMax: 0 })
    const db = store.connect()
    const executor = createTaskExecutor(db, embedder === 'Azure' ? { embeddingClient: azure } : {})
    const repository = new MemoryRepository(db, config)
    const memoryId = await executor.recordLearning({
      agentId: 'agent_01',
      content: '緊急調達では1.5倍のコストを見込む必要がある',
      learning: '納期短縮とコストのトレードオフを学んだ',
      perspective: 'コスト',
    })
    const memories = await executor.searchMemories({
      query: '緊急調達のコスト',
      agentId: 'agent_01',
      perspective: 'コスト',
    })
    expect(memories.map(({ memory }) => memory.id)).toEqual([memoryId])
    expect(memories[0]!.finalScore).toBeGreaterThan(0.5 * config.similarityThreshold)
    const myTask = (given: readonly ScoredMemory[]): string => {
      const context = given.map(({ memory }) => memory.content).join('\n')
      return `タスク完了。参照メモリ: ${given.length}件\n${context}`
    }
    const result = await executor.executeTask({
      query: '緊急調達のコスト',
      agentId: 'agent_01',
      taskFunc: myTask,
      perspective: 'コスト',
      learningContent: '緊急調達は1.5倍のコストがかかる',
      learningText: '納期短縮のトレードオフを学んだ',
    })
    expect(result.errors).toEqual([])
    expect(result.taskResult).toContain('参照メモリ: 1件')
    expect(result.usedMemoryIds).toEqual([memoryId])
    expect(await repository.getById(result.recordedMemoryId!)).toMatchObject({
      ...{ content: '緊急調達は1.5倍のコストがかかる', source: 'task' },
      learnings: { コスト: '納期短縮のトレードオフを学んだ' },
    })
    const used = (await repository.getById(memoryId))!
    expect(used).toMatchObject({ accessCount: 1, candidateCount: 2, strengthByPerspective: { コスト: 0.15 } })
    expect(used.strength).toBeCloseTo(1.1, 12)
    expect(await executor.runSleepPhase('agent_01')).toMatchObject({ decayedCount: 2, archivedCount: 0, errors: [] })
    expect(await executor.reinforceUsedMemories([memoryId], 'agent_01')).toBe(1)
    expect(executor.identifyUsedMemories(result.taskResult, memories)).toEqual([memoryId])
  })

  test('examples: the repository, the manager, the search, the ranker, the sleep phase and the rows', async () => {
    const db = store.connect()
    const repository = new MemoryRepository(db, config)
    const memory = AgentMemory.create({
      agentId: 'agent_01',
      content: '緊急調達では15%のコスト増を見込む',
      tags: ['コスト', '緊急調達'],
      scopeLevel: 'domain',
      scopeDomain: 'procurement',
      source: 'task',
    })
    const created = await repository.create(memory)
    expect(created).toEqual(memory)
    const strength = new StrengthManager(repository, config)
    expect(await strength.markAsCandidate([created.id])).toBe(1)
    expect((await strength.markAsUsed(created.id, 'コスト'))!.strength).toBeCloseTo(1.1, 12)
    expect((await strength.applyImpact(created.id, 'task_success'))!.impactScore).toBe(1.5)
    const azure = new AzureEmbeddingClient({ endpoint: service.base, apiKey: 'key', env: {}, retriesMax: 0 })
    expect(await azure.getEmbedding('緊急調達のコスト管理')).toHaveLength(1536)
    const search = new VectorSearch(db, azure, config)
    const candidates = await search.searchCandidates({ query: '緊急調達のコスト', agentId: 'agent_01' })
    expect(candidates.map(([found]) => found.content)).toEqual([memory.content])
    const [scored] = new MemoryRanker(config, db.now).rank(candidates, 'コスト')
    expect(scored!.scoreBreakdown.strengthRaw).toBeCloseTo(1 + 0.1 + 0.3 + 0.15, 12)
    const sleep = await new SleepPhaseProcessor(db, config).processAll('agent_01')
    expect([sleep.decayedCount, sleep.archivedCount]).toEqual([1, 0])
    const current = (await repository.getById(created.id))!
    const updated = current.copyWith({
      strength: current.strength + 0.1,
      accessCount: current.accessCount + 1,
      updatedAt: new Date(),
    })
    expect((await repository.update(updated)).accessCount).toBe(2)
    await db.getConnection(async (connection) => {
      const cursor = connection.cursor()
      await cursor.execute('SELECT * FROM agent_memory WHERE agent_id = %s', [AGENT])
      expect((await cursor.fetchAll()).map((row) => row['content'])).toEqual([memory.content])
    })
    const rows = await db.getCursor(async (cursor) => {
      await cursor.execute('SELECT * FROM agent_memory')
      return cursor.fetchAll()
    })
    expect(rows).toHaveLength(1)
    expect(await db.healthCheck()).toBe(true)
  })
})
