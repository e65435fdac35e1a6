// AgentStore: what the classes of the agent-memory spec need of a store. Two implement it: the project's own store
// (embeddedStore.ts) and PostgreSQL (postgresStore.ts). One contract suite tests both.
import type { QueryResult } from '../../database/connectionPool.ts'
import type { EventBody } from '../../model/event.ts'
import type { CallOptions } from '../../model/longCall.ts'
import type { MemoryStatus } from '../../model/memory.ts'
import type { StrengthChange } from '../../model/strength.ts'
import type { AgentMemory, AgentRow } from './agentMemory.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { Phase1Config } from './phase1Config.ts'

/** Texts in one request to an embedder. */
export const EMBED_BATCH = 96

/** Which memories of one agent, and in which order. */
export interface AgentQuery {
  /** The agent whose memories it lists. */
  readonly agentId: string
  /** Active or archived ones. */
  readonly status: MemoryStatus
  /** Newest first, or weakest first; of equally weak ones the oldest first. */
  readonly order: 'newest' | 'weakest'
  /** The largest number of memories, from 0; default: all. */
  readonly limit?: number | undefined
  /** Leaves out memories that are stronger, 0 to 1,000,000,000. */
  readonly strengthMax?: number | undefined
  /** The store may leave the vectors out: they are most of a row, and few callers need them. */
  readonly withoutVectors?: boolean | undefined
}

/** One change of some memories, as a `StrengthChange` of each. The level follows from the uses after the change. */
export interface AgentChange extends Omit<StrengthChange, 'memory' | 'strengthTo' | 'kept' | 'level'> {
  /** Replaces the strength, 0 to 1,000,000,000: of all by one number, or of each by its own. */
  readonly strengthTo?: number | ReadonlyMap<string, number> | undefined
  /** Decay: the share of strength that each consolidation level retains, 0 to 1, from level 0. */
  readonly keptByLevel?: readonly number[] | undefined
  /** The number of uses at which each level begins. Alone it changes only memories of another level. */
  readonly levelUses?: readonly number[] | undefined
  /** Changes only memories with this status. */
  readonly only?: MemoryStatus | undefined
}

/** A memory and its cosine similarity to the query, 0 to 1. */
export type SearchCandidate = readonly [memory: AgentMemory, similarity: number]

/** A search among the active memories that an agent may use: its own, those of its domains, and universal ones. */
export interface AgentSearch extends CallOptions {
  /** The agent that searches. */
  readonly agentId: string
  /** A text, or its vector. */
  readonly query: string | readonly number[]
  /** Makes the vectors of texts; default: the embedder in memctl's config. */
  readonly client?: EmbeddingClient | undefined
  /** The embedding model, its dimension and the related domains. */
  readonly config: Phase1Config
  /** The lowest similarity, 0 to 1. */
  readonly threshold: number
  /** The largest number of memories, from 0. */
  readonly limit: number
}

/** The counts of one sleep phase, and what failed, one text for each step. */
export type SleepRecord = Omit<Extract<EventBody, { readonly kind: 'agent.slept' }>, 'kind'>

/** Runs SQL. Parameters are `$1`, `$2`, … or `%s` in their order. */
export interface Cursor {
  /** Throws INPUT_INVALID if the store cannot run it. */
  execute(sql: string, parameters?: readonly unknown[]): Promise<void>
  /** The rows of the last statement that were not fetched yet. */
  fetchAll(): Promise<readonly AgentRow[]>
  /** The next row of the last statement; null after the last one. */
  fetchOne(): Promise<AgentRow | null>
  /** How many rows the last statement returned or changed. */
  readonly rowCount: number
}

/** A cursor over the rows that `run` returns for a statement with its parameters. */
export function createCursor(
  run: (sql: string, parameters?: readonly unknown[]) => Promise<QueryResult<AgentRow>>,
): Cursor {
  let result: QueryResult<AgentRow> = { rows: [], rowCount: 0 }
  let next = 0
  return {
    async execute(sql, parameters) {
      result = await run(sql, parameters)
      next = 0
    },
    async fetchAll() {
      const rest = result.rows.slice(next)
      next = result.rows.length
      return rest
    },
    async fetchOne() {
      return result.rows[next++] ?? null
    },
    get rowCount() {
      return result.rowCount
    },
  }
}

/** One connection of a store. */
export interface StoreConnection {
  /** A cursor for SQL on this connection. */
  cursor(): Cursor
  /** Makes what was written until now permanent. */
  commit(): Promise<void>
  /** Takes back what was written since the last commit. */
  rollback(): Promise<void>
}

/** Memories of agents. Texts are stored without secrets and private parts. */
export interface AgentStore {
  /** Stores a new memory and returns it as stored; undefined if its id exists. `model` made its vector. */
  insert(memory: AgentMemory, model: string): Promise<AgentMemory | undefined>
  /** The memories of these ids, archived or not, in the order of the ids; unknown ones are left out. */
  get(ids: readonly string[]): Promise<AgentMemory[]>
  /** The memories that match, in the order of the query. */
  list(query: AgentQuery): Promise<AgentMemory[]>
  /** How many memories of this status an agent has. */
  count(agentId: string, status: MemoryStatus): Promise<number>
  /** Replaces the memory with this id and returns it as stored; undefined if there is none. */
  replace(memory: AgentMemory, model: string): Promise<AgentMemory | undefined>
  /** Applies one change to each of these memories; returns how many it changed. */
  change(ids: readonly string[], change: AgentChange): Promise<number>
  /** The most similar memories, most similar first; of equally similar ones the newest first. */
  search(search: AgentSearch): Promise<SearchCandidate[]>
  /** How many memories reach the threshold, without the limit. */
  countSimilar(search: Omit<AgentSearch, 'limit'>): Promise<number>
  /** Records that a sleep phase has ended. */
  logSleep(record: SleepRecord): Promise<void>
  /** Calls `use` with one connection. What it wrote is committed at the end, or taken back if `use` throws. */
  connect<T>(use: (connection: StoreConnection) => Promise<T> | T, autoCommit: boolean): Promise<T>
}
