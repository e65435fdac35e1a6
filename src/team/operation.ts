// Operations: what travels between the machines of a team. Each says what one machine changed in one memory; the
// merged operations of a memory are its state on every machine (mergeOperation.ts).
import type { EventId, MemoryId } from '../model/id.ts'
import type { Knowledge } from '../model/knowledge.ts'
import type { Memory } from '../model/memory.ts'

/**
 * A time that sorts as text: 13 digits of milliseconds since 1970, 5 digits of a counter, and the replica:
 * `1764800000000-00003-<uuid>`. See hybridClock.ts.
 */
export type HybridTime = string

/** What every operation has. */
interface Envelope {
  /** A UUID, a hash of the operation: two operations with the same replica and `n` and another id are a conflict. */
  readonly id: EventId
  /** A UUID: one copy of the project's store. */
  readonly replica: string
  /** 1, 2, 3 … per replica, without gaps. */
  readonly n: number
  /** When the change was made. The latest wins where only one can. */
  readonly at: HybridTime
  readonly memory: MemoryId
}

/** The replica's version of the memory. */
export interface PutBody {
  readonly kind: 'put'
  readonly fields: SharedFields
  /** The name shown to the team. */
  readonly by: string
  /** The time of the deletion after which this was learned again; a put without it stays deleted. */
  readonly after?: HybridTime | undefined
}

/** Totals of this replica alone. Merged by maximum per replica, and added over replicas. */
export interface CountBody {
  readonly kind: 'count'
  readonly counts: SharedCounts
}

/** What replaced the memory: a later memory's id, `outdated` if nothing did, or null if it stands (again). */
export interface SupersedeBody {
  readonly kind: 'supersede'
  readonly memoryBy: string | null
}

/**
 * withdraw: this replica shares it no longer (private now, or left the hub). delete: gone for everyone; it wins over
 * every put that was made without knowing of it. forget: gone for good, and the payloads of all its operations are
 * erased everywhere.
 */
export interface RemovalBody {
  readonly kind: 'withdraw' | 'delete' | 'forget'
}

export type OperationBody = PutBody | CountBody | SupersedeBody | RemovalBody
export type Operation = Envelope & OperationBody

/**
 * An entry in the words of its author: who that is, is the author of the operation. Its record is each machine's own,
 * but for the counts that a team adds up.
 */
export interface SharedKnowledge
  extends Pick<Knowledge, 'type' | 'scope' | 'line' | 'quote' | 'asked' | 'reason' | 'when' | 'expected' | 'ways'> {
  readonly state: 'standing' | 'retired'
}

type CopiedFields = Pick<
  Memory,
  | 'kind'
  | 'content'
  | 'lessons'
  | 'tags'
  | 'files'
  | 'commandShape'
  | 'errorSignature'
  | 'branch'
  | 'outcome'
  | 'scope'
  | 'scopeDomain'
  | 'role'
  | 'trust'
  | 'provenance'
  | 'contentType'
  | 'source'
  | 'created'
  | 'updated'
  | 'expires'
  | 'learnings'
  | 'searchOnly'
>

/** The part of a memory that is shared. Times are ISO; what is absent is undefined in the memory too. */
export interface SharedFields extends CopiedFields {
  readonly privacy: 'agent-only' | 'public'
  readonly retention: 'long_term' | 'short_term'
  /** 0 to 1, of the machine that wrote it: where the memory is new. A machine that has it keeps its own. */
  readonly importance: number
  readonly knowledge?: SharedKnowledge | undefined
}

/** Whole numbers from 0 that never decrease; `impact` may have a fraction. */
export interface SharedCounts {
  /** `accessCount` of the memory. */
  readonly uses: number
  /** `candidateCount` */
  readonly candidates: number
  /** `impactScore` */
  readonly impact: number
  readonly meetings: number
  /** `sessionCount` */
  readonly sessions: number
  /** Of the record of an entry of knowledge. Operations of earlier versions have none of the four. */
  readonly met?: number | undefined
  readonly shown?: number | undefined
  readonly obeyed?: number | undefined
  readonly broken?: number | undefined
}

/** Counts of which none is absent. */
export type TotalCounts = { readonly [Name in keyof SharedCounts]-?: number }
