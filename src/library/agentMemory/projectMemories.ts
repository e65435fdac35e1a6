// The memories of a project's own store, with those that other projects share, and the writes to them.
//
// Memories of scope universal or domain are shared: they have copies in the store next to the global entries. The
// origin project keeps its own, for its hooks and tools; the library of every project reads and changes the copy. If
// hooks or tools delete or change the origin's memory, the copy follows when the library next opens that project.
import { SYSTEM_SESSION } from '../../broker/commit/commitEvents.ts'
import { type LiveStore, openLiveStoreInSteps, visibilityFilter } from '../../broker/live/liveStore.ts'
import { openGlobalStore, type Store } from '../../broker/open/openStore.ts'
import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { runWithPauses } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { StrengthChange } from '../../model/strength.ts'
import { checkText } from '../checkInput.ts'
import { writeDerivedFiles } from '../derivedFiles.ts'
import { type Env, mapWithPauses, newUuid, pauseIfLong } from '../processDefaults.ts'
import { usageCounts } from './agentMemory.ts'

export class ProjectMemories {
  readonly store: Store
  readonly env: Env
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The project's own store, and that of the copies; undefined until `open` has read both, and after `close`. */
  #opened: { readonly own: LiveStore; readonly copies: LiveStore } | undefined
  /** The end of the project's log when the copies were last synchronized. */
  #cursor = ''
  #closed = false
  #opening: Promise<void> | undefined

  /** Reads nothing before the first call. */
  constructor(store: Store, env: Env, now: () => number) {
    this.store = store
    this.env = env
    this.now = now
  }

  /** Writes a snapshot if much was added to the log. From the beginning on every call throws. */
  async close(): Promise<void> {
    const opened = Object.values(this.#opened ?? {})
    this.#opened = undefined
    this.#closed = true
    for (const liveStore of opened) await writeDerivedFiles(liveStore, this.now())
  }

  /** Reads the stores if that was not done yet, with pauses. Lets other callbacks run if it is time for them. */
  async open(): Promise<void> {
    this.#opening ??= this.#openInSteps().catch((error: unknown) => {
      this.#opening = undefined // The next call tries again.
      throw error
    })
    await this.#opening
    await pauseIfLong()
    if (this.#closed) throw closedConnection()
  }

  async #openInSteps(): Promise<void> {
    if (this.#closed) throw closedConnection()
    const own = await runWithPauses(openLiveStoreInSteps(this.store, this.now), pauseIfLong)
    const copies = await runWithPauses(openLiveStoreInSteps(openGlobalStore(this.store)), pauseIfLong)
    if (!this.#closed) this.#opened = { own, copies }
  }

  #requireOpened(): { readonly own: LiveStore; readonly copies: LiveStore } {
    if (!this.#opened) throw closedConnection()
    return this.#opened
  }

  /** The memories, up to date with the log. Throws INPUT_INVALID before `open` and after `close`. */
  get liveStore(): LiveStore {
    return this.#requireOpened().own
  }

  /** Every memory that anyone may see, archived ones included: the project's, and those shared between projects. */
  async listVisible(): Promise<Memory[]> {
    await this.open()
    // A copy replaces the project's own memory: all projects update the copy.
    const memories = new Map([...this.liveStore.memories(), ...this.#sharedCopies().memories()])
    const isVisible = this.#visibilityFilter()
    return mapWithPauses([...memories.values()], (memory) => (isVisible(memory) ? memory : undefined))
  }

  /** The memories of these ids, archived or not. */
  find(...ids: readonly string[]): Memory[] {
    const [own, copies] = [this.liveStore.memories(), this.#sharedCopies().memories()]
    const isVisible = this.#visibilityFilter()
    return ids.flatMap((id) => {
      const memoryId = checkText(id, 'memoryId').toLowerCase() as MemoryId
      const memory = copies.get(memoryId) ?? own.get(memoryId)
      return memory && isVisible(memory) ? [memory] : []
    })
  }

  /** Whether there is a memory with this id, even one that nobody may see. */
  has(id: string): boolean {
    return this.liveStores.some((liveStore) => liveStore.memories().has(id.toLowerCase() as MemoryId))
  }

  /** The project's store, and the store of memories shared between projects. */
  get liveStores(): readonly LiveStore[] {
    return [this.liveStore, this.#sharedCopies()]
  }

  /** Stores a memory; it replaces the one with its id. */
  save(memory: Memory): void {
    const copies = this.#sharedCopies()
    const copy = copies.memories().get(memory.id)
    // Another project stores its own.
    if ((copy?.originProject ?? this.store.project.id) === this.store.project.id)
      this.commit({ kind: 'memory.stored', memory: { ...memory, originProject: undefined } })
    if (isShared(memory) || copy) this.#publishCopy(memory, copies)
  }

  /** Changes the strength and counts of these memories, in each store that has them. */
  strengthen(changes: readonly StrengthChange[]): void {
    for (const liveStore of this.liveStores) {
      const memories = liveStore.memories()
      const known = changes.filter(({ memory }) => memories.has(memory))
      if (known.length > 0) this.commit({ kind: 'memory.strengthened', changes: known }, liveStore)
    }
  }

  /** Writes an event to a log, by default to the project's. */
  commit(body: EventBody, liveStore = this.liveStore): void {
    liveStore.commit(body, { now: this.now(), nonce: newUuid(), session: SYSTEM_SESSION })
  }

  #sharedCopies(): LiveStore {
    const { own, copies } = this.#requireOpened()
    own.memories()
    const { cursor: position, memories } = own.loaded.projection
    const cursor = JSON.stringify(position)
    // Without what open sessions have learned: a copy is an event.
    if (cursor !== this.#cursor) this.#syncCopies(memories, copies)
    this.#cursor = cursor
    return copies
  }

  /** Updates the project's copies after hooks and tools have changed its own memories. */
  #syncCopies(own: ReadonlyMap<MemoryId, Memory>, copies: LiveStore): void {
    for (const copy of [...copies.memories().values()]) {
      if (copy.originProject !== this.store.project.id) continue
      const now = own.get(copy.id)
      const { lastUsed, lastDecayed } = copy
      if (!now) this.commit({ kind: 'memory.deleted', memories: [copy.id] }, copies)
      else if (now.updated > copy.updated)
        this.#publishCopy({ ...now, ...usageCounts(copy), lastUsed, lastDecayed }, copies)
    }
  }

  /** Writes or updates the copy of a memory of this project, or deletes it if the memory is no longer shared. */
  #publishCopy(memory: Memory, copies: LiveStore): void {
    const before = copies.memories().get(memory.id)
    const originProject = before?.originProject ?? this.store.project.id
    if (isShared(memory)) this.commit({ kind: 'memory.stored', memory: { ...memory, originProject } }, copies)
    else if (before) this.commit({ kind: 'memory.deleted', memories: [memory.id] }, copies)
  }

  /** Archived memories are visible here, although they are not recalled. */
  #visibilityFilter(): (memory: Memory) => boolean {
    const isVisible = visibilityFilter({ session: undefined, now: this.now() })
    return (memory) => isVisible(memory.status === 'active' ? memory : { ...memory, status: 'active' })
  }
}

/** The error of a call after `close`. */
export const closedConnection = (): MemoryError =>
  new MemoryError('INPUT_INVALID', 'this connection is closed', { hint: 'Open a new DatabaseConnection.' })

/** Whether a memory is shared with other projects. A memory that is not public never is. */
export const isShared = ({ scope, privacy }: Memory): boolean => scope !== 'project' && privacy === 'public'
