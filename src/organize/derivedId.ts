// The id of a derived memory is a hash of what it is about, so that organizing the same events twice gives the same
// memory.
import { type MemoryId, memoryIdFromBits } from '../model/id.ts'
import { hash64 } from '../text/hash.ts'

/** The memory id for these parts: the kind first, then what distinguishes the memory from others of its kind. */
export function deriveMemoryId(...parts: readonly string[]): MemoryId {
  const key = parts.join('\0')
  const [a, b] = hash64(key)
  const [c, d] = hash64(`${key}\0memory`)
  return memoryIdFromBits([a, b, c, d])
}
