// Upkeep for a person who waits: what they said is in the log, and this brings the view there.
import { storeBusyError } from '../../store/disk/lock.ts'
import type { Store } from '../open/openStore.ts'
import { runMaintenance } from './maintenance.ts'

/** Throws STORE_BUSY where another process is at it: that one may have read the log already. */
export function runMaintenanceOrThrow(store: Store, now: number): void {
  if (!runMaintenance(store, { now, sessions: [] }).busy) return
  throw storeBusyError('Nothing is lost: it is in the log, and takes effect when that process is done.')
}
