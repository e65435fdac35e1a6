// The migration runner: numbered steps, each a transaction, forward only, safe with two clients at once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { grantAccess } from '../../src/database/hubAccess.ts'
import { MIGRATIONS, migrate, readSchemaStatus } from '../../src/database/migrate.ts'
import type { Migration } from '../../src/database/migrations/agentMemory.ts'
import { HUB_GUARDS } from '../../src/database/migrations/hubRows.ts'
import { HUB_VERSIONS } from '../../src/database/postgresHub.ts'
import { startTestDatabase, type TestDatabase } from './server.ts'

let server: TestDatabase
let first: Database
let second: Database

beforeAll(async () => {
  server = await startTestDatabase()
  first = await openDatabase({ url: server.url })
  second = await openDatabase({ url: server.url })
})

afterAll(async () => {
  await first?.close()
  await second?.close()
  await server?.stop()
})

const clean = (): Promise<unknown> => first.query('drop table if exists memctl_migrations, shelf, book, planet cascade')

const SHELF: Migration = {
  version: 1,
  name: 'shelf',
  statements: ({ dimension }) => [
    `create table shelf (id integer primary key, spot float4[] check (${dimension} > 0))`,
  ],
}
const BOOK: Migration = { version: 2, name: 'book', statements: ['create table book (id integer primary key)'] }
const PLANET: Migration = {
  version: 3,
  name: 'planet',
  needs: 'postgis',
  statements: ['create table planet (id integer)'],
}

describe('migrations', () => {
  test('migrations: pending steps are applied in order, once, and the status lists them', async () => {
    await clean()
    const options = { dimension: 3, migrations: [SHELF, BOOK] }
    expect((await readSchemaStatus(first, options)).pending.map(({ name }) => name)).toEqual(['shelf', 'book'])
    expect(await migrate(first, options)).toEqual([
      { version: 1, name: 'shelf' },
      { version: 2, name: 'book' },
    ])
    expect(await migrate(first, options)).toEqual([])
    const status = await readSchemaStatus(first, options)
    expect(status).toMatchObject({ version: 2, latest: 2, pending: [] })
    expect(status.applied[0]?.appliedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  test('migrations: a step that fails leaves nothing behind, and the steps before it stay', async () => {
    await clean()
    const broken: Migration = { ...BOOK, statements: [...(BOOK.statements as string[]), 'select 1 / 0'] }
    await expect(migrate(first, { dimension: 3, migrations: [SHELF, broken] })).rejects.toMatchObject({
      code: 'DATABASE_ERROR',
    })
    const { rows } = await first.query(`select to_regclass('shelf') as shelf, to_regclass('book') as book`)
    expect(rows).toEqual([{ shelf: 'shelf', book: null }])
    expect(await migrate(first, { dimension: 3, migrations: [SHELF, BOOK] })).toEqual([{ version: 2, name: 'book' }])
  })

  test('migrations: two clients at once apply each step once, and both succeed', async () => {
    await clean()
    const options = { dimension: 3, migrations: [SHELF, BOOK] }
    const both = await Promise.all([migrate(first, options), migrate(second, options)])
    expect(
      both
        .flat()
        .map(({ version }) => version)
        .sort(),
    ).toEqual([1, 2])
  })

  test('migrations: a database of a newer memctl is refused before anything is written', async () => {
    await clean()
    await migrate(first, { dimension: 3, migrations: [SHELF, { ...BOOK, version: 99 }] })
    await expect(migrate(first, { dimension: 3, migrations: [SHELF] })).rejects.toMatchObject({
      code: 'DATABASE_VERSION',
      hint: 'Update memctl on this machine.',
    })
  })

  test('migrations: a step for an extension waits until the server offers it', async () => {
    await clean()
    const migrations = [SHELF, BOOK, PLANET]
    expect(await migrate(first, { dimension: 3, migrations })).toHaveLength(2)
    expect((await readSchemaStatus(first, { migrations })).notForThisServer).toEqual([
      { version: 3, name: 'planet', needs: 'postgis' },
    ])
    expect(await migrate(first, { dimension: 3, migrations, extensions: ['postgis'] })).toHaveLength(1)
  })

  test.each([0, -1, 1.5, 2001, Number.NaN])('migrations: %d is no dimension', async (dimension) => {
    await expect(migrate(first, { dimension })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('migrations: the shipped steps keep their versions and apply to an empty database', async () => {
    await clean()
    expect(HUB_VERSIONS).toEqual({ min: HUB_GUARDS.version, max: MIGRATIONS.at(-1)?.version })
    expect(MIGRATIONS.map(({ version, name }) => `${version} ${name}`)).toEqual([
      '1 agent-memory',
      '7 hub-rows',
      '8 agent-access',
      '9 hub-teamwork',
      '10 agent-terms',
      '11 hub-guards',
    ])
    // An extension that the server gets later brings tables, on which roles have rights too.
    await migrate(first, { dimension: 8, extensions: [] })
    await first.query('create role reader_of_library')
    await grantAccess(first, { project: 'shop', role: 'reader_of_library', canWrite: false })
    await migrate(first, { dimension: 8 })
    expect((await readSchemaStatus(first)).pending).toEqual([])
    const right = `select has_table_privilege('reader_of_library', 'agent_memory', 'select') as may`
    expect((await first.query(right)).rows).toEqual([{ may: true }])
  })
})
