// Which reader a question uses: one opened for it and closed after it, or one pinned while a replay runs through many.
import type { Upgrade } from '../../store/snapshot/segmentReader.ts'
import { openSnapshotReader, type SnapshotReader } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from './openStore.ts'

const open = new Map<Store, SnapshotReader>()
const pinned = new Set<Store>()

/** A reader of a store's current snapshot. All callers but hooks give `upgrade`, for one of an earlier version. */
export function acquireReader(store: Store, upgrade?: Upgrade): SnapshotReader {
  const known = open.get(store)
  if (known) return known
  const reader = openSnapshotReader(store.files, store.layout, upgrade)
  if (pinned.has(store)) open.set(store, reader)
  return reader
}

/** Closes a reader that `acquireReader` gave, unless it is pinned. */
export function releaseReader(reader: SnapshotReader): void {
  for (const known of open.values()) if (known === reader) return
  reader.close()
}

/** From now on this process keeps the store's reader open between questions; `reopenReader` after every save. */
export function pinReader(store: Store): void {
  pinned.add(store)
}

/** Forgets the open reader: the snapshot on disk has changed. */
export function reopenReader(store: Store): void {
  open.get(store)?.close()
  open.delete(store)
}

/** Ends pinning. */
export function unpinReader(store: Store): void {
  reopenReader(store)
  pinned.delete(store)
}
