// The desk: a project's memories as the log has them at this moment, for who stays a while or changes them.
//
// The view on disk is as old as the last session's end. A desk loads it once, and before every look folds what the log has
// since, whoever wrote it: so a write is seen by the next look, in this process and in every other. It writes events, never files of the
// view: those are made when a session ends.
import { MemoryError } from '../model/errors.ts'
import type { Happening } from '../model/event.ts'
import type { MemoryId } from '../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../model/limits.ts'
import type { Memory } from '../model/memory.ts'
import { bytesPast } from '../store/log.ts'
import { commitAndFold } from './commit/commitAndFold.ts'
import { type Caller, callerEvent } from './commit/systemEvent.ts'
import { catchUp } from './projection/catchUp.ts'
import type { Store } from './store.ts'
import { upkeep } from './upkeep.ts'
import { load } from './view/save.ts'
import type { Loaded } from './view/saveMemories.ts'

/** A view may be replaced while its files are being read: then there is a newer one already. */
const LOAD_ATTEMPTS = 4

export interface Desk {
  readonly store: Store
  /** Every memory, in the order in which they were first made, with all that the log has now. */
  memories(): ReadonlyMap<MemoryId, Memory>
  /** The view behind it and where it lies on disk, as `memories` left it. */
  readonly loaded: Loaded
  /** Appends what happened, and folds it. */
  tell(happening: Happening, caller: Caller): void
  /**
   * Writes the view where the log has outgrown it. Where hooks record sessions, it is left to the worker they start: it is not killed with its
   * client, and must not find the lock taken by who is.
   */
  settle(now: number): void
}

/** Opens the desk of a store: reads its whole view. Throws STORE_INVALID and STORE_NEWER like every reader. */
export function openDesk(store: Store): Desk {
  let loaded = loadedNow(store)
  catchUp(store, loaded)
  return {
    store,
    get loaded() {
      return loaded
    },
    memories() {
      catchUp(store, loaded)
      return loaded.view.memories
    },
    tell(happening, caller) {
      commitAndFold(store, loaded, [callerEvent(happening, caller)])
    },
    settle(now) {
      if (loaded.view.sessions.size > 0) return
      if (bytesPast(store.files, store.layout.events, loaded.manifest.cursor) <= SNAPSHOT_TAIL_BYTES) return
      upkeep(store, { now, sessions: [] })
      loaded = loadedNow(store)
    },
  }
}

function loadedNow(store: Store): Loaded {
  for (let attempt = 1; ; attempt++) {
    try {
      return load(store)
    } catch (error) {
      const invalid = error instanceof MemoryError && error.code === 'STORE_INVALID'
      if (!invalid || attempt === LOAD_ATTEMPTS) throw error
    }
  }
}
