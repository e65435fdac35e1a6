// What openMemory takes and returns.
import type { Store } from '../../broker/open/openStore.ts'
import type { RecallQuestion } from '../../broker/search/recallMemories.ts'
import type { CallOptions } from '../../model/longCall.ts'
import type { MemoryKind, Tier } from '../../model/memory.ts'
import type { FoundMemory } from '../../model/recallQuery.ts'
import type { ToolEffect, ToolOutput } from '../../tools/definition/tool.ts'
import type { CallingAgent, Role } from '../../tools/definition/toolContext.ts'
import type { MemoryAgent, MemoryAgentOptions } from '../agentFramework/memoryAgent.ts'
import type { ConnectionOptions, DatabaseConnection } from '../agentMemory/databaseConnection.ts'
import type { ExecutorParts, TaskExecutor } from '../agentMemory/taskExecutor.ts'

/** Which memory `openMemory` opens, and for whom. */
export interface OpenOptions extends Pick<ConnectionOptions, 'project' | 'env' | 'now'> {
  /** A folder for the store; default: the project's folder in memctl's home. */
  readonly store?: string | undefined
  /**
   * The URL of a PostgreSQL for `connection` and `taskExecutor`. Default: MEMCTL_DATABASE_URL, then DATABASE_URL, of
   * `env`; without them, and with `null`, the project's own store. Everything else is in the project's own store.
   */
  readonly databaseUrl?: string | null | undefined
  /** The role that tools are called with; default: owner. */
  readonly role?: Role | undefined
  /** The calling session, 1 to 200 characters: working memories belong to it. Default: no session. */
  readonly session?: string | undefined
  /** The calling agent: it sees what is for its role, and its own private memories. Default: the main conversation. */
  readonly agent?: CallingAgent | undefined
}

/** A tool, as a program can offer it to a model. */
export interface ToolDescription {
  /** The name for `call`, such as memory_search. */
  readonly name: string
  /** A few words for a list of tools. */
  readonly title: string
  /** When to use it, for a model that decides whether to call it. */
  readonly description: string
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** What a call does: it reads; it also counts the use; it adds something; it changes or removes something. */
  readonly effect: ToolEffect
  /** The roles that may call it; undefined for all. */
  readonly roles: readonly Role[] | undefined
}

/** Options of `search`. */
export interface SearchOptions extends CallOptions {
  /** The largest number of memories, 1 to 10,000; default: 20. */
  readonly limit?: number | undefined
  /** Only memories of these kinds; default: all kinds. */
  readonly kinds?: readonly MemoryKind[] | undefined
  /** Only memories of these ages; default: all. */
  readonly tiers?: readonly Tier[] | undefined
}

/** What `organize` and `rebuild` did. */
export interface OrganizeReport {
  /** Ids of the sessions that were organized. */
  readonly organized: readonly string[]
  /** How many memories there are now, without private ones. */
  readonly memories: number
  /** How often the policy has changed, from 0. */
  readonly policyVersion: number
}

/** The memory of one project. Every call returns a promise and rejects with a MemoryError. */
export interface ProjectMemory {
  /** @internal */
  readonly store: Store
  /** The connection for the classes of the agent-memory specification, opened at the first use. */
  readonly connection: DatabaseConnection
  /** All tools for `call`. */
  readonly tools: readonly ToolDescription[]
  /**
   * Handles a payload as the hook does; resolves to the text to inject, empty for none. The event is on disk before
   * the call returns, so that calls that are not awaited keep their order. Rejects with INPUT_INVALID.
   */
  record(payload: Readonly<Record<string, unknown>>): Promise<string>
  /** What a session would be shown for a question, and why; changes nothing. */
  recall(question: string | RecallQuestion, options?: CallOptions): Promise<Recollection>
  /** Memories by words, best first. */
  search(text: string, options?: SearchOptions): Promise<FoundMemory[]>
  /** Calls a tool; resolves to its output, JSON as docs/tools.md describes it. Rejects with the tool's error. */
  call(tool: string, input?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolOutput>
  /** The maintenance that follows a session's end, also for open sessions. Rejects with STORE_BUSY. */
  organize(options?: CallOptions): Promise<OrganizeReport>
  /** Replaces everything derived by what the log gives. Rejects with STORE_BUSY and STORE_INVALID. */
  rebuild(options?: CallOptions): Promise<OrganizeReport>
  /** A task executor of the agent-memory specification for this memory. */
  taskExecutor(parts?: ExecutorParts): TaskExecutor
  /** An agent of the agent-framework specification; its recorder and retriever are by default this memory's. */
  memoryAgent(options?: MemoryAgentOptions): MemoryAgent
  /** Writes a snapshot if much was added to the log, and closes the connection. `await using` calls it too. */
  close(): Promise<void>
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A memory that was ranked and would not be shown. */
export interface CandidateScore {
  /** The id of the memory. */
  readonly id: string
  /** The score; comparable within one result only, and may be below 0. */
  readonly score: number
}

/** What `recall` would show. */
export interface Recollection {
  /** The memories that would be shown, best first. */
  readonly shown: readonly FoundMemory[]
  /** The other candidates, best first. */
  readonly others: readonly CandidateScore[]
  /** The text that would be injected; empty for none. */
  readonly text: string
}
