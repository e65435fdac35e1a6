// One sleep phase of a store: an event, so that a rebuild sleeps as often as the store did.
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** What a sleep phase came to, as seed 000 counts it. */
export interface DecayResult {
  /** Memories that grew weaker. */
  readonly decayed: number
  readonly archived: number
  /** Memories whose consolidation level is another now. */
  readonly consolidated: number
}

/** Takes one task's worth of strength from the experiences. Throws STORE_BUSY. `now` in milliseconds since 1970. */
export function runDecayPass(store: Store, now: number): DecayResult {
  runMaintenanceOrThrow(store, now)
  const before = loadProjection(store).projection.memories
  commitEvents(store, [systemEvent({ kind: 'memory.slept' }, { now })])
  runMaintenanceOrThrow(store, now)
  const result = { decayed: 0, archived: 0, consolidated: 0 }
  for (const later of loadProjection(store).projection.memories.values()) {
    const earlier = before.get(later.id)
    if (!earlier) continue
    if (later.strength < earlier.strength) result.decayed++
    if (later.status !== earlier.status) result.archived++
    if (later.consolidationLevel !== earlier.consolidationLevel) result.consolidated++
  }
  return result
}
