// A live store: a project's memories as the log has them now, for long-running callers and callers that change
// memories.
//
// The snapshot on disk is as old as the end of the last session. A live store loads it once, and applies the log's tail
// before every read. So every read sees all earlier writes, of this process and of others, and what open sessions have
// learned. It writes events only; maintenance writes the snapshot when a session ends.
import type { EventBody } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { runToEnd, type Steps } from '../../model/steps.ts'
import { countBytesAfter } from '../../store/log/eventLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { commitAndApply } from '../commit/commitAndApply.ts'
import { type Caller, callerEvent } from '../commit/systemEvent.ts'
import { guardLogIfFree, lastChangeMs } from '../maintenance/guardLog.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import { refreshRecent } from '../maintenance/refreshRecent.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail, applyLogTailInSteps } from '../projection/applyLogTail.ts'
import type { ProvisionalMemories } from '../projection/openSessions.ts'
import { loadProjectionInSteps } from '../projection/projectionFiles.ts'
import { findProvisional } from '../projection/provisionalMemories.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'
import { createRefreshSchedule } from './refreshSchedule.ts'

/** A snapshot may be replaced while its files are read: then there is a newer one already. */
const LOAD_ATTEMPTS = 4

/** Derived files that are behind the log: what hooks read in a project of theirs, else the snapshot. */
export type DueWork = 'refresh' | 'snapshot'

export interface LiveStore {
  readonly store: Store
  /**
   * Every memory, in the order of creation, with all events that the log has now. Those that open sessions have learned
   * come last. The map is not updated.
   */
  memories(): ReadonlyMap<MemoryId, Memory>
  /** The projection and its positions on disk, as of the last call of `memories` or `commit`. */
  readonly loaded: LoadedProjection
  /**
   * Appends an event and applies it. If it changes a memory of an open session, that memory is stored first: the change
   * would have no effect otherwise.
   */
  commit(body: EventBody, caller: Caller): void
  /**
   * Writes a snapshot if the log's tail is large. Does nothing in a project where hooks record sessions: their worker
   * does it. The worker is not killed with its client, and must not find the lock taken by a process that is.
   */
  snapshotIfLarge(now: number): void
  /** Makes what this process has committed available to hooks now: for the end of a process. */
  flush(): void
  /** What `flush` or `snapshotIfLarge` would write now, for a caller that has it written elsewhere. Ends the timer. */
  takeDueWork(): DueWork | undefined
}

/**
 * Opens a live store, which reads the entire snapshot. With a `clock`, in milliseconds since 1970, hooks see what it
 * commits after a fraction of a second, if hooks record sessions here. Throws STORE_INVALID and STORE_NEWER.
 */
export const openLiveStore = (store: Store, clock?: () => number): LiveStore =>
  runToEnd(openLiveStoreInSteps(store, clock))

/** The same in steps. */
export function* openLiveStoreInSteps(store: Store, clock?: () => number): Steps<LiveStore> {
  guardLogIfFree(store)
  let loaded = yield* loadInSteps(store)
  let overlaid: OverlaidMemories | undefined
  yield* applyLogTailInSteps(store, loaded)
  const schedule =
    clock &&
    createRefreshSchedule(() => {
      // Another process has written a snapshot: now the memories have other places on disk.
      if (readManifest(store.files, store.layout).generation !== loaded.manifest.generation)
        loaded = loadWithRetries(store)
      return refreshRecent(store, clock(), loaded)
    })
  const isSnapshotDue = (): boolean =>
    loaded.projection.sessions.size === 0 &&
    countBytesAfter(store.files, store.layout.events, loaded.manifest.cursor) > SNAPSHOT_TAIL_BYTES
  return {
    store,
    get loaded() {
      return loaded
    },
    memories() {
      applyLogTail(store, loaded)
      if (findProvisional(loaded) !== overlaid?.provisional) overlaid = overlay(loaded)
      return overlaid.memories
    },
    commit(body, caller) {
      applyLogTail(store, loaded)
      const stored = listProvisionalTargets(body, loaded).map(
        (memory): EventBody => ({ kind: 'memory.stored', memory }),
      )
      const events = [...stored, body].map((each, i) =>
        callerEvent(each, i === stored.length ? caller : { ...caller, nonce: `${caller.nonce}-${i}` }),
      )
      commitAndApply(store, loaded, events)
      if (loaded.projection.sessions.size > 0) schedule?.request()
    },
    flush: () => schedule?.flush(),
    takeDueWork() {
      if (schedule?.cancel()) return 'refresh'
      return isSnapshotDue() ? 'snapshot' : undefined
    },
    snapshotIfLarge(now) {
      if (!isSnapshotDue()) return
      runMaintenance(store, { now, sessions: [] })
      loaded = loadWithRetries(store)
    },
  }
}

interface OverlaidMemories {
  readonly provisional: ProvisionalMemories
  readonly memories: ReadonlyMap<MemoryId, Memory>
}

function overlay(loaded: LoadedProjection): OverlaidMemories {
  const provisional = findProvisional(loaded)
  const { memories } = loaded.projection
  return { provisional, memories: provisional.size === 0 ? memories : new Map([...memories, ...provisional]) }
}

/** The memories that an event is about and that only open sessions have so far. A deletion needs none. */
function listProvisionalTargets(body: EventBody, loaded: LoadedProjection): Memory[] {
  const { memories } = loaded.projection
  const provisional = findProvisional(loaded)
  return listChangedIds(body).flatMap((id) => (memories.has(id) ? [] : (provisional.get(id) ?? [])))
}

function listChangedIds(body: EventBody): readonly MemoryId[] {
  switch (body.kind) {
    case 'memory.updated':
      return [body.change.memory]
    case 'memory.batch':
      return body.changes.map(({ memory }) => memory)
    case 'memory.scored':
    case 'memory.impact':
      return [body.memory]
    default:
      return []
  }
}

const loadWithRetries = (store: Store): LoadedProjection => runToEnd(loadInSteps(store))

function* loadInSteps(store: Store): Steps<LoadedProjection> {
  for (let attempt = 1; ; attempt++) {
    try {
      return yield* loadProjectionInSteps(store)
    } catch (error) {
      const isInvalid = error instanceof MemoryError && error.code === 'STORE_INVALID'
      if (!isInvalid || attempt > LOAD_ATTEMPTS) throw error
      // A damaged snapshot is written again from the log.
      if (attempt === LOAD_ATTEMPTS) repairSnapshot(store)
    }
  }
}

const repairSnapshot = (store: Store): void => void runMaintenance(store, { now: lastChangeMs(store), sessions: [] })
