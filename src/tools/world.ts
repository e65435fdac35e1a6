// The world of a tool's call: the memories it works on, who calls, and what a pure function lacks: clock and chance.
import { randomUUID } from 'node:crypto'
import { type Desk, openDesk } from '../broker/desk.ts'
import { globalStoreOf, type Scribe, scribeOf } from '../broker/entries/scribe.ts'
import type { Store } from '../broker/store.ts'
import type { Layer } from '../entries/entry.ts'
import type { Happening } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import type { Role } from './role.ts'

export interface World {
  readonly store: Store
  /** The project's memories with everything the log has, opened when first asked for. */
  readonly desk: Desk
  /** Whether it has been asked for. */
  readonly isOpen: boolean
  /** The caller's rights: what the door was opened with, never what a call says of itself. */
  readonly role: Role
  /** The session that calls, where the door knows: working memories belong to it. */
  readonly session: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly newId: () => MemoryId
  /** Appends what happened to the project's log, in the name of the caller's session, and folds it. */
  readonly tell: (happening: Happening) => void
  /** Who writes a layer's entries down: at the project's desk or the global one, in the name of an agent where it says one. */
  readonly scribe: (layer: Layer, agentId?: string) => Scribe
  /** To be called when the caller is done: what the log has outgrown is written anew. */
  readonly end: () => void
}

export interface WorldOptions {
  readonly store: Store
  readonly role: Role
  readonly session?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
  /** UUIDs by chance where left out. */
  readonly newId?: (() => MemoryId) | undefined
}

export function worldOf({ store, role, session, env, now, newId = byChance }: WorldOptions): World {
  let desk: Desk | undefined
  let global: Desk | undefined
  return {
    ...{ store, role, session, env, now, newId },
    get desk() {
      desk ??= openDesk(store)
      return desk
    },
    get isOpen() {
      return desk !== undefined
    },
    tell(happening) {
      this.desk.tell(happening, { now: now(), nonce: newId(), session })
    },
    scribe(layer, agentId) {
      if (layer === 'global') global ??= openDesk(globalStoreOf(store))
      const told = { now: now(), nonce: newId, session, agentId }
      return scribeOf(layer === 'global' ? global! : this.desk, told)
    },
    end() {
      desk?.settle(now())
      global?.settle(now())
    },
  }
}

const byChance = (): MemoryId => randomUUID() as MemoryId
