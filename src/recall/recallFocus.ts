// What a moment narrows a recall to: which candidates count, and which complete memories are worth their tokens. Each
// hook has its own, so that its bundle contains no other.
import type { Memory } from '../model/memory.ts'
import type { MomentPolicy } from '../model/policy.ts'
import type { RecallCandidate } from './recallCandidate.ts'

export interface RecallFocus<Candidate extends RecallCandidate = RecallCandidate> {
  /** The candidates that may be shown, as far as their rows say. */
  readonly candidates: readonly Candidate[]
  /** Whether the memory is worth showing; its text was read for this. All are by default. */
  readonly isWorth?: (memory: Memory, score: number) => boolean
  /** Limits that replace those of the moment. */
  readonly limits?: Partial<MomentPolicy>
}
