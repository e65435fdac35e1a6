// The connections to one server: opened when they are needed, tried again while the server starts, closed when broken.
import { setTimeout as pause } from 'node:timers/promises'
import type { ConnectionTarget } from './connectionUrl.ts'
import { isConnectionLost, mayAnswerLater, toDatabaseError } from './databaseError.ts'
import type { Driver, DriverClient, DriverConfig } from './guardedClient.ts'
import { guardClient, isInTransaction } from './guardedClient.ts'

export interface ConnectionLimits {
  /** Connections that stay open while nothing happens, 0 to 100; default 1. */
  readonly minConnections: number
  /** Connections at the same time, 1 to 100; default 10. */
  readonly maxConnections: number
  /** Milliseconds that a statement may take, on the server and here; 0 for any time; default 30,000. */
  readonly statementTimeoutMs: number
  /** Milliseconds until a connection must be open, or free; 1 to 600,000; default 10,000. */
  readonly connectTimeoutMs: number
  /** Further attempts to open a connection, 0 to 100; default 3. The waits between them double: 0.1 s, 0.2 s, 0.4 s. */
  readonly retries: number
}

export interface QueryResult<Row> {
  readonly rows: readonly Row[]
  /** Rows that the statement returned or changed. */
  readonly rowCount: number
  /** The server's word for what it did: `COMMIT`, `ROLLBACK`, `SELECT`. */
  readonly command?: string
}

export interface Queryable {
  /** One statement with $1, $2 …; without parameters also several. Throws MemoryError. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>>
}

export interface ConnectionPool {
  /**
   * One connection for the time of `use`; every statement commits by itself. If `use` throws, or leaves a transaction
   * open, that is rolled back.
   */
  withConnection<T>(use: (connection: Queryable) => Promise<T>): Promise<T>
  /** Waits for running statements, then closes the connections. A second call does nothing. */
  close(): Promise<void>
}

interface PoolSetup {
  readonly driver: Driver
  readonly target: ConnectionTarget
  readonly limits: ConnectionLimits
}

/** Time for the server's own message about a slow statement to arrive, before this side gives up. */
const GRACE_MS = 3_000

/** A client that stops inside of a transaction releases its locks after this time. */
const IDLE_IN_TRANSACTION_MS = 60_000

const IDLE_MS = 10_000

export function openConnectionPool(setup: PoolSetup): ConnectionPool {
  const { driver, target, limits } = setup
  const pool = new driver.Pool({ ...toDriverConfig(setup), Client: guardClient(driver) })
  pool.on('error', () => {}) // An idle connection was lost: the pool has removed it, and the next statement connects.
  const prepared = new WeakSet<DriverClient>()
  let closing: Promise<void> | undefined

  async function acquire(): Promise<DriverClient> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await prepare(await pool.connect())
      } catch (error) {
        // `prefer`: a server without encryption gets a connection without it, from now on.
        const isPlainServer = /does not support SSL/.test(String(error)) && target.tls.use === 'prefer'
        if (isPlainServer && pool.options.ssl !== false) {
          pool.options.ssl = false
          attempt = -1
        } else if (attempt >= limits.retries || !mayAnswerLater(error)) throw toDatabaseError(error, target)
        else await pause(backoffMs(attempt))
      }
    }
  }

  async function prepare(client: DriverClient): Promise<DriverClient> {
    if (prepared.has(client)) return client
    try {
      // Not as parameters of the start: proxies such as PgBouncer refuse those.
      const times = `statement_timeout = ${limits.statementTimeoutMs}`
      await client.query(`set ${times}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`)
      prepared.add(client)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  return {
    async withConnection(use) {
      const client = await acquire()
      let isBroken = false
      // Without this listener, an error of the connection would end the process. The running statement reports it.
      const markBroken = (): void => {
        isBroken = true
      }
      client.on('error', markBroken)
      const query = async <Row>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>> => {
        try {
          const given = await client.query(sql, parameters && [...parameters])
          // Several statements in one text give a list.
          const last = Array.isArray(given) ? given.at(-1) : given
          return { rows: last?.rows ?? [], rowCount: last?.rowCount ?? 0, command: last?.command ?? '' }
        } catch (error) {
          if (isConnectionLost(error)) isBroken = true
          throw error instanceof TypeError || error instanceof RangeError ? error : toDatabaseError(error, target)
        }
      }
      try {
        return await use({ query })
      } finally {
        // What cannot be rolled back is closed: then the server does it.
        if (!isBroken && isInTransaction(client)) await client.query('rollback').catch(markBroken)
        client.off('error', markBroken)
        client.release(isBroken)
      }
    },
    close() {
      closing ??= pool.end()
      return closing
    },
  }
}

function toDriverConfig({ target, limits }: PoolSetup): DriverConfig {
  const { host, port, user, database, password, tls, options, channelBinding } = target
  return {
    host,
    port,
    user,
    database,
    options,
    // As a function: otherwise the driver looks for a password file itself, and warns that it will not any more.
    password: () => password as string,
    ssl: tls.use === 'never' ? false : tls.options,
    enableChannelBinding: channelBinding,
    application_name: 'memctl',
    min: limits.minConnections,
    max: limits.maxConnections,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
    query_timeout: limits.statementTimeoutMs && Math.min(2 ** 31 - 1, limits.statementTimeoutMs + GRACE_MS),
    // A program that forgot to close the database can still end.
    allowExitOnIdle: true,
    keepAlive: true,
  }
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/**
 * Milliseconds to wait after attempt 0, 1, 2 …: 100, 200, 400, at most 5,000. Each is up to half shorter, at random, so
 * that clients that failed together do not come back together.
 */
export const backoffMs = (attempt: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (1 - Math.random() / 2)
