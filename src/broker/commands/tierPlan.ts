// Tiers: how memories lie by age, what moved last, what would move now, and taking a move back.

import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { applyAging } from '../../organize/lifecycle.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { activePolicy } from '../projection/policyReducer.ts'
import type { TierTransition } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** One tier as it lies. Bytes are of the memories' JSON; dates are ISO, null where there is none. */
interface TierState {
  readonly tier: Tier
  readonly active: number
  readonly archived: number
  readonly bytes: number
  readonly oldest: string | null
  readonly newest: string | null
}

export interface TierOverview {
  readonly tiers: readonly TierState[]
  /** The latest moves, newest first. */
  readonly transitions: readonly TierTransition[]
}

export function summarizeTiers(store: Store): TierOverview {
  const { projection } = loadProjection(store)
  const memories = [...projection.memories.values()]
  return { tiers: TIERS.map((tier) => stateOf(tier, memories)), transitions: projection.moves.toReversed() }
}

function stateOf(tier: Tier, memories: readonly Memory[]): TierState {
  const own = memories.filter((memory) => memory.tier === tier)
  const created = own.map((memory) => memory.created).sort()
  const archived = own.filter((memory) => memory.status === 'archived').length
  return {
    tier,
    active: own.length - archived,
    archived,
    bytes: own.reduce((sum, memory) => sum + Buffer.byteLength(JSON.stringify(memory)), 0),
    oldest: created[0] ?? null,
    newest: created.at(-1) ?? null,
  }
}

/** What a look at age would change now; nothing is written. `now` in milliseconds since 1970. */
export interface TierPlan {
  readonly transitions: readonly { readonly id: MemoryId; readonly from: Tier; readonly to: Tier }[]
  readonly archived: readonly MemoryId[]
  /** Months that would be summed up, new or again. */
  readonly months: readonly string[]
}

export function planTransitions(store: Store, now: number): TierPlan {
  const { projection } = loadProjection(store)
  const changed = applyAging(projection.memories, activePolicy(projection), now)
  const before = (memory: Memory) => projection.memories.get(memory.id)
  return {
    transitions: changed.flatMap((memory) => {
      const from = before(memory)?.tier
      return from && from !== memory.tier ? [{ id: memory.id, from, to: memory.tier }] : []
    }),
    archived: changed
      .filter((one) => one.status === 'archived' && before(one)?.status === 'active')
      .map((one) => one.id),
    months: changed.flatMap((memory) => memory.monthlyRollup?.month ?? []),
  }
}

/** Takes back from the archive what the latest move put there: an event, so that a rebuild keeps it. Returns what came back. */
export function undoTransition(store: Store, now: number): readonly MemoryId[] {
  const last = loadProjection(store).projection.moves.findLast((move) => move.archived.length > 0)
  if (!last) {
    throw new MemoryError('NOT_FOUND', 'No move into the archive is known', {
      hint: 'Run `memctl tiers` to see what moved; `memctl list --status archived` shows what lies in the archive.',
    })
  }
  const restored = { kind: 'memory.restored', memories: last.archived } as const
  commitEvents(store, [systemEvent(restored, { now, key: [last.at] })])
  runMaintenanceOrThrow(store, now)
  return last.archived
}
