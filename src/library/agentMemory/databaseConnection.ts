// DatabaseConnection of the agent-memory spec: the connection that all its classes share, to PostgreSQL or to the
// project's own store. A URL of a database is never ignored: where it cannot be used, the first call throws.
import { openStore, openStoreAt, type Store } from '../../broker/open/openStore.ts'
import { type Database, openDatabase, databaseUrl as selectDatabaseUrl } from '../../database/database.ts'
import { type MigrationStep, migrate } from '../../database/migrate.ts'
import { asyncDispose } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { checkName, invalidValue } from '../checkInput.ts'
import { type Env, nowMs, processEnv } from '../processDefaults.ts'
import type { AgentStore, Cursor, StoreConnection } from './agentStore.ts'
import { EmbeddedStore } from './embeddedStore.ts'
import { Phase1Config } from './phase1Config.ts'
import { SHARED_PROJECT } from './postgresStatements.ts'
import { openPostgresStore } from './postgresStore.ts'
import { closedConnection, ProjectMemories } from './projectMemories.ts'

/** What a connection connects to. */
export interface ConnectionOptions {
  /**
   * The URL of a PostgreSQL with pgvector. Default: MEMCTL_DATABASE_URL, then DATABASE_URL, of `env`; without them the
   * project's own store. `null` is the project's own store in any case.
   */
  readonly databaseUrl?: string | null | undefined
  /** Connections that stay open, from 0; default: 1. */
  readonly minConnections?: number | undefined
  /** Connections at the same time, from 1; default: 10. */
  readonly maxConnections?: number | undefined
  /** Milliseconds that a statement may take; default 30,000. */
  readonly statementTimeoutMs?: number | undefined
  /** The name of the project in PostgreSQL. Default: memctl's id of it, the same for all clones of one origin. */
  readonly projectId?: string | undefined
  /** A folder of the project; default: the current directory. */
  readonly project?: string | undefined
  /** A folder for the project's own store in place of memctl's home. Excludes a URL. */
  readonly store?: string | undefined
  /** The project's own store, opened. @internal */
  readonly openedStore?: Store | undefined
  /** Environment variables for URL, MEMCTL_HOME and the embedder; default: those of the process. */
  readonly env?: Env | undefined
  /** The clock, in milliseconds since 1970; default: that of the process. */
  readonly now?: (() => number) | undefined
}

/** How a connection is used. */
export interface UseOptions {
  /** Whether what was written is committed at the end of `use`; default true. Else only `commit` makes it permanent. */
  readonly autoCommit?: boolean | undefined
}

/** The connection that the classes of the agent-memory specification share. */
export class DatabaseConnection {
  /** The memories of the project's own store, whatever this connects to. @internal */
  readonly projectMemories: ProjectMemories
  /** Where the URL of the database comes from; undefined for the project's own store. */
  readonly urlFrom: 'argument' | 'MEMCTL_DATABASE_URL' | 'DATABASE_URL' | undefined
  readonly #options: ConnectionOptions
  readonly #url: string | undefined
  #opened: Promise<Database> | undefined
  #agentStore: Promise<AgentStore> | undefined
  #isClosed = false

  /** With the URL of a database, or with options. Connects to nothing and reads nothing before the first call. */
  constructor(given: ConnectionOptions | string = {}) {
    const options: ConnectionOptions = typeof given === 'string' ? { databaseUrl: given } : given
    const { databaseUrl, project = '.', store, openedStore, env = processEnv(), now = nowMs } = options
    const opened = openedStore ?? (store === undefined ? openStore(project, env) : openStoreAt(store, project))
    this.projectMemories = new ProjectMemories(opened, env, now)
    const found = databaseUrl === null ? undefined : selectDatabaseUrl(databaseUrl, env)
    this.#url = found?.url
    this.urlFrom = found?.from
    this.#options = options
  }

  /** The project's own store. @internal */
  get store(): Store {
    return this.projectMemories.store
  }

  /** The environment variables that it uses. */
  get env(): Env {
    return this.projectMemories.env
  }

  /** The clock, in milliseconds since 1970. */
  get now(): () => number {
    return this.projectMemories.now
  }

  /**
   * Where the memories of agents are. Throws DATABASE_VERSION if the database has no table for them, and INPUT_INVALID
   * after `close`, or for a store beside the URL of a database. @internal
   */
  agentStore(): Promise<AgentStore> {
    this.#agentStore ??= this.#openAgentStore().catch((error: unknown) => {
      this.#agentStore = undefined // The next call tries again.
      throw error
    })
    return this.#agentStore
  }

  /** Creates or updates the tables in PostgreSQL; returns the steps that were pending: none for the project's store. */
  async migrate({ embeddingDimension: dimension }: Phase1Config = new Phase1Config()): Promise<MigrationStep[]> {
    if (this.#url === undefined) return []
    return [...(await migrate(await this.#openDatabase(this.#url), { dimension }))]
  }

  /** Calls `use` with a connection; what it wrote is committed at its end, and taken back if it throws. */
  async getConnection<T>(
    use: (connection: StoreConnection) => Promise<T> | T,
    { autoCommit = true }: UseOptions = {},
  ): Promise<T> {
    return (await this.agentStore()).connect(use, autoCommit)
  }

  /** Calls `use` with a cursor of a new connection. */
  getCursor<T>(use: (cursor: Cursor) => Promise<T> | T, options?: UseOptions): Promise<T> {
    return this.getConnection((connection) => use(connection.cursor()), options)
  }

  /** Whether the database answers a query, or the project's store can be read; false after `close`. */
  async healthCheck(): Promise<boolean> {
    if (this.#isClosed) return false
    if (this.#url !== undefined) return (await this.#openDatabase(this.#url)).healthCheck()
    try {
      await this.projectMemories.open()
      this.projectMemories.liveStore.memories()
      return true
    } catch {
      return false // Damaged or of a later version: the next call throws the error with its hint.
    }
  }

  /** Afterwards every call throws. The project's store writes a snapshot if much was added to its log. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#agentStore = undefined
    await this.projectMemories.close()
    // One that could not be opened needs no closing.
    const database = await this.#opened?.catch(() => undefined)
    await database?.close()
  }

  /** The same as `close`, for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.close()
  }

  async #openAgentStore(): Promise<AgentStore> {
    if (this.#isClosed) throw closedConnection()
    if (this.#url === undefined) return new EmbeddedStore(this.projectMemories)
    // In place of the project's own store in memctl's home.
    if (this.store.home === undefined) {
      const from = this.urlFrom === 'argument' ? 'databaseUrl' : this.urlFrom
      throw new MemoryError('INPUT_INVALID', `a store is given, and ${from} names a database`, {
        hint: 'Leave out the store to use the database, or give databaseUrl: null to use the store.',
      })
    }
    const projectId = checkName(this.#options.projectId ?? this.store.project.id, 'projectId')
    if (projectId === SHARED_PROJECT) throw invalidValue('projectId', projectId, 'another name')
    return openPostgresStore(await this.#openDatabase(this.#url), projectId, this.projectMemories)
  }

  async #openDatabase(url: string): Promise<Database> {
    if (this.#isClosed) throw closedConnection()
    const { minConnections, maxConnections, statementTimeoutMs } = this.#options
    const options = { url, minConnections, maxConnections, statementTimeoutMs, env: this.env }
    this.#opened ??= openDatabase(options).catch((error: unknown) => {
      this.#opened = undefined // The next call tries again.
      throw error
    })
    return this.#opened
  }
}

let shared: DatabaseConnection | undefined

/** The connection shared by the process: to the environment's database, else to the current directory's project. */
export function getDatabase(): DatabaseConnection {
  shared ??= new DatabaseConnection()
  return shared
}

/** Closes the shared connection; the next `getDatabase` opens another. */
export async function closeDatabase(): Promise<void> {
  const closing = shared
  shared = undefined
  await closing?.close()
}
