// A live store: a project's memories as the log has them now, for long-running callers and callers that change
// memories.
//
// The snapshot on disk is as old as the end of the last session. A live store loads it once, and applies the log's tail
// before every read. So every read sees all earlier writes, of this process and of others. It writes events only;
// maintenance writes the snapshot when a session ends.

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

/** A snapshot may be replaced while its files are read: then there is a newer one already. */
const LOAD_ATTEMPTS = 4

export interface LiveStore {
  readonly store: Store
  /** Every memory, in the order of creation, with all events that the log has now. */
  memories(): ReadonlyMap<MemoryId, Memory>
  /** The projection and its positions on disk, as of the last call of `memories` or `commit`. */
  readonly loaded: LoadedProjection
  /** Appends an event and applies it. */
  commit(body: EventBody, caller: Caller): void
  /**
   * Writes a snapshot if the log's tail is large. Does nothing in a project where hooks record sessions: their worker
   * does it. The worker is not killed with its client, and must not find the lock taken by a process that is.
   */
  snapshotIfLarge(now: number): void
}

/** Opens a live store, which reads the entire snapshot. Throws STORE_INVALID and STORE_NEWER. */
export function openLiveStore(store: Store): LiveStore {
  let loaded = loadWithRetries(store)
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
      loaded = loadWithRetries(store)
    },
  }
}

function loadWithRetries(store: Store): LoadedProjection {
  for (let attempt = 1; ; attempt++) {
    try {
      return loadProjection(store)
    } catch (error) {
      const isInvalid = error instanceof MemoryError && error.code === 'STORE_INVALID'
      if (!isInvalid || attempt === LOAD_ATTEMPTS) throw error
    }
  }
}
