// openMemory: a project's memory for a program that keeps it open.
import { maintainEntries, syncEntriesNow } from '../../broker/entries/entryMaintenance.ts'
import { recordFound } from '../../broker/entries/searchEntries.ts'
import { handlePayload } from '../../broker/handlers/hookHandlers.ts'
import type { LiveStore } from '../../broker/live/liveStore.ts'
import { type MaintenanceReport, runMaintenance } from '../../broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../broker/maintenance/refreshRecent.ts'
import { openStore, openStoreAt, type Store } from '../../broker/open/openStore.ts'
import { type RecallQuestion, recallMemories, searchByWords } from '../../broker/search/recallMemories.ts'
import { hasEntries, isMtimeCacheStale } from '../../entries/entryDirs.ts'
import { assertNotCancelled, asyncDispose, type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import { MEMORY_KINDS, type MemoryKind, TIERS, type Tier } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { FoundMemory } from '../../model/recallQuery.ts'
import { buildJsonSchema } from '../../tools/definition/field.ts'
import { callTool } from '../../tools/definition/invokeTool.ts'
import type { ToolEffect, ToolOutput } from '../../tools/definition/tool.ts'
import { type CallingAgent, createToolContext, ROLES, type Role } from '../../tools/definition/toolContext.ts'
import { findTool, TOOLS } from '../../tools/toolRegistry.ts'
import { MemoryAgent, type MemoryAgentOptions } from '../agentFramework/memoryAgent.ts'
import { projectRecorder, projectRetriever } from '../agentFramework/memoryProcess.ts'
import { type ConnectionOptions, DatabaseConnection } from '../agentMemory/databaseConnection.ts'
import { createTaskExecutor, type ExecutorParts, type TaskExecutor } from '../agentMemory/taskExecutor.ts'
import { checkName, checkText, checkWhole, invalidValue } from '../checkInput.ts'
import { writeDerivedFiles } from '../derivedFiles.ts'
import { nowMs, processEnv } from '../processDefaults.ts'

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

const SEARCH_LIMIT_DEFAULT = 20
const SEARCH_LIMIT_MAX = 10_000

/**
 * Opens the memory of a project. Reads nothing before the first call. Throws INPUT_INVALID for an option of the wrong
 * type.
 */
export function openMemory(options: OpenOptions = {}): ProjectMemory {
  checkOptions(options)
  const { project = '.', store: folder, databaseUrl, role = 'owner' } = options
  const { env = processEnv(), now = nowMs } = options
  const store = folder === undefined ? openStore(project, env) : openStoreAt(folder, project)
  const context = createToolContext({ store, role, session: options.session, agent: options.agent, env, now })
  const { session, agent } = context
  let connection: DatabaseConnection | undefined
  const openConnection = (): DatabaseConnection => {
    connection ??= new DatabaseConnection({ databaseUrl, openedStore: store, env, now })
    return connection
  }
  const liveStore = (): LiveStore => context.liveStore
  /** Reads entry files that were changed. */
  const syncEntries = (): void => {
    if (isMtimeCacheStale(store)) syncEntriesNow(store, now())
  }
  const close = async (): Promise<void> => {
    for (const liveStore of context.openedStores) await writeDerivedFiles(liveStore, now())
    await connection?.close()
  }
  return {
    store,
    get connection() {
      return openConnection()
    },
    async record(payload) {
      const { context: text = '', refresh } = handlePayload(store, payload, now())
      // If another process holds the lock, the next refresh has this event too.
      if (refresh) refreshRecent(store, now())
      return text
    },
    async recall(question, { signal } = {}) {
      assertNotCancelled(signal)
      const request = typeof question === 'string' ? { text: question } : question
      if (typeof request !== 'object' || request === null)
        throw invalidValue('question', request, 'a text or an object')
      if (request.text !== undefined) checkText(request.text, 'question.text')
      syncEntries()
      const recalled = recallMemories(store, { ...agent, session, ...request, now: now() }, liveStore)
      recordFound(store, recalled.shown, now())
      return recalled
    },
    async search(text, { limit = SEARCH_LIMIT_DEFAULT, kinds, tiers, signal } = {}) {
      assertNotCancelled(signal)
      checkText(text, 'text')
      checkWhole(limit, 'limit', { min: 1, max: SEARCH_LIMIT_MAX })
      checkChoices('kinds', kinds, MEMORY_KINDS)
      checkChoices('tiers', tiers, TIERS)
      syncEntries()
      const query = { ...agent, text, limit, kinds, tiers, viewerSession: session, now: now() }
      const found = searchByWords(store, query, liveStore)
      recordFound(store, found, now())
      return found
    },
    async organize({ signal } = {}) {
      assertNotCancelled(signal)
      if (hasEntries(store)) maintainEntries(store, env, now())
      return unlessBusy(runMaintenance(store, { now: now(), sessions: 'all' }))
    },
    async rebuild({ signal } = {}) {
      assertNotCancelled(signal)
      return unlessBusy(rebuildStore(store, now()))
    },
    tools: TOOLS.map(({ name, title, description, input, effect, roles }) => {
      return { name, title, description, inputSchema: buildJsonSchema(input), effect, roles }
    }),
    async call(name, input = {}, { signal } = {}) {
      const tool = findTool(name)
      if (!tool)
        throw new MemoryError('NOT_FOUND', `there is no tool ${JSON.stringify(name)}`, {
          hint: `Tools: ${TOOLS.map((one) => one.name).join(', ')}.`,
        })
      return unlessCancelled(signal, () => callTool(tool, input, signal ? context.forCall(signal) : context))
    },
    taskExecutor: (parts) => createTaskExecutor(openConnection(), parts),
    memoryAgent: (given = {}) =>
      new MemoryAgent({
        ...given,
        recorder: given.recorder ?? projectRecorder(context),
        retriever: given.retriever ?? projectRetriever(context),
      }),
    close,
    [asyncDispose]: close,
  }

  function unlessBusy(report: MaintenanceReport): MaintenanceReport {
    if (!report.busy) return report
    throw new MemoryError('STORE_BUSY', `${store.layout.folder} is being written by another process`, {
      hint: 'Try again in a minute; nothing recorded in the meantime is lost.',
    })
  }
}

/** Throws INPUT_INVALID: a session or an agent that is not a text would be written into every event. */
function checkOptions(options: OpenOptions): void {
  if (Object(options) !== options) throw invalidValue('options', options, 'an object such as { project: FOLDER }')
  const { role, session, agent } = options
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
