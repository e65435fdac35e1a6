// A hub for tests: the test server with all migrations, and operations to push.
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { createPostgresHub, type PostgresHubOptions } from '../../../src/database/hub/postgresHub.ts'
import { migrate } from '../../../src/database/migrate.ts'
import type { EventId, MemoryId } from '../../../src/model/id.ts'
import type { Hub } from '../../../src/team/hub.ts'
import type { Operation, OperationBody, SharedFields } from '../../../src/team/operation.ts'
import { startTestDatabase, type TestDatabase } from '../server.ts'

/** Numbers of a vector in tests. */
export const DIMENSION = 8

export interface TestHub {
  readonly server: TestDatabase
  readonly database: Database
  readonly hub: Hub
  close(): Promise<void>
}

export async function startTestHub(options: PostgresHubOptions = {}): Promise<TestHub> {
  const server = await startTestDatabase()
  const database = await openDatabase({ url: server.url })
  await migrate(database, { dimension: DIMENSION })
  return {
    server,
    database,
    hub: createPostgresHub(database, options),
    async close() {
      await database.close()
      await server.stop()
    },
  }
}

export const uuid = (kind: string, n: number): string =>
  `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`
export const memoryOf = (n: number): MemoryId => uuid('e', n) as MemoryId
export const machine = (n: number): string => uuid('a', n)

/** Change `n` of a machine; its time is `n` seconds after a fixed one. */
export function operationOf(from: number, n: number, memory: number, body: OperationBody): Operation {
  const replica = machine(from)
  const at = `${1_764_800_000_000 + n * 1000}-00000-${replica}`
  return { id: uuid('d', from * 1_000_000 + n) as EventId, replica, n, at, memory: memoryOf(memory), ...body }
}

export const putOf = (content: string, by = 'Aiko'): OperationBody => ({ kind: 'put', by, fields: fieldsOf(content) })

export const countOf = (uses: number): OperationBody => ({
  kind: 'count',
  counts: { uses, candidates: 0, impact: 0, meetings: 0, sessions: 0 },
})

const fieldsOf = (content: string): SharedFields => ({
  ...{ kind: 'lesson', content, lessons: [], tags: [], files: [], outcome: 'unknown', scope: 'project' },
  ...{ role: '*', trust: 'tools', contentType: 'text', source: 'task', learnings: {}, privacy: 'public' },
  ...{ retention: 'long_term', importance: 0.5 },
  ...{ created: '2026-01-05T10:00:00.000Z', updated: '2026-01-05T10:00:00.000Z' },
})
