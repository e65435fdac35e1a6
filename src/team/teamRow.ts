// What a team knows of a memory: one row on the hub with the text that counts, and counts that the database adds up.
//
//   hub      rows: memory, revision, state, fields, who learned it first     counts: memory, copy, person, sums
//   here     entries: the revision that was read, what the text was then, what the others have counted
//
// Each change gets the next revision of its project. A change names the revision that it was made of: if the row has
// another one by now, it is read and merged first. So nothing is overwritten that its author has not seen.
import type { MemoryId } from '../model/id.ts'
import type { Knowledge } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'

/** In order of the columns; `impact` may have a fraction, the others are whole numbers. */
export const COUNT_NAMES = [
  ...(['uses', 'candidates', 'impact', 'meetings', 'sessions', 'met', 'shown', 'obeyed', 'broken'] as const),
]
export type CountName = (typeof COUNT_NAMES)[number]

/** From 0 up; an absent one is 0. */
export type Counts = { readonly [Name in CountName]?: number | undefined }

/** deleted: gone, until it is learned again. forgotten: gone for good. Neither has a text. */
export type RowState = 'active' | 'deleted' | 'forgotten'

/** An entry in the words of its author. Its record is each machine's own, but for the counts that a team adds up. */
export interface SharedKnowledge
  extends Pick<Knowledge, 'type' | 'scope' | 'line' | 'quote' | 'asked' | 'reason' | 'when' | 'expected' | 'ways'> {
  readonly state: 'standing' | 'retired'
}

type CopiedFields = Pick<
  Memory,
  | ('kind' | 'content' | 'lessons' | 'tags' | 'files' | 'commandShape' | 'errorSignature' | 'branch' | 'outcome')
  | ('scope' | 'scopeDomain' | 'role' | 'trust' | 'provenance' | 'contentType' | 'source' | 'created' | 'updated')
  | ('expires' | 'learnings' | 'searchOnly')
>

/** The part of a memory that is shared. Times are ISO; what is absent is undefined in the memory too. */
export interface SharedFields extends CopiedFields {
  readonly privacy: 'agent-only' | 'public'
  readonly retention: 'long_term' | 'short_term'
  /** 0 to 1, of the machine that wrote it: where the memory is new. A machine that has it keeps its own. */
  readonly importance: number
  readonly knowledge?: SharedKnowledge | undefined
}

/** A memory as the hub gives it to one copy of the project's store. */
export interface TeamRow {
  readonly memory: MemoryId
  /** Of the last change of its text or state. */
  readonly revision: number
  readonly state: RowState
  /** Absent where nothing but counts has changed, and of what is gone. */
  readonly fields?: SharedFields | undefined
  /** What replaced it: a memory's id or `outdated`; null if it stands. */
  readonly successor: string | null
  readonly pinned?: true | undefined
  /** Who learned or said it first. */
  readonly by: string
  /** How many people have met or written it themselves, and in how many copies of the store. */
  readonly people: number
  readonly copies: number
  /** The sums over all copies, and what this copy has sent of them. */
  readonly counts: Counts
  readonly sent: Counts
  /** This copy has met or written it itself. */
  readonly own: boolean
}

/** What this copy of a store remembers of a row. */
export interface TeamEntry extends Omit<TeamRow, 'memory' | 'fields' | 'counts'> {
  /** The text and state that wait until somebody accepts them, or that nobody has (`waitingMark`). */
  readonly waiting?: string | undefined
  /** The hash of the text as it was when it was read or sent: with another one, it was changed here since. */
  readonly seen: string
  /** What the others have counted: it is in the memory's own counts too. */
  readonly others: Counts
}

/** A change of a row. It is made if the row still has the revision `base`; 0 for none. A `forgotten` is always made. */
export interface RowChange extends Pick<TeamRow, 'memory' | 'state' | 'fields' | 'successor'> {
  readonly base: number
  /** For `TeamEntry.seen` once it is sent. */
  readonly seen: string
}

/** The totals of this copy alone; the hub keeps the highest. */
export interface CountChange extends Pick<TeamRow, 'memory' | 'own'> {
  readonly counts: Counts
}

export interface TeamChanges {
  readonly rows: readonly RowChange[]
  readonly counts: readonly CountChange[]
  /** What this copy shares no longer. What nobody else has met is deleted. */
  readonly withdrawn: readonly MemoryId[]
}

/** One copy of a project's store, and the person it belongs to. */
export interface HubMember {
  /** The project's name on the hub. */
  readonly project: string
  /** A UUID. */
  readonly replica: string
  /** The name shown to the team. */
  readonly name: string
}

/** The hub. Every method fails with a MemoryError that has a code and a hint. */
export interface Hub {
  /** `hub` is the UUID of the database's hub, `version` that of its tables. */
  describe(): Promise<HubDescription>
  /** Makes the changes, in one transaction. Sent again they change nothing. */
  push(member: HubMember, changes: TeamChanges): Promise<HubAnswer>
  /**
   * The rows with changes after a revision, in their order. Those with a revision in `known` are left out.
   */
  pull(member: HubMember, after: number, known: readonly number[], seen?: KnownChanges): Promise<HubPage>
  /** Takes back everything that this copy has shared. */
  leave(member: HubMember): Promise<void>
  /** Tells all copies that the hub was restored from a backup. `epoch` is a new UUID. */
  setEpoch(project: string, epoch: string): Promise<void>
  close(): Promise<void>
}

export type RowVersion = Pick<TeamRow, 'memory' | 'revision'>

/** What a hub lacks that was restored from a backup. */
export interface KnownChanges {
  /** The row with the highest revision that this copy has read or sent. */
  readonly latest?: RowVersion | undefined
  /** The revision of the last row that the hub has taken from this copy. */
  readonly sent?: number | undefined
}

export interface HubDescription {
  readonly hub: string
  readonly version: number
  readonly canWrite: boolean
}

export interface HubAnswer {
  /** The rows that were changed. */
  readonly rows: readonly Pick<TeamRow, 'memory' | 'revision' | 'by'>[]
  /** The rows with a text that has to be accepted first. */
  readonly waiting: readonly MemoryId[]
  /** Of the counts that were stored: how many people and copies have met the memory now. */
  readonly counted: readonly Pick<TeamRow, 'memory' | 'people' | 'copies'>[]
}

export interface HubPage {
  /** As they are stored: another program may have written them (checkRow.ts). */
  readonly rows: readonly unknown[]
  /** Everything up to this revision was read. */
  readonly through: number
  readonly more: boolean
  /** The project's last revision. */
  readonly last: number
  /** It has no longer what this copy has seen: the hub was restored from a backup. */
  readonly isRestored: boolean
  readonly canWrite: boolean
  /** The member's name belongs to another role: others are shown the member's role in its place. */
  readonly isNameTaken: boolean
  /** The owner has removed the project: nobody sends or receives anything any more. */
  readonly isRemoved: boolean
  /** A UUID, another one after a restore; empty for a project to which nobody has sent anything. */
  readonly epoch: string
  /** The kinds of memory that the team shares; null if each machine's policy says it. */
  readonly kinds: readonly string[] | null
  /** Texts that wait and that this role may see: its own, or all if it may accept them. */
  readonly reviews: number
}

/** What waits: a text by its hash, and what replaced it. */
export const waitingMark = (seen: string, successor: string | null): string => `${seen} ${successor ?? ''}`

/** Both counts, name by name; what comes to 0 is left out. */
export function combineCounts(a: Counts, b: Counts, combine: (a: number, b: number) => number): Counts {
  const combined: { [Name in CountName]?: number } = {}
  for (const name of COUNT_NAMES) {
    const value = roundImpact(combine(a[name] ?? 0, b[name] ?? 0))
    if (value > 0) combined[name] = value
  }
  return combined
}

/** What the other copies have counted. */
export const othersOf = ({ counts, sent }: Pick<TeamRow, 'counts' | 'sent'>): Counts =>
  combineCounts(counts, sent, (all, own) => all - own)

/** Impacts have few decimals. Without their rounding errors a sum minus a summand is the other summand. */
const roundImpact = (value: number): number => Math.round(value * 1e6) / 1e6
