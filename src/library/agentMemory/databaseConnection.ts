// DatabaseConnection of the agent-memory spec: the connection that all its classes share.
import { openStore, openStoreAt, type Store } from '../../broker/open/openStore.ts'
import { asyncDispose } from '../../model/disposal.ts'
import { type Env, nowMs, processEnv } from '../processDefaults.ts'
import type { AgentStore, Cursor, StoreConnection } from './agentStore.ts'
import { EmbeddedStore } from './embeddedStore.ts'
import { ProjectMemories } from './projectMemories.ts'

export interface ConnectionOptions {
  /** A folder of the project; default: the current directory. */
  readonly project?: string | undefined
  /** A folder for the store in place of memctl's home, or an open store. */
  readonly store?: string | Store | undefined
  /** Environment variables for MEMCTL_HOME and the embedder; default: those of the process. */
  readonly env?: Env | undefined
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

export interface UseOptions {
  /** Whether what was written is committed when `use` has ended; default true. Else only `commit` makes it permanent. */
  readonly autoCommit?: boolean | undefined
}

export class DatabaseConnection {
  /** The project's own memories. */
  readonly projectMemories: ProjectMemories
  readonly #agentStore: AgentStore

  /** Reads nothing before the first call. */
  constructor({ project = '.', store, env = processEnv(), now = nowMs }: ConnectionOptions = {}) {
    const opened =
      store === undefined ? openStore(project, env) : typeof store === 'string' ? openStoreAt(store, project) : store
    this.projectMemories = new ProjectMemories(opened, env, now)
    this.#agentStore = new EmbeddedStore(this.projectMemories)
  }

  get store(): Store {
    return this.projectMemories.store
  }

  get env(): Env {
    return this.projectMemories.env
  }

  /** Milliseconds since 1970. */
  get now(): () => number {
    return this.projectMemories.now
  }

  /** Where the memories of agents are. Throws INPUT_INVALID after `close`. */
  async agentStore(): Promise<AgentStore> {
    return this.#agentStore
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

  /** Whether the store answers. */
  async healthCheck(): Promise<boolean> {
    return (await this.agentStore()).healthCheck()
  }

  /** Afterwards every call throws. The embedded store writes a snapshot if much was added to its log. */
  async close(): Promise<void> {
    await this.#agentStore.close()
  }

  /** The same as `close`, for `await using`. */
  [asyncDispose](): Promise<void> {
    return this.close()
  }
}

let shared: DatabaseConnection | undefined

/** The connection shared by the process, to the project of the current directory. */
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
