// Access to the hub: every statement of the code, tried by every kind of role against another's project.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { grantAccess, listAccess, revokeAccess } from '../../../src/database/hub/hubAccess.ts'
import * as statements from '../../../src/database/hub/hubSql.ts'
import { createPostgresHub } from '../../../src/database/hub/postgresHub.ts'
import { extractTerms } from '../../../src/text/terms/extractTerms.ts'
import { asRole } from './databaseRole.ts'
import {
  countOf,
  DIMENSION,
  machine,
  memoryOf,
  operationOf,
  putOf,
  startTestHub,
  type TestHub,
  uuid,
} from './hubServer.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const embedder = { model: 'm', embed: async (texts: readonly string[]) => texts.map(() => Array(DIMENSION).fill(0.5)) }
const VECTOR = `[${Array(DIMENSION).fill(0.5)}]`
const TABLES = ['hub_projects', 'hub_operations', 'hub_memories', 'hub_vectors', 'hub_access']

/** What each statement needs besides the project. A new statement without a line here does not compile. */
const PARAMETERS: Readonly<Record<keyof typeof statements, readonly unknown[] | 'no project'>> = {
  DESCRIBE: 'no project',
  SET_INDEX_SEARCH: 'no project',
  LAST_PUSHED: [machine(1)],
  READ_PROJECT: [],
  LOCK_PROJECT: [],
  SET_EPOCH: [uuid('9', 2)],
  ADD_PROJECT: [],
  ADVANCE_PROJECT: [99, 1],
  COUNT_MEMORIES: [],
  FIND_STORED: [[machine(1)], [1], [9]],
  ADD_OPERATIONS: [
    [99],
    [uuid('9', 1)],
    [machine(9)],
    [1],
    [`${'1'.repeat(13)}-00000`],
    ['put'],
    [memoryOf(9)],
    ['{}'],
  ],
  ERASE_PAYLOADS: [[memoryOf(1)]],
  ERASE_VECTORS: [[memoryOf(1)]],
  FIND_STATES: [[memoryOf(1)]],
  CHANGE_STATES: [[memoryOf(1)], ['{}']],
  WRITE_MEMORIES: [[memoryOf(1)], ['{}'], ['lesson'], ['overwritten']],
  PULL: [0, 100],
  PULL_MEMORIES: [0, 100, [memoryOf(1)]],
  FIND_WITHOUT_VECTOR: [10],
  MARK_VECTORS: [[memoryOf(1)], [1], 'z'],
  WRITE_VECTORS: [[memoryOf(1)], [VECTOR], 'z'],
  SEARCH_ALL_VECTORS: ['m', VECTOR, 10],
  SEARCH_VECTOR_INDEX: ['m', VECTOR, 10],
  SEARCH_TERMS: [extractTerms('port docker'), 10, 10],
}
const SQL: Readonly<Record<string, string>> = { ...statements }
const tried = Object.entries(PARAMETERS).filter(([, given]) => given !== 'no project')
const WRITES = /^\s*(?:insert|update|delete)|for update/

let team: TestHub
beforeAll(async () => {
  team = await startTestHub({ embedder })
  const { database, hub } = team
  await database.query(
    'create role reader; create role writer; create role stranger; create role team; create role ann',
  )
  await database.query('grant team to ann')
  for (const project of ['mine', 'theirs']) {
    await hub.push(project, [
      operationOf(1, 1, 1, putOf(`${project}: the port of docker`)),
      operationOf(1, 2, 2, countOf(3)),
    ])
  }
  await createPostgresHub(database, { embedder }).push('mine', [operationOf(1, 3, 3, putOf('mine: with a vector'))])
  await createPostgresHub(database, { embedder }).push('theirs', [operationOf(1, 3, 3, putOf('theirs: with a vector'))])
  await grantAccess(database, { project: 'mine', role: 'reader', canWrite: false })
  await grantAccess(database, { project: 'mine', role: 'writer', canWrite: true })
})
afterAll(() => team?.close())

const hubAs = (role: string) => createPostgresHub(asRole(team.database, role), { embedder })
const REFUSED = { code: 'DATABASE_ACCESS' }
/** Everything the database has of a project. */
const contentOf = async (project: string): Promise<unknown> =>
  Promise.all(
    TABLES.map(
      async (table) =>
        (await team.database.query(`select t::text from ${table} t where t.project_id = '${project}' order by 1`)).rows,
    ),
  )

/** What a statement did: rows it gave or changed, or that it was refused. */
async function attempt(database: Database, sql: string, parameters: readonly unknown[]): Promise<number | 'refused'> {
  try {
    return (await database.query(sql, parameters)).rowCount
  } catch (error) {
    expect(error).toMatchObject(REFUSED)
    return 'refused'
  }
}

describe('access to the hub', () => {
  test.each(['reader', 'writer', 'stranger'])(
    "access: no statement of the hub lets a %s read or change another's project",
    async (role) => {
      const before = await contentOf('theirs')
      const database = asRole(team.database, role)
      for (const [name, given] of tried) {
        const sql = SQL[name] ?? ''
        const done = await attempt(database, sql, ['theirs', ...given])
        // An aggregate over nothing is one row without a value.
        if (name === 'LAST_PUSHED' && done === 1) {
          expect((await database.query(sql, ['theirs', ...given])).rows).toEqual([{ n: '0' }])
        } else expect([name, done]).toEqual([name, done === 'refused' ? 'refused' : 0])
        if (WRITES.test(sql) && role !== 'writer') expect([name, done]).toEqual([name, 'refused'])
      }
      expect(await contentOf('theirs')).toEqual(before)
    },
  )

  test('access: without a project in the statement, a role gets only rows of its own projects', async () => {
    for (const role of ['reader', 'writer']) {
      const database = asRole(team.database, role)
      for (const table of TABLES) {
        const { rows } = await database.query<{ project: string }>(
          `select distinct project_id as project from ${table}`,
        )
        expect([table, rows]).toEqual([table, [{ project: 'mine' }]])
      }
    }
    for (const table of TABLES) {
      expect(await attempt(asRole(team.database, 'stranger'), `select 1 from ${table}`, [])).toBe('refused')
    }
  })

  test('access: a reader pulls and searches, and cannot push', async () => {
    const hub = hubAs('reader')
    expect((await hub.describe()).canWrite).toBe(false)
    expect((await hub.pull('mine', 0, 100)).operations).toHaveLength(3)
    expect(await hub.search?.('mine', { terms: extractTerms('docker'), limit: 5 })).toHaveLength(1)
    const vector = Array<number>(DIMENSION).fill(0.5)
    expect(await hub.search?.('mine', { terms: [], vector, limit: 5 })).toHaveLength(2)
    expect(await hub.lastPushed('mine', machine(1))).toBe(3)
    const before = await contentOf('mine')
    await expect(hub.push('mine', [operationOf(5, 1, 1, putOf('x'))])).rejects.toMatchObject(REFUSED)
    for (const [name, given] of tried) {
      const sql = SQL[name] ?? ''
      if (WRITES.test(sql))
        expect([name, await attempt(asRole(team.database, 'reader'), sql, ['mine', ...given])]).toEqual([
          name,
          'refused',
        ])
    }
    expect(await contentOf('mine')).toEqual(before)
  })

  test('access: a writer pushes and forgets in its project, and adds no other project', async () => {
    const hub = hubAs('writer')
    expect((await hub.describe()).canWrite).toBe(true)
    expect(await hub.push('mine', [operationOf(2, 1, 7, putOf('by the writer'))])).toMatchObject({
      stored: 1,
      skipped: 0,
    })
    expect(await hub.search?.('mine', { terms: extractTerms('writer'), limit: 5 })).toHaveLength(1)
    await hub.push('mine', [operationOf(2, 2, 7, { kind: 'forget' })])
    expect(JSON.stringify(await contentOf('mine'))).not.toContain('by the writer')
    await expect(hub.push('new', [operationOf(2, 3, 8, putOf('x'))])).rejects.toMatchObject(REFUSED)
    await expect(hub.push('theirs', [operationOf(2, 3, 8, putOf('x'))])).rejects.toMatchObject(REFUSED)
  })

  test('access: a writer can erase what was pushed, and neither rewrite nor delete it', async () => {
    const writer = asRole(team.database, 'writer')
    const own = `where project_id = 'mine' and n = 1`
    expect(await attempt(writer, `update hub_operations set payload = '{"by":"Eve"}' ${own}`, [])).toBe('refused')
    expect(await attempt(writer, `update hub_operations set replica = gen_random_uuid() ${own}`, [])).toBe('refused')
    expect(await attempt(writer, `delete from hub_operations ${own}`, [])).toBe('refused')
    expect(await attempt(writer, `update hub_projects set project_id = 'theirs' where project_id = 'mine'`, [])).toBe(
      'refused',
    )
    expect(await attempt(writer, `update hub_memories set project_id = 'theirs' where project_id = 'mine'`, [])).toBe(
      'refused',
    )
  })

  test('access: only the owner of the tables grants; nobody gives themselves a project', async () => {
    for (const role of ['reader', 'writer', 'stranger']) {
      const database = asRole(team.database, role)
      await expect(grantAccess(database, { project: 'theirs', role, canWrite: true })).rejects.toMatchObject(REFUSED)
      await expect(revokeAccess(database, { project: 'mine', role: 'writer' })).rejects.toMatchObject(REFUSED)
      expect(await attempt(database, 'update hub_access set can_write = true', [])).toBe('refused')
    }
    expect((await listAccess(team.database)).map(({ role, canWrite }) => [role, canWrite])).toEqual([
      ['reader', false],
      ['writer', true],
    ])
    expect((await listAccess(asRole(team.database, 'reader'))).map(({ role }) => role)).toEqual(['reader'])
  })

  test('access: names of tables and functions that a role puts before ours do not deceive the policies', async () => {
    await team.database.query('create schema trap; grant create, usage on schema trap to stranger, reader')
    const answer = team.database.transaction(async (connection) => {
      await connection.query(`set local role reader; set local search_path = trap, public`)
      await connection.query(`create function trap.hub_is_owner() returns boolean language sql as 'select true'`)
      await connection.query(
        `create table trap.hub_access as
            select 'theirs'::text as project_id, 'reader'::text as role_name, true as can_write`,
      )
      await connection.query(`create table trap.pg_roles as select 0::oid as oid, 'writer'::name as rolname`)
      return connection.query(`select 1 from public.hub_operations where project_id = 'theirs'`)
    })
    expect((await answer).rowCount).toBe(0)
  })

  test('access: a team is a role; its members get what the role gets, until it is revoked', async () => {
    await expect(hubAs('ann').pull('theirs', 0, 1)).rejects.toMatchObject(REFUSED)
    await grantAccess(team.database, { project: 'theirs', role: 'team', canWrite: false })
    expect((await hubAs('ann').pull('theirs', 0, 100)).operations).toHaveLength(3)
    expect((await hubAs('ann').pull('mine', 0, 100)).operations).toEqual([])
    await grantAccess(team.database, { project: 'theirs', role: 'team', canWrite: true })
    await hubAs('ann').push('theirs', [operationOf(3, 1, 5, putOf('by Ann'))])
    await grantAccess(team.database, { project: 'theirs', role: 'team', canWrite: false })
    await expect(hubAs('ann').push('theirs', [operationOf(3, 2, 5, putOf('x'))])).rejects.toMatchObject(REFUSED)
    expect(await revokeAccess(team.database, { project: 'theirs', role: 'team' })).toBe(true)
    expect(await revokeAccess(team.database, { project: 'theirs', role: 'team' })).toBe(false)
    await expect(hubAs('ann').pull('theirs', 0, 1)).rejects.toMatchObject(REFUSED)
  })

  test('access: a role that does not exist is refused with the statement that creates it', async () => {
    const grant = grantAccess(team.database, { project: 'mine', role: 'no"body', canWrite: false })
    await expect(grant).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('create role "no""body"'),
    })
  })

  test('access: the tables of the library keep a role to its projects; what all projects share is one', async () => {
    const insert = (project: string) =>
      `insert into agent_memory (project_id, agent_id, content) values ('${project}', 'agent', 'of ${project}')`
    for (const project of ['mine', 'theirs', '*']) await team.database.query(insert(project))
    const contents = async (role: string) =>
      (await asRole(team.database, role).query<{ content: string }>('select content from agent_memory')).rows
    for (const role of ['reader', 'writer']) {
      const database = asRole(team.database, role)
      expect(await contents(role)).toEqual([{ content: 'of mine' }])
      for (const project of ['theirs', '*']) expect(await attempt(database, insert(project), [])).toBe('refused')
      for (const change of [`update agent_memory set strength = 9`, 'delete from agent_memory']) {
        const done = await attempt(database, `${change} where project_id <> 'mine'`, [])
        expect([role, done]).toEqual([role, role === 'reader' ? 'refused' : 0])
      }
    }
    await grantAccess(team.database, { project: '*', role: 'reader', canWrite: false })
    expect(await contents('reader')).toHaveLength(2)
    expect(await attempt(asRole(team.database, 'stranger'), 'select 1 from agent_memory', [])).toBe('refused')
    expect(await attempt(asRole(team.database, 'stranger'), 'select 1 from agent_sleep_log', [])).toBe('refused')
  })

  test('access: every table with rows of a project has row-level security, forced for its owner', async () => {
    const { rows } = await team.database.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
        where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
          and not (c.relrowsecurity and c.relforcerowsecurity)`,
    )
    expect(rows).toEqual([])
  })
})
