// The context of a tool call: the store, the caller with its role, the clock and new ids.
import { randomUUID } from 'node:crypto'
import { sanitize } from '../../broker/commands/newMemory.ts'
import type { StatementWriter } from '../../broker/commands/statements.ts'
import { createEntryWriter, type EntryWriter } from '../../broker/entries/syncEntries.ts'
import { type LiveStore, openLiveStore, type ViewingSession } from '../../broker/live/liveStore.ts'
import { openGlobalStore, type Store } from '../../broker/open/openStore.ts'
import type { EntryLayer } from '../../entries/entry.ts'
import type { MemoryId } from '../../model/id.ts'
import { assertNotCancelled } from '../../model/longCall.ts'

export interface ToolContext extends StatementWriter {
  readonly store: Store
  /** The live stores that were used. */
  readonly openedStores: readonly LiveStore[]
  /** The caller's role; a call cannot change it. */
  readonly role: Role
  /** The calling agent; undefined for the main conversation. A call cannot change it. */
  readonly agent: CallingAgent | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly newId: () => MemoryId
  /** The writer of a layer's entries, for an agent if `agentId` names one. */
  readonly entryWriter: (layer: EntryLayer, agentId?: string) => EntryWriter
  /** The same context for one call that `signal` can cancel, of this agent. What is cancelled writes nothing. */
  readonly forCall: (signal: AbortSignal, agent?: CallingAgent) => ToolContext
  /** The signal of `forCall`. */
  readonly signal: AbortSignal | undefined
  /** Throws CANCELLED if the caller does not want an answer any more. */
  readonly assertNotCancelled: () => void
  /** To be called when the caller is done: writes a snapshot if the log has grown large. */
  readonly close: () => void
}

/** A subagent, or an agent of a program. */
export interface CallingAgent {
  /** The name by which the agent is known, 1 to 200 characters. */
  readonly agentId: string
  /** Its role, such as reviewer; 1 to 200 characters. */
  readonly role: string
}

/** The caller and the time, which decide what the caller may see. */
export const viewingSession = ({ session, agent, now }: ToolContext): ViewingSession => ({
  session,
  role: agent?.role,
  agentId: agent?.agentId,
  now: now(),
})

/** The main conversation calls by default, and new ids are random UUIDs. */
type ToolContextOptions = Pick<ToolContext, 'store' | 'role' | 'env' | 'now'> &
  Partial<Pick<ToolContext, 'session' | 'isForAgent' | 'agent' | 'newId'>>

export function createToolContext(options: ToolContextOptions): ToolContext {
  const { store, isForAgent, agent, now, newId = () => randomUUID() as MemoryId } = options
  const session = sanitize(options.session)
  let project: LiveStore | undefined
  let global: LiveStore | undefined
  const projectStore = () => (project ??= openLiveStore(store, now))
  const globalStore = () => (global ??= openLiveStore(openGlobalStore(store)))
  const contextFor = (caller: CallingAgent | undefined, signal?: AbortSignal): ToolContext => ({
    ...options,
    session,
    isForAgent,
    agent: sanitize(caller),
    newId,
    signal,
    get liveStore() {
      return projectStore()
    },
    assertNotCancelled: () => assertNotCancelled(signal),
    commit(body) {
      this.assertNotCancelled()
      projectStore().commit(body, { now: now(), nonce: newId(), session })
    },
    entryWriter(layer, agentId) {
      this.assertNotCancelled()
      const liveStore = layer === 'global' ? globalStore() : projectStore()
      return createEntryWriter(liveStore, { now: now(), nonce: newId, session, agentId })
    },
    get openedStores() {
      return [project, global].filter((liveStore) => liveStore !== undefined)
    },
    close() {
      for (const liveStore of this.openedStores) liveStore.close(now())
    },
    forCall: (cancel, by = caller) => contextFor(by, cancel),
  })
  return contextFor(agent)
}

export const ROLES = ['worker', 'admin', 'owner'] as const

/** The role of a tool's caller, from the fewest rights to the most. */
export type Role = (typeof ROLES)[number]
