// What may replace a memory.
import { isMemoryId } from '../model/id.ts'
import { NO_SUCCESSOR } from '../model/knowledge.ts'

/** A memory's id, `outdated`, or null for none. Older versions may have other names. */
export const isSuccessor = (name: string | null): boolean => name === null || name === NO_SUCCESSOR || isMemoryId(name)
