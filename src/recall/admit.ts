// Admit: who may see what, and what is worth ranking at all. Before ranking: a hidden memory must not take a place.
import type { Cue } from '../model/cue.ts'
import type { Memory } from '../model/memory.ts'
import { maySee } from '../model/privacy.ts'

/** What of a memory decides whether it may be a candidate; a row of the store says this much without its text. */
type Admitted = Pick<Memory, 'privacy' | 'role' | 'agentId' | 'session' | 'status' | 'retention' | 'expires'>

/** Whether the cue's reader may be told of it now. */
export function admits(cue: Cue, memory: Admitted): boolean {
  if (memory.status !== 'active') return false
  if (memory.expires !== undefined && Date.parse(memory.expires) <= cue.now) return false
  if (memory.retention === 'working' && memory.session !== cue.session) return false
  return maySee(cue.reader, memory)
}
