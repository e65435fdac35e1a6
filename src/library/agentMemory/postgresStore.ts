// The AgentStore of PostgreSQL: the table agent_memory, one statement for each operation. Every statement names the
// project, and the project of shared memories.
import type { Queryable } from '../../database/connectionPool.ts'
import { commit, type Database } from '../../database/database.ts'
import { isMemoryId } from '../../model/id.ts'
import type { MemoryStatus } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { invalidValue } from '../checkInput.ts'
import { type AgentMemory, cleanMemory } from './agentMemory.ts'
import type { AgentChange, AgentQuery, AgentStore, SleepRecord, StoreConnection } from './agentStore.ts'
import { PostgresSearch } from './postgresSearch.ts'
import {
  changeStatement,
  createPostgresCursor,
  INSERT,
  memoryFromRow,
  projectOf,
  REPLACE,
  SHARED_PROJECT,
  selectList,
  toParameters,
} from './postgresStatements.ts'
import type { ProjectMemories } from './projectMemories.ts'

const ORDERS = { newest: 'created_at desc, id desc', weakest: 'strength, created_at, id' } as const

/** The store of a project's agents. Throws DATABASE_VERSION if its tables are missing or of an earlier version. */
export async function openPostgresStore(
  database: Database,
  projectId: string,
  project: ProjectMemories,
): Promise<AgentStore> {
  const { rows } = await database.query<{ dimension: number }>(
    `select atttypmod as dimension from pg_attribute ` +
      `where attrelid = to_regclass('agent_memory') and attname = 'embedding' and to_regclass('agent_terms') is not null`,
  )
  if (rows[0]) return new PostgresStore(database, project, { projectId, dimension: rows[0].dimension })
  throw new MemoryError('DATABASE_VERSION', 'the tables of agents are missing or of an earlier version', {
    hint: 'Create or update them with `memctl hub migrate`, or with the connection’s function migrate. It needs pgvector.',
  })
}

class PostgresStore extends PostgresSearch implements AgentStore {
  readonly #projects: readonly string[] = [this.projectId, SHARED_PROJECT]

  async insert(memory: AgentMemory): Promise<AgentMemory | undefined> {
    const stored = this.#toStored(memory)
    if ((await this.get([memory.id])).length > 0) return undefined
    const { rows } = await this.database.query(INSERT, toParameters(stored, this.projectId))
    return rows[0] && memoryFromRow(rows[0])
  }

  async get(ids: readonly string[]): Promise<AgentMemory[]> {
    const known = toIds(ids)
    if (known.length === 0) return []
    const sql = `select ${selectList()} from agent_memory where project_id = any($1::text[]) and id = any($2::uuid[])`
    const { rows } = await this.database.query(sql, [this.#projects, known])
    const byId = new Map(rows.map((row) => [String(row['id']), memoryFromRow(row)]))
    return known.flatMap((id) => byId.get(id) ?? [])
  }

  async list({ agentId, status, order, limit, strengthMax, withoutVectors }: AgentQuery): Promise<AgentMemory[]> {
    const { rows } = await this.database.query(
      `select ${selectList(withoutVectors)} from agent_memory where project_id = any($1::text[]) and agent_id = $2 ` +
        `and status = $3 and ($4::float8 is null or strength <= $4) order by ${ORDERS[order]} limit $5`,
      [this.#projects, agentId, status, strengthMax ?? null, limit ?? null],
    )
    return rows.map(memoryFromRow)
  }

  async count(agentId: string, status: MemoryStatus): Promise<number> {
    const { rows } = await this.database.query<{ count: number }>(
      'select count(*)::integer as count from agent_memory ' +
        'where project_id = any($1::text[]) and agent_id = $2 and status = $3',
      [this.#projects, agentId, status],
    )
    return rows[0]?.count ?? 0
  }

  async replace(memory: AgentMemory): Promise<AgentMemory | undefined> {
    const stored = this.#toStored(memory)
    const parameters = toParameters(stored, this.projectId)
    const { rows } = await this.database.query(REPLACE, parameters)
    if (rows[0]) return memoryFromRow(rows[0])
    // Its scope has changed, and with it the project that it is stored under: a key that is never updated in place.
    const before = projectOf(stored, this.projectId) === SHARED_PROJECT ? this.projectId : SHARED_PROJECT
    return this.database.transaction(async (connection) => {
      const remove = 'delete from agent_memory where project_id = $1 and id = $2'
      const removed = await connection.query(remove, [before, memory.id])
      if (removed.rowCount === 0) return undefined
      const moved = await connection.query(INSERT, parameters)
      return moved.rows[0] && memoryFromRow(moved.rows[0])
    })
  }

  /** One statement, and one more if some may be shared between projects. */
  async change(ids: readonly string[], change: AgentChange): Promise<number> {
    const known = toIds(ids)
    if (known.length === 0) return 0
    const now = this.project.now()
    const write = async (connection: Queryable, projects: readonly string[]): Promise<number> => {
      const statement = changeStatement(change, { projects, ids: known, now })
      return statement ? (await connection.query(statement.sql, statement.parameters)).rowCount : 0
    }
    if (known.length === 1) return write(this.database, this.#projects)
    // Rows of one project are on one node of a cluster, which can lock them.
    return this.database.transaction(async (connection) => {
      const own = await write(connection, [this.projectId])
      return own === known.length ? own : own + (await write(connection, [SHARED_PROJECT]))
    })
  }

  async logSleep({ agent, decayed, archived, consolidated, errors }: SleepRecord): Promise<void> {
    await this.database.query(
      'insert into agent_sleep_log (project_id, agent_id, decayed_count, archived_count, consolidated_count, errors, ' +
        'processed_at) values ($1, $2, $3, $4, $5, $6::jsonb, $7)',
      [this.projectId, agent, decayed, archived, consolidated, JSON.stringify(errors), new Date(this.project.now())],
    )
  }

  connect<T>(use: (connection: StoreConnection) => Promise<T> | T, autoCommit: boolean): Promise<T> {
    return this.database.withConnection(async (connection) => {
      // There is always a transaction to commit or to roll back.
      const begin = (): Promise<void> => connection.query('begin').then(() => {})
      await begin()
      const result = await use({
        cursor: () => createPostgresCursor(connection),
        commit: () => commit(connection).then(begin),
        rollback: () => connection.query('rollback').then(begin),
      })
      // If `use` throws, the connection rolls back by itself.
      await (autoCommit ? commit(connection) : connection.query('rollback'))
      return result
    })
  }

  /** The memory as it is stored. Throws INPUT_INVALID for a vector of another length. */
  #toStored(memory: AgentMemory): AgentMemory {
    if (memory.embedding !== null && memory.embedding.length !== this.dimension) {
      const wanted = `${this.dimension} numbers, the dimension that the database was migrated with`
      throw invalidValue('embedding', `a vector of ${memory.embedding.length} numbers`, wanted)
    }
    return cleanMemory(memory)
  }
}

/** The ids that can be in the table, each once. */
const toIds = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))].filter(isMemoryId)
