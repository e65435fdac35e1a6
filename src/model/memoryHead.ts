// What is known of a memory without its text, which is on disk: what a snapshot keeps in rows of fixed width.
import { isOfPerson, type KnowledgeLine } from './knowledge.ts'
import { isUserRequested, type Memory } from './memory.ts'

/** The fields that visibility and ranking need, except text and files. */
export type RankableFields = Pick<
  Memory,
  | ('id' | 'kind' | 'status' | 'privacy' | 'retention' | 'outcome' | 'role' | 'branch' | 'taskId' | 'session')
  | ('importance' | 'strength' | 'consolidationLevel' | 'updated' | 'help')
>

/** What lists filter and sort by. */
export interface MemoryHead
  extends Pick<
    Memory,
    'id' | 'kind' | 'status' | 'privacy' | 'retention' | 'tier' | 'importance' | 'strength' | 'help' | 'expires'
  > {
  /** Milliseconds since 1970. */
  readonly updatedMs: number
  readonly createdMs: number
  /** The first 32 bits of its id. */
  readonly idStart: number
  readonly hasKnowledge: boolean
  /** Whether it is what a person wants. */
  readonly isOfPerson: boolean
  readonly isSuperseded: boolean
  /** `isUserRequested` */
  readonly isRequested: boolean
  /** The complete memory. It is held for the next call unless `keeps` is false. */
  load(keeps?: boolean): Memory
  /** The first part of its entry of knowledge: reading that takes a fifth of the time. */
  readLine(): KnowledgeLine | undefined
}

export const headOfMemory = (memory: Memory): MemoryHead => ({
  ...memory,
  ...flagsOfMemory(memory),
  updatedMs: Date.parse(memory.updated),
  createdMs: Date.parse(memory.created),
  idStart: Number.parseInt(memory.id.slice(0, 8), 16) | 0,
  load: () => memory,
  readLine: () => memory.knowledge,
})

export const flagsOfMemory = (memory: Memory) => ({
  hasKnowledge: memory.knowledge !== undefined,
  isOfPerson: memory.knowledge !== undefined && isOfPerson(memory.knowledge),
  isSuperseded: memory.supersededBy !== undefined,
  isRequested: isUserRequested(memory),
})
