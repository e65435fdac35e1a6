// A candidate: a memory that the index found for a query, and how it matches.
import type { Memory, RankableFields } from '../model/memory.ts'
import type { Features } from '../model/recallQuery.ts'

/** How a candidate matches the query: raw index scores, not negative, of any scale; `coverage` is 0 to 1. */
export interface MatchScores {
  readonly words: number
  /** Its words (at 1) and those of its neighbours in the session, one place away at .5, two at .25, as one text. */
  readonly window: number
  /** The best score of words in its conversation; its own if it stands alone. */
  readonly session: number
  readonly files: number
  readonly command: number
  readonly error: number
  readonly branch: number
  /** Share of the query's words that it contains, weighted by rarity. */
  readonly coverage: number
  // For natural-language questions only:
  /** Its words with those of five memories before and after it, of two before, of two after. */
  readonly wide?: number
  readonly before?: number
  readonly after?: number
  /** The words of the memory before it, if that one asks a question. */
  readonly asked?: number
  /** Share of the query's words that it and its neighbours contain, 0 to 1. */
  readonly surroundings?: number
  /** Its length in words. */
  readonly length?: number
  /** 1 if the person whom the query names said it, -1 if another did, 0 if the query names nobody or several. */
  readonly speaker?: number
}

/** What ranking reads of a memory; a row of the store has it without the text. */
export type RankableMemory = RankableFields &
  Partial<Pick<Memory, 'agentId' | 'created' | 'lastUsed' | 'lastDecayed' | 'expires'>> & {
    /** The types of answers its text contains: bits of text/answerTypes.ts. */
    readonly answerTypes?: number
    /** `updated` and the start of its decay, in milliseconds since 1970: rows have them as numbers. */
    readonly updatedMs?: number
    readonly decayStartMs?: number
  }

export interface RecallCandidate {
  readonly memory: RankableMemory
  readonly match: MatchScores
  /** At a prompt: the features of its session's work, by sessionFileIndex.ts. */
  readonly work?: Features | undefined
  /** Reads the complete memory; absent if `memory` is complete. */
  readonly load?: () => Memory
}
