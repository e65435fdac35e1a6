// Team: the numbers and choices that decide which memories a team's machines share.
import type { MemoryKind } from './memory.ts'

export interface TeamNumbers {
  /** The kinds of memory that are shared. */
  readonly kinds: readonly MemoryKind[]
  /** 1: memories for agents of one role are shared too, for agents of that role; 0: only public ones. */
  readonly shareAgentOnly: number
  /** 1: what a person said about every project is shared too: for one person with several machines; 0: it is not. */
  readonly sharePersonal: number
}
