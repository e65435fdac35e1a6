// What a recall works on: the candidates, which of them a viewer may be shown, what a conversation has lived through
// itself, and what a moment narrows the recall to.
import type { Memory } from '../model/memory.ts'
import type { RankableFields } from '../model/memoryHead.ts'
import type { MomentPolicy } from '../model/policy.ts'
import { canSee } from '../model/privacy.ts'
import type { Features, RecallQuery } from '../model/recallQuery.ts'

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
    /** Whether it is an entry of knowledge that nobody asked to remember. */
    readonly isLearned?: boolean
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

/** The fields of a memory that decide this; a row of the store has them without the text. */
type RecallAccessFields = Pick<Memory, 'privacy' | 'role' | 'agentId' | 'session' | 'status' | 'retention' | 'expires'>

/** Whether the memory is active, not expired, of this session if it is working memory, and visible to the viewer. */
export function canRecall(query: RecallQuery, memory: RecallAccessFields): boolean {
  if (memory.status !== 'active') return false
  if (memory.expires !== undefined && Date.parse(memory.expires) <= query.now) return false
  if (memory.retention === 'working' && memory.session !== query.session) return false
  return canSee(query.viewer, memory)
}

/** The fields that decide this; a row of the store has them without the text. */
type LivedFields = Pick<Memory, 'kind' | 'retention' | 'session' | 'updated'> & Partial<Pick<Memory, 'agentId'>>

/** `compacted`: when the session's main thread was last compacted, ISO. */
export function isLivedThrough(query: RecallQuery, memory: LivedFields, compacted: string | undefined): boolean {
  // What a tool stored names the session, and may come from any conversation of it.
  if (memory.kind === 'entry' || memory.retention === 'working') return false
  const { session, viewer } = query
  if (session === undefined || memory.session !== session || memory.agentId !== viewer.agentId) return false
  // Last, because the time of a row is read as text.
  return viewer.agentId !== undefined || compacted === undefined || memory.updated > compacted
}

export interface RecallFocus<Candidate extends RecallCandidate = RecallCandidate> {
  /** The candidates that may be shown, as far as their rows say. */
  readonly candidates: readonly Candidate[]
  /** Limits that replace those of the moment. */
  readonly limits?: Partial<MomentPolicy>
}
