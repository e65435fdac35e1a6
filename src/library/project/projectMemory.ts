// openMemory: a project's memory for a program that keeps it open.
import { maintainEntries, syncEntriesNow } from '../../broker/entries/entryMaintenance.ts'
import { recordFound } from '../../broker/entries/searchEntries.ts'
import { handlePayload } from '../../broker/handlers/hookHandlers.ts'
import type { LiveStore } from '../../broker/live/liveStore.ts'
import { type MaintenanceReport, runMaintenance } from '../../broker/maintenance/maintenance.ts'
import { rebuildStore } from '../../broker/maintenance/rebuild.ts'
import { refreshRecent } from '../../broker/maintenance/refreshRecent.ts'
import { openStore, openStoreAt } from '../../broker/open/openStore.ts'
import { recallMemories, searchByWords } from '../../broker/search/recallMemories.ts'
import { hasEntries, isMtimeCacheStale } from '../../entries/mtimeCache.ts'
import { assertNotCancelled, asyncDispose, unlessCancelled } from '../../model/longCall.ts'
import { MEMORY_KINDS, TIERS } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { buildJsonSchema } from '../../tools/definition/field.ts'
import { callTool } from '../../tools/definition/invokeTool.ts'
import { createToolContext, ROLES } from '../../tools/definition/toolContext.ts'
import { findTool, TOOLS } from '../../tools/toolRegistry.ts'
import { MemoryAgent } from '../agentFramework/memoryAgent.ts'
import { projectRecorder, projectRetriever } from '../agentFramework/projectRecorder.ts'
import { DatabaseConnection } from '../agentMemory/databaseConnection.ts'
import { createTaskExecutor } from '../agentMemory/taskExecutor.ts'
import { checkName, checkText, checkWhole, invalidValue } from '../checkInput.ts'
import { writeDerivedFiles } from '../derivedFiles.ts'
import { nowMs, processEnv } from '../processDefaults.ts'
import type { OpenOptions, ProjectMemory } from './projectApi.ts'

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
