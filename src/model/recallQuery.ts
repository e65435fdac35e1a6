// Cue and reader: what a recall is asked with, and for whom. And what it answers.
import type { ExclusionRule } from './exclusion.ts'
import type { MemoryId, SessionId } from './id.ts'
import type { Memory } from './memory.ts'
import type { Viewer } from './privacy.ts'

/** The moments that recall. `ask` is a person or a tool asking, outside any hook. */
export const RECALL_TRIGGERS = ['start', 'prompt', 'call', 'failure', 'agent', 'ask'] as const
export type RecallMoment = (typeof RECALL_TRIGGERS)[number]

export interface RecallQuery {
  readonly moment: RecallMoment
  /** Words at hand: the prompt, the command, an edit's text, the error. */
  readonly text: string
  /** Paths inside the repository. */
  readonly files: readonly string[]
  /** Of a call. */
  readonly tool?: string | undefined
  readonly commandShape?: string | undefined
  readonly errorSignature?: string | undefined
  readonly branch?: string | undefined
  readonly taskId?: string | undefined
  readonly session?: SessionId | undefined
  readonly viewer: Viewer
  /** Milliseconds since 1970: the moment of asking. */
  readonly now: number
}

/** The named features of one memory in one recall, each 0 to 1 unless docs/recall.md says otherwise. */
export type Features = Readonly<Record<string, number>>

/** A memory with where it stands in one recall, and why. */
export interface RecalledMemory {
  readonly memory: Memory
  /** Sum of the contributions below, boosts included. */
  readonly score: number
  readonly features: Features
  /** What each feature added to the score: weight × value. */
  readonly breakdown: Features
}

/** What a recall came to. `others` are the candidates that were ranked and left out, best first. */
export interface RecallResult {
  readonly shown: readonly RecalledMemory[]
  readonly others: readonly { readonly id: MemoryId; readonly score: number }[]
  /** The best of them that only the moment's limits left out; absent where nothing was. */
  readonly next?: { readonly id: MemoryId; readonly score: number; readonly features: Features } | undefined
  /** The learned rules that left kinds of memory out; absent where there were none. */
  readonly rules?: readonly ExclusionRule[]
  /** What the reader is told; empty for silence. */
  readonly text: string
}
