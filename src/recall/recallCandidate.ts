// A candidate: a memory that may bear on a cue, with how it met it. What ranking asks, and what who finds it must tell.

import type { Memory, RankableFields } from '../model/memory.ts'
import type { Features } from '../model/recallQuery.ts'

/** How a candidate met the cue: raw index scores, not negative, any scale; `coverage` 0 to 1. */
export interface MatchScores {
  readonly words: number
  /** Its words with those of its neighbours in the session, as one text: one away at .5, two away at .25, its own at 1. */
  readonly window: number
  /** The words of its session's summary. */
  readonly session: number
  readonly files: number
  readonly command: number
  readonly error: number
  readonly branch: number
  /** Share of the cue's words, weighed by rarity, that it holds. */
  readonly coverage: number
  // For questions in words alone:
  /** Its words with those of five before and after it, of two before, of two after. */
  readonly wide?: number
  readonly before?: number
  readonly after?: number
  /** The words of the memory before it, if that one asks. */
  readonly asked?: number
  /** Share of the cue's words that it and its neighbours hold, 0 to 1. */
  readonly surroundings?: number
  /** Its length in words. */
  readonly length?: number
  /** 1 where the one somebody named said it, -1 where another did, 0 where nobody or several are named. */
  readonly speaker?: number
}

/** What ranking asks of a memory; a row of the store says this much without its text. */
export type RankableMemory = RankableFields &
  Partial<Pick<Memory, 'agentId' | 'created' | 'lastUsed' | 'lastDecayed' | 'expires'>> & {
    /** What kinds of things its text says: bits of text/facts.ts. */
    readonly answerTypes?: number
    /** `updated`, and the time its strength has faded from, in milliseconds since 1970: a row has them as numbers. */
    readonly updatedMs?: number
    readonly decayStartMs?: number
  }

export interface RecallCandidate {
  readonly memory: RankableMemory
  readonly match: MatchScores
  /** At a prompt: how near the work of its session stands to it, the features of worked.ts. */
  readonly work?: Features | undefined
  /** The memory whole, read when it is to be shown; absent where `memory` is whole already. */
  readonly load?: () => Memory
}
