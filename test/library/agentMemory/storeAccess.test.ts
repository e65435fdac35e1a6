// Row-level security for the memories of agents: a role has the projects that it was granted, through every class.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/database.ts'
import { grantAccess } from '../../../src/database/hubAccess.ts'
import { migrate } from '../../../src/database/migrate.ts'
import {
  AgentMemory,
  createTaskExecutor,
  DatabaseConnection,
  MemoryRepository,
  Phase1Config,
  SleepPhaseProcessor,
  StrengthManager,
  VectorSearch,
} from '../../../src/index.ts'
import { PostgresSearch } from '../../../src/library/agentMemory/postgresSearch.ts'
import { asRole } from '../../database/hub/databaseRole.ts'
import { findPostgres, type RealServer } from '../../database/realServer.ts'
import { startTestDatabase } from '../../database/server.ts'
import { newFolder } from '../../tempFolders.ts'
import { AGENT, clientOf, codeOf, createWith, DIMENSION } from './testStores.ts'
import { startVectorlessServer, urlOf } from './vectorlessServer.ts'

const bin = findPostgres()
const GRANTS = [
  ['reader', 'shop', false],
  ['writer', 'shop', true],
  ['sharer', '*', true],
] as const

describe.skipIf(bin === undefined)('store, access', () => {
  let server: RealServer
  const connections = new Map<string, DatabaseConnection>()
  const env = { MEMCTL_HOME: newFolder('access') }
  const connect = (user: string, projectId: string): DatabaseConnection => {
    const name = `${user} ${projectId}`
    const opened = connections.get(name)
    if (opened) return opened
    const databaseUrl = user === 'postgres' ? urlOf(server) : urlOf(server, { user, password: 'open' })
    const connection = new DatabaseConnection({ databaseUrl, projectId, maxConnections: 1, env })
    connections.set(name, connection)
    return connection
  }
  const repositoryOf = (user: string, projectId: string) => new MemoryRepository(connect(user, projectId))
  beforeAll(async () => {
    server = await startVectorlessServer(bin ?? '')
    await using database = await openDatabase({ url: urlOf(server) })
    // What the steps that need pgvector would create, and what granting gives rights on.
    await database.query('create table memctl_migrations (version integer); create table hub_vectors (version integer)')
    await database.query('create role owner nologin')
    for (const [role, project, canWrite] of GRANTS) {
      await database.query(`create role ${role} login password 'open'`)
      await grantAccess(database, { role, project, canWrite })
    }
  }, 60_000)
  afterAll(async () => {
    for (const connection of connections.values()) await connection.close()
    server?.stop()
  })

  test('store: a role sees the memories of its projects, and shared ones if it was granted them', async () => {
    const own = await createWith(repositoryOf('writer', 'shop'))('Lamps of the shop')
    const theirs = await createWith(repositoryOf('postgres', 'farm'))('Lamps of the farm')
    const shared = await createWith(repositoryOf('sharer', 'shop'))('Lamps of all', { scopeLevel: 'universal' })
    for (const user of ['reader', 'writer'])
      for (const project of ['shop', 'farm', 'nothing']) {
        const repository = repositoryOf(user, project)
        const seen = await repository.getByAgentId(AGENT)
        expect(seen).toEqual(project === 'shop' ? [own] : [])
        expect([await repository.getById(theirs.id), await repository.getById(shared.id)]).toEqual([null, null])
        const found = await new VectorSearch(connect(user, project)).searchCandidates({
          query: 'lamps',
          agentId: AGENT,
        })
        expect(found.map(([memory]) => memory.id)).toEqual(project === 'shop' ? [own.id] : [])
      }
    expect(await repositoryOf('sharer', 'farm').getByAgentId(AGENT)).toEqual([shared])
  })

  test('store: words are read and written as the memories are, and a reader finds what has none yet', async () => {
    const terms = (user: string, sql = `select count(*)::integer as count from agent_terms`) =>
      connect(user, 'shop').getCursor(async (cursor) => {
        await cursor.execute(sql)
        return (await cursor.fetchOne())?.['count']
      })
    const before = Number(await terms('reader'))
    await createWith(repositoryOf('writer', 'shop'))('Trams of the shop')
    await createWith(repositoryOf('postgres', 'farm'))('Trams of the farm')
    expect(await terms('reader')).toBe(before + 3)
    for (const sql of ['delete from agent_terms', `insert into agent_terms values (16, 'x', 1, gen_random_uuid())`])
      expect(await codeOf(terms('writer', sql))).toBe('DATABASE_ACCESS')
    await terms('writer', `update agent_memory set content = 'Ferries of the shop' where content like 'Trams%'`)
    for (const [query, count] of [
      ['ferries', 1],
      ['trams', 0],
    ] as const) {
      const search = new VectorSearch(connect('reader', 'shop'))
      expect(await search.searchCandidates({ query, agentId: AGENT })).toHaveLength(count)
      expect(await search.countCandidates({ query, agentId: AGENT })).toBe(count)
    }
  })

  test('store: a reader changes nothing, and a writer nothing of another project; each is told so', async () => {
    const farm = repositoryOf('postgres', 'farm')
    const theirs = await createWith(farm)('Harvest of the farm')
    const own = await createWith(repositoryOf('writer', 'shop'))('Prices of the shop')
    const reader = repositoryOf('reader', 'shop')
    const memory = AgentMemory.create({ agentId: AGENT, content: 'x' })
    for (const refuse of [
      () => reader.create(memory),
      () => reader.archive(own.id),
      () => reader.update(own),
      () => new StrengthManager(reader).markAsUsed(own.id),
      () => repositoryOf('writer', 'farm').create(memory),
      () => repositoryOf('writer', 'shop').create(memory.copyWith({ scopeLevel: 'universal' })),
      () => createTaskExecutor(connect('reader', 'shop')).searchMemories({ query: 'prices', agentId: AGENT }),
    ])
      expect(await codeOf(refuse())).toBe('DATABASE_ACCESS')
    const writer = repositoryOf('writer', 'farm')
    expect(await writer.batchIncrementCandidateCount([theirs.id, own.id])).toBe(0)
    expect(await writer.batchUpdateStrength([[theirs.id, 5]])).toBe(0)
    expect(await codeOf(writer.update(theirs))).toBe('NOT_FOUND')
    const { decayedCount, errors } = await new SleepPhaseProcessor(connect('writer', 'farm')).processAll(AGENT)
    expect([decayedCount, errors.length]).toEqual([0, 1])
    expect(await farm.getById(theirs.id)).toEqual(theirs)
    expect(await repositoryOf('writer', 'shop').getById(own.id)).toEqual(own)
  })
})

test('store: a role that may only read finds what has a vector, and asks the embedding client for no other', async () => {
  const server = await startTestDatabase()
  await using database = await openDatabase({ url: server.url, maxConnections: 1 })
  await migrate(database, { dimension: DIMENSION })
  await database.query('create role reader nologin')
  await grantAccess(database, { role: 'reader', project: 'shop', canWrite: false })
  const table = { projectId: 'shop', dimension: DIMENSION }
  const [writer, reader] = [database, asRole(database, 'reader')].map(
    (each) => new (class extends PostgresSearch {})(each, {} as never, table),
  )
  await database.query("insert into agent_memory (project_id, agent_id, content) values ('shop', $1, 'Lamps')", [AGENT])
  let embedded = 0
  const client = {
    ...clientOf({ lamps: [1, 0, 0], Lamps: [1, 0, 0] }),
    getEmbeddings: async (texts: readonly string[]) => texts.map(() => [1, 0, 0.1 * ++embedded]),
  }
  const search = { agentId: AGENT, query: 'lamps', client, config: new Phase1Config(), threshold: 0.5, limit: 5 }
  expect([await reader?.search(search), await reader?.search(search)]).toEqual([[], []])
  expect(embedded).toBe(1)
  for (const vectors of [writer, reader]) expect(await vectors?.search(search)).toHaveLength(1)
  expect(embedded).toBe(2)
  await server.stop()
})
