// openMemory: a project's memory for a program that keeps it open.
import { maintainEntries, syncEntriesNow } from '../../broker/entries/entryMaintenance.ts'
import { handlePayload } from '../../broker/handlers/handlePayload.ts'
import type { LiveStore } from '../../broker/live/liveStore.ts'
import { type MaintenanceReport, runMaintenance } from '../../broker/maintenance/maintenance.ts'
import { refreshRecent } from '../../broker/maintenance/refreshRecent.ts'
import type { Store } from '../../broker/open/openStore.ts'
import { type RecallRequest, recallMemories, searchByWords } from '../../broker/search/recallMemories.ts'
import { hasEntries, isMtimeCacheStale } from '../../entries/mtimeCache.ts'
import { MEMORY_KINDS, type MemoryKind } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { RecalledMemory, RecallResult } from '../../model/recallQuery.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { buildJsonSchema } from '../../tools/definition/field.ts'
import { ROLES, type Role } from '../../tools/definition/role.ts'
import type { ToolOutput } from '../../tools/definition/tool.ts'
import { type CallingAgent, createToolContext } from '../../tools/definition/toolContext.ts'
import { invokeTool } from '../../tools/invokeTool.ts'
import { findTool, TOOLS } from '../../tools/toolRegistry.ts'
import { MemoryAgent, type MemoryAgentOptions } from '../agentFramework/memoryAgent.ts'
import { projectRecorder, projectRetriever } from '../agentFramework/projectRecorder.ts'
import { type ConnectionOptions, DatabaseConnection } from '../agentMemory/databaseConnection.ts'
import { createTaskExecutor, type ExecutorParts, type TaskExecutor } from '../agentMemory/taskExecutor.ts'
import { checkName, checkText, checkWhole, invalidValue } from '../checkInput.ts'

export interface OpenOptions extends ConnectionOptions {
  /** The role that tools are called with; default owner. */
  readonly role?: Role | undefined
  /** The calling session: working memories belong to it. */
  readonly session?: string | undefined
  /** The calling agent: it sees what is for its role, and its own private memories. Default: the main conversation. */
  readonly agent?: CallingAgent | undefined
}

/** A tool, as a program can offer it to a model. */
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
  /** Handles a payload like the hook does; returns the text to inject, empty for none. Throws INPUT_INVALID. */
  record(payload: Readonly<Record<string, unknown>>): string
  /** What a session would be shown for a query, and why; changes nothing. */
  recall(query: string | Omit<RecallRequest, 'now'>): RecallResult
  /** Memories by words, best first; 20 by default. */
  search(text: string, options?: SearchOptions): RecalledMemory[]
  /** Runs the maintenance that follows a session's end, also for open sessions. Throws STORE_BUSY. */
  organize(): MaintenanceReport
  /** The tools for `call`. */
  readonly tools: readonly ToolDescription[]
  /** Calls a tool; returns its output as specified. Throws MemoryError if the tool fails. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<ToolOutput>
  /** The task executor of the agent-memory spec for this memory. */
  taskExecutor(parts?: ExecutorParts): TaskExecutor
  /** The agent of the agent-framework spec; recorder and retriever are by default this memory's. */
  memoryAgent(options?: MemoryAgentOptions): MemoryAgent
  /** Writes a snapshot if much was added to the log. */
  close(): void
}

export interface SearchOptions {
  readonly limit?: number | undefined
  readonly kinds?: readonly MemoryKind[] | undefined
  readonly tiers?: readonly Tier[] | undefined
}

const SEARCH_LIMIT_DEFAULT = 20
const SEARCH_LIMIT_MAX = 10_000

/** Opens the memory of a project. Reads nothing before the first call. */
export function openMemory(options: OpenOptions = {}): ProjectMemory {
  checkOptions(options)
  const connection = new DatabaseConnection(options)
  const { store, env, now } = connection
  const { agent, session } = options
  const context = createToolContext({ store, role: options.role ?? 'owner', session: options.session, agent, env, now })
  const agentDefaults = () => ({ recorder: projectRecorder(connection), retriever: projectRetriever(connection) })
  const liveStore = (): LiveStore => context.liveStore
  /** Reads entry files that were changed. */
  const syncEntries = (): void => {
    if (isMtimeCacheStale(store)) syncEntriesNow(store, now())
  }
  return {
    store,
    connection,
    record(payload) {
      const { context: text = '', refresh } = handlePayload(store, payload, now())
      // If another process holds the lock, the next refresh has this event too.
      if (refresh) refreshRecent(store, now())
      return text
    },
    recall(query) {
      syncEntries()
      const request = typeof query === 'string' ? { text: query } : query
      if (typeof request !== 'object' || request === null) throw invalidValue('query', request, 'a text or an object')
      if (request.text !== undefined) checkText(request.text, 'query.text')
      return recallMemories(store, { ...agent, session, ...request, now: now() }, liveStore)
    },
    search(text, { limit = SEARCH_LIMIT_DEFAULT, kinds, tiers } = {}) {
      checkText(text, 'text')
      checkWhole(limit, 'limit', { min: 1, max: SEARCH_LIMIT_MAX })
      checkChoices('kinds', kinds, MEMORY_KINDS)
      checkChoices('tiers', tiers, TIERS)
      syncEntries()
      return searchByWords(
        store,
        { ...agent, text, limit, kinds, tiers, viewerSession: session, now: now() },
        liveStore,
      )
    },
    organize() {
      if (hasEntries(store)) maintainEntries(store, env, now())
      const report = runMaintenance(store, { now: now(), sessions: 'all' })
      if (!report.busy) return report
      throw new MemoryError('STORE_BUSY', `${store.layout.folder} is being written by another process`, {
        hint: 'Try again in a minute; nothing recorded in the meantime is lost.',
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
      const result = await invokeTool(tool, input, context)
      if (result.kind === 'failure') throw result.cause
      return result.output
    },
    taskExecutor: (parts) => createTaskExecutor(connection, parts),
    memoryAgent: (options) => new MemoryAgent(options, agentDefaults),
    close() {
      context.close()
      connection.close()
    },
  }
}

/** Throws INPUT_INVALID: a session or an agent that is not a text would be written into every event. */
function checkOptions({ role, session, agent }: OpenOptions): void {
  if (role !== undefined && !ROLES.includes(role)) throw invalidValue('role', role, `one of ${ROLES.join(', ')}`)
  if (session !== undefined) checkName(session, 'session')
  if (agent === undefined) return
  checkName(agent?.agentId, 'agent.agentId')
  checkName(agent.role, 'agent.role')
}

function checkChoices(name: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (Array.isArray(value) && value.every((item) => choices.includes(item)))) return
  throw invalidValue(name, value, `a list of ${choices.join(', ')}`)
}

const unknownTool = (name: string): MemoryError =>
  new MemoryError('NOT_FOUND', `there is no tool ${JSON.stringify(name)}`, {
    hint: `Tools: ${TOOLS.map((tool) => tool.name).join(', ')}.`,
  })
