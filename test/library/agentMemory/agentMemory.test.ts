// The classes of the agent-memory spec: every number of its tables, every example of its text.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runMaintenance } from '../../../src/broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../../src/broker/maintenance/rebuild.ts'
import {
  AgentMemory,
  closeDatabase,
  config,
  createTaskExecutor,
  DatabaseConnection,
  type EmbeddingClient,
  getDatabase,
  MemoryRanker,
  MemoryRepository,
  Phase1Config,
  SleepPhaseProcessor,
  StrengthManager,
  TaskExecutor,
  VectorSearch,
} from '../../../src/index.ts'

const AGENT = 'agent_01'
let folder: string
let now: number
let db: DatabaseConnection
let repository: MemoryRepository
let strength: StrengthManager
let executor: TaskExecutor

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memctl-strength-'))
  now = Date.now()
  open()
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function open(values: Partial<Phase1Config> = {}): void {
  const given = new Phase1Config(values)
  db = new DatabaseConnection({ store: folder, project: folder, env: {}, now: () => now })
  repository = new MemoryRepository(db, given)
  strength = new StrengthManager(repository, given)
  executor = createTaskExecutor(db, { config: given })
}
/** The results in their order: each memory is created after the one before it. */
async function eachOf<T, R>(values: readonly T[], run: (value: T, i: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [i, value] of values.entries()) results.push(await run(value, i))
  return results
}
const create = (content: string, more: object = {}) =>
  repository.create(AgentMemory.create({ agentId: AGENT, content, ...more }))
const strengthOf = async (id: string) => (await repository.getById(id))!.strength

describe('library: config', () => {
  test('library: every parameter has the default of the table', () => {
    expect({ ...config }).toEqual({
      initialStrength: 1.0,
      initialStrengthEducation: 0.5,
      strengthIncrementOnUse: 0.1,
      perspectiveStrengthIncrement: 0.15,
      archiveThreshold: 0.1,
      reactivationStrength: 0.5,
      expectedTasksPerDay: 10,
      consolidationThresholds: [0, 5, 15, 30, 60, 100],
      dailyDecayTargets: { 0: 0.95, 1: 0.97, 2: 0.98, 3: 0.99, 4: 0.995, 5: 0.998 },
      similarityThreshold: 0.3,
      candidateLimit: 50,
      topKResults: 10,
      scoreWeights: { similarity: 0.5, strength: 0.3, recency: 0.2 },
      impactUserPositive: 2.0,
      impactTaskSuccess: 1.5,
      impactPreventedError: 2.0,
      impactToStrengthRatio: 0.2,
      maxActiveMemories: 5000,
      embeddingModel: 'text-embedding-3-small',
      embeddingDimension: 1536,
      currentProjectId: 'llm-persistent-memory-phase1',
      relatedDomains: [],
      defaultScopeLevel: 'project',
    })
  })

  test.each([
    [0, 0.9949],
    [1, 0.9969],
    [2, 0.998],
    [3, 0.999],
    [4, 0.9995],
    [5, 0.9998],
  ])('library: level %i retains %f per task, as in the table', (level, rate) => {
    expect(Math.abs(config.getDecayRate(level) - rate)).toBeLessThan(1e-4)
    expect(config.getDecayRate(level) ** 10).toBeCloseTo(config.dailyDecayTargets[level]!, 12)
  })

  test.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [14, 1],
    [15, 2],
    [30, 3],
    [60, 4],
    [99, 4],
    [100, 5],
    [5000, 5],
  ])('library: %i uses are level %i', (uses, level) => {
    expect(config.getConsolidationLevel(uses)).toBe(level)
  })

  test.each([
    [{ topKResults: 0 }, 'topKResults'],
    [{ initialStrength: Number.NaN }, 'initialStrength'],
    [{ similarityThreshold: 1.5 }, 'similarityThreshold'],
    [{ consolidationThresholds: [0, 5, 5] }, 'consolidationThresholds'],
    [{ dailyDecayTargets: { 0: 0.9 } }, 'dailyDecayTargets.1'],
    [{ initial_strength: 1 }, 'initial_strength'],
  ])('library: %j is rejected with its name', (values, name) => {
    expect(() => new Phase1Config(values as object)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(name),
        hint: expect.any(String),
      }),
    )
    expect(() => config.getDecayRate(6)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  })
})

describe('library: AgentMemory', () => {
  test('library: create uses the specified defaults, and half the strength for source education', () => {
    const memory = AgentMemory.create({
      agentId: AGENT,
      content: '緊急調達では15%のコスト増を見込む',
      tags: ['コスト', '緊急調達'],
      scopeLevel: 'domain',
      scopeDomain: 'procurement',
      source: 'task',
    })
    expect(memory).toMatchObject({
      ...{ strength: 1, accessCount: 0, candidateCount: 0, impactScore: 0, consolidationLevel: 0, status: 'active' },
      ...{ embedding: null, lastAccessedAt: null, lastDecayAt: null, learnings: {}, strengthByPerspective: {} },
      ...{ scopeLevel: 'domain', scopeDomain: 'procurement', scopeProject: null, source: 'task' },
    })
    expect(memory.id).toMatch(/^[0-9a-f-]{36}$/)
    const read = AgentMemory.createFromEducation({ agentId: AGENT, content: '教科書で読んだ' })
    expect([read.strength, read.source, read.scopeLevel]).toEqual([0.5, 'education', 'project'])
  })

  test('library: copyWith changes only the given fields, and a dict read as a row is the same memory', () => {
    const memory = AgentMemory.create({ agentId: AGENT, content: '学び', embedding: [0.5, 0.25] })
    const updatedAt = new Date('2026-03-01T00:00:00Z')
    const updated = memory.copyWith({ strength: memory.strength + 0.1, accessCount: memory.accessCount + 1, updatedAt })
    expect([updated.strength, updated.accessCount, updated.updatedAt, updated.id]).toEqual([
      1.1,
      1,
      updatedAt,
      memory.id,
    ])
    expect([memory.strength, memory.accessCount]).toEqual([1, 0])
    const dict = updated.toDict()
    expect(dict).toMatchObject({ agent_id: AGENT, access_count: 1, updated_at: '2026-03-01T00:00:00.000Z' })
    expect(AgentMemory.fromRow(JSON.parse(JSON.stringify(dict)))).toEqual(updated)
    expect(AgentMemory.fromRow(Object.values(dict))).toEqual(updated)
    expect(AgentMemory.fromRow({ ...dict, embedding: '[0.5,0.25]' }).embedding).toEqual([0.5, 0.25])
  })

  test.each([
    [{ id: 'no-uuid' }, 'id'],
    [{ agentId: ' ' }, 'agentId'],
    [{ content: '' }, 'content'],
    [{ scopeLevel: 'galaxy' }, 'scopeLevel'],
    [{ strength: Number.NaN }, 'strength'],
  ])('library: a memory with %j is rejected', (changes, name) => {
    const memory = AgentMemory.create({ agentId: AGENT, content: 'x' })
    expect(() => memory.copyWith(changes as object)).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringContaining(name) }),
    )
  })
})

describe('library: MemoryRepository', () => {
  test('library: a created memory is found by id and agent, newest first, by every connection', async () => {
    const first = await create('緊急調達では15%のコスト増を見込む', { tags: ['コスト', '緊急調達'], source: 'task' })
    now += 1000
    const second = await create('納期は二週間', { embedding: [0.1, 0.2, 0.3] })
    await repository.create(AgentMemory.create({ agentId: 'agent_02', content: 'another' }))
    const other = new MemoryRepository(new DatabaseConnection({ store: folder, project: folder, env: {} }))
    expect((await other.getByAgentId(AGENT)).map((memory) => memory.id)).toEqual([second.id, first.id])
    expect(await other.getById(first.id)).toEqual(first)
    expect((await other.getById(second.id))!.embedding!.map((value) => Math.round(value * 1e6) / 1e6)).toEqual([
      0.1, 0.2, 0.3,
    ])
    expect(await other.getById('00000000-0000-4000-8000-000000000000')).toBeNull()
    expect(await other.countActiveMemories(AGENT)).toBe(2)
    await expect(repository.create(first)).rejects.toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
  })

  test('library: an update replaces the memory, and is rejected if the memory does not exist', async () => {
    const memory = await create('before', { learnings: { コスト: '高い' } })
    now += 5000
    const updated = await repository.update(memory.copyWith({ content: 'after', tags: ['x'], strength: 1.4 }))
    expect(updated).toMatchObject({ content: 'after', tags: ['x'], strength: 1.4, learnings: { コスト: '高い' } })
    expect(updated.updatedAt.getTime()).toBe(now)
    const unknown = AgentMemory.create({ agentId: AGENT, content: 'nobody kept this' })
    await expect(repository.update(unknown)).rejects.toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
  })

  test('library: counts and strengths are added, for a single memory and for many', async () => {
    const ids = await eachOf(['a', 'b', 'c'], async (content) => (await create(content)).id)
    const [a, b, c] = ids as string[] as [string, string, string]
    await repository.incrementCandidateCount(a)
    await repository.incrementAccessCount(a, 0.25)
    await repository.updatePerspectiveStrength(a, 'コスト', 0.15)
    await repository.updatePerspectiveStrength(a, 'コスト', 0.15)
    expect(await repository.batchIncrementCandidateCount([a, b, '00000000-0000-4000-8000-000000000000'])).toBe(2)
    expect(
      await repository.batchUpdateStrength([
        [b, 0.3],
        [c, 0.2],
      ]),
    ).toBe(2)
    expect(await repository.getById(a)).toMatchObject({ candidateCount: 2, accessCount: 1, strength: 1.25 })
    expect((await repository.getById(a))!.strengthByPerspective['コスト']).toBeCloseTo(0.3, 12)
    expect((await repository.getById(a))!.lastAccessedAt!.getTime()).toBe(now)
    expect((await repository.getLowestStrengthMemories(AGENT, 2)).map((memory) => memory.id)).toEqual([c, b])
    expect((await repository.getMemoriesForDecay(AGENT)).map((memory) => memory.id)).toEqual([c, b, a])
    expect(await repository.archive(c)).toBe(true)
    expect(await repository.archive('00000000-0000-4000-8000-000000000000')).toBe(false)
    expect(await repository.batchArchive([a, b, c])).toBe(2)
    expect(await repository.getByAgentId(AGENT)).toEqual([])
    expect(await repository.getByAgentId(AGENT, 'archived')).toHaveLength(3)
  })

  test('library: two simultaneous uses of a memory both count', async () => {
    const { id } = await create('shared')
    const other = new StrengthManager(
      new MemoryRepository(new DatabaseConnection({ store: folder, project: folder, env: {} })),
    )
    for (let i = 0; i < 5; i++) {
      await strength.markAsUsed(id)
      await other.markAsUsed(id)
    }
    expect(await repository.getById(id)).toMatchObject({ accessCount: 10, consolidationLevel: 1 })
    expect(await strengthOf(id)).toBeCloseTo(2, 12)
  })

  test('library: secrets are not stored, and a rebuild gives the same memories', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const { id, content } = await create(`the token is ${token}`, { learnings: { general: `use ${token}` } })
    expect(content).not.toContain(token)
    await strength.markAsUsed(id, 'コスト')
    await strength.applyImpact(id, 'task_success')
    await new SleepPhaseProcessor(db).processAll(AGENT)
    const before = (await repository.getById(id))!
    runMaintenance(db.store, { now })
    rebuildStore(db.store, now)
    open()
    expect(await repository.getById(id)).toEqual(before)
    const log = fs
      .readdirSync(path.join(folder, 'events'))
      .map((name) => fs.readFileSync(path.join(folder, 'events', name), 'utf8'))
    expect(log.join('')).not.toContain(token)
  })
})

describe('library: StrengthManager', () => {
  test('library: a candidate is only counted; a use raises the strength, in general and per perspective', async () => {
    const { id } = await create('used')
    expect(await strength.markAsCandidate([id])).toBe(1)
    expect(await repository.getById(id)).toMatchObject({ candidateCount: 1, strength: 1, accessCount: 0 })
    const used = (await strength.markAsUsed(id, 'コスト'))!
    expect(used).toMatchObject({ accessCount: 1, strengthByPerspective: { コスト: 0.15 } })
    expect(used.strength).toBeCloseTo(1.1, 12)
    expect(used.lastAccessedAt!.getTime()).toBe(now)
    for (let i = 0; i < 4; i++) await strength.markAsUsed(id)
    expect((await repository.getById(id))!.consolidationLevel).toBe(1)
    expect(await strength.markAsUsed('00000000-0000-4000-8000-000000000000')).toBeNull()
  })

  test.each([
    ['user_positive', 2, 1.4],
    ['task_success', 1.5, 1.3],
    ['prevented_error', 2, 1.4],
  ])('library: the impact %s adds %f and raises the strength from 1 to %f', async (kind, impact, after) => {
    const updated = (await strength.applyImpact((await create('helped')).id, kind))!
    expect(updated.impactScore).toBe(impact)
    expect(updated.strength).toBeCloseTo(after, 12)
    expect(strength.getImpactValue(kind)).toBe(impact)
  })

  test('library: an unknown impact is rejected, and an active memory is not reactivated', async () => {
    const { id } = await create('x')
    await expect(strength.applyImpact(id, 'applause')).rejects.toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID' }),
    )
    await expect(strength.reactivate(id)).rejects.toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
    await repository.archive(id)
    expect(await strength.reactivate(id)).toMatchObject({ status: 'active', strength: 0.5 })
    const used = await repository.update((await repository.getById(id))!.copyWith({ accessCount: 30 }))
    expect((await strength.updateConsolidationLevel(used.id))!.consolidationLevel).toBe(3)
    expect(await strength.reactivate('00000000-0000-4000-8000-000000000000')).toBeNull()
  })
})

/** A client with the given vectors, so that a test decides which texts are near. */
const told = (vectors: Readonly<Record<string, readonly number[]>>): EmbeddingClient => ({
  getEmbedding: async (text) => vectors[text] ?? [0, 0, 1],
  getEmbeddings: async (texts) => texts.map((text) => vectors[text] ?? [0, 0, 1]),
  isAvailable: async () => true,
})

describe('library: VectorSearch and MemoryRanker', () => {
  test('library: candidates are above the threshold, nearest first, at most the limit', async () => {
    const client = told({ query: [1, 0, 0] })
    await create('near', { embedding: [1, 0.1, 0] })
    await create('nearer', { embedding: [1, 0, 0] })
    await create('far', { embedding: [0.1, 1, 0] })
    const search = new VectorSearch(db, client)
    const found = await search.searchCandidates({ query: 'query', agentId: AGENT })
    expect(found.map(([memory]) => memory.content)).toEqual(['nearer', 'near'])
    expect(found[0]![1]).toBeCloseTo(1, 6)
    expect(await search.countCandidates({ query: 'query', agentId: AGENT })).toBe(2)
    const one = await search.searchByEmbedding({ queryEmbedding: [1, 0, 0], agentId: AGENT, candidateLimit: 1 })
    expect(one.map(([memory]) => memory.content)).toEqual(['nearer'])
    const all = await search.searchByEmbedding({ queryEmbedding: [1, 0, 0], agentId: AGENT, similarityThreshold: 0 })
    expect(all).toHaveLength(3)
  })

  test('library: a vector of another length or model is not compared', async () => {
    await create('old model', { embedding: [1, 0] })
    const search = new VectorSearch(db, undefined, new Phase1Config({ embeddingModel: 'another' }))
    expect(await search.searchByEmbedding({ queryEmbedding: [1, 0], agentId: AGENT })).toEqual([])
    expect(await new VectorSearch(db).searchByEmbedding({ queryEmbedding: [1, 0, 0], agentId: AGENT })).toEqual([])
    expect(await new VectorSearch(db).searchByEmbedding({ queryEmbedding: [1, 0], agentId: AGENT })).toHaveLength(1)
  })

  test('library: universal memories are for all, a domain’s for its domain, a project’s for its agent', async () => {
    const vector = { embedding: [1, 0, 0] }
    const of = (agentId: string, content: string, more: object = {}) =>
      repository.create(AgentMemory.create({ agentId, content, ...vector, ...more }))
    await of('agent_02', 'universal', { scopeLevel: 'universal' })
    await of('agent_02', 'procurement', { scopeLevel: 'domain', scopeDomain: 'procurement' })
    await of('agent_02', 'cooking', { scopeLevel: 'domain', scopeDomain: 'cooking' })
    await of('agent_02', 'theirs')
    await of(AGENT, 'mine')
    await of(AGENT, 'of another project', { scopeProject: 'elsewhere' })
    const search = new VectorSearch(
      db,
      told({ query: [1, 0, 0] }),
      new Phase1Config({ relatedDomains: ['procurement'] }),
    )
    const found = await search.searchCandidates({ query: 'query', agentId: AGENT })
    expect(found.map(([memory]) => memory.content).sort()).toEqual(['mine', 'procurement', 'universal'])
  })

  test('library: a failure inside a search is a VectorSearchError with code and hint', async () => {
    await create('x')
    const broken = { ...told({}), getEmbedding: async () => Promise.reject(new Error('quota')) }
    const expected = { name: 'VectorSearchError', code: 'EMBEDDER_UNAVAILABLE', hint: expect.any(String) }
    await expect(new VectorSearch(db, broken).searchCandidates({ query: 'q', agentId: AGENT })).rejects.toMatchObject(
      expected,
    )
    await expect(new VectorSearch(db).searchCandidates({ query: ' ', agentId: AGENT })).rejects.toMatchObject({
      ...expected,
      code: 'INPUT_INVALID',
    })
  })

  test('library: the score breakdown of the specified example adds up to .735', () => {
    const at = Date.parse('2026-03-10T00:00:00Z')
    const days = -30 * Math.log2(0.9)
    const memory = AgentMemory.create({ agentId: AGENT, content: 'x', strength: 1.2 }).copyWith({
      createdAt: new Date(at - days * 86_400_000),
    })
    const [scored] = new MemoryRanker(config, () => at).rank([[memory, 0.75]])
    const expected = {
      ...{ similarityRaw: 0.75, similarityWeighted: 0.375, strengthRaw: 1.2, strengthNormalized: 0.6 },
      ...{ strengthWeighted: 0.18, recencyRaw: 0.9, recencyWeighted: 0.18, total: 0.735 },
    }
    for (const [name, value] of Object.entries(expected)) {
      expect([name, scored!.scoreBreakdown[name as keyof typeof expected]]).toEqual([name, expect.closeTo(value, 6)])
    }
    expect(scored!.finalScore).toBe(scored!.scoreBreakdown.total)
  })

  test('library: a memory used from the queried perspective ranks first, before memories never used', async () => {
    const [plain, used] = await eachOf(['plain', 'used'], (content) => create(content))
    await strength.markAsUsed(plain!.id, '納期')
    await strength.markAsUsed(used!.id, 'コスト')
    const both = await eachOf([plain!, used!], async ({ id }) => [(await repository.getById(id))!, 0.5] as const)
    const ranker = new MemoryRanker(undefined, () => now)
    for (const [perspective, first] of Object.entries({ コスト: used!, 納期: plain! })) {
      expect(ranker.rank(both, perspective)[0]!.memory.id).toBe(first.id)
      const never = AgentMemory.create({ agentId: AGENT, content: 'never used' })
      expect(ranker.rank([[never, 0.5], ...both], perspective).at(-1)!.memory.id).toBe(never.id)
    }
    expect(ranker.rank(both, 'コスト').map((one) => one.scoreBreakdown.strengthRaw)).toEqual([
      expect.closeTo(1.25, 12),
      expect.closeTo(1.1, 12),
    ])
  })

  test('library: a perspective’s gains count only for that perspective, and at most 10 memories are returned', () => {
    const plain = AgentMemory.create({ agentId: AGENT, content: 'plain' })
    const known = AgentMemory.create({ agentId: AGENT, content: 'known', strengthByPerspective: { コスト: 1.6 } })
    const ranker = new MemoryRanker()
    expect(
      ranker.rank(
        [
          [plain, 0.5],
          [known, 0.5],
        ],
        'コスト',
      )[0]!.memory.content,
    ).toBe('known')
    expect(ranker.rank([[known, 0.5]], '納期')[0]!.scoreBreakdown.strengthRaw).toBe(1)
    const many = Array.from({ length: 30 }, (_, i) => [plain, i / 30] as const)
    expect(ranker.rank(many).map((scored) => scored.similarity)).toEqual(
      many
        .slice(20)
        .reverse()
        .map(([, near]) => near),
    )
  })

  test('library: 緊急調達のコスト finds its memory first among 1,000 others, organized or not', async () => {
    const subjects = ['納期の調整', '在庫の棚卸し', '請求書の締め日', '見積もりの承認', '出荷の遅れ', '会議の議事録']
    await create('緊急調達では15%のコスト増を見込む', { tags: ['コスト', '緊急調達'], source: 'task' })
    for (let i = 0; i < 1000; i++) await create(`${subjects[i % 6]}について、第${i}回の担当者は部署${i % 17}に確認する`)
    const search = new VectorSearch(db)
    const best = async () =>
      (await search.searchCandidates({ query: '緊急調達のコスト', agentId: AGENT }))[0]![0].content
    expect(await best()).toBe('緊急調達では15%のコスト増を見込む')
    runMaintenance(db.store, { now })
    expect(await best()).toBe('緊急調達では15%のコスト増を見込む')
    open()
    const [first] = await executor.searchMemories({ query: '緊急調達のコスト', agentId: AGENT, perspective: 'コスト' })
    expect(first!.memory.content).toBe('緊急調達では15%のコスト増を見込む')
  }, 60_000)
})

describe('library: SleepPhaseProcessor', () => {
  test('library: a sleep phase decays by level, archives weak memories, and is logged', async () => {
    const weak = await create('すぐ忘れる', { strength: 0.1004 })
    const strong = await create('よく使う')
    await repository.update(strong.copyWith({ accessCount: 100, consolidationLevel: 5 }))
    const used = await create('もう一つ')
    await repository.update(used.copyWith({ accessCount: 5 }))
    const result = await executor.runSleepPhase(AGENT)
    expect(result).toMatchObject({
      agentId: AGENT,
      decayedCount: 3,
      archivedCount: 1,
      consolidatedCount: 1,
      errors: [],
    })
    expect(result.processedAt.getTime()).toBe(now)
    expect(await strengthOf(strong.id)).toBeCloseTo(0.998 ** 0.1, 12)
    expect(await strengthOf(used.id)).toBeCloseTo(0.95 ** 0.1, 12)
    expect(await repository.getById(used.id)).toMatchObject({ consolidationLevel: 1 })
    expect((await repository.getById(used.id))!.lastDecayAt!.getTime()).toBe(now)
    expect((await repository.getById(weak.id))!.status).toBe('archived')
    const log = fs.readFileSync(path.join(folder, 'events/000001.jsonl'), 'utf8')
    expect(log).toContain('"kind":"agent.slept"')
  })

  test('library: a sleep phase runs the specified steps in order, and continues after one that fails', async () => {
    const { id } = await create('すぐ忘れる', { strength: 0.1004 })
    const steps: string[] = []
    class Watched extends SleepPhaseProcessor {
      override async applyDecayAll(agentId: string): Promise<number> {
        steps.push('decay')
        return await super.applyDecayAll(agentId)
      }
      override async archiveWeakMemories(agentId: string): Promise<number> {
        steps.push(`archive what is now ${(await strengthOf(id)).toFixed(4)}`)
        return await super.archiveWeakMemories(agentId)
      }
      override async consolidateSimilar(): Promise<number> {
        steps.push('consolidate')
        throw new Error('no more room')
      }
      override async updateConsolidationLevels(agentId: string): Promise<number> {
        steps.push('levels')
        return await super.updateConsolidationLevels(agentId)
      }
    }
    expect(await new Watched(db).processAll(AGENT)).toMatchObject({
      ...{ decayedCount: 1, archivedCount: 1, consolidatedCount: 0, errors: ['consolidate: no more room'] },
    })
    expect(steps).toEqual(['decay', 'archive what is now 0.0999', 'consolidate', 'levels'])
    const last = fs.readFileSync(path.join(folder, 'events/000001.jsonl'), 'utf8').trimEnd().split('\n').at(-1)!
    expect(JSON.parse(last)).toMatchObject({
      ...{ kind: 'agent.slept', agent: AGENT, decayed: 1, archived: 1, errors: ['consolidate: no more room'] },
    })
  })

  test('library: ten tasks count as one day', async () => {
    const { id } = await create('一日')
    for (let task = 0; task < 10; task++) await executor.runSleepPhase(AGENT)
    expect(await strengthOf(id)).toBeCloseTo(0.95, 12)
  })

  test('library: over the cap the memory with the lowest strength is archived first', async () => {
    open({ maxActiveMemories: 3 })
    const strengths = [0.9, 0.4, 1.2, 0.3, 2]
    const ids = await eachOf(strengths, async (strength, i) => (await create(`number ${i}`, { strength })).id)
    expect(
      await new SleepPhaseProcessor(db, new Phase1Config({ maxActiveMemories: 3 })).archiveWeakMemories(AGENT),
    ).toBe(2)
    expect((await repository.getByAgentId(AGENT, 'archived')).map((memory) => memory.id).sort()).toEqual(
      [ids[1], ids[3]].sort(),
    )
  })

  test('library: memories with an equal text merge with all uses and tags; a similar one stays separate', async () => {
    const a = await create('緊急調達では15%のコスト増を見込む必要がある', {
      tags: ['コスト'],
      learnings: { コスト: 'a' },
    })
    const b = await create('緊急調達では15%のコスト増を見込む必要がある', {
      tags: ['緊急調達'],
      learnings: { 納期: 'b' },
    })
    const c = await create('緊急調達では15%のコスト減を見込む必要がある')
    for (let i = 0; i < 3; i++) await strength.markAsUsed(a.id)
    for (let i = 0; i < 2; i++) await strength.markAsUsed(b.id)
    expect(await new SleepPhaseProcessor(db).consolidateSimilar(AGENT)).toBe(1)
    expect(await repository.getById(a.id)).toMatchObject({
      accessCount: 5,
      consolidationLevel: 1,
      tags: ['コスト', '緊急調達'],
    })
    expect((await repository.getById(a.id))!.learnings).toEqual({ コスト: 'a', 納期: 'b' })
    expect((await repository.getById(b.id))!.status).toBe('archived')
    expect((await repository.getById(c.id))!.status).toBe('active')
    expect(await new SleepPhaseProcessor(db).consolidateSimilar(AGENT)).toBe(0)
  })
})

describe('library: TaskExecutor', () => {
  test('library: a learning is stored under its perspective or in general; a search counts candidates', async () => {
    now -= 1_000
    const id = await executor.recordLearning({
      agentId: AGENT,
      content: '緊急調達では1.5倍のコストを見込む必要がある',
      learning: '納期短縮とコストのトレードオフを学んだ',
      perspective: 'コスト',
    })
    expect(await repository.getById(id)).toMatchObject({
      learnings: { コスト: '納期短縮とコストのトレードオフを学んだ' },
      ...{ source: 'task', strength: 1, createdAt: new Date(now), updatedAt: new Date(now) },
    })
    const plain = await executor.recordLearning({ agentId: AGENT, content: '別の話', learning: 'x' })
    expect((await repository.getById(plain))!.learnings).toEqual({ general: 'x' })
    const memories = await executor.searchMemories({ query: '緊急調達のコスト', agentId: AGENT, perspective: 'コスト' })
    expect(memories.map(({ memory }) => memory.id)).toEqual([id])
    expect((await repository.getById(id))!.candidateCount).toBe(1)
  })

  test('library: a task searches, works, strengthens what it used, and stores what it learned', async () => {
    const { id } = await create('緊急調達では15%のコスト増を見込む')
    await create('緊急調達の窓口は本社の購買部')
    const result = await executor.executeTask({
      query: '緊急調達のコスト',
      agentId: AGENT,
      taskFunc: (memories) => `タスク完了。参照メモリ: ${memories.length}件。${memories[0]!.memory.content}。`,
      perspective: 'コスト',
      learningContent: '緊急調達は1.5倍のコストがかかる',
      learningText: '納期短縮のトレードオフを学んだ',
    })
    expect(result.errors).toEqual([])
    expect(result.taskResult).toContain('タスク完了。参照メモリ: 2件')
    expect(result.usedMemoryIds).toEqual([id])
    expect(await repository.getById(id)).toMatchObject({ accessCount: 1, strengthByPerspective: { コスト: 0.15 } })
    expect((await repository.getById(result.recordedMemoryId!))!.learnings).toEqual({
      コスト: '納期短縮のトレードオフを学んだ',
    })
    expect(result.executedAt.getTime()).toBe(now)
    const dict = JSON.parse(JSON.stringify(result.toDict())) as Record<string, unknown>
    expect(Object.keys(dict)).toEqual([
      ...['task_result', 'searched_memories', 'used_memory_ids', 'recorded_memory_id', 'executed_at', 'errors'],
    ])
    expect(dict['searched_memories']).toMatchObject([{ score_breakdown: { similarity_raw: expect.any(Number) } }, {}])
  })

  test('library: a result that mentions no memory used none, and learning happens only on request', async () => {
    await create('緊急調達では15%のコスト増を見込む')
    const taskFunc = () => 'タスク完了。'
    const quiet = await executor.executeTask({ query: '緊急調達のコスト', agentId: AGENT, taskFunc })
    expect([quiet.usedMemoryIds, quiet.recordedMemoryId]).toEqual([[], null])
    const learnt = await executor.executeTask({
      ...{ query: '緊急調達のコスト', agentId: AGENT, extractLearning: true },
      taskFunc: async () => '運送会社の変更で納期が三日縮んだ。',
    })
    expect((await repository.getById(learnt.recordedMemoryId!))!.content).toBe('運送会社の変更で納期が三日縮んだ。')
  })

  test('library: a failing task is reported in errors, and its candidates still count', async () => {
    const { id } = await create('緊急調達では15%のコスト増を見込む')
    const result = await executor.executeTask({
      ...{ query: '緊急調達のコスト', agentId: AGENT },
      taskFunc: () => {
        throw new Error('no stock')
      },
    })
    expect(result).toMatchObject({ taskResult: null, usedMemoryIds: [], errors: ['task: no stock'] })
    expect(await repository.getById(id)).toMatchObject({ candidateCount: 1, accessCount: 0 })
    expect(await executor.reinforceUsedMemories([id, '00000000-0000-4000-8000-000000000000'], AGENT, 'コスト')).toBe(1)
  })

  test('library: the parts can be assembled by hand, in the specified order', async () => {
    const parts = new TaskExecutor(
      new VectorSearch(db),
      new MemoryRanker(),
      strength,
      new SleepPhaseProcessor(db),
      repository,
    )
    await parts.recordLearning({ agentId: AGENT, content: '手作業の組み立て', learning: 'x' })
    expect(await parts.searchMemories({ query: '手作業の組み立て', agentId: AGENT })).toHaveLength(1)
  })
})

describe('library: DatabaseConnection', () => {
  test('library: a cursor reads rows, and a closed connection throws', async () => {
    await create('緊急調達では15%のコスト増を見込む')
    const rows = await db.getCursor(async (cursor) => {
      await cursor.execute('SELECT * FROM agent_memory WHERE agent_id = %s', [AGENT])
      return cursor.fetchAll()
    })
    expect(rows.map((row) => AgentMemory.fromRow(row).content)).toEqual(['緊急調達では15%のコスト増を見込む'])
    expect(await db.healthCheck()).toBe(true)
    await db.close()
    expect(await db.healthCheck()).toBe(false)
    await expect(repository.countActiveMemories(AGENT)).rejects.toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID' }),
    )
  })

  test('library: the process shares one connection until it is closed', async () => {
    const one = getDatabase()
    expect(getDatabase()).toBe(one)
    await closeDatabase()
    expect(getDatabase()).not.toBe(one)
    await closeDatabase()
  })
})
