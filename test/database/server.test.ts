// The test server itself: what other tests rely on when several connections use it, and lose it.
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import { startTestDatabase } from './server.ts'

test('test server: statements of many connections, some of which are lost, never mix', async () => {
  const server = await startTestDatabase()
  await using database = await openDatabase({ url: server.url, retries: 8 })
  await database.query('create table entry (k text)')
  const failures: string[] = []
  let stored = 0
  const work = async (worker: number): Promise<void> => {
    for (let i = 0; i < 12; i++) {
      const add = { sql: 'insert into entry values ($1)', values: [`${worker}-${i}`] }
      const run = database.transaction(async (connection) => {
        await connection.query(add.sql, add.values)
        const { rows } = await connection.query('select $1::int as i, $2::text as text', [i, 'x'])
        expect(rows).toEqual([{ i, text: 'x' }])
      })
      await run.then(
        () => stored++,
        (error: { code?: string }) => failures.push(error.code ?? String(error)),
      )
      if (worker === 0 && i % 4 === 0) await server.killConnections()
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5].map(work))
  // What was lost in COMMIT may be stored; nothing else fails, and nothing is stored twice.
  expect(new Set(failures)).toEqual(new Set(failures.length > 0 ? ['DATABASE_UNREACHABLE'] : []))
  const { rows } = await database.query('select count(*)::int as n, count(distinct k)::int as different from entry')
  expect(rows[0]?.['n']).toBe(rows[0]?.['different'])
  expect(Number(rows[0]?.['n'])).toBeGreaterThanOrEqual(stored)
  await server.stop()
}, 120_000)
