// A memory: what can be recalled. One model for what the four phases, the tools and the entries keep.
import type { EntrySource } from './entrySource.ts'
import type { EventId, MemoryId, SessionId } from './id.ts'
import type { ImportanceTerms } from './importance.ts'
import type { Lesson } from './lesson.ts'
import type { Privacy, VisibilityFields } from './privacy.ts'
import type { Tier } from './tier.ts'

export const MEMORY_KINDS = [
  'experience',
  'lesson',
  'summary',
  'entry',
  'preference',
  'decision',
  'consolidated',
] as const

/**
 * experience: one task or one failed call. lesson: an error, what was tried, what mended it. summary: a session, or
 * a time folded together. entry: somebody wrote it. preference, decision: a person said it. consolidated: made of several.
 */
export type MemoryKind = (typeof MEMORY_KINDS)[number]

/** Those that memctl makes of what happened; the others a person or a tool has said. */
export const DERIVED_KINDS = [
  'experience',
  'lesson',
  'summary',
  'consolidated',
] as const satisfies readonly MemoryKind[]

export const OUTCOMES = ['unknown', 'success', 'failure'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const CONTENT_TYPES = ['text', 'image', 'code', 'json', 'yaml'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

export const MEMORY_SOURCES = ['task', 'education', 'manual', 'import'] as const
export type MemorySource = (typeof MEMORY_SOURCES)[number]

export const MEMORY_SCOPES = ['project', 'domain', 'universal'] as const
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

/** Where its words come from: a person, this assistant's own tools, or outside content (a web page, a dependency's text). */
export const TRUST_LEVELS = ['user', 'tools', 'outside'] as const
export type TrustLevel = (typeof TRUST_LEVELS)[number]

/** working ends with its session, short_term expires, long_term stays (seed 001). */
export const RETENTIONS = ['long_term', 'short_term', 'working'] as const
export type Retention = (typeof RETENTIONS)[number]

export const MEMORY_STATUSES = ['active', 'archived'] as const
export type MemoryStatus = (typeof MEMORY_STATUSES)[number]

/** Times are ISO 8601 in UTC with milliseconds. */
export interface Memory extends VisibilityFields {
  readonly id: MemoryId
  readonly kind: MemoryKind
  readonly content: string
  readonly lessons: readonly string[]
  readonly tags: readonly string[]
  /** The user's alone: memctl stores nothing here and reads nothing from it. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly contentType: ContentType
  readonly source: MemorySource
  readonly session?: SessionId | undefined
  readonly taskId?: string | undefined
  readonly agentId?: string | undefined
  readonly role: string
  /** Paths inside the repository, forward slashes. */
  readonly files: readonly string[]
  readonly commandShape?: string | undefined
  readonly errorSignature?: string | undefined
  readonly branch?: string | undefined
  readonly outcome: Outcome
  readonly scope: MemoryScope
  readonly scopeDomain?: string | undefined
  readonly privacy: Privacy
  /** Since when it has this privacy, ISO; absent where that is since it was created. */
  readonly privacySince?: string | undefined
  readonly trust: TrustLevel
  readonly retention: Retention
  readonly tier: Tier
  /** 0 to 1. */
  readonly importance: number
  /** Somebody has said what it is worth, and why: no counting changes its importance any more. */
  readonly pinned?: { readonly reason: string; readonly at: string } | undefined
  /** The terms at its making; outcome, reuse and cross impact are counted anew at each weighing. */
  readonly importanceTerms?: ImportanceTerms | undefined
  /** In how many other sessions its files or its error were met. */
  readonly meetings: number
  /** In how many sessions it was made or made again, from 1 up. */
  readonly sessionCount: number
  /** Time alone does not archive it: it was brought back from the archive, or a caller wants it kept. */
  readonly archiveExempt?: true | undefined
  readonly strength: number
  readonly strengthByPerspective: Readonly<Record<string, number>>
  readonly accessCount: number
  readonly candidateCount: number
  readonly impactScore: number
  readonly consolidationLevel: number
  readonly learnings: Readonly<Record<string, string>>
  readonly status: MemoryStatus
  readonly created: string
  readonly updated: string
  readonly lastUsed?: string | undefined
  readonly lastDecayed?: string | undefined
  readonly expires?: string | undefined
  /** A vector its maker brought along, of this model: 32-bit numbers in base64. What is embedded here stands in `vectors/`. */
  readonly embedding?: { readonly model: string; readonly vector: string } | undefined
  /** The events it was made of, newest last, 20 at most. */
  readonly events: readonly EventId[]
  /** Of a lesson that memctl made: what its text is rendered from. */
  readonly lesson?: Lesson | undefined
  /** Files that its task or session edited, the first ones; paths inside the repository. */
  readonly editedFiles?: readonly string[] | undefined
  /** Of a session's summary: failures without a fix, and a last prompt without an answer. */
  readonly leftOpen?: readonly string[] | undefined
  /** Of a session's summary. */
  readonly counts?: { readonly prompts: number; readonly calls: number } | undefined
  /** Of a month's summary: the month (2026-03), and how many memories are folded into it. */
  readonly monthlyRollup?: { readonly month: string; readonly folded: number } | undefined
  /** Of a memory that was made of several: their ids. */
  readonly consolidatedFrom?: readonly MemoryId[] | undefined
  /** Of an entry's memory. */
  readonly entrySource?: EntrySource | undefined
  /** Of a copy in the store of all projects: the id of the project it comes from. */
  readonly originProject?: string | undefined
  /** The project of a memory of project scope, for a caller that keeps several projects in one store. */
  readonly scopeProject?: string | undefined
  /** What the library's recorder was given, as it was; `content` has its words. */
  readonly recorded?: Readonly<Record<string, unknown>> | undefined
  /** How showing it has turned out so far. */
  readonly help: HelpStats
}

/** What admitting and ranking ask of a memory, all but its text and its files. */
export type RankableFields = Pick<
  Memory,
  | 'id'
  | 'kind'
  | 'status'
  | 'privacy'
  | 'retention'
  | 'outcome'
  | 'role'
  | 'branch'
  | 'taskId'
  | 'session'
  | 'importance'
  | 'strength'
  | 'consolidationLevel'
  | 'updated'
  | 'help'
>

/** The record of helping: how often it was shown, used, and the sum of its contributions (each -1 to 1). */
export interface HelpStats {
  readonly shown: number
  readonly used: number
  readonly contribution: number
}

/** What somebody changes of a memory; what is left out stays. */
export interface MemoryChange {
  readonly memory: MemoryId
  readonly content?: string | undefined
  /** In place of all there were. */
  readonly tags?: readonly string[] | undefined
  /** Put over what there is, key by key. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly retention?: Retention | undefined
  /** Whose working memory it becomes. */
  readonly session?: SessionId | undefined
  /** ISO time; null takes away the one there was. */
  readonly expires?: string | null | undefined
}

/** Whether a person asked for it to be told: said, written or pinned. */
export const isUserRequested = ({ kind, pinned, tags }: Pick<Memory, 'kind' | 'pinned' | 'tags'>): boolean =>
  !(DERIVED_KINDS as readonly MemoryKind[]).includes(kind) ||
  pinned !== undefined ||
  tags.includes('correction') ||
  tags.includes('remember')

/** Only experiences fold, are archived by decay and count towards the cap; everything else stays indexed. */
export const isSubjectToDecay = (memory: Memory): boolean => memory.kind === 'experience'

/** What a new memory starts with where its maker says nothing else. `strength` is seed 000's initial strength. */
export function newMemory(
  given: Pick<Memory, 'id' | 'kind' | 'content' | 'created'> & Partial<Memory>,
  strength = 1,
): Memory {
  return {
    lessons: [],
    tags: [],
    metadata: {},
    contentType: 'text',
    source: 'task',
    role: 'main',
    files: [],
    outcome: 'unknown',
    scope: 'project',
    privacy: 'public',
    trust: 'tools',
    retention: 'long_term',
    tier: 'hot',
    importance: 0,
    meetings: 0,
    sessionCount: 1,
    strength,
    strengthByPerspective: {},
    accessCount: 0,
    candidateCount: 0,
    impactScore: 0,
    consolidationLevel: 0,
    learnings: {},
    status: 'active',
    updated: given.created,
    events: [],
    help: { shown: 0, used: 0, contribution: 0 },
    ...given,
  }
}
