// The connections to one server: opened when they are needed, tried again while the server starts, closed when broken.
import { MemoryError } from '../model/memoryError.ts'
import type { ConnectionTarget } from './connectionUrl.ts'
import { isConnectionLost, mayAnswerLater, toDatabaseError } from './databaseError.ts'
import type { Driver, DriverClient, DriverConfig } from './guardedClient.ts'
import { guardClient, transactionStatus } from './guardedClient.ts'

interface PoolLimits {
  readonly minConnections: number
  readonly maxConnections: number
  /** 0 for any time. */
  readonly statementTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly retries: number
}

/** What a statement gave. `command` is the server's word for what it did: `COMMIT`, `ROLLBACK`, `SELECT`. */
export interface StatementResult<Row> {
  readonly rows: readonly Row[]
  readonly rowCount: number
  readonly command: string
}

export interface PooledConnection {
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<StatementResult<Row>>
}

export interface ConnectionPool {
  /** One connection for the time of `use`. If `use` throws, or leaves a transaction open, that is rolled back. */
  withConnection<T>(use: (connection: PooledConnection) => Promise<T>): Promise<T>
  readonly signal: AbortSignal | undefined
  close(): Promise<void>
}

interface PoolSetup {
  readonly driver: Driver
  readonly target: ConnectionTarget
  readonly limits: PoolLimits
  readonly signal: AbortSignal | undefined
}

/** Time for the server's own message about a slow statement to arrive, before this side gives up. */
const GRACE_MS = { min: 1_000, max: 5_000 }
const graceMs = (limitMs: number): number => Math.min(GRACE_MS.max, Math.max(GRACE_MS.min, limitMs))

/** A client that stops inside of a transaction releases its locks after this time. */
const IDLE_IN_TRANSACTION_MS = 60_000

const IDLE_MS = 10_000

export function openConnectionPool(setup: PoolSetup): ConnectionPool {
  const { driver, target, limits, signal } = setup
  const pool = new driver.Pool({ ...toDriverConfig(setup), Client: guardClient(driver) })
  pool.on('error', () => {}) // An idle connection was lost: the pool has removed it, and the next statement connects.
  const prepared = new WeakSet<DriverClient>()
  let closing: Promise<void> | undefined

  async function acquire(): Promise<DriverClient> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await acquireOnce()
      } catch (error) {
        if (signal?.aborted) throw error
        // `prefer`: a server without encryption gets a connection without it, from now on.
        const isPlainServer = /does not support SSL/.test(String(error)) && target.tls.use === 'prefer'
        if (isPlainServer && pool.options.ssl !== false) attempt = -1
        else if (attempt >= limits.retries || !mayAnswerLater(error)) throw toDatabaseError(error, target)
        if (isPlainServer) pool.options.ssl = false
        else await pause(backoffMs(attempt), signal)
      }
    }
  }

  async function acquireOnce(): Promise<DriverClient> {
    const opening = pool.connect()
    const client = await untilAborted(opening, signal).catch((error: unknown) => {
      if (signal?.aborted)
        opening.then(
          (late) => late.release(true),
          () => {},
        ) // Nobody waits for it any more.
      throw error
    })
    if (prepared.has(client)) return client
    try {
      // Not as parameters of the start: proxies such as PgBouncer refuse those.
      const times = `statement_timeout = ${limits.statementTimeoutMs}`
      const idle = `idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`
      const settings = client.query(`set ${times}; set ${idle}`)
      await untilAborted(withDeadline(settings, limits.connectTimeoutMs), signal)
      prepared.add(client)
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  return {
    signal,
    async withConnection(use) {
      signal?.throwIfAborted()
      const client = await acquire()
      const connection = new ClientConnection(client, setup)
      client.on('error', connection.markBroken)
      try {
        const result = await use(connection)
        await connection.rollback()
        return result
      } catch (error) {
        await connection.rollback()
        throw error
      } finally {
        client.off('error', connection.markBroken)
        client.release(connection.isBroken)
      }
    },
    close() {
      closing ??= pool.end()
      return closing
    },
  }
}

/** A connection that is in use. Once it is broken, it is not given back. */
class ClientConnection implements PooledConnection {
  isBroken = false
  readonly #client: DriverClient
  readonly #setup: PoolSetup

  constructor(client: DriverClient, setup: PoolSetup) {
    this.#client = client
    this.#setup = setup
  }

  /** Without this listener, an error of the connection would end the process. The running statement reports it. */
  readonly markBroken = (): void => {
    this.isBroken = true
  }

  async query<Row>(sql: string, parameters?: readonly unknown[]): Promise<StatementResult<Row>> {
    const { signal, target, limits } = this.#setup
    signal?.throwIfAborted()
    try {
      const answer = this.#client.query(sql, parameters && [...parameters])
      const limitMs = limits.statementTimeoutMs && limits.statementTimeoutMs + graceMs(limits.statementTimeoutMs)
      const given = await untilAborted(withDeadline(answer, limitMs), signal)
      // Several statements in one text give a list.
      const last = Array.isArray(given) ? given.at(-1) : given
      return { rows: last?.rows ?? [], rowCount: last?.rowCount ?? 0, command: last?.command ?? '' }
    } catch (error) {
      if (isConnectionLost(error) || error instanceof MemoryError || signal?.aborted) this.isBroken = true
      if (signal?.aborted || error instanceof TypeError || error instanceof RangeError) throw error
      throw toDatabaseError(error, target)
    }
  }

  /** Ends a transaction that `use` did not end. */
  async rollback(): Promise<void> {
    if (this.isBroken || transactionStatus(this.#client) === 'none') return
    try {
      await withDeadline(this.#client.query('rollback'), GRACE_MS.max)
    } catch {
      this.isBroken = true // The server rolls back when the connection is closed.
    }
  }
}

/** The answer, or DATABASE_TIMEOUT after `limitMs`; 0 for any time. */
async function withDeadline<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  if (limitMs === 0) return answer
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    const error = new MemoryError('DATABASE_TIMEOUT', `the database did not answer in ${limitMs / 1000} s`, {
      hint: 'Check the network and the load of the server, then try again.',
    })
    timer = setTimeout(() => reject(error), Math.min(limitMs, 2 ** 31 - 1))
  })
  try {
    return await Promise.race([answer, deadline])
  } finally {
    clearTimeout(timer)
  }
}

function toDriverConfig({ target, limits }: PoolSetup): DriverConfig {
  const { host, port, user, database, password } = target
  return {
    host,
    port,
    user,
    database,
    // As a function: otherwise the driver looks for a password file itself, and warns that it will not any more.
    password: () => password as string,
    ssl: target.tls.use === 'never' ? false : target.tls.options,
    sslnegotiation: target.isDirectTls ? 'direct' : 'postgres',
    enableChannelBinding: target.channelBinding,
    application_name: target.applicationName,
    options: target.options,
    min: limits.minConnections,
    max: limits.maxConnections,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    idleTimeoutMillis: IDLE_MS,
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

/** Waits; throws the reason of the signal when it is aborted. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await untilAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      }),
      signal,
    )
  } finally {
    clearTimeout(timer)
  }
}

/** The promise's result, or the signal's reason if that is aborted before. The promise is not cancelled. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  let listener: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    listener = () => reject(signal.reason)
    signal.addEventListener('abort', listener, { once: true })
    if (signal.aborted) listener()
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (listener) signal.removeEventListener('abort', listener)
  }
}
