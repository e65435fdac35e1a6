// Snapshot readers: one per query, closed after it, or one that stays open for many queries, such as those of a replay.
import { countBytesAfter } from '../../store/log/eventLog.ts'
import type { Upgrade } from '../../store/snapshot/segmentReader.ts'
import { openSnapshotReader, type SnapshotReader } from '../../store/snapshot/snapshotReader.ts'
import { upgradeMemory } from '../../store/snapshot/upgradeMemory.ts'
import type { Store } from './openStore.ts'

const openReaders = new Map<Store, SnapshotReader>()
const pinnedStores = new Set<Store>()

/** A reader of the current snapshot. All callers but hooks pass `upgrade`, to read snapshots of earlier versions. */
export function acquireReader(store: Store, upgrade?: Upgrade): SnapshotReader {
  const openReader = openReaders.get(store)
  if (openReader) return openReader
  const reader = openSnapshotReader(store.files, store.layout, upgrade)
  if (pinnedStores.has(store)) openReaders.set(store, reader)
  return reader
}

/** A reader that sees everything in the log; undefined if no snapshot is as new as the log. Not for hooks. */
export function acquireCurrentReader(store: Store): SnapshotReader | undefined {
  const reader = acquireReader(store, upgradeMemory)
  const { files, layout } = store
  if (countBytesAfter(files, layout.events, reader.cursor) === 0) return reader
  releaseReader(reader)
  return undefined
}

/** Closes a reader that `acquireReader` returned, unless it is pinned. */
export function releaseReader(reader: SnapshotReader): void {
  for (const openReader of openReaders.values()) if (openReader === reader) return
  reader.close()
}

/** From now on this process keeps the store's reader open between queries. Call `reopenReader` after every save. */
export function pinReader(store: Store): void {
  pinnedStores.add(store)
}

/** Closes the open reader, because the snapshot on disk has changed. The next query opens a new one. */
export function reopenReader(store: Store): void {
  openReaders.get(store)?.close()
  openReaders.delete(store)
}

/** Ends pinning. */
export function unpinReader(store: Store): void {
  reopenReader(store)
  pinnedStores.delete(store)
}
