// DatabaseConnection: where the memories of seed 000's classes lie. The document's PostgreSQL is here the project's own store.
import { SYSTEM_SESSION } from '../../broker/commit/systemEvent.ts'
import { type Desk, openDesk } from '../../broker/desk.ts'
import { globalStoreOf } from '../../broker/entries/scribe.ts'
import { sees } from '../../broker/eyes.ts'
import { type Store, storeAt, storeOf } from '../../broker/store.ts'
import { MemoryError } from '../../model/errors.ts'
import type { Happening } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import type { StrengthChange } from '../../model/strength.ts'
import { type Env, newUuid, nowMs, ownEnv } from '../world.ts'
import type { Row } from './agentRow.ts'
import { agentView } from './agentView.ts'
import {
  atHome,
  type Copies,
  catchUpCopies,
  copyBeyond,
  goesBeyond,
  isFromElsewhere,
  withCopies,
} from './beyondProject.ts'

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
  fetchAll(passes?: (row: Row) => boolean): readonly Row[]
}

export class DatabaseConnection {
  readonly store: Store
  readonly env: Env
  readonly now: () => number
  #desk: Desk | undefined
  #copies: Copies | undefined
  /** How far the project's log reached when the copies were last looked at. */
  #cursor = ''
  #closed = false

  /** Reads nothing before it is asked. */
  constructor({ project = '.', store, env = ownEnv(), now = nowMs }: ConnectionOptions = {}) {
    this.store =
      store === undefined ? storeOf(project, env) : typeof store === 'string' ? storeAt(store, project) : store
    this.env = env
    this.now = now
  }

  /** The memories at hand for as long as `use` runs. Every write is on disk when its call returns, so there is nothing to commit. */
  getConnection<T>(use: (desk: Desk) => T): T {
    return use(this.desk)
  }

  /** The same as rows of a table. */
  getCursor<T>(use: (cursor: Cursor) => T): T {
    const rows = (): Row[] => this.visible().map((memory) => agentView(memory).toDict())
    return use({ fetchAll: (passes = () => true) => rows().filter(passes) })
  }

  /** Whether the store can be read. */
  healthCheck(): boolean {
    try {
      this.desk.memories()
      return true
    } catch {
      return false // Closed, damaged or of a later version: whoever then asks gets the error with its mend.
    }
  }

  /** Writes what the log has outgrown. Afterwards every call throws. */
  close(): void {
    this.#desk?.settle(this.now())
    this.#copies?.desk.settle(this.now())
    this.#desk = undefined
    this.#copies = undefined
    this.#closed = true
  }

  /** The memories with all that the log has now. Throws STORE_INVALID, STORE_NEWER, and INPUT_INVALID after `close`. */
  get desk(): Desk {
    if (this.#closed) {
      throw new MemoryError('INPUT_INVALID', 'this connection is closed', { mend: 'Open a new DatabaseConnection.' })
    }
    this.#desk ??= openDesk(this.store)
    return this.#desk
  }

  /** Every memory that anyone may see, archived ones too: the project's, and what is kept for more than one project. */
  visible(): Memory[] {
    const maySee = this.#eyes()
    return [...withCopies(this.desk.memories(), this.#beyond().desk.memories()).values()].filter(maySee)
  }

  /** The memories of these ids, archived or not. */
  find(...ids: readonly string[]): Memory[] {
    const [own, copies] = [this.desk.memories(), this.#beyond().desk.memories()]
    const maySee = this.#eyes()
    return ids.flatMap((id) => {
      const named = id.toLowerCase() as MemoryId
      const memory = copies.get(named) ?? own.get(named)
      return memory && maySee(memory) ? [memory] : []
    })
  }

  /** Whether there is a memory of this id, also one that nobody may see. */
  has(id: string): boolean {
    return this.desks.some((desk) => desk.memories().has(id.toLowerCase() as MemoryId))
  }

  /** Where these memories lie: the project's desk, and the one of what is kept for more than one project. */
  get desks(): readonly Desk[] {
    return [this.desk, this.#beyond().desk]
  }

  /** Keeps a memory in the place of what there was of its id. */
  keep(memory: Memory): void {
    const { id } = this.store.project
    const copies = this.#beyond()
    if (!isFromElsewhere(copies.desk.memories().get(memory.id), id)) {
      this.tell({ kind: 'memory.stored', memory: atHome(memory) })
    }
    if (goesBeyond(memory) || copies.desk.memories().has(memory.id)) copyBeyond(memory, id, copies)
  }

  /** Changes what these memories are by use, each wherever it lies. */
  strengthen(changes: readonly StrengthChange[]): void {
    const copies = this.#beyond()
    const places = [{ desk: this.desk, tell: (happening: Happening) => this.tell(happening) }, copies]
    for (const { desk, tell } of places) {
      const memories = desk.memories()
      const there = changes.filter(({ memory }) => memories.has(memory))
      if (there.length > 0) tell({ kind: 'memory.strengthened', changes: there })
    }
  }

  /** Puts what happened into the project's log. */
  tell(happening: Happening): void {
    this.desk.tell(happening, { now: this.now(), nonce: newUuid(), session: SYSTEM_SESSION })
  }

  #beyond(): Copies {
    this.#copies ??= this.#openCopies()
    const own = this.desk.memories()
    const cursor = JSON.stringify(this.desk.loaded.view.cursor)
    if (cursor !== this.#cursor) catchUpCopies(own, this.store.project.id, this.#copies)
    this.#cursor = cursor
    return this.#copies
  }

  #openCopies(): Copies {
    const desk = openDesk(globalStoreOf(this.store))
    return {
      desk,
      tell: (happening) => desk.tell(happening, { now: this.now(), nonce: newUuid(), session: SYSTEM_SESSION }),
    }
  }

  /** What is archived is out of sight, not hidden. */
  #eyes(): (memory: Memory) => boolean {
    const maySee = sees({ session: undefined, now: this.now() })
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
