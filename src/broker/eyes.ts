// Eyes: which of a desk's memories a caller may be told of now. Hidden, archived and expired ones are as good as not there.
import type { Cue } from '../model/cue.ts'
import type { MemoryId, SessionId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'
import { admits } from '../recall/admit.ts'
import type { Desk } from './desk.ts'

export interface Eyes {
  /** The caller's session; a working memory is seen by its own alone. */
  readonly session: string | undefined
  /** The role of the caller; the main conversation where left out. */
  readonly role?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The memory of this id; undefined where there is none that the caller may see. */
export function seenNamed(desk: Desk, id: string, eyes: Eyes): Memory | undefined {
  const memory = desk.memories().get(id.toLowerCase() as MemoryId)
  return memory && sees(eyes)(memory) ? memory : undefined
}

/** Every memory that the caller may see, in the order in which they were first made. */
export function seenBy(desk: Desk, eyes: Eyes): Memory[] {
  return [...desk.memories().values()].filter(sees(eyes))
}

/** Whether these eyes may see a memory. */
export function sees({ session, role = 'main', now }: Eyes): (memory: Memory) => boolean {
  const reader = { role, session }
  const cue: Cue = { moment: 'ask', text: '', files: [], session: session as SessionId | undefined, reader, now }
  return (memory) => admits(cue, memory)
}
