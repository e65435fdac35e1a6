// A person says that a memory no longer holds, without saying what does: it is kept, and no longer injected.
import type { MemoryId } from '../../model/id.ts'
import { NO_SUCCESSOR } from '../../model/knowledge.ts'
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { findChangeable, findMemory, findOwn, type StatementWriter } from './statements.ts'

/** Archives the memory whose id begins with this. Throws NOT_FOUND, and INPUT_INVALID for an entry. */
export function markOutdated(writer: StatementWriter, prefix: string): Memory {
  const { id } = findChangeable(writer, prefix)
  writer.commit({ kind: 'memory.updated', change: { memory: id, supersededBy: NO_SUCCESSOR as MemoryId } })
  return findMemory(writer, id)
}

/** Makes an outdated memory hold again. Throws NOT_FOUND, and INPUT_INVALID if it is not outdated. */
export function unmarkOutdated(writer: StatementWriter, prefix: string): Memory {
  const memory = findOwn(writer, prefix)
  if (memory.supersededBy === undefined) {
    throw new MemoryError('INPUT_INVALID', `${memory.id} is not outdated`, { hint: 'There is nothing to undo.' })
  }
  writer.commit({ kind: 'memory.updated', change: { memory: memory.id, supersededBy: null } })
  return findMemory(writer, memory.id)
}
