// The desk: a project's memories as the log has them at this moment, for who stays a while or changes them.
//
// The view on disk is as old as the last session's end. A desk loads it once, and before every look folds what the log has
// since, whoever wrote it: so a write is seen by the next look, in this process and in every other. It writes events, never files of the
// view: those are made when a session ends.

import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { countBytesAfter } from '../../store/log/eventLog.ts'
import { commitAndApply } from '../commit/commitAndApply.ts'
import { type Caller, callerEvent } from '../commit/systemEvent.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/applyLogTail.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'

/** A view may be replaced while its files are being read: then there is a newer one already. */
const LOAD_ATTEMPTS = 4

export interface LiveStore {
  readonly store: Store
  /** Every memory, in the order in which they were first made, with all that the log has now. */
  memories(): ReadonlyMap<MemoryId, Memory>
  /** The view behind it and where it lies on disk, as `memories` left it. */
  readonly loaded: LoadedProjection
  /** Appends what happened, and folds it. */
  commit(body: EventBody, caller: Caller): void
  /**
   * Writes the view where the log has outgrown it. Where hooks record sessions, it is left to the worker they start: it is not killed with its
   * client, and must not find the lock taken by who is.
   */
  snapshotIfLarge(now: number): void
}

/** Opens the desk of a store: reads its whole view. Throws STORE_INVALID and STORE_NEWER like every reader. */
export function openLiveStore(store: Store): LiveStore {
  let loaded = loadedNow(store)
  applyLogTail(store, loaded)
  return {
    store,
    get loaded() {
      return loaded
    },
    memories() {
      applyLogTail(store, loaded)
      return loaded.projection.memories
    },
    commit(body, caller) {
      commitAndApply(store, loaded, [callerEvent(body, caller)])
    },
    snapshotIfLarge(now) {
      if (loaded.projection.sessions.size > 0) return
      if (countBytesAfter(store.files, store.layout.events, loaded.manifest.cursor) <= SNAPSHOT_TAIL_BYTES) return
      runMaintenance(store, { now, sessions: [] })
      loaded = loadedNow(store)
    },
  }
}

function loadedNow(store: Store): LoadedProjection {
  for (let attempt = 1; ; attempt++) {
    try {
      return loadProjection(store)
    } catch (error) {
      const invalid = error instanceof MemoryError && error.code === 'STORE_INVALID'
      if (!invalid || attempt === LOAD_ATTEMPTS) throw error
    }
  }
}
