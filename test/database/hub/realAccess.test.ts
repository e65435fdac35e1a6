// Access to the hub on a real PostgreSQL, by login roles of their own; without pgvector, so without vectors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { grantAccess, listAccess } from '../../../src/database/hubAccess.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createPostgresHub } from '../../../src/database/postgresHub.ts'
import { findPostgres, type RealServer, startRealServer } from '../realServer.ts'
import { DIMENSION, memberOf, putOf, readAll } from './hubServer.ts'

const REFUSED = { code: 'DATABASE_ACCESS' }
const bin = findPostgres()

describe.skipIf(bin === undefined)('access to the hub on a real PostgreSQL', () => {
  let server: RealServer
  const opened: Database[] = []
  const openAs = async (user: string): Promise<Database> => {
    const url = server.url({ user, password: 'p', host: '127.0.0.1', database: 'team', search: '?sslmode=disable' })
    const database = await openDatabase({ url })
    opened.push(database)
    return database
  }

  beforeAll(async () => {
    server = await startRealServer(bin ?? '')
    // The owner of the hub is no superuser, as on a managed server.
    for (const role of ['owner', 'writer', 'reader', 'stranger']) server.sql(`create role ${role} login password 'p'`)
    server.sql('create database team owner owner')
    const owner = await openAs('owner')
    await migrate(owner, { dimension: DIMENSION, extensions: [] })
    for (const project of ['mine', 'theirs']) {
      await createPostgresHub(owner).push(memberOf(project, 1), putOf(1, `${project}: port of docker`))
    }
    await grantAccess(owner, { project: 'mine', role: 'writer', canWrite: true })
    await grantAccess(owner, { project: 'mine', role: 'reader', canWrite: false })
  }, 60_000)

  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    server?.stop()
  })

  test('access: a reader, a writer and a stranger each do what they may, on connections of their own', async () => {
    const open = async (user: string) => createPostgresHub(await openAs(user))
    const [writer, reader, stranger] = [await open('writer'), await open('reader'), await open('stranger')]
    expect(await writer.push(memberOf('mine', 2), putOf(2, 'by the writer'))).toMatchObject({ rows: [{}] })
    expect(await readAll(reader, memberOf('mine', 3))).toHaveLength(2)
    await expect(reader.push(memberOf('mine', 3), putOf(3, 'x'))).rejects.toMatchObject(REFUSED)
    for (const hub of [writer, reader]) {
      await expect(hub.pull(memberOf('theirs', 3), 0, [])).rejects.toMatchObject(REFUSED)
      await expect(hub.push(memberOf('theirs', 3), putOf(3, 'x'))).rejects.toMatchObject(REFUSED)
    }
    await expect(stranger.pull(memberOf('mine', 4), 0, [])).rejects.toMatchObject(REFUSED)
    await expect(stranger.describe()).rejects.toMatchObject(REFUSED)
  })

  test('hub: what two copies withdraw at the same time is gone', async () => {
    const [owner, writer] = await Promise.all([openAs('owner'), openAs('writer')])
    const [first, second] = [createPostgresHub(owner), createPostgresHub(writer)]
    for (let n = 100; n < 120; n++) {
      await first.push(memberOf('mine', n), putOf(n, 'a private place'))
      await second.push(memberOf('mine', n + 100), { ...putOf(n, ''), rows: [] })
      await Promise.all([first.leave(memberOf('mine', n)), second.leave(memberOf('mine', n + 100))])
    }
    expect((await owner.query(`select 1 from hub_rows t where t::text ~ 'private place'`)).rowCount).toBe(0)
  })

  test('access: the owner has every project; a writer can neither grant nor switch the check off', async () => {
    const [owner, writer] = await Promise.all([openAs('owner'), openAs('writer')])
    expect(await readAll(createPostgresHub(owner), memberOf('theirs', 1))).toHaveLength(1)
    expect(await listAccess(owner)).toHaveLength(2)
    await expect(grantAccess(writer, { project: 'theirs', role: 'writer', canWrite: true })).rejects.toMatchObject(
      REFUSED,
    )
    for (const sql of [
      'alter table hub_rows disable row level security',
      'set row_security = off; select 1 from hub_rows',
      'drop policy hub_rows_read on hub_rows',
      'set role owner',
    ]) {
      await expect(writer.query(sql)).rejects.toMatchObject(REFUSED)
    }
  })
})
