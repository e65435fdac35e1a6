// A hub for tests: the test server with all migrations, and changes to push.
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createPostgresHub } from '../../../src/database/postgresHub.ts'
import type { MemoryId } from '../../../src/model/id.ts'
import type { Hub, HubMember, RowChange, SharedFields, TeamChanges, TeamRow } from '../../../src/team/teamRow.ts'
import { startTestDatabase, type TestDatabase } from '../server.ts'

/** Numbers of a vector in tests. */
export const DIMENSION = 8

export interface TestHub {
  readonly server: TestDatabase
  readonly database: Database
  readonly hub: Hub
  close(): Promise<void>
}

export async function startTestHub(): Promise<TestHub> {
  const server = await startTestDatabase()
  const database = await openDatabase({ url: server.url })
  await migrate(database, { dimension: DIMENSION })
  return {
    server,
    database,
    hub: createPostgresHub(database),
    async close() {
      await database.close()
      await server.stop()
    },
  }
}

export const uuid = (kind: string, n: number): string =>
  `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`
export const memoryOf = (n: number): MemoryId => uuid('e', n) as MemoryId

export const memberOf = (project: string, n: number, name = `Person ${n}`): HubMember => ({
  ...{ project, replica: uuid('a', n), name },
})

export const fieldsOf = (content: string): SharedFields => ({
  ...{ kind: 'preference', content, lessons: [], tags: [], files: [], outcome: 'unknown', scope: 'project' },
  ...{ role: '*', trust: 'tools', contentType: 'text', source: 'task', learnings: {}, privacy: 'public' },
  ...{ retention: 'long_term', importance: 0.5 },
  ...{ created: '2026-01-05T10:00:00.000Z', updated: '2026-01-05T10:00:00.000Z' },
})

const NOTHING: TeamChanges = { rows: [], counts: [], withdrawn: [] }

/** A text with the counts of a first session; another state has no text. */
export function putOf(n: number, content: string, given: Partial<RowChange> = {}): TeamChanges {
  const memory = memoryOf(n)
  const row = { memory, base: 0, state: 'active', fields: fieldsOf(content), successor: null, seen: '' } as const
  return { ...NOTHING, rows: [{ ...row, ...given }], counts: [{ memory, counts: { sessions: 1, uses: 2 }, own: true }] }
}

export const goneOf = (n: number, state: 'deleted' | 'forgotten', base = 0): TeamChanges => ({
  ...NOTHING,
  rows: [{ memory: memoryOf(n), base, state, successor: null, seen: '' }],
})

export const withdrawOf = (n: number): TeamChanges => ({ ...NOTHING, withdrawn: [memoryOf(n)] })

/** Everything that a copy is given of a project. */
export const readAll = async (hub: Hub, member: HubMember): Promise<readonly TeamRow[]> =>
  (await hub.pull(member, 0, [])).rows as readonly TeamRow[]
