// What a person does with the strength of memories: tiers with undo, a decay pass, impacts.
import type { MemoryId } from '../../model/id.ts'
import { type Memory, TIERS, type Tier } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isPrivate } from '../../model/privacy.ts'
import type { ImpactKind } from '../../model/strength.ts'
import { commitEvents, systemEvent } from '../commit/commitEvents.ts'
import { runMaintenanceOrThrow } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import type { TierTransition } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'
import { findMemoryByPrefix } from '../queries/browse.ts'

// The tiers of memories: their sizes, their last transitions, and undo.

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

// A decay pass: one step of strength decay. It is an event, so that a rebuild decays as often as the store did.

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

// Records the impact that a person reports for a memory. It can restore an archived memory.

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
