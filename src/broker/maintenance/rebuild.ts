// Rebuilds everything that is derived from the log.
import { MemoryError } from '../../model/memoryError.ts'
import { acquireLock } from '../../store/disk/lock.ts'
import { formatLogGaps } from '../../store/log/logFiles.ts'
import { NO_MANIFEST } from '../../store/snapshot/manifest.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import { loadHnswLibrary } from '../../store/vectors/hnswLibrary.ts'
import { rebuildVectors } from '../embedding/maintainVectors.ts'
import { reopenReader } from '../open/indexReaderCache.ts'
import type { Store } from '../open/openStore.ts'
import { applyEntireLog, findMissingLogFiles } from '../projection/applyLogTail.ts'
import { publishPersonStatements } from '../projection/personStatements.ts'
import { emptyProjection } from '../projection/projection.ts'
import { saveProjection } from '../projection/projectionFiles.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'
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
  if (!allowIncomplete) assertLogComplete(store)
  const lock = acquireLock(store.files, store.layout.lock)
  if (!lock) return BUSY_REPORT
  try {
    const loaded: LoadedProjection = {
      projection: emptyProjection(),
      manifest: { ...NO_MANIFEST, generation: readGeneration(store) },
      placements: new Map(),
      rows: new Map(),
    }
    applyEntireLog(store, loaded.projection)
    // The next sync reads all entry files again.
    store.files.remove(store.layout.entries)
    saveProjection(store, loaded, now)
    publishPersonStatements(store, loaded)
    reopenReader(store)
    rebuildVectors(store, loaded.projection.memories.values())
    cleanUpFiles(store, loaded, now)
    return reportOn(loaded.projection, [])
  } finally {
    lock.release()
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

/** Throws STORE_INVALID if files of the log are missing. */
export function assertLogComplete(store: Store): void {
  const missing = findMissingLogFiles(store)
  if (missing.length === 0) return
  throw new MemoryError('STORE_INVALID', `${formatLogGaps(missing)} of the log is missing in ${store.layout.events}`, {
    hint: 'Restore it from a backup. `memctl rebuild --incomplete` rebuilds without it and what was learned from it.',
  })
}

/** The generation to count on from, so that no file name is used twice; 0 if the manifest cannot be read. */
function readGeneration(store: Store): number {
  try {
    return readManifest(store.files, store.layout).generation
  } catch {
    return 0 // A rebuild replaces a corrupt or newer manifest.
  }
}
