// Which shelf a visit reads: opened for one hook and closed after it, or kept open while a replay runs through many.
import { openShelf, type Shelf } from '../../store/shelf.ts'
import type { Store } from '../store.ts'

const kept = new Map<Store, Shelf>()
const keeping = new Set<Store>()

/** The current view of a store. */
export function shelfFor(store: Store): Shelf {
  const open = kept.get(store)
  if (open) return open
  const shelf = openShelf(store.files, store.layout)
  if (keeping.has(store)) kept.set(store, shelf)
  return shelf
}

/** Closes a shelf that `shelfFor` gave, unless it is kept. */
export function disposeShelf(shelf: Shelf): void {
  for (const open of kept.values()) if (open === shelf) return
  shelf.close()
}

/** From now on this process keeps the store's shelf open between visits; `refreshShelf` after every save. */
export function keepShelf(store: Store): void {
  keeping.add(store)
}

/** Forgets the kept shelf: the view on disk has changed. */
export function refreshShelf(store: Store): void {
  kept.get(store)?.close()
  kept.delete(store)
}

/** Ends keeping. */
export function releaseShelf(store: Store): void {
  refreshShelf(store)
  keeping.delete(store)
}
