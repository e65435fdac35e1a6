// DatabaseConnection: which database, connections and cursors, transactions, errors with code and hint.
import { describe, expect, test } from 'vitest'
import {
  AgentMemory,
  closeDatabase,
  createTaskExecutor,
  DatabaseConnection,
  getDatabase,
  MemoryRepository,
  openMemory,
  Phase1Config,
} from '../../../src/index.ts'
import { newFolder } from '../../tempFolders.ts'
import { AGENT, codeOf, createWith, DIMENSION, STORES, useStore } from './testStores.ts'

const config = new Phase1Config({ embeddingDimension: DIMENSION })
const NOWHERE = 'postgresql://me:pa55word@127.0.0.1:1/none?sslmode=disable'

describe.each(STORES)('connection, %s', (kind) => {
  const store = useStore(kind)

  test('connection: the examples of the document read the rows of an agent by connection and by cursor', async () => {
    const db = store.connect()
    const create = createWith(new MemoryRepository(db, config))
    const first = await create('緊急調達では15%のコスト増を見込む')
    await create('another', { agentId: 'agent_02' })
    const rows = await db.getConnection(async (connection) => {
      const cursor = connection.cursor()
      await cursor.execute('SELECT * FROM agent_memory WHERE agent_id = %s', [AGENT])
      return cursor.fetchAll()
    })
    expect(rows.map((row) => AgentMemory.fromRow(row))).toEqual([first])
    await db.getCursor(
      async (cursor) => {
        await cursor.execute('SELECT * FROM agent_memory WHERE agent_id = $1', [AGENT])
        expect(await cursor.fetchOne()).toMatchObject({ id: first.id, created_at: first.createdAt })
        expect([await cursor.fetchOne(), await cursor.fetchAll(), cursor.rowCount]).toEqual([null, [], 1])
        await cursor.execute('select * from agent_memory')
        expect(await cursor.fetchAll()).toHaveLength(2)
        for (const sql of ['select nothing of it', 'SELECT * FROM agent_memory WHERE nothing = %s'])
          expect(await codeOf(cursor.execute(sql, [AGENT]))).toMatch(/^(?:INPUT_INVALID|DATABASE_ERROR)$/)
      },
      { autoCommit: false },
    )
  })

  test('connection: it is healthy until it is closed; then every call says so', async () => {
    const db = store.connect()
    expect(await db.healthCheck()).toBe(true)
    const repository = new MemoryRepository(db, config)
    expect(await repository.countActiveMemories(AGENT)).toBe(0)
    await db.close()
    await db.close()
    expect(await db.healthCheck()).toBe(false)
    expect(await codeOf(repository.countActiveMemories(AGENT))).toBe('INPUT_INVALID')
    expect(await codeOf(db.getCursor(() => 1))).toBe('INPUT_INVALID')
    await using disposed = store.connect()
    expect(await disposed.healthCheck()).toBe(true)
  })
})

describe('connection, postgresql only', () => {
  const store = useStore('postgresql')
  const INSERT = `insert into agent_memory (project_id, agent_id, content) values ('p', %s, %s)`
  const count = async (): Promise<unknown> =>
    store.connect().getCursor(async (cursor) => {
      await cursor.execute('select count(*)::integer as n from agent_memory')
      return (await cursor.fetchOne())?.['n']
    })

  test('connection: a cursor’s writes are committed at its end, and taken back after an error', async () => {
    const db = store.connect()
    await db.getCursor((cursor) => cursor.execute(INSERT, ['a', '100 % %s']))
    expect(await count()).toBe(1)
    await db.getCursor((cursor) => cursor.execute(INSERT, ['a', 'lost']), { autoCommit: false })
    const failed = db.getCursor(async (cursor) => {
      await cursor.execute(INSERT, ['a', 'lost'])
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await count()).toBe(1)
    await db.getConnection(
      async (connection) => {
        const cursor = connection.cursor()
        await cursor.execute(INSERT, ['a', 'kept'])
        expect(cursor.rowCount).toBe(1)
        await connection.commit()
        await cursor.execute(INSERT, ['a', 'lost'])
        await connection.rollback()
        await cursor.execute(INSERT, ['a', 'lost'])
      },
      { autoCommit: false },
    )
    expect(await count()).toBe(2)
  })

  test('connection: a commit after a failed statement that was caught is an error, not a silent loss', async () => {
    const use = store.connect().getCursor(async (cursor) => {
      await cursor.execute(INSERT, ['a', 'lost'])
      expect(await codeOf(cursor.execute('select 1 / 0'))).toBe('DATABASE_ERROR')
    })
    expect(await codeOf(use)).toBe('DATABASE_ERROR')
    expect(await count()).toBe(0)
  })

  test('connection: %s is a placeholder outside of texts, names and comments, as often as given', async () => {
    await store.connect().getCursor(
      async (cursor) => {
        const sql = `select '%s' as "a%s", e'\\'%s' as b, $$%s$$ as c, %s::integer %% 4 as d -- %s\n/* %s */ , %s as e`
        await cursor.execute(sql, [7, 'x'])
        expect(await cursor.fetchAll()).toEqual([{ 'a%s': '%s', b: `'%s`, c: '%s', d: 3, e: 'x' }])
        expect(await codeOf(cursor.execute('select %s, %s', [1]))).toBe('INPUT_INVALID')
        expect(await codeOf(cursor.execute('select %s, $1', [1]))).toBe('INPUT_INVALID')
      },
      { autoCommit: false },
    )
  })

  test('connection: the table refuses what the domain refuses', async () => {
    const bad = [
      `strength = -1`,
      `strength = 'NaN'`,
      `strength = 1e10`,
      `impact_score = -1`,
      `access_count = -1`,
      `consolidation_level = 6`,
      `status = 'deleted'`,
      `scope_level = 'galaxy'`,
      `source = 'elsewhere'`,
      `learnings = '[]'`,
      `content = ' '`,
      `agent_id = ''`,
      `project_id = ''`,
      `embedding = '[1,2]'`,
      `tags = array[null]::text[]`,
    ]
    const db = store.connect()
    await db.getCursor((cursor) => cursor.execute(INSERT, ['a', 'x']))
    for (const set of bad) {
      const update = db.getCursor((cursor) => cursor.execute(`update agent_memory set ${set}`))
      expect([set, await codeOf(update)]).toEqual([set, 'DATABASE_ERROR'])
    }
  })

  test('connection: the URL is the argument, MEMCTL_DATABASE_URL, DATABASE_URL, or there is none', async () => {
    const home = { MEMCTL_HOME: newFolder('urls') }
    const urlFrom = (more: object): unknown => new DatabaseConnection({ env: home, ...more }).urlFrom
    const env = { ...home, MEMCTL_DATABASE_URL: store.url, DATABASE_URL: NOWHERE }
    expect(urlFrom({ databaseUrl: store.url })).toBe('argument')
    expect(new DatabaseConnection(store.url).urlFrom).toBe('argument')
    expect(urlFrom({ env })).toBe('MEMCTL_DATABASE_URL')
    expect(urlFrom({ env: { ...home, DATABASE_URL: store.url } })).toBe('DATABASE_URL')
    expect(urlFrom({})).toBeUndefined()
    expect(urlFrom({ env, databaseUrl: null })).toBeUndefined()
    await using memory = openMemory({ project: newFolder('shop'), env })
    const executor = memory.taskExecutor({ config })
    await executor.recordLearning({ agentId: AGENT, content: 'in the database', learning: 'x' })
    expect(await count()).toBe(1)
    await using own = openMemory({ project: newFolder('shop'), env, databaseUrl: null })
    await own.taskExecutor().recordLearning({ agentId: AGENT, content: 'in the store', learning: 'x' })
    expect(await count()).toBe(1)
  })

  test('connection: a named store beside a URL is an error of every call; null chooses the store', async () => {
    const env = { MEMCTL_HOME: newFolder('home'), DATABASE_URL: store.url }
    const given = { store: newFolder('store'), env }
    const both = new DatabaseConnection(given)
    const expected = { code: 'INPUT_INVALID', hint: expect.stringContaining('databaseUrl: null') }
    await expect(both.agentStore()).rejects.toMatchObject({
      ...expected,
      message: expect.stringContaining('DATABASE_URL'),
    })
    await expect(new MemoryRepository(both).getById('x')).rejects.toMatchObject(expected)
    await expect(openMemory(given).taskExecutor().runSleepPhase(AGENT)).rejects.toMatchObject(expected)
    const chosen = new DatabaseConnection({ ...given, databaseUrl: null })
    expect(await new MemoryRepository(chosen).countActiveMemories(AGENT)).toBe(0)
  })

  test('connection: no server, no URL and no tables have a code and a hint each', async () => {
    const at = (databaseUrl: string) => new DatabaseConnection({ databaseUrl, env: { MEMCTL_HOME: newFolder('home') } })
    const away = at(NOWHERE)
    expect(await away.healthCheck()).toBe(false)
    expect(await codeOf(new MemoryRepository(away).countActiveMemories(AGENT))).toBe('DATABASE_UNREACHABLE')
    await expect(away.agentStore()).rejects.not.toThrow('pa55word')
    expect(await codeOf(at('mysql://x').agentStore())).toBe('INPUT_INVALID')
    const result = await createTaskExecutor(away).executeTask({ query: 'q', agentId: AGENT, taskFunc: () => 'done' })
    expect([result.taskResult, result.errors.length]).toEqual(['done', 1])
    const db = store.connect()
    await db.getCursor((cursor) => cursor.execute('alter table agent_memory rename to renamed'))
    expect(await codeOf(store.connect().agentStore())).toBe('DATABASE_VERSION')
    await db.getCursor((cursor) => cursor.execute('alter table renamed rename to agent_memory'))
  })

  test('connection: the process has one connection to the database of its environment until it is closed', async () => {
    const before = { ...process.env }
    Object.assign(process.env, { MEMCTL_DATABASE_URL: store.url, MEMCTL_HOME: newFolder('home') })
    try {
      const first = getDatabase()
      expect([getDatabase() === first, first.urlFrom]).toEqual([true, 'MEMCTL_DATABASE_URL'])
      expect(await first.healthCheck()).toBe(true)
      expect(await first.migrate(config)).toEqual([])
      await closeDatabase()
      expect(getDatabase()).not.toBe(first)
      expect(await first.healthCheck()).toBe(false)
    } finally {
      await closeDatabase()
      process.env = before
    }
  })
})
