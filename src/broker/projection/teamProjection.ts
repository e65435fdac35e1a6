// What a store shares with a team, as the events of its log add up to it: membership, states of memories, outbox.
import type { EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import { FIRST_EPOCH } from '../../team/hub.ts'
import type { TeamState } from '../../team/mergeOperation.ts'
import type { Operation } from '../../team/operation.ts'

/** Which hub, and as whom. */
export type TeamMembership = Pick<EventOf<'team.joined'>, 'hub' | 'project' | 'replica' | 'name' | 'place'>

/** Mutable, like the projection that it is a part of. */
export interface TeamProjection {
  membership: TeamMembership
  /** It has left: nothing is received, and what only others have is hidden. The states stay, for a return. */
  hasLeft: boolean
  /** It is a new copy of a store: what the hub has must be received before anything is collected. */
  isBehind: boolean
  /** The merged operations of each memory that the team has or had. */
  states: Map<MemoryId, TeamState>
  /** The position on the hub up to which operations were received. */
  through: number
  /** The hub's epoch at that time. */
  epoch: string
  /** The hub was restored and has lost operations of this replica: its next push begins a new epoch. */
  raisesEpoch: boolean
  /** The number of this replica's last operation, and of the last that the hub is known to have. */
  lastN: number
  pushed: number
  /** This replica's operations after `pushed`, in order. */
  outbox: readonly Operation[]
  /** What a person deleted while the team had it, and no operation deletes yet. */
  deleted: readonly MemoryId[]
  /** Forgotten here by an earlier replica, which could not send it. */
  unsentForgets: readonly MemoryId[]
  /** Forgotten by somebody, and not yet erased from this store's files. */
  erasing: readonly MemoryId[]
}

/** The same as JSON. Earlier versions stored no epoch. */
export type StoredTeam = Omit<TeamProjection, 'states' | 'epoch' | 'raisesEpoch'> & {
  readonly states: readonly [MemoryId, TeamState][]
} & Partial<Pick<TeamProjection, 'epoch' | 'raisesEpoch'>>

export const storeTeam = (team: TeamProjection | undefined): StoredTeam | undefined =>
  team && { ...team, states: [...team.states] }

export const loadTeam = (stored: StoredTeam | undefined): TeamProjection | undefined =>
  stored && { epoch: FIRST_EPOCH, raisesEpoch: false, ...stored, states: new Map(stored.states) }

/** The operations of an event. They were checked before they were appended. */
export const operationsOf = (event: EventOf<'team.published' | 'team.received'>): readonly Operation[] =>
  event.operations as readonly Operation[]

/** An operation of a forgotten memory without what it says: its number stays, because numbers have no gaps. */
export function blankOperation(operation: Operation): Operation {
  if (operation.kind === 'forget') return operation
  const { id, replica, n, at, memory } = operation
  return { id, replica, n, at, memory, kind: 'withdraw' }
}
