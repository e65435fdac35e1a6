// A PostgreSQL database: statements, transactions, a health check. The only way of memctl to one; hooks never load it.
import { setTimeout as pause } from 'node:timers/promises'
import { asyncDispose } from '../model/longCall.ts'
import { MemoryError } from '../model/memoryError.ts'
import {
  backoffMs,
  type ConnectionLimits,
  type ConnectionPool,
  openConnectionPool,
  type Queryable,
  type QueryResult,
} from './connectionPool.ts'
import { type Env, parseConnectionUrl } from './connectionUrl.ts'
import { isConnectionLost, plainServerText, sqlState } from './databaseError.ts'
import { loadDriver } from './guardedClient.ts'

type Limits = { readonly [Name in keyof ConnectionLimits]?: ConnectionLimits[Name] | undefined }

export interface DatabaseOptions extends Limits {
  /** `postgresql://user@host/database?sslmode=verify-full`. A password is better in the password file. */
  readonly url: string
  /** Where PGUSER, PGPASSWORD, PGPASSFILE, PGSSLMODE and HOME are looked up; default: that of the process. */
  readonly env?: Env | undefined
}

export interface Database extends Queryable, ConnectionPool, AsyncDisposable {
  /**
   * BEGIN … COMMIT; ROLLBACK if `use` throws. `use` runs again, up to four times, after a serialization failure, a
   * deadlock, or a connection that was lost before COMMIT was sent.
   */
  transaction<T>(use: (connection: Queryable) => Promise<T>): Promise<T>
  /** Whether the server answers SELECT 1. */
  healthCheck(): Promise<boolean>
}

/**
 * Opens a database. The first statement connects. Throws DATABASE_DRIVER_MISSING without the package `pg`, and
 * INPUT_INVALID for a URL or a number that cannot be used.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const env = options.env ?? process.env
  const target = parseConnectionUrl(options.url, env)
  const limits = {
    minConnections: checkNumber(options.minConnections ?? 1, 'minConnections', [0, 100]),
    maxConnections: checkNumber(options.maxConnections ?? 10, 'maxConnections', [1, 100]),
    statementTimeoutMs: checkNumber(options.statementTimeoutMs ?? 30_000, 'statementTimeoutMs', [0, INT32_MAX]),
    connectTimeoutMs: checkNumber(options.connectTimeoutMs ?? 10_000, 'connectTimeoutMs', [1, 600_000]),
    retries: checkNumber(options.retries ?? 3, 'retries', [0, 100]),
  }
  const driver = await loadDriver(env)
  return createDatabase(openConnectionPool({ driver, target, limits }))
}

/** What a timer of Node and a setting of PostgreSQL can hold. */
const INT32_MAX = 2 ** 31 - 1

function checkNumber(value: number, name: string, [min, max]: readonly [number, number]): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new MemoryError('INPUT_INVALID', `${name} is ${value}`, { hint: `Use a whole number from ${min} to ${max}.` })
}

function createDatabase(pool: ConnectionPool): Database {
  const query = <Row>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>> =>
    pool.withConnection((connection) => connection.query(sql, parameters))
  return {
    ...pool,
    query,
    async transaction(use) {
      for (let attempt = 0; ; attempt++) {
        const progress = { isCommitting: false }
        try {
          return await pool.withConnection((connection) => runTransaction(connection, use, progress))
        } catch (error) {
          if (attempt >= TRANSACTION_RETRIES || !canRepeat(error, progress)) throw error
          await pause(backoffMs(attempt))
        }
      }
    },
    async healthCheck() {
      // Repeated, because the first attempt may have met a connection that the server has closed meanwhile.
      const isAlive = () => query('select 1').then(() => true)
      return isAlive()
        .catch((error: unknown) => isConnectionLost(error) && isAlive())
        .catch(() => false)
    },
    [asyncDispose]: pool.close,
  }
}

const TRANSACTION_RETRIES = 4

async function runTransaction<T>(
  connection: Queryable,
  use: (connection: Queryable) => Promise<T>,
  progress: { isCommitting: boolean },
): Promise<T> {
  await connection.query('begin')
  const result = await use(connection)
  progress.isCommitting = true
  await commit(connection)
  return result
}

/** Commits. Throws DATABASE_ERROR after a statement that failed: the server rolls that back without an error. */
export async function commit(connection: Queryable): Promise<void> {
  const { command } = await connection.query('commit')
  if (command !== 'ROLLBACK') return
  throw new MemoryError('DATABASE_ERROR', 'A statement of the transaction failed, so nothing of it was stored', {
    hint: 'Roll back after a statement that may fail, or let its error end the transaction.',
  })
}

/** A connection that was lost after COMMIT was sent may have stored everything: that is not repeated. */
const canRepeat = (error: unknown, { isCommitting }: { readonly isCommitting: boolean }): boolean =>
  /^40(?:001|P01)$/.test(sqlState(error) ?? '') || (!isCommitting && isConnectionLost(error))

/** The URL of the database: the given one, else of the environment; undefined if there is none. */
export function databaseUrl(
  given: string | undefined,
  env: Env,
): { readonly url: string; readonly from: 'argument' | 'MEMCTL_DATABASE_URL' | 'DATABASE_URL' } | undefined {
  if (given !== undefined) return { url: given, from: 'argument' }
  for (const from of ['MEMCTL_DATABASE_URL', 'DATABASE_URL'] as const) {
    const url = env[from]
    if (url) return { url, from }
  }
  return undefined
}

// What a server says about itself, the connection and the user. Only reads, and needs no tables of memctl.

export interface ServerStatus {
  /** Of the database. */
  readonly name: string
  /** `15.6` */
  readonly version: string
  readonly user: string
  readonly isSuperuser: boolean
  /** Whether the user may create tables in the schema. */
  readonly canMigrate: boolean
  /** The schema for new tables; undefined if the search path names none that exists. */
  readonly schema?: string
  readonly isReadOnly: boolean
  /** `TLSv1.3`; undefined for a connection without encryption. */
  readonly encryption?: string
  readonly pgvector: { readonly installed?: string; readonly offered?: string }
  /** Numbers of a vector in the table of the memories; undefined before the first migration. */
  readonly dimension?: number
}

const STATUS = `
  select json_strip_nulls(json_build_object(
    'name', current_database(), 'version', split_part(current_setting('server_version'), ' ', 1), 'user', current_user,
    'isSuperuser', current_setting('is_superuser') = 'on', 'schema', current_schema(),
    'canMigrate', coalesce(has_schema_privilege(current_schema(), 'create'), false),
    'isReadOnly', pg_is_in_recovery() or current_setting('transaction_read_only') = 'on',
    'encryption', (select version from pg_stat_ssl where pid = pg_backend_pid()),
    'pgvector', json_build_object(
      'installed', (select extversion from pg_extension where extname = 'vector'),
      'offered', (select default_version from pg_available_extensions where name = 'vector')),
    'dimension', (select atttypmod from pg_attribute
      where attrelid = to_regclass('agent_memory') and attname = 'embedding' and atttypmod > 0)))::text as status`

export async function readServerStatus(database: Database): Promise<ServerStatus> {
  const [row] = (await database.query<{ status: string }>(STATUS)).rows
  const clean = (_: string, value: unknown): unknown => (typeof value === 'string' ? plainServerText(value) : value)
  return JSON.parse(row?.status ?? '{}', clean) as ServerStatus
}
