// Access to the hub on a real PostgreSQL, by login roles of their own; without pgvector, so without vectors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { grantAccess, listAccess } from '../../../src/database/hub/hubAccess.ts'
import { createPostgresHub } from '../../../src/database/hub/postgresHub.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import { findPostgres, type RealServer, startRealServer } from '../realServer.ts'
import { DIMENSION, machine, operationOf, putOf } from './hubServer.ts'

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
      await createPostgresHub(owner).push(project, [operationOf(1, 1, 1, putOf(`${project}: port of docker`))])
    }
    await grantAccess(owner, { project: 'mine', role: 'writer', canWrite: true })
    await grantAccess(owner, { project: 'mine', role: 'reader', canWrite: false })
  }, 60_000)

  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    server?.stop()
  })

  test('access: a reader, a writer and a stranger each do what they may, on connections of their own', async () => {
    const [writer, reader, stranger] = await Promise.all(
      ['writer', 'reader', 'stranger'].map(async (user) => createPostgresHub(await openAs(user))),
    )
    expect(await writer?.push('mine', [operationOf(2, 1, 2, putOf('by the writer'))])).toMatchObject({ stored: 1 })
    expect((await reader?.pull('mine', 0, 10))?.operations).toHaveLength(2)
    expect(await reader?.search?.('mine', { terms: extractTerms('docker'), limit: 5 })).toHaveLength(1)
    await expect(reader?.push('mine', [operationOf(3, 1, 2, putOf('x'))])).rejects.toMatchObject(REFUSED)
    for (const hub of [writer, reader]) {
      expect((await hub?.pull('theirs', 0, 10))?.operations).toEqual([])
      expect(await hub?.lastPushed('theirs', machine(1))).toBe(0)
      expect(await hub?.search?.('theirs', { terms: extractTerms('docker'), limit: 5 })).toEqual([])
      await expect(hub?.push('theirs', [operationOf(4, 1, 2, putOf('x'))])).rejects.toMatchObject(REFUSED)
    }
    await expect(stranger?.pull('mine', 0, 10)).rejects.toMatchObject(REFUSED)
    await expect(stranger?.describe()).rejects.toMatchObject(REFUSED)
  })

  test('access: the owner has every project; a writer can neither grant nor switch the check off', async () => {
    const [owner, writer] = await Promise.all([openAs('owner'), openAs('writer')])
    expect((await createPostgresHub(owner).pull('theirs', 0, 10)).operations).toHaveLength(1)
    expect(await listAccess(owner)).toHaveLength(2)
    await expect(grantAccess(writer, { project: 'theirs', role: 'writer', canWrite: true })).rejects.toMatchObject(
      REFUSED,
    )
    for (const sql of [
      'alter table hub_operations disable row level security',
      'set row_security = off; select 1 from hub_operations',
      'drop policy hub_operations_read on hub_operations',
      'set role owner',
    ]) {
      await expect(writer.query(sql)).rejects.toMatchObject(REFUSED)
    }
  })
})
