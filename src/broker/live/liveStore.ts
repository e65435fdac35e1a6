// A live store: a project's memories as the log has them now, for long-running callers and callers that change
// memories.
//
// The snapshot on disk is as old as the end of the last session. A live store loads it once, and applies the log's tail
// before every read. So every read sees all earlier writes, of this process and of others, and what open sessions have
// learned. It writes events only; maintenance writes the snapshot when a session ends.
import type { EventBody } from '../../model/event.ts'
import type { MemoryId, SessionId } from '../../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { runToEnd, type Steps } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { RecallQuery } from '../../model/recallQuery.ts'
import type { MemoryTable } from '../../organize/memoryTable.ts'
import { canRecall } from '../../recall/recallCandidate.ts'
import { countBytesAfter } from '../../store/log/eventLog.ts'
import { readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import { type Caller, callerEvent, commitAndApply } from '../commit/commitEvents.ts'
import { guardLogIfFree, lastChangeMs } from '../maintenance/guardLog.ts'
import { runMaintenance } from '../maintenance/maintenance.ts'
import { isStillCurrent } from '../maintenance/redactLog.ts'
import { type RefreshResult, refreshRecent } from '../maintenance/refreshRecent.ts'
import type { Store } from '../open/openStore.ts'
import { listChanges } from '../projection/memoryReducer.ts'
import { findProvisional, withProvisional } from '../projection/openSessions.ts'
import type { LoadedProjection, ProvisionalMemories } from '../projection/projection.ts'
import {
  applyLogTail,
  applyLogTailInSteps,
  openProjection,
  readProjectionInSteps,
} from '../projection/projectionFiles.ts'

/** A snapshot may be replaced while its files are read: then there is a newer one already. */
const LOAD_ATTEMPTS = 4

/** Derived files that are behind the log: what hooks read in a project of theirs, else the snapshot. */
export type DueWork = 'refresh' | 'snapshot'

export interface LiveStore {
  readonly store: Store
  /**
   * Every memory, in the order of creation, with all events that the log has now. Those that open sessions have learned
   * come last.
   */
  memories(): MemoryTable
  /** The projection and its positions on disk, as of the last call of `memories` or `commit`. */
  readonly loaded: LoadedProjection
  /**
   * Appends an event and applies it. If it changes a memory of an open session, that memory is stored first: the change
   * would have no effect otherwise.
   */
  commit(body: EventBody, caller: Caller): void
  /**
   * Before the process ends: makes what it has committed available to hooks now, and writes a snapshot if the log's
   * tail is large, but not in a project where hooks record sessions: their worker does it. The worker is not killed
   * with its client, and must not find the lock taken by a process that is.
   */
  close(now: number): void
  /** What `close` would write now, for a caller that has it written elsewhere. Ends the timer. */
  takeDueWork(): DueWork | undefined
}

/**
 * Opens a live store. A memory is read when it is used. With a `clock`, in milliseconds since 1970, hooks see what it
 * commits after a fraction of a second, if hooks record sessions here. Throws STORE_INVALID and STORE_NEWER.
 */
export function openLiveStore(store: Store, clock?: () => number): LiveStore {
  guardLogIfFree(store)
  const loaded = loadWithRetries(store)
  applyLogTail(store, loaded)
  return createLiveStore(store, loaded, clock)
}

/** The same in steps, with all memories read: the calls after it are short. */
export function* openLiveStoreInSteps(store: Store, clock?: () => number): Steps<LiveStore> {
  guardLogIfFree(store)
  const loaded = yield* loadInSteps(store, true)
  yield* applyLogTailInSteps(store, loaded)
  return createLiveStore(store, loaded, clock)
}

function createLiveStore(store: Store, opened: LoadedProjection, clock: (() => number) | undefined): LiveStore {
  let loaded = opened
  let manifestMs: number | undefined
  let overlaid: { readonly provisional: ProvisionalMemories; readonly memories: MemoryTable } | undefined
  const schedule =
    clock &&
    createRefreshSchedule(() => {
      // Another process has saved: its memories may have other places on disk, and the log fewer secrets.
      if (!isStillCurrent(store, loaded)) loaded = loadWithRetries(store)
      return refreshRecent(store, clock(), loaded)
    })
  const update = (): void => {
    const written = store.files.mtimeMs(store.layout.manifest)
    if (written !== manifestMs && isReplaced(store, loaded)) {
      loaded = loadWithRetries(store)
      overlaid = undefined
    }
    manifestMs = written
    applyLogTail(store, loaded)
  }
  const isSnapshotDue = (): boolean =>
    loaded.projection.sessions.size === 0 &&
    countBytesAfter(store.files, store.layout.events, loaded.manifest.cursor) > SNAPSHOT_TAIL_BYTES
  return {
    store,
    get loaded() {
      return loaded
    },
    memories() {
      update()
      const provisional = findProvisional(loaded)
      if (provisional !== overlaid?.provisional)
        overlaid = { provisional, memories: withProvisional(loaded.projection.memories, provisional) }
      return overlaid.memories
    },
    commit(body, caller) {
      update()
      const stored = listProvisionalTargets(body, loaded).map(
        (memory): EventBody => ({ kind: 'memory.stored', memory }),
      )
      const events = [...stored, body].map((each, i) =>
        callerEvent(each, i === stored.length ? caller : { ...caller, nonce: `${caller.nonce}-${i}` }),
      )
      commitAndApply(store, loaded, events)
      if (loaded.projection.sessions.size > 0) schedule?.request()
    },
    close(now) {
      schedule?.flush()
      if (!isSnapshotDue()) return
      runMaintenance(store, { now, sessions: [] })
      loaded = loadWithRetries(store)
    },
    takeDueWork() {
      if (schedule?.cancel()) return 'refresh'
      return isSnapshotDue() ? 'snapshot' : undefined
    },
  }
}

/** Whether another process has built the snapshot anew, as after `memctl forget`, or removed the store. */
function isReplaced({ files, layout }: Store, { manifest }: LoadedProjection): boolean {
  const saved = readManifestIfValid(files, layout)
  const names = new Set(saved?.segments.map(({ name }) => name))
  return saved?.generation !== manifest.generation && !manifest.segments.some(({ name }) => names.has(name))
}

/** The memories that an event is about and that only open sessions have so far. A deletion needs none. */
function listProvisionalTargets(body: EventBody, loaded: LoadedProjection): Memory[] {
  const { memories } = loaded.projection
  const provisional = findProvisional(loaded)
  const changes = body.kind === 'memory.scored' || body.kind === 'memory.impact' ? [body] : listChanges(body)
  return changes.flatMap(({ memory: id }) => (memories.has(id) ? [] : (provisional.get(id) ?? [])))
}

const loadWithRetries = (store: Store): LoadedProjection => runToEnd(loadInSteps(store, false))

/** With all memories read, or each when it is used. */
function* loadInSteps(store: Store, isComplete: boolean): Steps<LoadedProjection> {
  for (let attempt = 1; ; attempt++) {
    try {
      return isComplete ? yield* readProjectionInSteps(store) : openProjection(store)
    } catch (error) {
      const isInvalid = error instanceof MemoryError && error.code === 'STORE_INVALID'
      if (!isInvalid || attempt > LOAD_ATTEMPTS) throw error
      // A damaged snapshot is written again from the log.
      if (attempt === LOAD_ATTEMPTS) runMaintenance(store, { now: lastChangeMs(store), sessions: [] })
    }
  }
}

// Refreshes what hooks read, shortly after a long-running process has changed memories.
//
// Several changes in a row are one refresh. If another process holds the lock, it is tried again. The timer does not
// keep the process alive: `flush` does what is left before the process ends.

/** From a change to the refresh, in milliseconds: hooks see it within two seconds, and a burst is one refresh. */
const DELAY_MS = 250

/** How long `flush` waits for the lock, in milliseconds. Then it is left to the next session's start. */
const FLUSH_MS_MAX = 1_000
const FLUSH_RETRY_MS = 25

/** `request` says that something has changed; `cancel` leaves the refresh to the caller if one is due. */
function createRefreshSchedule(refresh: () => RefreshResult) {
  let timer: NodeJS.Timeout | undefined
  const tryRefresh = (): boolean => {
    try {
      return refresh() !== 'busy'
    } catch {
      return true // The change is in the log. A store that cannot be written is reported by the next command.
    }
  }
  const start = (): void => {
    timer = setTimeout(() => {
      timer = undefined
      if (!tryRefresh()) start()
    }, DELAY_MS).unref()
  }
  const cancel = (): boolean => {
    const isRequested = timer !== undefined
    clearTimeout(timer)
    timer = undefined
    return isRequested
  }
  return {
    request() {
      if (!timer) start()
    },
    cancel,
    flush() {
      if (!cancel()) return
      const pause = new Int32Array(new SharedArrayBuffer(4))
      for (let ms = 0; !tryRefresh() && ms < FLUSH_MS_MAX; ms += FLUSH_RETRY_MS) {
        Atomics.wait(pause, 0, 0, FLUSH_RETRY_MS)
      }
    },
  }
}

// Which memories of a live store a caller may see now. Hidden, archived and expired ones are treated as missing.

export interface ViewingSession {
  /** The caller's session. A working memory is visible only in its own session. */
  readonly session: string | undefined
  /** The caller's role; `main`, the main conversation, if left out. */
  readonly role?: string | undefined
  /** The caller's agent id; none for the main conversation. */
  readonly agentId?: string | undefined
  /** The person at the command line, who asked for private memories. */
  readonly isPerson?: true | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memory with this id; undefined if there is none that the caller may see. */
export function findVisible(liveStore: LiveStore, id: string, viewing: ViewingSession): Memory | undefined {
  const memory = liveStore.memories().get(id.toLowerCase() as MemoryId)
  return memory && visibilityFilter(viewing)(memory) ? memory : undefined
}

/** Every memory that the caller may see, in the order of creation. */
export function listVisible(liveStore: LiveStore, viewing: ViewingSession): Memory[] {
  return [...liveStore.memories().values()].filter(visibilityFilter(viewing))
}

export function visibilityFilter(viewing: ViewingSession): (memory: Memory) => boolean {
  const { session, role = 'main', agentId, isPerson, now } = viewing
  const query: RecallQuery = {
    moment: 'ask',
    text: '',
    files: [],
    session: session as SessionId | undefined,
    viewer: { role, agentId, session, isPerson },
    now,
  }
  return (memory) => canRecall(query, memory)
}
