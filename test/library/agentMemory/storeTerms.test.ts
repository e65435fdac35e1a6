// Searches by words on PostgreSQL: they find what the project's own store finds, and the table of words follows every
// change of a memory, also one in SQL.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  AgentMemory,
  type DatabaseConnection,
  MemoryRepository,
  type NewAgentMemory,
  Phase1Config,
  VectorSearch,
} from '../../../src/index.ts'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import { createRandom } from '../../random.ts'
import { AGENT, createWith, DIMENSION, useStore } from './testStores.ts'

const WORDS = [
  ...['deploy', 'deploys', 'rollback', 'invoice', 'lint', 'src/cart.ts', 'HTTPServer2', 'v1.2.3', '__proto__', '42'],
  ...['緊急調達', 'コスト', '納期を', '5月1日', '高い', 'Straße'],
]
const OF_PROJECT = [{}, {}, { agentId: 'agent_02' }, { scopeProject: 'elsewhere' }] as const
const OF_ALL = [
  ...OF_PROJECT,
  { scopeLevel: 'universal', agentId: 'agent_02' },
  { scopeLevel: 'domain', scopeDomain: 'procurement', agentId: 'agent_02' },
  { scopeLevel: 'domain', scopeDomain: 'cooking' },
  { scopeLevel: 'domain', scopeDomain: 'cooking', agentId: 'agent_02' },
] as const

const numbers = { embeddingDimension: DIMENSION, relatedDomains: ['procurement'] }
const config = new Phase1Config(numbers)

describe('store terms', () => {
  const own = useStore('embedded')
  const store = useStore('postgresql')
  let db: DatabaseConnection
  let repository: MemoryRepository
  beforeEach(() => {
    db = store.connect()
    repository = new MemoryRepository(db, config)
  })
  const run = (sql: string, parameters: readonly unknown[] = []) =>
    db.getCursor(async (cursor) => {
      await cursor.execute(sql, parameters)
      return cursor.fetchAll()
    })
  const find = async (query: string, connection = db): Promise<string[]> => {
    const found = await new VectorSearch(connection, undefined, config).searchCandidates({ query, agentId: AGENT })
    return found.map(([{ content }]) => content)
  }
  /** The words in the table that no active memory has, and those of active memories that are not in the table. */
  const differences = async (): Promise<unknown> => {
    const memories = await run(`select id, content, status from agent_memory`)
    const expected = memories.flatMap(({ id, content, status }) =>
      status === 'active' ? ['', ...new Set(extractTerms(String(content)))].map((term) => `${id} ${term}`) : [],
    )
    const rows = await run('select memory, term from agent_terms')
    const there = rows.map(({ memory, term }) => `${memory} ${term}`)
    const missing = new Set(expected)
    for (const row of there) if (!missing.delete(row)) return `too much: ${row}`
    return [...missing]
  }

  /** Random memories in both stores; for random queries, what each store finds and counts. */
  async function compareStores(given: Phase1Config, scopes: readonly Partial<NewAgentMemory>[]) {
    const chance = createRandom(7)
    const below = (count: number): number => Math.floor(chance() * count)
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
    const sentence = (length: number): string => Array.from({ length }, () => pick(WORDS)).join(' ')
    const connections = [own.connect(), db]
    for (let i = 0; i < 60; i++) {
      const createdAt = new Date(1_800_000_000_000 + i * 1_000)
      const texts = {
        content: `${sentence(1 + below(7))} no${i}`,
        tags: [pick(WORDS)],
        learnings: { general: sentence(2) },
      }
      const memory = AgentMemory.create({ agentId: AGENT, ...texts, ...pick(scopes) }).copyWith({ createdAt })
      for (const connection of connections) await new MemoryRepository(connection, given).create(memory)
    }
    const answers = []
    for (let i = 0; i < 12; i++) {
      const search = { query: sentence(1 + below(4)), agentId: AGENT }
      const answer = connections.map(async (connection) => {
        const by = new VectorSearch(connection, undefined, given)
        const found = (await by.searchCandidates(search)).map(([{ id }, similarity]) => [id, similarity] as const)
        return { found, count: await by.countCandidates(search) }
      })
      answers.push(await Promise.all(answer))
    }
    return answers
  }

  test.each([0.3, 0])('store terms: both stores find the same, at a threshold of %d', async (similarityThreshold) => {
    const given = new Phase1Config({ ...numbers, similarityThreshold, candidateLimit: 20 })
    for (const [expected, found] of await compareStores(given, OF_PROJECT)) expect(found).toEqual(expected)
  })

  test('store terms: both stores find what the scopes allow, and count words of shared memories apart', async () => {
    const given = new Phase1Config({ ...numbers, similarityThreshold: 0, candidateLimit: 100 })
    const idsOf = ({ found }: { found: readonly (readonly [string, number])[] } = { found: [] }): string[] =>
      found.map(([id]) => id).sort()
    for (const [expected, found] of await compareStores(given, OF_ALL)) expect(idsOf(found)).toEqual(idsOf(expected))
  })

  test('store terms: they follow every change of a memory, in its transaction', async () => {
    const first = await createWith(repository)('Lamps are lit at dusk')
    const second = await createWith(repository)('Lamps of the shop', { scopeLevel: 'universal' })
    const changes: (() => Promise<unknown>)[] = [
      () => repository.update(first.copyWith({ content: 'Ferries leave at noon' })),
      () => repository.update(second.copyWith({ scopeLevel: 'project' })),
      () => repository.archive(first.id),
      () => repository.change([first.id], { status: 'active', only: 'archived' }),
      () => repository.change([first.id], { uses: 1, strength: 0.1, candidates: 1 }),
      () => run('update agent_memory set agent_id = $1 where id = $2', ['agent_02', second.id]),
      () => run('delete from agent_memory where id = $1', [second.id]),
    ]
    expect(await differences()).toEqual([])
    for (const change of changes) {
      await change()
      expect(await differences()).toEqual([])
    }
    const refused = db.getCursor(async (cursor) => {
      await cursor.execute('delete from agent_memory')
      throw new Error('taken back')
    })
    await expect(refused).rejects.toThrow('taken back')
    expect(await differences()).toEqual([])
    expect(await find('ferries')).toEqual(['Ferries leave at noon'])
    await run('truncate agent_memory')
    expect(await run('select * from agent_terms')).toEqual([])
  })

  test('store terms: a text that SQL has written is found by the next search, and not by its old words', async () => {
    const { id } = await createWith(repository)('Lamps are lit at dusk')
    await run('update agent_memory set content = $1 where id = $2', ['Ferries leave at noon', id])
    const insert = 'insert into agent_memory (project_id, agent_id, content) values ($1, $2, $3)'
    await run(insert, [db.store.project.id, AGENT, 'Trams leave at six'])
    await run(insert, [db.store.project.id, 'agent_02', 'Trams of others'])
    expect(await run('select * from agent_terms')).toEqual([])
    expect(await find('lamps')).toEqual([])
    expect(await find('ferries')).toEqual(['Ferries leave at noon'])
    expect(await find('trams')).toEqual(['Trams leave at six'])
    expect(await differences()).toEqual([])
  })

  test('store terms: among many memories with the same words, one with a rare word is found', async () => {
    await run(
      `insert into agent_memory (project_id, agent_id, content, terms)
       select $1, $2, 'deploy ' || i, jsonb_build_object('deploi', 0.7, i::text, 0.7) from generate_series(1, 12000) i`,
      [db.store.project.id, AGENT],
    )
    await createWith(repository)('deploy the xylophone after a long check of the whole orchestra')
    expect(await find('deploy')).toHaveLength(50)
    expect((await find('deploy the xylophone'))[0]).toContain('xylophone')
    const search = new VectorSearch(db, undefined, config)
    const [best] = await search.searchCandidates({ query: 'deploy 4711', agentId: AGENT })
    expect(best?.[0].content).toBe('deploy 4711')
  })
})
