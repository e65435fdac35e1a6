// Rebuilds everything that is derived from the log.
import { verifyJsonFile } from '../../store/disk/jsonFile.ts'
import { acquireLock } from '../../store/disk/lock.ts'
import { loadHnswLibrary } from '../../store/vectors/hnswLibrary.ts'
import { rebuildVectors } from '../embedding/maintainVectors.ts'
import { reopenReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { listGenerations } from '../projection/knownChain.ts'
import { saveProjection } from '../projection/projectionFiles.ts'
import { publishPersonKnowledge } from '../projection/publishPerson.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'
import { assertLogUnchanged, loadFromLog } from './loadFromLog.ts'
import { BUSY_REPORT, cleanUpFiles, type MaintenanceReport, reportOn } from './maintenance.ts'

export interface RebuildOptions {
  /** Rebuild from the log files that exist, although some are missing. */
  readonly allowIncomplete?: boolean | undefined
}

/**
 * Replaces everything derived by what the log gives. `now` is in milliseconds since 1970. If another process holds the
 * lock, the report says `busy`. Throws STORE_INVALID if log files are missing, because their memories would be lost.
 */
export function rebuildStore(store: Store, now: number, { allowIncomplete }: RebuildOptions = {}): MaintenanceReport {
  if (!allowIncomplete) assertLogUnchanged(store)
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) return BUSY_REPORT
  try {
    return saveRebuilt(store, loadFromLog(store), now)
  } finally {
    lock.release()
  }
}

/** Writes everything derived from a projection that was loaded from the log. The caller holds the lock. */
export function saveRebuilt(store: Store, loaded: LoadedProjection, now: number): MaintenanceReport {
  // The next sync reads all entry files again.
  store.files.remove(store.layout.entries)
  saveProjection(store, loaded, now)
  removeDamagedStates(store)
  publishPersonKnowledge(store, loaded)
  reopenReader(store)
  rebuildVectors(store, loaded.projection.memories.values())
  cleanUpFiles(store, loaded, now)
  return reportOn(loaded.projection, [])
}

/** Slow readers keep the state of the generation before; a damaged one helps nobody. */
function removeDamagedStates(store: Store): void {
  const { files, layout } = store
  for (const file of listGenerations(store).map(layout.work)) {
    const bytes = files.read(file)
    if (bytes && verifyJsonFile(bytes) === 'damaged') files.remove(file)
  }
}

/** The same, and the vector indexes get their complete graphs, if the library for them is installed. */
export async function rebuildWithGraphs(
  store: Store,
  now: number,
  options: RebuildOptions,
): Promise<MaintenanceReport> {
  await loadHnswLibrary()
  return rebuildStore(store, now, options)
}
