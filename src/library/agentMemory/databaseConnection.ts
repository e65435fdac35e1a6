// DatabaseConnection: where the memories of seed 000's classes lie. The document's PostgreSQL is here the project's own store.
import { SYSTEM_SESSION } from '../../broker/commit/systemEvent.ts'
import { openGlobalStore } from '../../broker/entries/entryWriter.ts'
import { type LiveStore, openLiveStore } from '../../broker/live/liveStore.ts'
import { visibilityFilter } from '../../broker/live/visibility.ts'
import { openStore, openStoreAt, type Store } from '../../broker/open/openStore.ts'
import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { StrengthChange } from '../../model/strength.ts'
import { type Env, newUuid, nowMs, processEnv } from '../processDefaults.ts'
import { toAgentMemory } from './agentMemoryAdapter.ts'
import type { AgentRow } from './agentRow.ts'
import {
  isFromOtherProject,
  isShared,
  mergeCopies,
  publishCopy,
  type SharedCopies,
  stripOrigin,
  syncCopies,
} from './sharedMemories.ts'

export interface ConnectionOptions {
  /** A folder of the project; where the process works where left out. */
  readonly project?: string | undefined
  /** A folder of its own for the store, in place of memctl's home; or a store that is at hand. */
  readonly store?: string | Store | undefined
  /** Where MEMCTL_HOME and the embedder's names are looked up; the process's own where left out. */
  readonly env?: Env | undefined
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
}

/** What `getCursor` hands to its reader. */
interface Cursor {
  /** Rows of the table agent_memory that pass, under the document's names. */
  fetchAll(passes?: (row: AgentRow) => boolean): readonly AgentRow[]
}

export class DatabaseConnection {
  readonly store: Store
  readonly env: Env
  readonly now: () => number
  #liveStore: LiveStore | undefined
  #copies: SharedCopies | undefined
  /** How far the project's log reached when the copies were last looked at. */
  #cursor = ''
  #closed = false

  /** Reads nothing before it is asked. */
  constructor({ project = '.', store, env = processEnv(), now = nowMs }: ConnectionOptions = {}) {
    this.store =
      store === undefined ? openStore(project, env) : typeof store === 'string' ? openStoreAt(store, project) : store
    this.env = env
    this.now = now
  }

  /** The memories at hand for as long as `use` runs. Every write is on disk when its call returns, so there is nothing to commit. */
  getConnection<T>(use: (liveStore: LiveStore) => T): T {
    return use(this.liveStore)
  }

  /** The same as rows of a table. */
  getCursor<T>(use: (cursor: Cursor) => T): T {
    const rows = (): AgentRow[] => this.listVisible().map((memory) => toAgentMemory(memory).toDict())
    return use({ fetchAll: (passes = () => true) => rows().filter(passes) })
  }

  /** Whether the store can be read. */
  healthCheck(): boolean {
    try {
      this.liveStore.memories()
      return true
    } catch {
      return false // Closed, damaged or of a later version: whoever then asks gets the error with its hint.
    }
  }

  /** Writes what the log has outgrown. Afterwards every call throws. */
  close(): void {
    this.#liveStore?.snapshotIfLarge(this.now())
    this.#copies?.liveStore.snapshotIfLarge(this.now())
    this.#liveStore = undefined
    this.#copies = undefined
    this.#closed = true
  }

  /** The memories with all that the log has now. Throws STORE_INVALID, STORE_NEWER, and INPUT_INVALID after `close`. */
  get liveStore(): LiveStore {
    if (this.#closed) {
      throw new MemoryError('INPUT_INVALID', 'this connection is closed', { hint: 'Open a new DatabaseConnection.' })
    }
    this.#liveStore ??= openLiveStore(this.store)
    return this.#liveStore
  }

  /** Every memory that anyone may see, archived ones too: the project's, and what is kept for more than one project. */
  listVisible(): Memory[] {
    const maySee = this.#visibilityFilter()
    return [...mergeCopies(this.liveStore.memories(), this.#sharedCopies().liveStore.memories()).values()].filter(
      maySee,
    )
  }

  /** The memories of these ids, archived or not. */
  find(...ids: readonly string[]): Memory[] {
    const [own, copies] = [this.liveStore.memories(), this.#sharedCopies().liveStore.memories()]
    const maySee = this.#visibilityFilter()
    return ids.flatMap((id) => {
      const named = id.toLowerCase() as MemoryId
      const memory = copies.get(named) ?? own.get(named)
      return memory && maySee(memory) ? [memory] : []
    })
  }

  /** Whether there is a memory of this id, also one that nobody may see. */
  has(id: string): boolean {
    return this.liveStores.some((desk) => desk.memories().has(id.toLowerCase() as MemoryId))
  }

  /** Where these memories lie: the project's desk, and the one of what is kept for more than one project. */
  get liveStores(): readonly LiveStore[] {
    return [this.liveStore, this.#sharedCopies().liveStore]
  }

  /** Keeps a memory in the place of what there was of its id. */
  save(memory: Memory): void {
    const { id } = this.store.project
    const copies = this.#sharedCopies()
    if (!isFromOtherProject(copies.liveStore.memories().get(memory.id), id)) {
      this.commit({ kind: 'memory.stored', memory: stripOrigin(memory) })
    }
    if (isShared(memory) || copies.liveStore.memories().has(memory.id)) publishCopy(memory, id, copies)
  }

  /** Changes what these memories are by use, each wherever it lies. */
  strengthen(changes: readonly StrengthChange[]): void {
    const copies = this.#sharedCopies()
    const places = [{ liveStore: this.liveStore, commit: (body: EventBody) => this.commit(body) }, copies]
    for (const { liveStore, commit } of places) {
      const memories = liveStore.memories()
      const there = changes.filter(({ memory }) => memories.has(memory))
      if (there.length > 0) commit({ kind: 'memory.strengthened', changes: there })
    }
  }

  /** Puts what happened into the project's log. */
  commit(body: EventBody): void {
    this.liveStore.commit(body, { now: this.now(), nonce: newUuid(), session: SYSTEM_SESSION })
  }

  #sharedCopies(): SharedCopies {
    this.#copies ??= this.#openCopies()
    const own = this.liveStore.memories()
    const cursor = JSON.stringify(this.liveStore.loaded.projection.cursor)
    if (cursor !== this.#cursor) syncCopies(own, this.store.project.id, this.#copies)
    this.#cursor = cursor
    return this.#copies
  }

  #openCopies(): SharedCopies {
    const liveStore = openLiveStore(openGlobalStore(this.store))
    return {
      liveStore: liveStore,
      commit: (body) => liveStore.commit(body, { now: this.now(), nonce: newUuid(), session: SYSTEM_SESSION }),
    }
  }

  /** What is archived is out of sight, not hidden. */
  #visibilityFilter(): (memory: Memory) => boolean {
    const maySee = visibilityFilter({ session: undefined, now: this.now() })
    return (memory) => maySee(memory.status === 'active' ? memory : { ...memory, status: 'active' })
  }
}

let shared: DatabaseConnection | undefined

/** The one connection of this process, to the project it works in. */
export function getDatabase(): DatabaseConnection {
  shared ??= new DatabaseConnection()
  return shared
}

/** Closes it; the next `getDatabase` opens another. */
export function closeDatabase(): void {
  shared?.close()
  shared = undefined
}
