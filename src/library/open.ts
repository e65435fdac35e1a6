// The library's door: a project's memory, opened once and used for as long as the program likes.

import type { Desk } from '../broker/desk.ts'
import { settleEntries, takeUpNow } from '../broker/entries/settle.ts'
import { handled } from '../broker/handle.ts'
import { ask, type Question, search } from '../broker/search/ask.ts'
import type { Store } from '../broker/store.ts'
import { type UpkeepReport, upkeep } from '../broker/upkeep.ts'
import { hasEntries, haveChanged } from '../entries/stamps.ts'
import type { Recall, Scored } from '../model/cue.ts'
import { MemoryError } from '../model/errors.ts'
import type { Kind } from '../model/memory.ts'
import type { Tier } from '../model/tier.ts'
import { call } from '../tools/call.ts'
import { schemaOf } from '../tools/field.ts'
import { TOOLS, toolNamed } from '../tools/registry.ts'
import type { Role } from '../tools/role.ts'
import type { Answer } from '../tools/tool.ts'
import { worldOf } from '../tools/world.ts'
import { MemoryAgent, type MemoryAgentOptions } from './agent/memoryAgent.ts'
import { ownRecorder, ownRetriever } from './agent/ownMemory.ts'
import { type ConnectionOptions, DatabaseConnection } from './strength/connection.ts'
import { type ExecutorParts, taskExecutorOn } from './strength/executorOn.ts'
import type { TaskExecutor } from './strength/taskExecutor.ts'

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
  recall(question: string | Omit<Question, 'now'>): Recall
  /** Memories by words, best first; 20 where no limit is given. */
  search(text: string, choice?: SearchChoice): Scored[]
  /** Does now what a session's end does, for every session that is open too. Throws STORE_BUSY. */
  organize(): UpkeepReport
  /** Every tool that `call` knows. */
  readonly tools: readonly ToolDescription[]
  /** Calls a tool: its answer as the document has it. Throws MemoryError where the tool would answer with an error. */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<Answer>
  /** Seed 000's door over this memory. */
  taskExecutor(parts?: ExecutorParts): TaskExecutor
  /** Seed 004's door; recorder and retriever are this memory's where left out. */
  memoryAgent(options?: MemoryAgentOptions): MemoryAgent
  /** Writes what the log has outgrown. */
  close(): void
}

export interface SearchChoice {
  readonly limit?: number | undefined
  readonly kinds?: readonly Kind[] | undefined
  readonly tiers?: readonly Tier[] | undefined
}

const SEARCHED = 20

/** Opens the memory of a project. Reads nothing before it is asked. */
export function openMemory(options: OpenOptions = {}): ProjectMemory {
  const connection = new DatabaseConnection(options)
  const { store, env, now } = connection
  const world = worldOf({ store, role: options.role ?? 'owner', session: options.session, env, now })
  const own = () => ({ recorder: ownRecorder(connection), retriever: ownRetriever(connection) })
  const liveStore = (): Desk => world.desk
  /** What somebody has written into an entry's file is known before it is asked for. */
  const fresh = (): void => {
    if (haveChanged(store)) takeUpNow(store, now())
  }
  return {
    store,
    connection,
    record: (payload) => handled(store, payload, now()).context ?? '',
    recall(question) {
      fresh()
      return ask(store, { ...(typeof question === 'string' ? { text: question } : question), now: now() }, liveStore)
    },
    search(text, { limit = SEARCHED, kinds, tiers } = {}) {
      fresh()
      return search(store, { text, limit, kinds, tiers, now: now() }, liveStore)
    },
    organize() {
      if (hasEntries(store)) settleEntries(store, env, now())
      const report = upkeep(store, { now: now(), sessions: 'all' })
      if (!report.busy) return report
      throw new MemoryError('STORE_BUSY', `${store.layout.folder} is being written by another process`, {
        mend: 'Try again in a minute; what is recorded meanwhile is kept.',
      })
    },
    tools: TOOLS.map(({ name, title, description, input }) => ({
      name,
      title,
      description,
      inputSchema: schemaOf(input),
    })),
    async call(name, input = {}) {
      const tool = toolNamed(name)
      if (!tool) throw unknownTool(name)
      const called = await call(tool, input, world)
      if (called.kind === 'failure') throw called.cause
      return called.answer
    },
    taskExecutor: (parts) => taskExecutorOn(connection, parts),
    memoryAgent: (given) => new MemoryAgent(given, own),
    close() {
      world.end()
      connection.close()
    },
  }
}

const unknownTool = (name: string): MemoryError =>
  new MemoryError('NOT_FOUND', `there is no tool ${JSON.stringify(name)}`, {
    mend: `There is ${TOOLS.map((tool) => tool.name).join(', ')}.`,
  })
