// The fields of a memory that a snapshot keeps in rows of fixed width.
import type { Memory } from './memory.ts'

/** The fields that visibility and ranking need, except text and files. */
export type RankableFields = Pick<
  Memory,
  | 'id'
  | 'kind'
  | 'status'
  | 'privacy'
  | 'retention'
  | 'outcome'
  | 'role'
  | 'branch'
  | 'taskId'
  | 'session'
  | 'importance'
  | 'strength'
  | 'consolidationLevel'
  | 'updated'
  | 'help'
>
