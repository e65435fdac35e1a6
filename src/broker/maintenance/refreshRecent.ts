// Makes what the log has since the snapshot available to hooks: the recent segment, hot.json and facts.json.
//
//   trigger ─▶ is it current? ─yes▶ end
//                │ no
//                ▼
//          refresh.lock ─taken▶ end: its holder has not read the log yet, and will read this caller's events
//                │
//                ▼
//          lock ─▶ release refresh.lock ─▶ read the log ─▶ write ─▶ release lock
//
// So at most two processes are at it, whatever number of triggers a burst has, and no event is missed.
import type { Event } from '../../model/event.ts'
import { RECENT_MEMORIES_MAX, SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import type { Memory } from '../../model/memory.ts'
import { acquireLock, withLock } from '../../store/disk/lock.ts'
import { countBytesAfter, fsyncLog, isAfterLogEnd } from '../../store/log/eventLog.ts'
import { readLog } from '../../store/log/readLog.ts'
import { coveredPosition, STORE_VERSION } from '../../store/snapshot/manifest.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { listStored } from '../projection/memoryReducer.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail, loadProjection, saveProjection, writeRecent } from '../projection/projectionFiles.ts'
import { publishPersonKnowledge } from '../projection/publishPerson.ts'
import { guardLog } from './guardLog.ts'
import { isStillCurrent, redactApplied, redactUnsaved } from './redactLog.ts'

/**
 * `current`: there was nothing to do. `refreshed`: what the log had when this was called is available now. `covered`:
 * another process that waits for the lock will do it. `busy`: the lock is taken; call again, or start the worker.
 */
export type RefreshResult = 'current' | 'refreshed' | 'covered' | 'busy'

/**
 * Makes everything that the log has now available to hooks. `now` is in milliseconds since 1970. `projection` saves
 * loading it; it is brought up to date.
 */
export function refreshRecent(store: Store, now: number, projection?: LoadedProjection): RefreshResult {
  const { files, layout } = store
  if (isRecentCurrent(store)) return 'current'
  const result = withLock(files, layout.lock, (): RefreshResult => {
    guardLog(store, now)
    refreshLocked(store, now, projection && isStillCurrent(store, projection) ? projection : undefined)
    return 'refreshed'
  })
  return result ?? 'busy'
}

/** Pauses between two tries to lock a busy store, in milliseconds. */
const RETRY_MS = 25

/** The same for a process that can wait: it tries until the lock is free. `pause` waits for that many milliseconds. */
export async function refreshRecentSoon(store: Store, clock: () => number, pause: (ms: number) => Promise<void>) {
  const { files, layout } = store
  if (isRecentCurrent(store)) return 'current'
  const waiting = acquireLock(files, layout.refreshLock)
  if (!waiting) return 'covered'
  try {
    for (;;) {
      const result = withLock(files, layout.lock, (): RefreshResult => {
        // From here on another process has to wait for its own events: this one reads the log now.
        waiting.release()
        if (isRecentCurrent(store)) return 'current'
        guardLog(store, clock())
        refreshLocked(store, clock())
        return 'refreshed'
      })
      if (result) return result
      await pause(RETRY_MS)
    }
  } finally {
    waiting.release()
  }
}

/** Whether hooks can read everything that is in the log. */
export function isRecentCurrent({ files, layout }: Store): boolean {
  const position = coveredPosition(readManifest(files, layout))
  return !isAfterLogEnd(files, layout.events, position) && countBytesAfter(files, layout.events, position) === 0
}

function refreshLocked(store: Store, now: number, given?: LoadedProjection): void {
  const load = (): LoadedProjection => loadProjection(store)
  const loaded = given ?? load()
  redactUnsaved(store, loaded, load)
  applyLogTail(store, loaded)
  redactApplied(store, loaded, load)
  const asked = listAsked(store, loaded)
  if (needsSnapshot(store, loaded)) {
    fsyncLog(store.files, store.layout.events, loaded.manifest.cursor)
    saveProjection(store, loaded, now)
  } else writeRecent(store, loaded, { asked }) // A snapshot has a recent segment of its own.
  if (!asked || asked.some(({ knowledge }) => knowledge?.scope === 'person')) publishPersonKnowledge(store, loaded)
}

/**
 * The entries that a person has asked to remember since hooks' files were written, if the log has nothing else since
 * then that could change these files: other entries are read only where something else has happened.
 */
function listAsked({ files, layout }: Store, { manifest, projection }: LoadedProjection): Memory[] | undefined {
  const isAtWork = [...projection.sessions.values()].some(({ pending }) => pending.length > 0)
  if (projection.team || isAtWork) return undefined
  const { events, hasLateEvents } = readLog(files, layout.events, coveredPosition(manifest))
  const isAsked = (event: Event): boolean =>
    event.kind === 'memory.batch' &&
    event.changes.length === 0 &&
    event.stored.every(({ knowledge }) => knowledge?.asked)
  if (hasLateEvents || !events.every(isAsked)) return undefined
  return events.flatMap(listStored).flatMap(({ id }) => projection.memories.get(id) ?? [])
}

/** Without a snapshot, after an update, and when too much has changed since, the snapshot itself is written. */
function needsSnapshot({ files, layout }: Store, { manifest, projection }: LoadedProjection): boolean {
  if (manifest.generation === 0 || manifest.version < STORE_VERSION) return true
  if (isAfterLogEnd(files, layout.events, manifest.cursor)) return true
  if (countBytesAfter(files, layout.events, manifest.cursor) > SNAPSHOT_TAIL_BYTES) return true
  return projection.memories.changes().length > RECENT_MEMORIES_MAX
}
