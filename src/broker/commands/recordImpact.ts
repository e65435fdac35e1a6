// Records the impact that a person reports for a memory. It can restore an archived memory.
import type { Memory } from '../../model/memory.ts'
import type { ImpactKind } from '../../model/strength.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { findMemoryByPrefix } from '../queries/browse.ts'

export interface ImpactResult {
  readonly before: Memory
  readonly after: Memory
}

interface ImpactInput {
  /** The memory's id, or its beginning. */
  readonly prefix: string
  readonly impact: ImpactKind
  /** What it had an impact on, such as cost. */
  readonly perspective: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Commits the impact and returns the memory before and after it. Throws NOT_FOUND and STORE_BUSY. */
export function recordImpact(store: Store, { prefix, impact, perspective, now }: ImpactInput): ImpactResult {
  const before = findMemoryByPrefix(store, prefix)
  const body = { kind: 'memory.impact', memory: before.id, impact, perspective } as const
  commitEvents(store, [systemEvent(body, { now, key: [before.id, impact, perspective ?? ''] })])
  runMaintenanceOrThrow(store, now)
  return { before, after: loadProjection(store).projection.memories.get(before.id) ?? before }
}
