// The operations of the MemoryRepository: what every store must do.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  AgentMemory,
  type DatabaseConnection,
  MemoryRepository,
  Phase1Config,
  SleepPhaseProcessor,
  StrengthManager,
} from '../../../src/index.ts'
import { AGENT, codeOf, createWith, DIMENSION, idsOf, NOBODY, STORES, useStore } from './testStores.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`

describe.each(STORES)('store contract, %s', (kind) => {
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

  test('store: create returns the row as stored, and every connection reads the same', async () => {
    const given = AgentMemory.create({
      ...{ agentId: AGENT, content: '緊急調達では15%のコスト増を見込む', tags: ['コスト', '緊急調達', 'コスト'] },
      ...{ embedding: [0.1, -2.5, 3e-9], scopeDomain: '調達', strength: 0.30000000000000004, source: 'task' },
      ...{ strengthByPerspective: { コスト: 0.1 + 0.2 }, learnings: { コスト: '1.5倍 " \' \\ \n', 納期: '🙂' } },
    })
    const created = await repository.create(given)
    const embedding = given.embedding!.map(Math.fround)
    expect({ ...created }).toEqual({ ...given, embedding, tags: ['コスト', '緊急調達'] })
    expect(created).toBeInstanceOf(AgentMemory)
    expect(await new MemoryRepository(store.connect()).getById(given.id.toUpperCase())).toEqual(created)
    expect(await repository.getById(NOBODY)).toBeNull()
    expect(await repository.getById('no uuid')).toBeNull()
    expect(await codeOf(repository.create(created))).toBe('INPUT_INVALID')
  })

  test('store: an agent’s memories come newest first, filtered by status; others are counted apart', async () => {
    const ids: string[] = []
    for (const content of ['one', 'two', 'three']) {
      ids.push((await create(content)).id)
      store.now += 1_000
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await repository.create(AgentMemory.create({ agentId: 'agent_02', content: 'another' }))
    expect(await repository.archive(ids[1]!)).toBe(true)
    expect(idsOf(await repository.getByAgentId(AGENT))).toEqual([ids[2], ids[0]])
    expect(idsOf(await repository.getByAgentId(AGENT, 'archived'))).toEqual([ids[1]])
    expect(await repository.countActiveMemories(AGENT)).toBe(2)
    expect(await repository.countActiveMemories('nobody')).toBe(0)
    expect(await codeOf(repository.getByAgentId(AGENT, 'deleted' as never))).toBe('INPUT_INVALID')
  })

  test('store: an update replaces the row and its time; without such a row it is NOT_FOUND', async () => {
    const memory = await create('before', { learnings: { コスト: '高い' }, embedding: [1, 0, 0] })
    store.now += 5_000
    const updated = await repository.update(
      memory.copyWith({ tags: ['x'], strength: 1.4, lastAccessedAt: new Date(0) }),
    )
    expect(updated).toMatchObject({ tags: ['x'], strength: 1.4, learnings: { コスト: '高い' }, embedding: [1, 0, 0] })
    expect([updated.updatedAt.getTime(), updated.lastAccessedAt?.getTime()]).toEqual([store.now, 0])
    expect(await repository.getById(memory.id)).toEqual(updated)
    const unknown = AgentMemory.create({ agentId: AGENT, content: 'nobody stored this' })
    expect(await codeOf(repository.update(unknown))).toBe('NOT_FOUND')
  })

  test('store: a new text without a new vector has none; with a new one it has that', async () => {
    const memory = await create('before', { embedding: [1, 0, 0] })
    expect((await repository.update(memory.copyWith({ content: 'after' }))).embedding).toBeNull()
    const both = await repository.update(memory.copyWith({ content: 'last', embedding: [0, 1, 0] }))
    expect(both.embedding).toEqual([0, 1, 0])
    // As a plain object, and after a change that has removed the vector.
    expect((await repository.update({ ...both, content: 'plain' } as AgentMemory)).embedding).toBeNull()
    expect((await repository.update(both.copyWith({ content: 'late' }))).embedding).toBeNull()
    expect((await repository.update(both.copyWith({ content: both.content }))).embedding).toEqual([0, 1, 0])
  })

  test('store: the vector of a text with a secret is not kept', async () => {
    const { content, embedding } = await create(`the token is ${TOKEN}`, { embedding: [1, 0, 0] })
    expect([content.includes(TOKEN), embedding]).toEqual([false, null])
  })

  test('store: batches return the number of rows, unknown and repeated ids count nothing', async () => {
    const [a, b, c] = idsOf([await create('a'), await create('b'), await create('c')]) as [string, string, string]
    expect(await repository.batchIncrementCandidateCount([a, b, a, NOBODY, 'no uuid'])).toBe(2)
    expect(await repository.batchIncrementCandidateCount([])).toBe(0)
    const strengths = [b, c, NOBODY].map((id, i) => [id, 0.3 - i / 10] as const)
    expect(await repository.batchUpdateStrength(strengths)).toBe(2)
    expect(await repository.batchArchive([a, b])).toBe(2)
    expect(await repository.batchArchive([a, b, c])).toBe(1)
    expect(await repository.archive(NOBODY)).toBe(false)
    expect(await repository.getById(a)).toMatchObject({ candidateCount: 1, status: 'archived', strength: 1 })
    expect((await repository.getById(b))!.strength).toBe(0.3)
  })

  test('store: increments at the same time all count, in one statement each', async () => {
    const { id } = await create('shared')
    // PGlite mixes up the messages of connections at the same time: storeConcurrency.test.ts uses a real server.
    const connections = kind === 'embedded' ? 4 : 1
    const others = Array.from({ length: connections }, () => {
      return new MemoryRepository(store.connect('shop', { maxConnections: 1 }), config)
    })
    const uses = Array.from({ length: 40 }, async (_, i) => {
      const other = others[i % others.length]!
      await other.incrementCandidateCount(id)
      await other.updatePerspectiveStrength(id, 'コスト', 0.25)
      await new StrengthManager(other, config).markAsUsed(id, '納期')
    })
    await Promise.all(uses)
    const memory = (await repository.getById(id))!
    expect(memory).toMatchObject({ candidateCount: 40, accessCount: 40, consolidationLevel: 3 })
    expect(memory.strength).toBeCloseTo(1 + 40 * 0.1, 9)
    expect(memory.strengthByPerspective['コスト']).toBe(10)
    expect(memory.strengthByPerspective['納期']).toBeCloseTo(40 * 0.15, 9)
  })

  test('store: decay candidates come in batches, weakest first, of equally weak ones the oldest first', async () => {
    const strengths = [0.9, 0.2, 0.5, 0.2]
    const created: AgentMemory[] = []
    for (const [i, strength] of strengths.entries())
      created.push(
        await repository.create(
          AgentMemory.create({ agentId: AGENT, content: `memory ${i}`, strength }).copyWith({ createdAt: new Date(i) }),
        ),
      )
    const [a, b, c, d] = idsOf(created)
    expect(idsOf(await repository.getMemoriesForDecay(AGENT))).toEqual([b, d, c, a])
    expect(idsOf(await repository.getMemoriesForDecay(AGENT, 2))).toEqual([b, d])
    expect(idsOf(await repository.getLowestStrengthMemories(AGENT, 3))).toEqual([b, d, c])
    expect(await repository.getLowestStrengthMemories(AGENT, 0)).toEqual([])
    await repository.batchArchive([b!])
    expect(idsOf(await repository.getLowestStrengthMemories(AGENT, 1))).toEqual([d])
    for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(await codeOf(repository.getLowestStrengthMemories(AGENT, limit))).toBe('INPUT_INVALID')
  })

  test('store: the manager counts, strengthens, applies impacts and reactivates', async () => {
    const strength = new StrengthManager(repository, config)
    const { id } = await create('used')
    expect(await strength.markAsCandidate([id])).toBe(1)
    for (let i = 0; i < 5; i++) await strength.markAsUsed(id, 'コスト')
    const used = (await strength.applyImpact(id, 'task_success'))!
    expect(used).toMatchObject({ accessCount: 5, candidateCount: 1, consolidationLevel: 1, impactScore: 1.5 })
    expect([used.strength, used.strengthByPerspective['コスト']]).toEqual([
      expect.closeTo(1.8, 12),
      expect.closeTo(0.75, 12),
    ])
    expect(used.lastAccessedAt?.getTime()).toBe(store.now)
    expect(await codeOf(strength.reactivate(id))).toBe('INPUT_INVALID')
    await repository.archive(id)
    expect(await strength.reactivate(id)).toMatchObject({ status: 'active', strength: 0.5 })
    await repository.update((await repository.getById(id))!.copyWith({ accessCount: 30 }))
    expect((await strength.updateConsolidationLevel(id))!.consolidationLevel).toBe(3)
    expect(await codeOf(strength.applyImpact(id, 'applause'))).toBe('INPUT_INVALID')
    for (const nobody of [strength.markAsUsed(NOBODY), strength.reactivate(NOBODY)]) expect(await nobody).toBeNull()
  })

  test('store: a sleep phase decays by level in batches, archives, merges, sets levels, and is logged', async () => {
    const weak = await create('すぐ忘れる', { strength: 0.1004 })
    const strong = await repository.update(
      (await create('よく使う')).copyWith({ accessCount: 100, consolidationLevel: 5 }),
    )
    const kept = await create('緊急調達では15%のコスト増を見込む必要がある', { strength: 1.2, tags: ['a'] })
    const copy = await create('緊急調達では15%のコスト増を見込む必要がある', { tags: ['b'], embedding: [1, 0, 0] })
    await repository.update(copy.copyWith({ accessCount: 5 }))
    const other = await repository.create(AgentMemory.create({ agentId: 'agent_02', content: 'another' }))
    const processor = new SleepPhaseProcessor(db, config)
    expect(await processor.processAll(AGENT)).toEqual({
      ...{ agentId: AGENT, decayedCount: 4, archivedCount: 1, consolidatedCount: 1, errors: [] },
      processedAt: new Date(store.now),
    })
    expect((await repository.getById(weak.id))!.status).toBe('archived')
    expect((await repository.getById(strong.id))!.strength).toBeCloseTo(0.998 ** 0.1, 12)
    expect((await repository.getById(strong.id))!.lastDecayAt?.getTime()).toBe(store.now)
    expect(await repository.getById(copy.id)).toMatchObject({ status: 'archived', embedding: [1, 0, 0] })
    expect(await repository.getById(kept.id)).toMatchObject({ accessCount: 5, tags: ['a', 'b'], consolidationLevel: 1 })
    expect(await repository.getById(other.id)).toEqual(other)
    expect(await processor.applyDecayAll(AGENT, 1)).toBe(2)
    expect((await repository.getById(strong.id))!.strength).toBeCloseTo(0.998 ** 0.2, 12)
  })

  test('store: over the limit of active memories the weakest are archived', async () => {
    for (const [i, strength] of [0.9, 0.4, 1.2, 0.3, 2].entries()) await create(`number ${i}`, { strength })
    const processor = new SleepPhaseProcessor(db, new Phase1Config({ maxActiveMemories: 3 }))
    expect(await processor.archiveWeakMemories(AGENT)).toBe(2)
    expect((await repository.getByAgentId(AGENT, 'archived')).map(({ strength }) => strength).sort()).toEqual([
      0.3, 0.4,
    ])
  })

  test('store: secrets and private parts are removed before anything is stored, also in an update', async () => {
    const created = await create(`the token is ${TOKEN} <private>and this</private>`, { learnings: { general: TOKEN } })
    const updated = await repository.update(created.copyWith({ tags: [TOKEN], content: `again ${TOKEN}` }))
    for (const memory of [created, updated, (await repository.getById(created.id))!])
      expect(JSON.stringify(memory)).not.toMatch(/ghp_|and this/)
    const rows = await db.getCursor(async (cursor) => {
      await cursor.execute('SELECT * FROM agent_memory')
      return cursor.fetchAll()
    })
    expect(JSON.stringify(rows)).not.toMatch(/ghp_|and this/)
  })

  test('store: a name with a secret is stored without it, and finds what was stored under it', async () => {
    const scope = { scopeLevel: 'domain', scopeDomain: `domain-${TOKEN}`, scopeProject: `shop-${TOKEN}` } as const
    const perspectives = { strengthByPerspective: { [TOKEN]: 1 }, learnings: { [TOKEN]: 'seen' } }
    const agentId = `agent-${TOKEN}`
    const { id } = await repository.create(AgentMemory.create({ agentId, content: 'the', ...scope, ...perspectives }))
    await repository.updatePerspectiveStrength(id, TOKEN, 2)
    expect(JSON.stringify(await repository.getById(id))).not.toContain('ghp_')
    const [found, ...others] = await repository.getByAgentId(agentId)
    expect(others).toEqual([])
    expect(found).toMatchObject({ id, strengthByPerspective: { [Object.keys(found!.learnings)[0]!]: 3 } })
    await new SleepPhaseProcessor(db, config).processAll(agentId)
    expect(await repository.countActiveMemories(agentId)).toBe(1)
  })
})
