// Hostile input: what a program must not break, in any store.
import { beforeEach, describe, expect, test } from 'vitest'
import {
  AgentMemory,
  type DatabaseConnection,
  MemoryRepository,
  Phase1Config,
  VectorSearch,
} from '../../../src/index.ts'
import { AGENT, clientOf, codeOf, createWith, DIMENSION, NOBODY, STORES, useStore } from './testStores.ts'

const TEXTS = [
  `'; drop table agent_memory; --`,
  `$1 %s %% $$ \\ " ' \` \n\r\t`,
  '{"a": [1, null]}',
  '{}',
  'NULL',
  '\u200b\u202e🙂\u{10ffff}',
  'x'.repeat(64_000),
]

describe.each(STORES)('hostile input, %s', (kind) => {
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

  test('hostile: texts with quotes, placeholders, JSON and rare characters are stored as they are', async () => {
    for (const [i, text] of TEXTS.entries()) {
      const name = text.slice(0, 150)
      const agentId = `${i} ${name}`
      const more = {
        agentId,
        tags: [name, '', 'a,b'],
        learnings: { [name]: text },
        scopeDomain: name,
        scopeProject: name,
      }
      const created = await create(text, { ...more, strengthByPerspective: { [name]: 0.5 } })
      expect(created).toMatchObject({ ...more, content: text, strengthByPerspective: { [name]: 0.5 } })
      expect(await repository.getByAgentId(agentId)).toEqual([created])
      await repository.updatePerspectiveStrength(created.id, name, 0.25)
      expect((await repository.getById(created.id))!.strengthByPerspective).toEqual({ [name]: 0.75 })
      const search = new VectorSearch(db, clientOf({}), config)
      expect(await search.searchCandidates({ query: text, agentId, perspective: name })).toEqual([])
    }
    expect(await repository.countActiveMemories(`0 ${TEXTS[0]}`)).toBe(1)
  })

  test('hostile: characters that no database can store are replaced in texts and refused in names', async () => {
    const created = await create('a\0b\ud800c', { tags: ['\0'], learnings: { general: 'x\udfff\0' } })
    expect(created).toMatchObject({
      content: 'a\ufffdb\ufffdc',
      tags: ['\ufffd'],
      learnings: { general: 'x\ufffd\ufffd' },
    })
    for (const name of ['a\0', '\ud800']) {
      expect(await codeOf(repository.getByAgentId(name))).toBe('INPUT_INVALID')
      expect(await codeOf(repository.countActiveMemories(name))).toBe('INPUT_INVALID')
      expect(await codeOf(repository.updatePerspectiveStrength(created.id, name, 1))).toBe('INPUT_INVALID')
      for (const field of ['agentId', 'scopeDomain', 'scopeProject'])
        expect(await codeOf((async () => created.copyWith({ [field]: name }))())).toBe('INPUT_INVALID')
      const search = new VectorSearch(db, clientOf({}), config).searchCandidates({ query: 'q', agentId: name })
      expect(await codeOf(search)).toBe('INPUT_INVALID')
    }
    expect(await repository.getById('\0')).toBeNull()
  })

  test('hostile: a text that is too long is refused, and nothing is stored', async () => {
    expect(await codeOf(create('x'.repeat(64_001)))).toBe('INPUT_INVALID')
    const memory = await create('short')
    expect(await codeOf(repository.update(memory.copyWith({ content: 'x'.repeat(64_001) })))).toBe('INPUT_INVALID')
    expect(await repository.getByAgentId(AGENT)).toEqual([memory])
  })

  test('hostile: a vector with NaN is refused; one of another length is refused or never compared', async () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e39])
      expect(await codeOf((async () => create('x', { embedding: [1, bad, 0] }))())).toBe('INPUT_INVALID')
    const created = await codeOf(create('another length', { embedding: [1, 0] }))
    expect(created).toBe(kind === 'embedded' ? 'no error' : 'INPUT_INVALID')
    await create('right length', { embedding: [1, 0, 0] })
    const search = new VectorSearch(db, undefined, config)
    const all = { agentId: AGENT, similarityThreshold: 0 }
    const found = await search.searchByEmbedding({ queryEmbedding: [1, 0, 0], ...all })
    expect(found.map(([{ content }]) => content)).toEqual(['right length'])
    expect(await search.searchByEmbedding({ queryEmbedding: [1, 0, 0, 0], ...all })).toEqual([])
    for (const queryEmbedding of [[], [Number.NaN, 0, 0], [1e39, 0, 0], 'x' as never])
      expect(await codeOf(search.searchByEmbedding({ queryEmbedding, ...all }))).toBe('INPUT_INVALID')
    for (const more of [{ candidateLimit: -1 }, { candidateLimit: 1.5 }, { similarityThreshold: Number.NaN }])
      expect(await codeOf(search.searchByEmbedding({ queryEmbedding: [1, 0, 0], ...all, ...more }))).toBe(
        'INPUT_INVALID',
      )
  })

  test('hostile: increments and strengths out of range change nothing; sums end at the limit', async () => {
    const memory = await create('x', { strength: 1e9 })
    for (const bad of [-5, '0.1', 1e308, Number.NaN, Number.POSITIVE_INFINITY, null]) {
      expect(await codeOf(repository.incrementAccessCount(memory.id, bad as number))).toBe('INPUT_INVALID')
      expect(await codeOf(repository.updatePerspectiveStrength(memory.id, 'p', bad as number))).toBe('INPUT_INVALID')
      const updates = [[memory.id, bad as number]] as const
      expect(await codeOf((async () => repository.batchUpdateStrength(updates))())).toBe('INPUT_INVALID')
    }
    expect(await repository.getById(memory.id)).toEqual(memory)
    await repository.incrementAccessCount(memory.id, 1e9)
    expect((await repository.getById(memory.id))!.strength).toBe(1e9)
  })

  test('hostile: rows read back as memories, whatever their texts are', async () => {
    for (const text of TEXTS) await create(text, { tags: [text.slice(0, 100)], embedding: [1, 0.5, 0.25] })
    const rows = await db.getCursor(async (cursor) => {
      await cursor.execute('SELECT * FROM agent_memory WHERE agent_id = %s', [AGENT])
      expect(cursor.rowCount).toBe(TEXTS.length)
      return cursor.fetchAll()
    })
    expect(rows.map((row) => AgentMemory.fromRow(row).content).sort()).toEqual([...TEXTS].sort())
    const first = AgentMemory.fromRow(rows[0]!)
    expect(first).toEqual(await repository.getById(first.id))
    expect(await repository.getById(NOBODY)).toBeNull()
  })

  test.runIf(kind === 'postgresql')('hostile: a time without end in a row is read as none', async () => {
    const memory = await create('a text to find')
    await db.getCursor((cursor) =>
      cursor.execute(`update agent_memory set last_accessed_at = 'infinity', updated_at = '-infinity'`),
    )
    expect(await repository.getByAgentId(AGENT)).toMatchObject([{ id: memory.id, lastAccessedAt: null }])
    const found = await new VectorSearch(db, clientOf({}), config).searchCandidates({ query: 'text', agentId: AGENT })
    expect(found).toHaveLength(1)
  })
})
