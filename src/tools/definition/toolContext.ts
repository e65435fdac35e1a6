// The world of a tool's call: the memories it works on, who calls, and what a pure function lacks: clock and chance.
import { randomUUID } from 'node:crypto'
import { createEntryWriter, type EntryWriter, openGlobalStore } from '../../broker/entries/entryWriter.ts'
import { type LiveStore, openLiveStore } from '../../broker/live/liveStore.ts'
import type { Store } from '../../broker/open/openStore.ts'
import type { EntryLayer } from '../../entries/entry.ts'
import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Role } from './role.ts'

export interface ToolContext {
  readonly store: Store
  /** The project's memories with everything the log has, opened when first asked for. */
  readonly liveStore: LiveStore
  /** Whether it has been asked for. */
  readonly isLiveStoreOpen: boolean
  /** The caller's rights: what the door was opened with, never what a call says of itself. */
  readonly role: Role
  /** The session that calls, where the door knows: working memories belong to it. */
  readonly session: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => MemoryId
  /** Appends what happened to the project's log, in the name of the caller's session, and folds it. */
  readonly commit: (body: EventBody) => void
  /** Who writes a layer's entries down: at the project's desk or the global one, in the name of an agent where it says one. */
  readonly entryWriter: (layer: EntryLayer, agentId?: string) => EntryWriter
  /** To be called when the caller is done: what the log has outgrown is written anew. */
  readonly close: () => void
}

export interface ToolContextOptions {
  readonly store: Store
  readonly role: Role
  readonly session?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  /** UUIDs by chance where left out. */
  readonly newId?: (() => MemoryId) | undefined
}

export function createToolContext({
  store,
  role,
  session,
  env,
  now,
  newId = byChance,
}: ToolContextOptions): ToolContext {
  let desk: LiveStore | undefined
  let global: LiveStore | undefined
  return {
    ...{ store, role, session, env, now, newId },
    get liveStore() {
      desk ??= openLiveStore(store)
      return desk
    },
    get isLiveStoreOpen() {
      return desk !== undefined
    },
    commit(body) {
      this.liveStore.commit(body, { now: now(), nonce: newId(), session })
    },
    entryWriter(layer, agentId) {
      if (layer === 'global') global ??= openLiveStore(openGlobalStore(store))
      const told = { now: now(), nonce: newId, session, agentId }
      return createEntryWriter(layer === 'global' ? global! : this.liveStore, told)
    },
    close() {
      desk?.snapshotIfLarge(now())
      global?.snapshotIfLarge(now())
    },
  }
}

const byChance = (): MemoryId => randomUUID() as MemoryId
