// Upkeep for a person who waits: what they said is in the log, and this brings the view there.
import { storeBusy } from '../store/busy.ts'
import type { Store } from './store.ts'
import { upkeep } from './upkeep.ts'

/** Throws STORE_BUSY where another process is at it: that one may have read the log already. */
export function upkeepNow(store: Store, now: number): void {
  if (!upkeep(store, { now, sessions: [] }).busy) return
  throw storeBusy('Nothing is lost: it is in the log, and takes effect when that process is done.')
}
