// A recall: its query and its result.
import type { ExclusionRule } from './exclusion.ts'
import type { MemoryId, SessionId } from './id.ts'
import type { Memory } from './memory.ts'
import type { Viewer } from './privacy.ts'

export const RECALL_MOMENTS = ['start', 'prompt', 'call', 'failure', 'agent', 'ask'] as const

/** The moments that start a recall. `ask` is a request by a user or a tool, outside any hook. */
export type RecallMoment = (typeof RECALL_MOMENTS)[number]

export interface RecallQuery {
  readonly moment: RecallMoment
  /** The prompt, the command, an edit's text or the error. */
  readonly text: string
  /** Paths inside the repository. */
  readonly files: readonly string[]
  /** The tool of a call. */
  readonly tool?: string | undefined
  readonly commandShape?: string | undefined
  readonly errorSignature?: string | undefined
  readonly branch?: string | undefined
  readonly taskId?: string | undefined
  readonly session?: SessionId | undefined
  readonly viewer: Viewer
  /** The time of the query, in milliseconds since 1970. */
  readonly now: number
}

/** The named features of one memory in one recall, each 0 to 1. */
export type Features = Readonly<Record<string, number>>

/** A feature without a weight: it marks what was not chosen by rank, so that learning leaves it out. */
export const UNRANKED_FEATURE = 'unranked'

/** A memory in one recall, with its score and its explanation. */
export interface RecalledMemory {
  readonly memory: Memory
  /** The sum of the breakdown, boosts included. */
  readonly score: number
  readonly features: Features
  /** What each feature added to the score: weight × value. */
  readonly breakdown: Features
}

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
