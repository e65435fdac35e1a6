// A session part: what organising is given, beside the memories that are known already.
import type { Event } from '../model/event.ts'
import type { MemoryId, SessionId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'

/** A session's events since it was last organised, in the order of the log. */
export interface SessionSlice {
  readonly session: SessionId
  readonly events: readonly Event[]
}

export type MemoryMap = ReadonlyMap<MemoryId, Memory>
