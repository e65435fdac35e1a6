// The library's door: a project's memory, opened once and used for as long as the program likes.

import { maintainEntries, syncEntriesNow } from '../../broker/entries/entryMaintenance.ts'
import { handlePayload } from '../../broker/handlers/handlePayload.ts'
import type { LiveStore } from '../../broker/live/liveStore.ts'
import { type MaintenanceReport, runMaintenance } from '../../broker/maintenance/maintenance.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { type RecallRequest, recallMemories, searchByWords } from '../../broker/search/recallMemories.ts'
import { hasEntries, isMtimeCacheStale } from '../../entries/mtimeCache.ts'
import type { MemoryKind } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { RecalledMemory, RecallResult } from '../../model/recallQuery.ts'
import type { Tier } from '../../model/tier.ts'
import { buildJsonSchema } from '../../tools/definition/field.ts'
import type { Role } from '../../tools/definition/role.ts'
import type { ToolOutput } from '../../tools/definition/tool.ts'
import { createToolContext } from '../../tools/definition/toolContext.ts'
import { invokeTool } from '../../tools/invokeTool.ts'
import { findTool, TOOLS } from '../../tools/toolRegistry.ts'
import { MemoryAgent, type MemoryAgentOptions } from '../agentFramework/memoryAgent.ts'
import { projectRecorder, projectRetriever } from '../agentFramework/projectRecorder.ts'
import { createTaskExecutor, type ExecutorParts } from '../agentMemory/createTaskExecutor.ts'
import { type ConnectionOptions, DatabaseConnection } from '../agentMemory/databaseConnection.ts'
import type { TaskExecutor } from '../agentMemory/taskExecutor.ts'

export interface OpenOptions extends ConnectionOptions {
  /** Whose rights its tools have; an owner's where left out. */
  readonly role?: Role | undefined
  /** The session that calls: working memories belong to it. */
  readonly session?: string | undefined
}

/** A tool as a program may show it to a model. */
export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface ProjectMemory {
  readonly store: Store
  readonly connection: DatabaseConnection
  /** Takes a hook's payload as the hook would, and gives what the session is told: empty for silence. Throws INPUT_INVALID. */
  record(payload: Readonly<Record<string, unknown>>): string
  /** What a session would be told about a text, and why; looking changes nothing. */
  recall(question: string | Omit<RecallRequest, 'now'>): RecallResult
  /** Memories by words, best first; 20 where no limit is given. */
  search(text: string, choice?: SearchOptions): RecalledMemory[]
  /** Does now what a session's end does, for every session that is open too. Throws STORE_BUSY. */
  organize(): MaintenanceReport
  /** Every tool that `call` knows. */
  readonly tools: readonly ToolDescription[]
  /** Calls a tool: its answer as the document has it. Throws MemoryError where the tool would answer with an error. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<ToolOutput>
  /** Seed 000's door over this memory. */
  taskExecutor(parts?: ExecutorParts): TaskExecutor
  /** Seed 004's door; recorder and retriever are this memory's where left out. */
  memoryAgent(options?: MemoryAgentOptions): MemoryAgent
  /** Writes what the log has outgrown. */
  close(): void
}

export interface SearchOptions {
  readonly limit?: number | undefined
  readonly kinds?: readonly MemoryKind[] | undefined
  readonly tiers?: readonly Tier[] | undefined
}

const SEARCHED = 20

/** Opens the memory of a project. Reads nothing before it is asked. */
export function openMemory(options: OpenOptions = {}): ProjectMemory {
  const connection = new DatabaseConnection(options)
  const { store, env, now } = connection
  const context = createToolContext({ store, role: options.role ?? 'owner', session: options.session, env, now })
  const own = () => ({ recorder: projectRecorder(connection), retriever: projectRetriever(connection) })
  const liveStore = (): LiveStore => context.liveStore
  /** What somebody has written into an entry's file is known before it is asked for. */
  const fresh = (): void => {
    if (isMtimeCacheStale(store)) syncEntriesNow(store, now())
  }
  return {
    store,
    connection,
    record: (payload) => handlePayload(store, payload, now()).context ?? '',
    recall(question) {
      fresh()
      return recallMemories(
        store,
        { ...(typeof question === 'string' ? { text: question } : question), now: now() },
        liveStore,
      )
    },
    search(text, { limit = SEARCHED, kinds, tiers } = {}) {
      fresh()
      return searchByWords(store, { text, limit, kinds, tiers, now: now() }, liveStore)
    },
    organize() {
      if (hasEntries(store)) maintainEntries(store, env, now())
      const report = runMaintenance(store, { now: now(), sessions: 'all' })
      if (!report.busy) return report
      throw new MemoryError('STORE_BUSY', `${store.layout.folder} is being written by another process`, {
        hint: 'Try again in a minute; what is recorded meanwhile is kept.',
      })
    },
    tools: TOOLS.map(({ name, title, description, input }) => ({
      name,
      title,
      description,
      inputSchema: buildJsonSchema(input),
    })),
    async call(name, input = {}) {
      const tool = findTool(name)
      if (!tool) throw unknownTool(name)
      const called = await invokeTool(tool, input, context)
      if (called.kind === 'failure') throw called.cause
      return called.output
    },
    taskExecutor: (parts) => createTaskExecutor(connection, parts),
    memoryAgent: (given) => new MemoryAgent(given, own),
    close() {
      context.close()
      connection.close()
    },
  }
}

const unknownTool = (name: string): MemoryError =>
  new MemoryError('NOT_FOUND', `there is no tool ${JSON.stringify(name)}`, {
    hint: `There is ${TOOLS.map((tool) => tool.name).join(', ')}.`,
  })
