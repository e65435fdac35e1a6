// Many sessions of a real PostgreSQL change the same memories at the same time; nothing is searched.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AgentMemory, DatabaseConnection, MemoryRepository, StrengthManager } from '../../../src/index.ts'
import { findPostgres, type RealServer } from '../../database/realServer.ts'
import { newFolder } from '../../tempFolders.ts'
import { AGENT, idsOf } from './testStores.ts'
import { startVectorlessServer, urlOf } from './vectorlessServer.ts'

const bin = findPostgres()

describe.skipIf(bin === undefined)('store, many sessions', () => {
  let server: RealServer
  const repositories: MemoryRepository[] = []
  const connections: DatabaseConnection[] = []
  beforeAll(async () => {
    server = await startVectorlessServer(bin ?? '')
    const databaseUrl = urlOf(server)
    const env = { MEMCTL_HOME: newFolder('sessions') }
    for (let i = 0; i < 3; i++) {
      connections.push(new DatabaseConnection({ databaseUrl, projectId: 'shop', maxConnections: 4, env }))
      repositories.push(new MemoryRepository(connections[i]!))
    }
  }, 60_000)
  afterAll(async () => {
    for (const connection of connections) await connection.close()
    server?.stop()
  })

  test('store: increments of many sessions at the same time all count', async () => {
    const { id } = await repositories[0]!.create(AgentMemory.create({ agentId: AGENT, content: 'shared' }))
    const uses = Array.from({ length: 90 }, async (_, i) => {
      const repository = repositories[i % 3]!
      await Promise.all([
        repository.incrementCandidateCount(id),
        repository.updatePerspectiveStrength(id, 'コスト', 0.25),
        new StrengthManager(repository).markAsUsed(id),
      ])
    })
    await Promise.all(uses)
    const memory = (await repositories[1]!.getById(id))!
    expect(memory).toMatchObject({ candidateCount: 90, accessCount: 90, consolidationLevel: 4 })
    expect(memory.strengthByPerspective).toEqual({ コスト: 22.5 })
    expect(memory.strength).toBeCloseTo(10, 9)
  })

  test('store: batches over the same memories in different orders all succeed', async () => {
    const created: AgentMemory[] = []
    for (let i = 0; i < 40; i++)
      created.push(await repositories[0]!.create(AgentMemory.create({ agentId: AGENT, content: `memory ${i}` })))
    const ids = idsOf(created)
    const batches = Array.from({ length: 30 }, async (_, i) => {
      const repository = repositories[i % 3]!
      const order = i % 2 === 0 ? ids : ids.toReversed()
      const from = i % 7
      expect(await repository.batchIncrementCandidateCount(order)).toBe(40)
      return repository.batchUpdateStrength([...order.slice(from), ...order.slice(0, from)].map((id) => [id, 2]))
    })
    expect(await Promise.all(batches)).toEqual(batches.map(() => 40))
    const memories = await repositories[2]!.getByAgentId(AGENT)
    const batched = memories.filter(({ id }) => ids.includes(id))
    expect(new Set(batched.map((memory) => memory.candidateCount))).toEqual(new Set([30]))
  })

  test('store: of two programs that archive the same memories, each is counted by one', async () => {
    const { id } = await repositories[0]!.create(AgentMemory.create({ agentId: AGENT, content: 'once' }))
    const archived = await Promise.all(repositories.map((repository) => repository.archive(id)))
    expect(archived.filter(Boolean)).toHaveLength(1)
    const copy = AgentMemory.create({ agentId: AGENT, content: 'created by one of them' })
    const copies = await Promise.allSettled(repositories.map((repository) => repository.create(copy)))
    expect(copies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
