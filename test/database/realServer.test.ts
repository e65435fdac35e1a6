// Against a real PostgreSQL: encryption, passwords, rights, time limits, restarts, and clients that work at once.
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, type DatabaseOptions, openDatabase, readServerStatus } from '../../src/database/database.ts'
import { migrate, readSchemaStatus } from '../../src/database/migrate.ts'
import type { Migration } from '../../src/database/migrations/agentMemory.ts'
import { findPostgres, type RealServer, SUPERUSER_PASSWORD, startRealServer } from './realServer.ts'

const bin = findPostgres()
let server: RealServer

async function withDatabase<T>(
  url: string,
  use: (database: Database) => Promise<T>,
  options: Partial<DatabaseOptions> = {},
): Promise<T> {
  await using database = await openDatabase({ retries: 0, env: {}, ...options, url })
  return await use(database)
}

const status = (url: string, options?: Partial<DatabaseOptions>) => withDatabase(url, readServerStatus, options)
const encryption = async (search: string, parts = {}) => (await status(server.url({ search, ...parts }))).encryption

/** Code, message and hint of what connecting says; the password must be in none of them. */
async function refusal(url: string, options?: Partial<DatabaseOptions>): Promise<string> {
  const error: unknown = await status(url, options).catch((caught: unknown) => caught)
  const { code, message, hint } = error as { code?: string; message: string; hint?: string }
  const text = `${code}: ${message}. ${hint}`
  for (const secret of [SUPERUSER_PASSWORD, encodeURIComponent(SUPERUSER_PASSWORD), 'wrong-word'])
    expect(text).not.toContain(secret)
  return text.replaceAll(String(server.port), 'PORT').replaceAll(server.folder, 'FOLDER')
}

/** Slow enough that clients which start together meet. */
const STEPS: readonly Migration[] = [1, 2, 3].map((version) => ({
  version,
  name: `step-${version}`,
  statements: [`create table step_${version} (id int)`, 'select pg_sleep(0.1)'],
}))

describe.skipIf(bin === undefined)('a real PostgreSQL', () => {
  beforeAll(async () => {
    server = await startRealServer(bin ?? '')
    server.sql(`create role encrypted login password 'x'`)
    server.sql(`create role reader login password 'x'`)
    server.sql(`alter role reader set default_transaction_read_only = on`)
    server.sql(`create role lonely login password 'x' connection limit 0`)
  }, 60_000)
  afterAll(() => server?.stop())

  test('tls: a connection is encrypted if the server can, also without an sslmode', async () => {
    expect(await encryption('')).toBe('TLSv1.3')
    expect(await encryption('?sslmode=prefer')).toBe('TLSv1.3')
    expect(await encryption('?sslmode=require')).toBe('TLSv1.3')
    expect(await encryption('?sslmode=require&channel_binding=require')).toBe('TLSv1.3')
    expect(await encryption('?sslmode=disable')).toBeUndefined()
  })

  test('tls: the certificate of the server is verified against an own authority, with its name if wanted', async () => {
    const ca = `&sslrootcert=${server.folder}/ca.crt`
    expect(await encryption(`?sslmode=verify-full${ca}`)).toBe('TLSv1.3')
    expect(await encryption(`?sslmode=verify-ca${ca}`, { host: '127.0.0.1' })).toBe('TLSv1.3')
    expect(await refusal(server.url({ search: `?sslmode=verify-full${ca}`, host: '127.0.0.1' }))).toMatch(
      /^DATABASE_ACCESS: PostgreSQL at 127\.0\.0\.1:PORT: .*127\.0\.0\.1.* Check sslmode/,
    )
  })

  test.each(['verify-ca', 'verify-full', 'require'])(
    'tls: with sslmode=%s a server of another authority gets no password',
    async (mode) => {
      const search = `?sslmode=${mode}&sslrootcert=${server.folder}/other-ca.crt`
      expect(await refusal(server.url({ search }))).toMatch(
        /^DATABASE_ACCESS: PostgreSQL at localhost:PORT: self-signed certificate.* Check sslmode/,
      )
    },
  )

  test('tls: with verify-full and no authority, those of Node count, or root.crt of the user', async () => {
    const url = server.url({ search: '?sslmode=verify-full' })
    expect(await refusal(url)).toMatch(/^DATABASE_ACCESS: .*self-signed certificate.* Check sslmode/)
    fs.mkdirSync(path.join(server.folder, '.postgresql'))
    fs.copyFileSync(path.join(server.folder, 'ca.crt'), path.join(server.folder, '.postgresql/root.crt'))
    expect((await status(url, { env: { HOME: server.folder } })).encryption).toBe('TLSv1.3')
  })

  test('tls: a server that wants encryption says so, and the hint has the parameter', async () => {
    const url = server.url({ user: 'encrypted', password: 'x', search: '?sslmode=disable' })
    expect(await refusal(url)).toMatch(/^DATABASE_ACCESS: .*sslmode=require/)
  })

  test('access: wrong password, no password, unknown user and unknown database each say what to do', async () => {
    expect(await refusal(server.url({ password: 'wrong-word' }))).toBe(
      'DATABASE_ACCESS: PostgreSQL at localhost:PORT: password authentication failed for user "postgres". ' +
        'Check the user and the password in the URL, PGPASSWORD or the password file.',
    )
    expect(await refusal(server.url({ password: '' }))).toMatch(
      /^DATABASE_ACCESS: PostgreSQL at localhost:PORT: .*Put the password into the password file/,
    )
    expect(await refusal(server.url({ user: 'nobody' }))).toMatch(/^DATABASE_ACCESS: .*password .*nobody/)
    expect(await refusal(server.url({ database: `o'clock` }))).toMatch(
      /^DATABASE_ACCESS: .*database "o'clock" does not exist.*`createdb 'o'\\''clock'`/,
    )
  })

  test('access: the password comes from the password file, which others must not be able to read', async () => {
    const file = path.join(server.folder, 'pgpass')
    const escaped = SUPERUSER_PASSWORD.replaceAll(':', '\\:')
    fs.writeFileSync(file, `# a comment\nelsewhere:*:*:*:no\nlocalhost:${server.port}:*:postgres:${escaped}\n`)
    fs.chmodSync(file, 0o600)
    const url = server.url({ password: '' })
    expect((await status(url, { env: { PGPASSFILE: file } })).user).toBe('postgres')
    fs.chmodSync(file, 0o644)
    expect(await refusal(url, { env: { PGPASSFILE: file } })).toContain('chmod 600')
  })

  test('access: user, password and encryption can come from the environment', async () => {
    const env = {
      PGUSER: 'postgres',
      PGPASSWORD: SUPERUSER_PASSWORD,
      PGPORT: String(server.port),
      PGSSLMODE: 'require',
    }
    expect(await status('postgresql://localhost', { env })).toMatchObject({ user: 'postgres', encryption: 'TLSv1.3' })
  })

  test('access: a socket of this machine needs no network', async () => {
    const url = `postgresql:///postgres?host=${server.folder}&port=${server.port}&user=postgres`
    expect(await status(url)).toMatchObject({ user: 'postgres', isSuperuser: true })
  })

  test('errors: no right, read-only and no free connection have codes of their own', async () => {
    server.sql('create table secret (id int)')
    const asReader = server.url({ user: 'reader', password: 'x' })
    const query = (sql: string) => withDatabase(asReader, (database) => database.query(sql))
    await expect(query('select * from secret')).rejects.toMatchObject({ code: 'DATABASE_ACCESS' })
    await expect(query('create table t (id int)')).rejects.toMatchObject({ code: 'DATABASE_READ_ONLY' })
    expect(await status(asReader)).toMatchObject({ isReadOnly: true, canMigrate: false })
    expect(await refusal(server.url({ user: 'lonely', password: 'x' }))).toMatch(/^DATABASE_FULL: .*Wait/)
  })

  test('limits: a statement that takes too long is ended on the server, and the connection stays usable', async () => {
    await withDatabase(
      server.url(),
      async (database) => {
        await expect(database.query('select pg_sleep(30)')).rejects.toMatchObject({ code: 'DATABASE_TIMEOUT' })
        const { rows } = await database.query(
          `select count(*)::int as n from pg_stat_activity where query ~ 'pg_sleep.30'`,
        )
        expect(rows[0]?.['n']).toBe(1) // This one.
      },
      { statementTimeoutMs: 200, maxConnections: 1 },
    )
  })

  test('limits: a deadlock of two transactions ends with both done', async () => {
    server.sql('create table duel (id int primary key, n int); insert into duel values (1, 0), (2, 0)')
    await withDatabase(server.url(), async (database) => {
      let waiting = 0
      const bump = (order: readonly number[]) =>
        database.transaction(async (connection) => {
          await connection.query('update duel set n = n + 1 where id = $1', [order[0]])
          waiting++
          for (let i = 0; i < 100 && waiting < 2; i++) await new Promise((resolve) => setTimeout(resolve, 10))
          await connection.query('update duel set n = n + 1 where id = $1', [order[1]])
        })
      await Promise.all([bump([1, 2]), bump([2, 1])])
      expect((await database.query('select n from duel')).rows).toEqual([{ n: 2 }, { n: 2 }])
    })
  })

  test('connections: a server that was restarted is reached by the next statement', async () => {
    await withDatabase(
      server.url(),
      async (database) => {
        expect(await database.healthCheck()).toBe(true)
        server.restart()
        expect(await database.healthCheck()).toBe(true)
        await database.transaction((connection) => connection.query('select 1'))
      },
      { retries: 5 },
    )
  })

  test('connections: a server that comes up late is waited for', async () => {
    server.halt()
    await withDatabase(
      server.url(),
      async (database) => {
        const answer = database.query('select 1 as x')
        await new Promise((resolve) => setTimeout(resolve, 300))
        server.start()
        expect((await answer).rows).toEqual([{ x: 1 }])
      },
      { retries: 8 },
    )
  })

  test('migrations: who may not create tables is refused, and nothing is left behind', async () => {
    server.sql(`create role writer login password 'x'; revoke create on schema public from public`)
    const run = (database: Database) => migrate(database, { dimension: 3, migrations: STEPS })
    await expect(withDatabase(server.url({ user: 'writer', password: 'x' }), run)).rejects.toMatchObject({
      code: 'DATABASE_ACCESS',
      message: expect.stringMatching(/^PostgreSQL at localhost:\d+: permission denied for schema public$/),
    })
    expect(await status(server.url({ user: 'writer', password: 'x' }))).toMatchObject({ canMigrate: false })
  })

  test('migrations: further steps go where the first ones are, also if the user has a schema', async () => {
    await withDatabase(server.url({ database: 'postgres' }), async (database) => {
      await database.query('create database schemas')
    })
    await withDatabase(server.url({ database: 'schemas' }), async (database) => {
      await migrate(database, { dimension: 3, migrations: STEPS.slice(0, 1) })
      await database.query('create schema postgres') // Of the user postgres: first in the search path.
      expect(await migrate(database, { dimension: 3, migrations: STEPS })).toHaveLength(2)
      const { rows } = await database.query(`select distinct schemaname as s from pg_tables where tablename ~ '^step_'`)
      expect(rows).toEqual([{ s: 'public' }])
    })
  })

  test('migrations: the owner of a database needs no other right, and everybody else sees the version', async () => {
    server.sql(`create role owner login password 'x'; create role guest login password 'x'`)
    server.sql('create database owned owner owner')
    const as = (user: string) => server.url({ user, password: 'x', database: 'owned' })
    const done = await withDatabase(as('owner'), (database) => migrate(database, { dimension: 3 }))
    expect(done.map(({ name }) => name)).toContain('hub-rows')
    const seen = await withDatabase(as('guest'), (database) => readSchemaStatus(database))
    expect(seen).toMatchObject({ version: done.at(-1)?.version, pending: [] })
    await withDatabase(as('guest'), async (database) => {
      expect(await migrate(database, { dimension: 3 })).toEqual([])
      await expect(database.query('delete from memctl_migrations')).rejects.toMatchObject({ code: 'DATABASE_ACCESS' })
    })
  })

  test('migrations: two clients that run at the same time wait for each other', async () => {
    const run = () => withDatabase(server.url(), (database) => migrate(database, { dimension: 3, migrations: STEPS }))
    const both = await Promise.all([run(), run(), run()])
    expect(
      both
        .flat()
        .map(({ version }) => version)
        .sort(),
    ).toEqual([1, 2, 3])
  })
})
