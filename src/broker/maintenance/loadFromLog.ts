// Loads the projection from the log alone: for a rebuild, and where the snapshot is damaged.
import v8 from 'node:v8'
import { MemoryError } from '../../model/memoryError.ts'
import { readJsonIfIntact } from '../../store/disk/readJson.ts'
import { logFileName } from '../../store/log/eventLog.ts'
import { findBrokenLogFiles, type LogChain } from '../../store/log/logChain.ts'
import { formatLogGaps } from '../../store/log/readLog.ts'
import { NO_MANIFEST } from '../../store/snapshot/manifest.ts'
import { readManifestIfValid } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { emptyProjection, type LoadedProjection } from '../projection/projection.ts'
import {
  applyEntireLog,
  findMissingLogFiles,
  type IsOverdue,
  type LearnerState,
  loadProjection,
  openStored,
} from '../projection/projectionFiles.ts'

/**
 * The projection of the snapshot; that of the log if the snapshot is damaged. It must be saved then, which `isFromLog`
 * says. With `openProjection` texts are verified when they are read, and nothing may be saved before `verifySnapshot`.
 * Throws STORE_INVALID if the log is not complete either, and STORE_NEWER.
 */
export function loadOrRebuild(
  store: Store,
  isOverdue?: IsOverdue,
  load: (store: Store) => LoadedProjection = loadProjection,
): { readonly loaded: LoadedProjection; readonly isFromLog: boolean } {
  try {
    const loaded = load(store)
    // A manifest that is gone is as good as a damaged one.
    const isLost = loaded.manifest.generation === 0 && listGenerations(store).length > 0
    if (!isLost) return { loaded, isFromLog: false }
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  assertLogUnchanged(store)
  return { loaded: loadFromLog(store, isOverdue), isFromLog: true }
}

/** Whether files of the snapshot are damaged. Unreadable disks and stores of later versions are not. */
function isDamage(error: unknown): boolean {
  if (error instanceof MemoryError) return error.code === 'STORE_INVALID'
  return error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError
}

/** The projection that the log gives, for a snapshot of its own; that of its first files if it is overdue. */
export function loadFromLog(store: Store, isOverdue?: IsOverdue): LoadedProjection {
  // To count on from, so that no file name is used twice.
  const known = readManifestIfValid(store.files, store.layout)?.generation ?? 0
  const loaded: LoadedProjection = {
    projection: emptyProjection(),
    manifest: { ...NO_MANIFEST, generation: Math.max(known, ...listGenerations(store)) },
    stored: openStored(store, []),
  }
  collectEarlier(true)
  try {
    applyEntireLog(store, loaded.projection, isOverdue)
  } finally {
    collectEarlier(false)
  }
  return loaded
}

/** For work with much garbage: a quarter less memory for a tenth more time. By default the heap grows fourfold. */
export const collectEarlier = (isOn: boolean): void => v8.setFlagsFromString(`--heap-growing-percent=${isOn ? 40 : 0}`)

/** Throws STORE_INVALID if files of the log are missing. */
export function assertLogComplete(store: Store): void {
  const missing = findMissingLogFiles(store)
  if (missing.length > 0) throw changedLogError(store, `${formatLogGaps(missing)} of the log is missing`)
}

/** The same, and if bytes that the snapshot has read have changed: a rebuild would lose what was learned from them. */
export function assertLogUnchanged(store: Store): void {
  assertLogComplete(store)
  const chain = readKnownChain(store)
  const [broken] = chain ? findBrokenLogFiles(store.files, store.layout.events, chain, false) : []
  if (broken) throw changedLogError(store, `${logFileName(broken.file)} is not as the snapshot has read it`)
}

const changedLogError = ({ layout }: Store, what: string): MemoryError =>
  new MemoryError('STORE_INVALID', `${what} in ${layout.events}`, {
    hint:
      'Restore it from a backup with `memctl rebuild --from COPY`. ' +
      '`memctl rebuild --incomplete` rebuilds without it and what was learned from it.',
  })

// The checksums of the log that the last snapshot had: from the manifest, or if that is damaged or gone, from the
// state that was saved with it.

/** Undefined if no snapshot of this version was written yet. */
export function readKnownChain(store: Store): LogChain | undefined {
  const manifest = readManifestIfValid(store.files, store.layout)
  if (manifest && manifest.generation > 0) return manifest.log
  for (const generation of listGenerations(store)) {
    // If it is damaged too, the one of the generation before may be left.
    const log = readJsonIfIntact<LearnerState>(store.files, store.layout.work(generation))?.log
    if (log) return log
  }
  return undefined
}

/** The generations of which there are files, the latest first. A new snapshot must have a higher one. */
export function listGenerations({ files, layout }: Store): number[] {
  const names = [...files.list(layout.folder), ...files.list(layout.segments)]
  const numbers = names.flatMap((name) => {
    const [, state, segment, rows] = /^(?:work\.(\d+)\.json|(\d{6})\D.*?(?:\.(\d+)\.row)?)$/.exec(name) ?? []
    return [state, segment, rows].flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
  })
  return [...new Set(numbers)].sort((a, b) => b - a)
}
