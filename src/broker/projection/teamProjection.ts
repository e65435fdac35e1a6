// What a store shares with a team, as the events of its log add up to it: membership, and what is known of the rows.
import type { Event, EventOf } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'
import type { MemoryKind } from '../../model/memory.ts'
import { type Counts, combineCounts, type RowVersion, type TeamEntry, type TeamRow } from '../../team/teamRow.ts'
import { newEntry, TeamEntries } from './teamEntries.ts'

/** Which hub, and as whom. */
export type TeamMembership = Pick<EventOf<'team.joined'>, 'hub' | 'project' | 'replica' | 'name' | 'place' | 'kinds'>

/** Mutable, like the projection that it is a part of. */
export interface TeamProjection {
  membership: TeamMembership
  /** It has left: nothing is received, and what only others have is gone. */
  hasLeft: boolean
  /** The hub does not know yet that it has left. */
  isLeaving: boolean
  /** What is known of each row; after it has left, only what is forgotten. */
  entries: TeamEntries
  /** The row with the highest revision that was read or sent. */
  latest?: RowVersion | undefined
  /** The highest revision of what was sent from here to the hub of this epoch. */
  sent?: number | undefined
  /** The file of the entries: the generation that wrote it, and its checksum; absent if none was written. */
  file?: { readonly generation: number; readonly sum: number } | undefined
  /** Revisions after `revision` that are known already: what was sent from here. */
  ahead: number[]
  /** Everything up to this revision of the project was read. */
  revision: number
  /** The hub's epoch at that time; undefined if nothing was read. */
  epoch: string | undefined
  /** The kinds that the team shares, of those that this memctl knows; undefined if the policy here says it. */
  kinds?: readonly MemoryKind[] | undefined
  /** What a person deleted while the team had it, and the hub does not know yet. */
  deleted: readonly MemoryId[]
  /** What a person has forgotten, and the hub does not know yet. */
  unsentForgets: readonly MemoryId[]
  /** Forgotten by somebody, and not yet erased from this store's files. */
  erasing: readonly MemoryId[]
  /** Texts of this person that others have replaced or deleted, the latest last; until the person changes the memory again. */
  lost: readonly LostText[]
  /** What the hub may not have, of all but later changes of memories; undefined if that is not known. */
  unsent?: { readonly rules: string; readonly memories: Set<MemoryId> } | undefined
}

export interface LostText {
  readonly memory: MemoryId
  readonly text: string
  /** Who has replaced it; empty if it was deleted. */
  readonly by: string
  /** ISO. */
  readonly at: string
}

/** More than these are no longer news: they are in the log. */
export const LOST_MAX = 8

/** What an exchange with the hub has changed for one memory. */
export type TeamOperation =
  /** The hub has this row. */
  | (TeamRow & { readonly kind: 'row' })
  /** The hub has taken this text or state from here. */
  | (Pick<TeamRow, 'memory' | 'revision' | 'state' | 'successor' | 'by'> & {
      readonly kind: 'sent'
      readonly seen: string
    })
  /** The hub has taken these counts from here. */
  | (Pick<TeamRow, 'memory' | 'own' | 'people' | 'copies'> & { readonly kind: 'counted'; readonly counts: Counts })
  /** The hub keeps this text until somebody accepts it. */
  | { readonly kind: 'waiting'; readonly memory: MemoryId; readonly mark: string }
  /** Sending: the hub may have it soon. */
  | { readonly kind: 'sending' | 'withdrawn' | 'forget'; readonly memory: MemoryId }

const KINDS: readonly string[] = [
  ...(['row', 'sending', 'sent', 'counted', 'waiting', 'withdrawn', 'forget'] satisfies TeamOperation['kind'][]),
]

type OperationsEvent = EventOf<'team.published' | 'team.received'>

/** The operations of an event. They were checked before they were appended. Those of earlier versions are left out. */
export const operationsOf = (event: OperationsEvent): readonly TeamOperation[] =>
  event.operations.filter(({ kind }) => KINDS.includes(kind)) as readonly LoggedTeamOperation[]

type LoggedTeamOperation = TeamOperation & OperationsEvent['operations'][number]

/** The event without the texts of these memories; what somebody has forgotten stays known. */
export function withoutTexts(event: OperationsEvent, ids: ReadonlySet<MemoryId>): Event {
  const isText = (operation: object): boolean =>
    'fields' in operation || ('state' in operation && operation.state === 'active')
  const rest = event.operations.filter((operation) => !isText(operation) || !ids.has(operation.memory))
  return rest.length === event.operations.length ? event : { ...event, operations: rest }
}

/** Notes what is known of a row. */
export function setEntry(team: TeamProjection, memory: MemoryId, entry: TeamEntry): void {
  const { revision } = entry
  team.entries.set(memory, entry)
  if (revision > (team.latest?.revision ?? 0)) team.latest = { memory, revision }
  if (revision > team.revision) team.ahead.push(revision)
}

/** The same as JSON; the entries are in a file of their own. Earlier versions had them here, and no lost texts. */
export type StoredTeam = Omit<TeamProjection, 'entries' | 'ahead' | 'lost' | 'unsent'> & {
  readonly ahead?: number[]
  readonly entries?: readonly [MemoryId, TeamEntry][]
  readonly lost?: readonly LostText[]
}

export interface StoredUnsent {
  readonly rules: string
  readonly memories: readonly MemoryId[]
}

export function loadTeam(stored: StoredTeam | EarlierTeam | undefined, unsent?: StoredUnsent, lines?: Buffer) {
  if (stored === undefined || 'states' in stored) return stored && upgradeTeam(stored)
  const memories = new Set(unsent?.memories)
  const { entries = [], ...rest } = stored
  const team: TeamProjection = { lost: [], ahead: [], ...rest, entries: new TeamEntries([], lines) }
  for (const [memory, entry] of entries) setEntry(team, memory, entry)
  return { ...team, unsent: unsent && { ...unsent, memories } }
}

/** Of a project that has joined, before its first exchange. */
export const nothingRead = () => ({
  hasLeft: false,
  isLeaving: false,
  revision: 0,
  epoch: undefined,
  latest: undefined,
  sent: undefined,
  ahead: [],
  deleted: [],
  lost: [],
})

/** In earlier versions, each machine had the changes of all, merged by machine, and an outbox of its own. */
interface EarlierTeam extends Pick<TeamProjection, 'membership' | 'hasLeft' | 'erasing'> {
  readonly states: readonly [MemoryId, EarlierState][]
  readonly deleted?: readonly MemoryId[]
  readonly outbox?: readonly { readonly memory: MemoryId; readonly kind: string }[]
  readonly unsentForgets?: readonly MemoryId[]
}

interface EarlierState {
  readonly puts?: Readonly<Record<string, unknown>>
  readonly counts?: Readonly<Record<string, Counts>>
  readonly forgotten?: true
}

/** Everything is read again, without counting again what the others have counted. */
function upgradeTeam(earlier: EarlierTeam): TeamProjection {
  const { membership, hasLeft, erasing, states, unsentForgets = [], deleted = [], outbox = [] } = earlier
  const unsent = outbox.flatMap(({ kind, memory }) => (kind === 'delete' ? [memory] : []))
  const entries = states.map(([id, state]) => [id, upgradeState(state, membership.replica)] as const)
  const forgotten = entries.filter(([, { state }]) => state === 'forgotten')
  return {
    ...nothingRead(),
    membership,
    hasLeft,
    isLeaving: hasLeft,
    erasing,
    entries: new TeamEntries(hasLeft ? forgotten : entries),
    deleted: hasLeft ? [] : [...new Set([...deleted, ...unsent])],
    unsentForgets: [...new Set([...unsentForgets, ...forgotten.map(([id]) => id)])],
  }
}

function upgradeState({ puts = {}, counts = {}, forgotten }: EarlierState, replica: string): TeamEntry {
  if (forgotten) return newEntry('forgotten')
  const { [replica]: sent = {}, ...rest } = counts
  const others = Object.values(rest).reduce<Counts>((sum, each) => combineCounts(sum, each, (a, b) => a + b), {})
  return { ...newEntry('active'), others, sent: combineCounts(sent, {}, Math.max), own: puts[replica] !== undefined }
}
