// Access to the team's part of a store: under its lock for changes, from the snapshot for questions.
import { MemoryError } from '../../model/memoryError.ts'
import { acquireLock, storeBusyError } from '../../store/disk/lock.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { guardLog } from '../maintenance/guardLog.ts'
import { loadOrRebuild } from '../maintenance/loadFromLog.ts'
import type { Store } from '../open/openStore.ts'
import type { LoadedProjection } from '../projection/projection.ts'
import { applyLogTail, readLearnerState } from '../projection/projectionFiles.ts'
import type { TeamMembership } from '../projection/teamProjection.ts'

/** What `memctl status` and the worker need to know, as of the snapshot. */
export interface TeamSummary extends TeamMembership {
  /** It shares nothing any more; `waiting` are the changes that take back what it shared. */
  readonly hasLeft: boolean
  /** Changes that the hub does not have yet. */
  readonly waiting: number
}

/** Whether and as whom a store shares its memories; undefined if it never joined, or its snapshot cannot be read. */
export function readTeam(store: Store): TeamSummary | undefined {
  try {
    const manifest = readManifest(store.files, store.layout)
    if (manifest.generation === 0) return undefined
    const { team } = readLearnerState(store, manifest)
    return team && { ...team.membership, hasLeft: team.hasLeft, waiting: team.outbox.length }
  } catch {
    return undefined // The next maintenance writes it again.
  }
}

/** Tries to take the lock of a store that a worker may hold, and the wait between two of them in milliseconds. */
const LOCK_TRIES = 40
const LOCK_WAIT_MS = 250

/** Runs `use` while this process holds the lock of the store. Throws STORE_BUSY after ten seconds. */
export const withStoreLock = <T>(store: Store, use: () => T): Promise<T> =>
  retryWhileBusy(() => {
    const lock = acquireLock(store.files, store.layout.lock)
    if (!lock) throw storeBusyError('Nothing is lost: run `memctl hub sync` again.')
    try {
      return use()
    } finally {
      lock.release()
    }
  })

/** Tries again while another process has the lock that `work` takes itself. Throws STORE_BUSY after ten seconds. */
export async function retryWhileBusy<T>(work: () => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof MemoryError && error.code === 'STORE_BUSY') || tries >= LOCK_TRIES) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_WAIT_MS))
  }
}

/** The projection of a store with all that its log has. The caller holds the lock. */
export function loadTeamStore(store: Store, now: number): LoadedProjection {
  guardLog(store, now)
  const { loaded } = loadOrRebuild(store)
  applyLogTail(store, loaded)
  return loaded
}
