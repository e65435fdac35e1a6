// An entry of knowledge as hooks read it: its line, and when it is worth a note.
import type { Conversation } from './conversation.ts'
import type { MemoryId } from './id.ts'
import type { KnowledgeType, Trigger } from './knowledge.ts'
import type { TeamMark } from './teamMark.ts'

export interface KnowledgeNote {
  readonly id: MemoryId
  readonly type: KnowledgeType
  /** What is shown: one line without a full stop. Of what a person typed, their words. */
  readonly line: string
  /**
   * said: the person's exact words. wanted: what they want, in the words of a model. team: what a teammate wants.
   * known: anything else.
   */
  readonly voice: 'said' | 'wanted' | 'team' | 'known'
  /** The role that may see it; absent: everyone. */
  readonly role?: string | undefined
  /** Of an entry about one branch: only there. */
  readonly branch?: string | undefined
  /** Sessions that met it. */
  readonly met: number
  /** When it was last met or said, ISO. */
  readonly lastMet: string
  /** The conversation that it was said or learned in; of what was learned only while its session is open. */
  readonly metBy?: Conversation | undefined
  /** What showing it at a start is expected to save, in calls a session; 0: not for starts. */
  readonly worth: number
  /** Without `start`. */
  readonly when: readonly Trigger[]
  readonly team?: TeamMark | undefined
}

/** knowledge.json: what hooks may show, in the order of a start: what a person wants first, then by worth. */
export interface KnowledgeFile {
  readonly generation: number
  readonly notes: readonly KnowledgeNote[]
}
