// The tiers of memories: their sizes, their last transitions, a plan of the next ones, and undo.
import type { MemoryId } from '../../model/id.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isPrivate } from '../../model/privacy.ts'
import { TIERS, type Tier } from '../../model/tier.ts'
import { applyAging } from '../../organize/lifecycle.ts'
import { commitEvents } from '../commit/commitEvents.ts'
import { systemEvent } from '../commit/systemEvent.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { activePolicy } from '../projection/policyReducer.ts'
import type { TierTransition } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** The size of one tier. Bytes are those of the memories as JSON; dates are ISO, null for an empty tier. */
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
  /** The latest transitions, newest first. */
  readonly transitions: readonly TierTransition[]
}

export function summarizeTiers(store: Store): TierOverview {
  const { projection } = loadProjection(store)
  const memories = [...projection.memories.values()].filter((memory) => !isPrivate(memory))
  return { tiers: TIERS.map((tier) => summarizeTier(tier, memories)), transitions: projection.moves.toReversed() }
}

function summarizeTier(tier: Tier, memories: readonly Memory[]): TierState {
  const members = memories.filter((memory) => memory.tier === tier)
  const created = members.map((memory) => memory.created).sort()
  const archived = members.filter((memory) => memory.status === 'archived').length
  return {
    tier,
    active: members.length - archived,
    archived,
    bytes: members.reduce((sum, memory) => sum + Buffer.byteLength(JSON.stringify(memory)), 0),
    oldest: created[0] ?? null,
    newest: created.at(-1) ?? null,
  }
}

/** What an aging pass would change. */
export interface TierPlan {
  readonly transitions: readonly { readonly id: MemoryId; readonly from: Tier; readonly to: Tier }[]
  readonly archived: readonly MemoryId[]
  /** Months whose summaries would be written or updated. */
  readonly months: readonly string[]
}

/** Plans an aging pass at `now`, in milliseconds since 1970. Writes nothing. */
export function planTransitions(store: Store, now: number): TierPlan {
  const { projection } = loadProjection(store)
  const aged = applyAging(projection.memories, activePolicy(projection), now)
  const changed = aged.filter((memory) => !isPrivate(memory))
  const before = (memory: Memory) => projection.memories.get(memory.id)
  return {
    transitions: changed.flatMap((memory) => {
      const from = before(memory)?.tier
      return from && from !== memory.tier ? [{ id: memory.id, from, to: memory.tier }] : []
    }),
    archived: changed
      .filter((memory) => memory.status === 'archived' && before(memory)?.status === 'active')
      .map((memory) => memory.id),
    months: changed.flatMap((memory) => memory.monthlyRollup?.month ?? []),
  }
}

/** Restores the memories that the latest transition archived. Returns their ids. Throws NOT_FOUND and STORE_BUSY. */
export function undoTransition(store: Store, now: number): readonly MemoryId[] {
  const last = loadProjection(store).projection.moves.findLast(({ archived }) => archived.length > 0)
  if (!last) {
    throw new MemoryError('NOT_FOUND', 'No known transition has archived a memory', {
      hint: 'Run `memctl status --tiers` for the last transitions, `memctl list --status archived` for the archive.',
    })
  }
  const body = { kind: 'memory.restored', memories: last.archived } as const
  commitEvents(store, [systemEvent(body, { now, key: [last.at] })])
  runMaintenanceOrThrow(store, now)
  return last.archived
}
