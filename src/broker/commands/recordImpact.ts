// An impact that a person says a memory had: it changes the strength of the memory.
import type { ImpactKind } from '../../model/strength.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { findMemoryByPrefix } from '../queries/browse.ts'

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
