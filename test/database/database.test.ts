// The database layer against a PostgreSQL from npm: statements, transactions, lost connections, time limits.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, databaseUrl, openDatabase } from '../../src/database/database.ts'
import { sqlState } from '../../src/database/databaseError.ts'
import { startTestDatabase, type TestDatabase } from './server.ts'

let server: TestDatabase
let database: Database

beforeAll(async () => {
  server = await startTestDatabase()
  database = await openDatabase({ url: server.url, retries: 5 })
  await database.query('create table counter (id text primary key, n integer not null)')
})

afterAll(async () => {
  await database?.close()
  await server?.stop()
})

const count = async (): Promise<number> => (await database.query('select * from counter')).rowCount

describe('database', () => {
  test('database: a statement takes parameters and returns its rows and their number', async () => {
    expect(await database.query('select $1::int + $2::int as sum, $3::text as text', [1, 2, '日本語'])).toMatchObject({
      rows: [{ sum: 3, text: '日本語' }],
      rowCount: 1,
    })
    const changed = await database.query(`insert into counter values ('a', 1), ('b', 2)`)
    expect(changed.rowCount).toBe(2)
    expect((await database.query('delete from counter')).rowCount).toBe(2)
  })

  test('database: a transaction stores everything, or nothing if its function throws', async () => {
    await database.transaction((connection) => connection.query(`insert into counter values ('a', 1)`))
    await expect(
      database.transaction(async (connection) => {
        await connection.query(`insert into counter values ('b', 1)`)
        throw new Error('not now')
      }),
    ).rejects.toThrow('not now')
    expect(await count()).toBe(1)
    await database.query('delete from counter')
  })

  test('database: a transaction in which an error was caught is not reported as stored', async () => {
    const swallowed = database.transaction(async (connection) => {
      await connection.query(`insert into counter values ('a', 1)`)
      await connection.query('select 1 / 0').catch(() => {})
    })
    await expect(swallowed).rejects.toMatchObject({ code: 'DATABASE_ERROR' })
    expect(await count()).toBe(0)
  })

  test('database: the error of a statement names what the server said, and keeps its code', async () => {
    const error: unknown = await database.query('select 1 / 0').catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'DATABASE_ERROR',
      message: expect.stringMatching(/^PostgreSQL at [\d.]+:\d+ \(22012\): division by zero$/),
    })
    expect(sqlState(error)).toBe('22012')
  })

  test('database: a serialization failure and a deadlock run the transaction again', async () => {
    for (const state of ['40001', '40P01']) {
      let runs = 0
      await database.transaction(async (connection) => {
        await connection.query(`insert into counter values ('a', 1)`)
        runs++
        if (runs < 3) await connection.query(`do $$ begin raise exception 'again' using errcode = '${state}'; end $$`)
      })
      expect(runs).toBe(3)
      expect((await database.query('delete from counter')).rowCount).toBe(1)
    }
  })

  test('database: a connection that is lost before COMMIT runs the transaction again, once for each loss', async () => {
    let runs = 0
    await database.transaction(async (connection) => {
      await connection.query(`insert into counter values ('a', 1)`)
      runs++
      if (runs === 1) await server.killConnections()
      await connection.query(`insert into counter values ('b', 1)`)
    })
    expect(runs).toBe(2)
    expect((await database.query('delete from counter')).rowCount).toBe(2)
  })

  test('database: a statement on a lost connection fails, and the next one connects again', async () => {
    const lost = database.withConnection(async (connection) => {
      await server.killConnections()
      await connection.query('select 1')
    })
    await expect(lost).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' })
    expect(await database.healthCheck()).toBe(true)
  })

  test('database: a transaction that was left open is rolled back before the connection is used again', async () => {
    await database.withConnection(async (connection) => {
      await connection.query('begin')
      await connection.query(`insert into counter values ('a', 1)`)
    })
    expect(await count()).toBe(0)
  })

  test('database: a server that comes up late is reached, one that stays down costs a clear error', async () => {
    await server.downServer()
    setTimeout(() => server.resumeServer(), 300)
    expect(await database.healthCheck()).toBe(true)
    await server.downServer()
    const impatient = await openDatabase({ url: server.url, retries: 1 })
    expect(await impatient.healthCheck()).toBe(false)
    await expect(impatient.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' })
    server.resumeServer()
    await impatient.close()
  })

  test('database: after close, every call says so, and a second close does nothing', async () => {
    const closed = await openDatabase({ url: server.url })
    await closed.query('select 1')
    await closed.close()
    await closed[Symbol.asyncDispose]()
    await expect(closed.query('select 1')).rejects.toMatchObject({ code: 'DATABASE_ERROR' })
  })

  test('database: many statements at once use no more connections than allowed', async () => {
    await using small = await openDatabase({ url: server.url, maxConnections: 3 })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => small.query('select $1::int as i', [i])))
    expect(answers.map(({ rows }) => rows[0]?.['i'])).toEqual(Array.from({ length: 30 }, (_, i) => i))
  })

  test.each([
    ['maxConnections', 0],
    ['connectTimeoutMs', 1.5],
    ['statementTimeoutMs', -1],
    ['retries', Number.NaN],
  ])('database: %s cannot be %d', async (name, value) => {
    await expect(openDatabase({ url: server.url, [name]: value })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('database: the URL is the argument, else MEMCTL_DATABASE_URL, else DATABASE_URL', () => {
    const env = { MEMCTL_DATABASE_URL: 'postgresql://a/a', DATABASE_URL: 'postgresql://b/b' }
    expect(databaseUrl('postgresql://c/c', env)).toEqual({ url: 'postgresql://c/c', from: 'argument' })
    expect(databaseUrl(undefined, env)).toEqual({ url: 'postgresql://a/a', from: 'MEMCTL_DATABASE_URL' })
    expect(databaseUrl(undefined, { ...env, MEMCTL_DATABASE_URL: '' })?.from).toBe('DATABASE_URL')
    expect(databaseUrl(undefined, {})).toBeUndefined()
  })
})
