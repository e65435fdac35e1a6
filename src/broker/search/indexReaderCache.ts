// Which reader a question uses: one opened for it and closed after it, or one pinned while a replay runs through many.
import type { Upgrade } from '../../store/memoryRead.ts'
import { openShelf, type Shelf } from '../../store/shelf.ts'
import type { Store } from '../store.ts'

const open = new Map<Store, Shelf>()
const pinned = new Set<Store>()

/** A reader of a store's current snapshot. All callers but hooks give `upgrade`, for one of an earlier version. */
export function readerFor(store: Store, upgrade?: Upgrade): Shelf {
  const known = open.get(store)
  if (known) return known
  const reader = openShelf(store.files, store.layout, upgrade)
  if (pinned.has(store)) open.set(store, reader)
  return reader
}

/** Closes a reader that `readerFor` gave, unless it is pinned. */
export function closeReader(reader: Shelf): void {
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
