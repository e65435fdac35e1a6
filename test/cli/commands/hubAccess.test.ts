// memctl hub grant, revoke and access: what a person sees, and what the database then allows.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { asRole } from '../../database/hub/databaseRole.ts'
import { DIMENSION } from '../../database/hub/hubServer.ts'
import { startTestDatabase, type TestDatabase } from '../../database/server.ts'
import { newWorld, type World } from '../testContext.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestDatabase
let database: Database
let world: World

beforeAll(async () => {
  server = await startTestDatabase()
  database = await openDatabase({ url: server.url })
  await migrate(database, { dimension: DIMENSION })
  await database.query('create role reader; create role "team a"; create role 開発')
  await database.query("insert into hub_projects (project_id, last_revision) values ('shop', 1), ('farm', 1)")
  world = newWorld({ MEMCTL_DATABASE_URL: server.url })
})
afterAll(async () => {
  world?.end()
  await database?.close()
  await server?.stop()
})

const hub = (...words: readonly string[]) => world.memctl('hub', ...words)
const listed = async (...words: readonly string[]) =>
  (await world.json<{ access: { project: string; role: string; canWrite: boolean }[] }>('hub', 'access', ...words))
    .access

/** Whether the role may insert a row of the project. */
async function mayWrite(role: string, project: string): Promise<boolean> {
  const insert = `insert into hub_projects (project_id) values ($1) on conflict do nothing`
  return asRole(database, role)
    .query(insert, [project])
    .then(() => true)
    .catch(() => false)
}

test('cli: without a grant there is nothing to list', async () => {
  expect(await hub('access')).toEqual({
    status: 0,
    out: 'No role has access by a grant. The owner of the tables has every project.\n',
    err: '',
  })
  expect(await world.json('hub', 'access')).toEqual({ access: [] })
})

test('cli: a grant is to read; the same grant twice changes nothing, and --write changes it', async () => {
  const read = { status: 0, out: expect.stringMatching(/^reader may read the project shop\.\n/), err: '' }
  expect(await hub('grant', 'reader', '--project', 'shop')).toEqual(read)
  expect(await hub('grant', 'reader', '--project', 'shop')).toEqual(read)
  expect(await mayWrite('reader', 'shop')).toBe(false)
  const write = await hub('grant', 'reader', '--project', 'shop', '--write')
  expect(write.out).toMatch(/^reader may read and write the project shop\.\n/)
  expect(await mayWrite('reader', 'shop')).toBe(true)
  expect(await mayWrite('reader', 'farm')).toBe(false)
  expect(await listed()).toMatchObject([{ project: 'shop', role: 'reader', canWrite: true }])
  await hub('grant', 'reader', '--project', 'shop')
  expect(await mayWrite('reader', 'shop')).toBe(false)
})

test('cli: names with spaces, quotes and Japanese work; --json gives what was granted and taken', async () => {
  for (const role of ['team a', '開発']) {
    const project = `"${role}"'s 店`
    expect(await world.json('hub', 'grant', role, '--project', project, '--write')).toEqual({
      ...{ project, role, canWrite: true, canReview: false },
      invitation: expect.stringContaining('memctl hub join --project-key '),
    })
    expect(await mayWrite(role, project)).toBe(true)
    expect(await listed('--project', project)).toEqual([
      {
        ...{ project, role, canWrite: true, canReview: false, grantedBy: 'postgres' },
        grantedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ])
    const { out } = await hub('access', '--project', project)
    expect(out).toMatch(/project +role +may +granted by +on/)
    expect(out).toMatch(/read and write +postgres +\d{4}-\d\d-\d\d\n$/)
    for (const hadAccess of [true, false])
      expect(await world.json('hub', 'revoke', role, '--project', project)).toEqual({ project, role, hadAccess })
    expect(await mayWrite(role, project)).toBe(false)
  }
})

test('cli: what is taken twice says that there was nothing; other projects stay', async () => {
  await hub('grant', 'reader', '--project', 'farm', '--write')
  await hub('grant', 'reader', '--project', 'yard')
  const first = await hub('revoke', 'reader', '--project', 'farm')
  expect(first).toEqual({ status: 0, out: 'reader has no access to the project farm any more.\n', err: '' })
  expect((await hub('revoke', 'reader', '--project', 'farm')).out).toBe('reader had no access to farm.\n')
  expect(await mayWrite('reader', 'farm')).toBe(false)
  expect((await listed()).map(({ project }) => project)).toContain('yard')
  expect(await listed('--project', 'farm')).toEqual([])
})

test('cli: a role that the database does not have is refused with the statement that creates it', async () => {
  const before = await listed()
  const { status, out, err } = await hub('grant', 'no"body', '--project', 'shop')
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err).toBe(
    'memctl: the database has no role no"body. ' +
      'Create it on the server: `create role "no""body" login`. Then grant again.\n',
  )
  const json = await hub('grant', 'nobody', '--project', 'shop', '--json')
  expect(JSON.parse(json.out || json.err)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  expect((await hub('revoke', 'nobody', '--project', 'shop')).out).toBe('nobody had no access to shop.\n')
  expect(await listed()).toEqual(before)
})

test('cli: without --project or a role nothing is granted or taken', async () => {
  const before = await listed()
  for (const command of ['grant', 'revoke']) {
    for (const words of [['reader'], ['reader', '--project', '']]) {
      const { status, err } = await hub(command, ...words)
      expect({ status, err }).toEqual({ status: 2, err: expect.stringMatching(/^memctl: --project is missing\. Run/) })
    }
    expect(await hub(command, '--project', 'shop')).toMatchObject({ status: 2, out: '' })
  }
  expect(await listed()).toEqual(before)
})

test('cli: the invitation is one line without a password, for the role that was granted', async () => {
  const url = server.url.replace('postgres@', 'postgres:geheim-wort@')
  const { out } = await world.memctl('hub', 'grant', 'reader', '--project', 'shop', '--url', url)
  expect(out).toContain(`  memctl hub connect '${server.url.replace('postgres@', 'reader@')}' && memctl hub join`)
  expect(out).toMatch(/ && memctl hub sync\n$/)
  expect(out).not.toContain('geheim')
})

test('cli: without --project a grant is for the project of the folder', async () => {
  await world.memctl('hub', 'join', '--project-key', 'garden', '--yes')
  expect((await hub('grant', 'reader')).out).toMatch(/^reader may read the project garden\.\n/)
  expect((await hub('revoke', 'reader')).out).toBe('reader has no access to the project garden any more.\n')
})

test('cli: a name that nobody shares a project under is granted, with a line that says so', async () => {
  const { status, err } = await hub('grant', 'reader', '--project', 'shopp')
  expect({ status, err }).toEqual({ status: 0, err: 'Nobody shares shopp yet: is this the name?\n' })
  expect((await hub('policy', '--project', 'shop')).err).toBe('')
  // A policy shares nothing, and a project that was removed is shared no more.
  await hub('policy', '--project', 'nope', '--review', 'on')
  expect((await hub('policy', '--project', 'nope')).err).toContain('Nobody shares nope yet')
  await hub('remove', '--project', 'farm', '--yes')
  expect((await hub('revoke', 'reader', '--project', 'farm')).err).toContain('Nobody shares farm yet')
  // The project of the library for all.
  expect(await hub('grant', 'reader', '--project', '*')).toMatchObject({ status: 0, err: '' })
})
