// A memory as a program sees it: the fields that it can rely on. What memctl keeps for its own work is left out.
import type {
  ContentType,
  MemoryKind,
  MemoryScope,
  MemorySource,
  MemoryStatus,
  Outcome,
  Retention,
  Tier,
  TrustLevel,
} from '../../model/memory.ts'
import type { Privacy } from '../../model/privacy.ts'

/** A stored memory. Times are ISO 8601 in UTC with milliseconds. */
export interface MemoryRecord {
  /** A UUID. */
  readonly id: string
  /** What kind of knowledge it is. */
  readonly kind: MemoryKind
  /** Its text. */
  readonly content: string
  /** What was learned, one sentence each. */
  readonly lessons: readonly string[]
  /** Words to filter by. */
  readonly tags: readonly string[]
  /** Data of the program that stored it; memctl does not read it. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** What the text is. */
  readonly contentType: ContentType
  /** How it came into the store. */
  readonly source: MemorySource
  /** The session it is from. */
  readonly session?: string | undefined
  /** The issue or task it is about. */
  readonly taskId?: string | undefined
  /** The agent that stored it; undefined for the main conversation. */
  readonly agentId?: string | undefined
  /** The role of that agent; main for the main conversation. */
  readonly role: string
  /** Paths inside the repository, with forward slashes. */
  readonly files: readonly string[]
  /** The git branch of the work. */
  readonly branch?: string | undefined
  /** How the work ended that it is from. */
  readonly outcome: Outcome
  /** Where it is valid. */
  readonly scope: MemoryScope
  /** The domain of a memory of the scope domain. */
  readonly scopeDomain?: string | undefined
  /** Who may see it. */
  readonly privacy: Privacy
  /** Where its text comes from. */
  readonly trust: TrustLevel
  /** How long it stays. */
  readonly retention: Retention
  /** Its age: hot up to 7 days, warm up to 30, then cold; the policy may have other numbers. */
  readonly tier: Tier
  /** How much it is worth keeping, 0 to 1. */
  readonly importance: number
  /** Why its importance is fixed, if a caller has fixed it. */
  readonly pinned?: Pin | undefined
  /** In how many other sessions its files or its error occurred, from 0. */
  readonly meetings: number
  /** In how many sessions it was derived, from 1. */
  readonly sessionCount: number
  /** How well it is consolidated, from 0; 1 is a new memory of a task. */
  readonly strength: number
  /** What it has gained for each perspective, from 0. */
  readonly strengthByPerspective: Readonly<Record<string, number>>
  /** How often it was used, from 0. */
  readonly accessCount: number
  /** How often it was a candidate, from 0. */
  readonly candidateCount: number
  /** The sum of its impacts, from 0. */
  readonly impactScore: number
  /** How slowly it decays, 0 to 5. */
  readonly consolidationLevel: number
  /** What was learned from each perspective. */
  readonly learnings: Readonly<Record<string, string>>
  /** Whether it is recalled. */
  readonly status: MemoryStatus
  /** When it was stored. */
  readonly created: string
  /** When its text or its fields changed last. */
  readonly updated: string
  /** When it was used last. */
  readonly lastUsed?: string | undefined
  /** When it ends; undefined for never. */
  readonly expires?: string | undefined
  /** The id of the memory that replaced it. */
  readonly supersededBy?: string | undefined
  /** What a recorder was given, unchanged. */
  readonly recorded?: Readonly<Record<string, unknown>> | undefined
}

/** A memory that was found, with its score and its explanation. */
export interface FoundMemory {
  /** The memory. */
  readonly memory: MemoryRecord
  /** The sum of the breakdown; comparable within one result only, and may be below 0. */
  readonly score: number
  /** The value of each feature, 0 to 1. */
  readonly features: Readonly<Record<string, number>>
  /** What each feature added to the score: weight × value. */
  readonly breakdown: Readonly<Record<string, number>>
}

/** A memory that was ranked and would not be shown. */
export interface CandidateScore {
  /** The id of the memory. */
  readonly id: string
  /** The score; comparable within one result only, and may be below 0. */
  readonly score: number
}

/** Why the importance of a memory is fixed. */
export interface Pin {
  /** The reason that the caller gave. */
  readonly reason: string
  /** When it was fixed, in ISO 8601. */
  readonly at: string
}

/** What `recall` would show. */
export interface Recollection {
  /** The memories that would be shown, best first. */
  readonly shown: readonly FoundMemory[]
  /** The other candidates, best first. */
  readonly others: readonly CandidateScore[]
  /** The text that would be injected; empty for none. */
  readonly text: string
}
