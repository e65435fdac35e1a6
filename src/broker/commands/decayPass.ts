// A decay pass: one step of strength decay. It is an event, so that a rebuild decays as often as the store did.
import { isPrivate } from '../../model/privacy.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** The counts of a sleep phase in the agent-memory spec. */
export interface DecayResult {
  /** How many memories lost strength. */
  readonly decayed: number
  /** How many memories were archived. */
  readonly archived: number
  /** How many memories changed their consolidation level. */
  readonly consolidated: number
}

/** Lets experiences decay by one task. `now` is in milliseconds since 1970. Throws STORE_BUSY. */
export function runDecayPass(store: Store, now: number): DecayResult {
  runMaintenanceOrThrow(store, now)
  const before = loadProjection(store).projection.memories
  commitEvents(store, [systemEvent({ kind: 'memory.slept' }, { now })])
  runMaintenanceOrThrow(store, now)
  const result = { decayed: 0, archived: 0, consolidated: 0 }
  for (const after of loadProjection(store).projection.memories.values()) {
    const earlier = before.get(after.id)
    if (!earlier || isPrivate(after)) continue
    if (after.strength < earlier.strength) result.decayed++
    if (after.status !== earlier.status) result.archived++
    if (after.consolidationLevel !== earlier.consolidationLevel) result.consolidated++
  }
  return result
}
