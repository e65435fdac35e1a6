// A recall: its query and its result.
import type { MemoryId } from './id.ts'
import type { Memory, MemoryKind, MemoryRecord } from './memory.ts'
import type { Viewer } from './privacy.ts'

export const RECALL_MOMENTS = ['start', 'prompt', 'call', 'failure', 'agent', 'ask'] as const

/** The moments that start a recall. `ask` is a request by a user or a tool, outside any hook. */
export type RecallMoment = (typeof RECALL_MOMENTS)[number]

export interface RecallQuery extends Pick<Memory, 'commandShape' | 'errorSignature' | 'branch' | 'taskId' | 'session'> {
  readonly moment: RecallMoment
  /** The prompt, the command, an edit's text or the error. */
  readonly text: string
  /** Paths inside the repository. */
  readonly files: readonly string[]
  readonly viewer: Viewer
  /** The time of the query, in milliseconds since 1970. */
  readonly now: number
}

/** The named features of one memory in one recall, each 0 to 1. */
export type Features = Readonly<Record<string, number>>

/** A feature without a weight: it marks what was not chosen by rank, so that learning leaves it out. */
export const UNRANKED_FEATURE = 'unranked'

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

/** The same with everything that memctl keeps of the memory. */
export type RecalledMemory = FoundMemory & { readonly memory: Memory }

/** The result of a recall. `others` are the candidates that were ranked and not shown, best first. */
export interface RecallResult {
  readonly shown: readonly RecalledMemory[]
  readonly others: readonly { readonly id: MemoryId; readonly score: number }[]
  /** The best memory that only the moment's limits left out; absent if there is none. */
  readonly next?: { readonly id: MemoryId; readonly score: number; readonly features: Features } | undefined
  /** The exclusion rules that applied; absent if there were none. */
  readonly rules?: readonly ExclusionRule[]
  /** The text to inject; empty for none. */
  readonly text: string
}

/** The modes and orders of a search by a tool. */
export const SEARCH_MODES = ['semantic', 'keyword', 'hybrid'] as const
export const SEARCH_SORTS = ['relevance', 'importance', 'created_at'] as const

// Exclusion: a memory, or a kind of memories, that a moment showed session after session without use is not shown at
// that moment for some time. Other moments still show it. Learned per project.

/** The moments that rules exist for: not `failure`, which shows a fix when it is needed, and not `ask`, a request. */
export const EXCLUSION_MOMENTS = ['start', 'prompt', 'call', 'agent'] as const

/** The kinds that are excluded as a whole: what a moment finds by rank alone, and nobody wrote down. */
export const EXCLUSION_KINDS = ['experience', 'summary', 'consolidated'] as const satisfies readonly MemoryKind[]

export type ExclusionRule = {
  readonly moment: (typeof EXCLUSION_MOMENTS)[number]
  /** ISO times of its beginning and end. After its end the memory is shown again, as a trial. */
  readonly since: string
  readonly until: string
  /** How often it was renewed after such a trial. */
  readonly renewed: number
  readonly evidence: {
    /** The sessions that showed it at this moment, and the sum of their confidences that it was used. */
    readonly sessions: number
    readonly used: number
    /** The share of sessions that use notes of its kind there, 0 to 1; for a kind, that of the other kinds. */
    readonly usual: number
  }
} & ExclusionTarget

/** One memory, or all memories of a kind. */
export type ExclusionTarget =
  | { readonly memory: MemoryId; readonly kind?: never }
  | { readonly kind: (typeof EXCLUSION_KINDS)[number]; readonly memory?: never }

/** Whether a rule is about this memory. */
export const excludes = (rule: ExclusionTarget, { id, kind }: Pick<Memory, 'id' | 'kind'>): boolean =>
  rule.memory === undefined ? rule.kind === kind : rule.memory === id

/** The rules that apply at a moment. `now` in milliseconds since 1970. */
export const listActiveExclusions = (
  rules: readonly ExclusionRule[] | undefined,
  { moment, now }: Pick<RecallQuery, 'moment' | 'now'>,
): readonly ExclusionRule[] => (rules ?? []).filter((rule) => rule.moment === moment && Date.parse(rule.until) > now)

/** The single memories that are not shown at a moment. No rule leaves out what a user said, wrote or pinned. */
export const findExcludedMemories = (
  rules: readonly ExclusionRule[] | undefined,
  query: Pick<RecallQuery, 'moment' | 'now'>,
): ReadonlySet<MemoryId> => new Set(listActiveExclusions(rules, query).flatMap(({ memory }) => memory ?? []))

/** Whether a value is a valid rule. Values come from files and logs that somebody may have edited. */
export function isExclusionRule(value: unknown): value is ExclusionRule {
  if (typeof value !== 'object' || value === null) return false
  const { moment, memory, kind, since, until, renewed, evidence } = value as Partial<ExclusionRule>
  const numbers = typeof evidence === 'object' && evidence !== null ? Object.values(evidence) : []
  return (
    (EXCLUSION_MOMENTS as readonly unknown[]).includes(moment) &&
    (memory === undefined
      ? (EXCLUSION_KINDS as readonly unknown[]).includes(kind)
      : typeof memory === 'string' && memory !== '') &&
    isTime(since) &&
    isTime(until) &&
    Number.isInteger(renewed) &&
    numbers.length > 0 &&
    numbers.every((number) => Number.isFinite(number))
  )
}

const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))

// The limits of a moment: the configured ones, and the learned ones that may be stricter.

/** The moments with learned limits. A start has no query to score against, and a request shows what it finds. */
export const LEARNED_MOMENTS = ['prompt', 'call', 'failure', 'agent'] as const satisfies readonly RecallMoment[]
export type LearnedMoment = (typeof LEARNED_MOMENTS)[number]

/** The paths of a moment's least score, and of its number of notes, in a policy. */
export const leastScorePath = (moment: LearnedMoment): string => `recall.moments.${moment}.scoreMin`
export const topKPath = (moment: LearnedMoment): string => `recall.moments.${moment}.topK`
