// A PostgreSQL database: statements, transactions, a health check. The only way of memctl to one; hooks never load it.
import { setTimeout as pause } from 'node:timers/promises'
import { asyncDispose } from '../model/longCall.ts'
import { MemoryError } from '../model/memoryError.ts'
import { backoffMs, type ConnectionPool, openConnectionPool, type PooledConnection } from './connectionPool.ts'
import { type Env, parseConnectionUrl } from './connectionUrl.ts'
import { isConnectionLost, sqlState } from './databaseError.ts'
import { loadDriver } from './guardedClient.ts'

export interface DatabaseOptions {
  /** `postgresql://user@host/database?sslmode=verify-full`. A password is better in the password file. */
  readonly url: string
  /** Connections that stay open while nothing happens, 0 to 100; default 1. */
  readonly minConnections?: number | undefined
  /** Connections at the same time, 1 to 100; default 10. */
  readonly maxConnections?: number | undefined
  /** Milliseconds that a statement may take, on the server and here; 0 for any time; default 30,000. */
  readonly statementTimeoutMs?: number | undefined
  /** Milliseconds until a connection must be open, or free; 1 to 600,000; default 10,000. */
  readonly connectTimeoutMs?: number | undefined
  /** Further attempts to open a connection, 0 to 100; default 3. The waits between them double: 0.1 s, 0.2 s, 0.4 s. */
  readonly retries?: number | undefined
  /** Where PGUSER, PGPASSWORD, PGPASSFILE, PGSSLMODE and HOME are looked up; default: that of the process. */
  readonly env?: Env | undefined
}

export interface QueryResult<Row> {
  readonly rows: readonly Row[]
  /** Rows that the statement returned or changed. */
  readonly rowCount: number
}

export interface Queryable {
  /** One statement with $1, $2 …; without parameters also several. Throws MemoryError. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>>
}

export interface Database extends Queryable, AsyncDisposable {
  /** One connection for the time of `use`; every statement commits by itself. */
  withConnection<T>(use: (connection: Queryable) => Promise<T>): Promise<T>
  /**
   * BEGIN … COMMIT; ROLLBACK if `use` throws. `use` runs again, up to four times, after a serialization failure, a
   * deadlock, or a connection that was lost before COMMIT was sent.
   */
  transaction<T>(use: (connection: Queryable) => Promise<T>): Promise<T>
  /** Whether the server answers SELECT 1. */
  healthCheck(): Promise<boolean>
  /** Waits for running statements, then closes the connections. A second call does nothing. */
  close(): Promise<void>
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
  throw new MemoryError('INPUT_INVALID', `${name} is ${value}`, {
    hint: `Use a whole number from ${min} to ${max}.`,
  })
}

function createDatabase(pool: ConnectionPool): Database {
  const close = (): Promise<void> => pool.close()
  const query = <Row>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>> =>
    pool.withConnection((connection) => connection.query(sql, parameters))
  return {
    query,
    withConnection: (use) => pool.withConnection(use),
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
      try {
        // Repeated, because the first attempt may have met a connection that the server has closed meanwhile.
        const isAlive = async (): Promise<boolean> => (await query<{ alive: number }>(ALIVE)).rows[0]?.alive === 1
        return await isAlive().catch((error: unknown) => {
          if (isConnectionLost(error)) return isAlive()
          throw error
        })
      } catch (error) {
        if (error instanceof MemoryError) return false
        throw error
      }
    },
    close,
    [asyncDispose]: close,
  }
}

const TRANSACTION_RETRIES = 4
const ALIVE = 'select 1 as alive'

async function runTransaction<T>(
  connection: PooledConnection,
  use: (connection: Queryable) => Promise<T>,
  progress: { isCommitting: boolean },
): Promise<T> {
  await connection.query('begin')
  const result = await use(connection)
  progress.isCommitting = true
  const { command } = await connection.query('commit')
  if (command !== 'ROLLBACK') return result
  throw new MemoryError('DATABASE_ERROR', 'A statement of the transaction failed, so nothing of it was stored', {
    hint: 'The function that ran it must not catch the error of a statement.',
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
