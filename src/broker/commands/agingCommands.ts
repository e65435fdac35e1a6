// What a person does with the strength of memories: a decay pass, impacts.
import { isPrivate } from '../../model/privacy.ts'
import type { ImpactKind } from '../../model/strength.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { findMemoryByPrefix } from '../queries/browse.ts'

/** The counts of a sleep phase in the agent-memory spec. */
export interface DecayResult {
  /** How many memories lost strength. */
  readonly decayed: number
  /** How many memories were archived. */
  readonly archived: number
  /** How many memories changed their consolidation level. */
  readonly consolidated: number
}

/** Lets experiences decay by one task; a rebuild repeats it. `now` is in ms since 1970. Throws STORE_BUSY. */
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

export type ImpactResult = ReturnType<typeof recordImpact>

interface ImpactInput {
  /** The memory's id, or its beginning. */
  readonly prefix: string
  readonly impact: ImpactKind
  /** What it had an impact on, such as cost. */
  readonly perspective: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Commits an impact, which can restore an archived memory. Throws NOT_FOUND and STORE_BUSY. */
export function recordImpact(store: Store, { prefix, impact, perspective, now }: ImpactInput) {
  const before = findMemoryByPrefix(store, prefix)
  const body = { kind: 'memory.impact', memory: before.id, impact, perspective } as const
  commitEvents(store, [systemEvent(body, { now, key: [before.id, impact, perspective ?? ''] })])
  runMaintenanceOrThrow(store, now)
  return { before, after: loadProjection(store).projection.memories.get(before.id) ?? before }
}
