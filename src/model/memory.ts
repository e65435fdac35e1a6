// A memory: something that can be recalled. The phases, the tools and the entries share this model.
import type { HelpStats } from './contribution.ts'
import type { EventId, MemoryId, SessionId } from './id.ts'
import type { ImportanceTerms } from './importance.ts'
import type { Knowledge, KnowledgeType } from './knowledge.ts'
import type { Privacy } from './privacy.ts'
import type { TeamMark } from './teamEvent.ts'

export const MEMORY_KINDS = [
  'experience',
  'lesson',
  'summary',
  'entry',
  'preference',
  'decision',
  'consolidated',
  'fact',
] as const

/**
 * experience: one task or one failed call. lesson: an error, what was tried, what fixed it. summary: a session or a
 * month. entry: somebody wrote it. preference, decision: what a person wants. consolidated: made of several memories.
 * fact: what is true of this project. Lesson, preference, decision and fact have `knowledge`.
 */
export type MemoryKind = (typeof MEMORY_KINDS)[number]

/** The kinds of memories that have `knowledge`. */
export const KNOWLEDGE_KINDS = ['preference', 'decision', 'lesson', 'fact'] as const satisfies readonly MemoryKind[]

/** The kind of a memory that holds knowledge of this type. The source documents name these kinds. */
export const kindOfKnowledge = (type: KnowledgeType): MemoryKind =>
  type === 'rule' || type === 'preference' ? 'preference' : type === 'fact' || type === 'lesson' ? type : 'decision'

/** The kinds that memctl derives from events; the others come from a user or a tool. */
const DERIVED_KINDS: readonly MemoryKind[] = ['experience', 'lesson', 'summary', 'consolidated', 'fact']

export const OUTCOMES = ['unknown', 'success', 'failure'] as const

/** How the work ended that a memory is from. */
export type Outcome = (typeof OUTCOMES)[number]

export const CONTENT_TYPES = ['text', 'image', 'code', 'json', 'yaml'] as const

/** What a memory's text is; of an image, its description. */
export type ContentType = (typeof CONTENT_TYPES)[number]

export const MEMORY_SOURCES = ['task', 'education', 'manual', 'import'] as const

/** How a memory came into the store: from work, from teaching, by hand, from another program. */
export type MemorySource = (typeof MEMORY_SOURCES)[number]

export const MEMORY_SCOPES = ['project', 'domain', 'universal'] as const

/** Where a memory is valid: in its project, in projects of its domain, everywhere. */
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

export const TRUST_LEVELS = ['user', 'tools', 'outside'] as const

/** Where the text comes from: the user, the assistant's tools, or outside content (a web page, a dependency). */
export type TrustLevel = (typeof TRUST_LEVELS)[number]

export const RETENTIONS = ['long_term', 'short_term', 'working'] as const

/** working ends with its session, short_term expires, long_term stays (memory-tools spec). */
export type Retention = (typeof RETENTIONS)[number]

export const MEMORY_STATUSES = ['active', 'archived'] as const

/** An archived memory is kept and not recalled. */
export type MemoryStatus = (typeof MEMORY_STATUSES)[number]

/** Why the importance of a memory is fixed. */
export interface Pin {
  /** The reason that the caller gave. */
  readonly reason: string
  /** When it was fixed, in ISO 8601. */
  readonly at: string
}

/** A stored memory, as a program can rely on it. Times are ISO 8601 in UTC with milliseconds. */
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

/** A memory with what memctl keeps for its own work. */
export interface Memory extends MemoryRecord {
  readonly id: MemoryId
  readonly session?: SessionId | undefined
  readonly commandShape?: string | undefined
  readonly errorSignature?: string | undefined
  /** Since when it has this privacy, ISO; absent if since it was created. */
  readonly privacySince?: string | undefined
  /** Who wrote its text, where that does not follow from its other fields: see `memoryProvenance`. */
  readonly provenance?: Provenance | undefined
  /** The terms when it was made; outcome, reuse and cross impact are recomputed at each organize. */
  readonly importanceTerms?: ImportanceTerms | undefined
  /** Age does not archive it: it was restored from the archive, or a caller wants it kept. */
  readonly archiveExempt?: true | undefined
  readonly lastDecayed?: string | undefined
  /** A vector that the caller supplied, and its model: 32-bit floats in base64. Computed vectors are in `vectors/`. */
  readonly embedding?: { readonly model: string; readonly vector: string } | undefined
  /** The events it was derived from, newest last, 20 at most. */
  readonly events: readonly EventId[]
  /** What a later session can use; kinds preference, decision, lesson and fact have it. */
  readonly knowledge?: Knowledge | undefined
  /** Files that its task or session edited, the first ones; paths inside the repository. */
  readonly editedFiles?: readonly string[] | undefined
  /** Of an experience or a summary: prompts and answers, truncated. Their words find it; notes do not show them. */
  readonly searchText?: string | undefined
  /** Nothing worth a note: a search finds it, and no hook injects it. */
  readonly searchOnly?: true | undefined
  /** Of an experience or a summary: it has no more than what was asked. It finds work, and answers no question. */
  readonly questionOnly?: true | undefined
  /** Of a session's summary: what it did not finish, one clause each; and its prompts and calls. */
  readonly leftOpen?: readonly string[] | undefined
  readonly counts?: { readonly prompts: number; readonly calls: number } | undefined
  /** Of a month's summary: the month (2026-03), and how many memories it summarizes. */
  readonly monthlyRollup?: { readonly month: string; readonly folded: number } | undefined
  /** Ids of the sources. */
  readonly consolidatedFrom?: readonly MemoryId[] | undefined
  readonly entrySource?: EntrySource | undefined
  /** Of an imported memory. */
  readonly importSource?: ImportSource | undefined
  /** Of a copy in the global store: the id of its project. */
  readonly originProject?: string | undefined
  /** The project of a memory of project scope, for a caller with several projects in one store. */
  readonly scopeProject?: string | undefined
  /** What showing it gave so far. */
  readonly help: HelpStats
  readonly team?: TeamMark | undefined // of a memory that the machines of a team share
}

/** Marks what may be about the person, whatever its scope: it is not shared. */
export const PERSONAL_TAG = 'personal'

/** Memories by id; of a projection, every memory of the store. */
export type MemoryMap = ReadonlyMap<MemoryId, Memory>

/** A caller's change of a memory; an absent field stays. */
export interface MemoryChange {
  readonly memory: MemoryId
  readonly content?: string | undefined
  /** Replaces all tags. */
  readonly tags?: readonly string[] | undefined
  /** Merged into the existing metadata, key by key. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly retention?: Retention | undefined
  /** The session whose working memory it becomes. */
  readonly session?: SessionId | undefined
  /** ISO time; null removes it. */
  readonly expires?: string | null | undefined
  /** Replaces the knowledge. A new content without it gives a new line. */
  readonly knowledge?: Knowledge | undefined
  /** The memory that replaces it, which archives it; null if it stands again. */
  readonly supersededBy?: MemoryId | null | undefined
  /** null: no longer pinned, its importance is computed again. */
  readonly pinned?: null | undefined
  /** What a session left open, without what is done by now. Also replaces these lines of its summary. */
  readonly leftOpen?: readonly string[] | undefined
}

/** Whether a user asked for it to be remembered: said, written or pinned. Not what other programs have written. */
export const isUserRequested = (memory: Memory): boolean =>
  (!DERIVED_KINDS.includes(memory.kind) &&
    memory.knowledge?.author !== 'model' &&
    memory.knowledge?.author !== 'rule' &&
    (memory.importSource === undefined || memory.provenance === 'person')) ||
  memory.pinned !== undefined ||
  memory.tags.includes('correction') ||
  memory.tags.includes('remember')

/** Whether it is understood without its neighbours in a session: somebody stored it as it is, or it has no session. */
export const standsAlone = (memory: Memory): boolean => memory.source === 'manual' || memory.session === undefined

/** Only experiences are rolled up, archived by age and limited in number; all other kinds stay active. */
export const isSubjectToDecay = ({ kind }: Pick<Memory, 'kind'>): boolean => kind === 'experience'

/** A memory with `fields`, and defaults for the others. `strength` is the initial strength of the agent-memory spec. */
export function newMemory(
  fields: Pick<Memory, 'id' | 'kind' | 'content' | 'created'> & Partial<Memory>,
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
    updated: fields.created,
    events: [],
    help: { shown: 0, used: 0, contribution: 0 },
    ...fields,
  }
}

/**
 * Who wrote a text. It decides what may be injected where, and how a note names it.
 * person: typed by the person, outside of pasted parts. assistant: written by the model. tool: memctl or the client
 * made it, without words of others. outside: output, errors, files, pages, what was pasted, and what repeats these.
 * team: typed by a person of the team on a machine of their own; it came through the hub.
 */
export const PROVENANCES = ['person', 'assistant', 'tool', 'outside', 'team'] as const
export type Provenance = (typeof PROVENANCES)[number]

export const TIERS = ['hot', 'warm', 'cold'] as const

/** How a memory of some age is kept (self-improving-cycle spec: 0–7, 7–30, 30+ days). */
export type Tier = (typeof TIERS)[number]

export interface TierPolicy {
  /** Days until a memory leaves the hot tier. */
  readonly hotDays: number
  /** Days until it leaves the warm tier. */
  readonly warmDays: number
  /** Active experiences at most; the weakest beyond are archived. */
  readonly experiencesMax: number
}

/** The tier at an age of `ageDays`. A clock that moves backwards counts as age 0. */
export function computeTier(ageDays: number, policy: TierPolicy): Tier {
  if (ageDays < policy.hotDays) return 'hot'
  return ageDays < policy.warmDays ? 'warm' : 'cold'
}

/** The source of an entry's memory: the file it was read from. Times are copied from the file. */
export interface EntrySource {
  readonly layer: 'project' | 'global'
  readonly session?: string | undefined
  readonly key: string
  /** The file by its folder's label, the same on every machine: `.memctl/memory/api.md`. */
  readonly file: string
  readonly created_at?: string | undefined
  readonly updated_at?: string | undefined
  /** When it was first read, ISO: an entry counts as unused from here at the earliest. */
  readonly since: string
  /** The person's own tools have written it on this machine: it is used without trust, and clean-up may archive it. */
  readonly own?: true
}

export type ImportName = 'claude-mem' | 'claude-md' | 'auto-memory' | 'markdown' | 'memctl'

/** Where an imported memory comes from. */
export interface ImportSource {
  /** `import:` and the name of the source, such as `import:claude-mem`. */
  readonly origin: `import:${ImportName}`
  /** The file, folder or database: inside the project relative to it, in the person's home with `~`. */
  readonly location: string
  /** The item, as its source names it: a row, an entity, a heading. */
  readonly item: string
  /** Of what the source says, 16 hex digits: another run sees whether it has changed, whatever was edited here. */
  readonly hash?: string | undefined
  /** The source does not have it any more, so the last import archived it. */
  readonly gone?: true | undefined
}

/** Of an event that stores memories of an import. */
export interface ImportMark {
  /** 8 hex digits; the events of one run have the same. */
  readonly id: string
  readonly origin: ImportSource['origin']
  readonly location: string
  /** These memories were known, and the source has changed them: an undo does not remove them. */
  readonly known?: true
}

export const importOrigin = (name: ImportName): ImportSource['origin'] => `import:${name}`

/** An experience with this tag is the report of a subagent. */
export const AGENT_REPORT_TAG = 'subagent'

export const isAgentReport = ({ tags }: Pick<Memory, 'tags'>): boolean => tags.includes(AGENT_REPORT_TAG)

/** Whether a memory is the report of a subagent that states lessons: a note about it shows these alone. */
export const isAgentLesson = ({ kind, tags, lessons }: Pick<Memory, 'kind' | 'tags' | 'lessons'>): boolean =>
  kind === 'experience' && lessons.length > 0 && isAgentReport({ tags })

/** What replaced a memory, and was not replaced itself; undefined if nothing among these did. */
export function findLatest(memory: Memory, all: Pick<MemoryMap, 'get'>, stepsMax = 100): Memory | undefined {
  const later = memory.supersededBy && stepsMax > 0 ? all.get(memory.supersededBy as MemoryId) : undefined
  return later && (findLatest(later, all, stepsMax - 1) ?? later)
}
