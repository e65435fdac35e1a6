// A derived memory's id is made from what it is about, so that organising the same thing twice gives the same memory.
import { type MemoryId, memoryIdFromBits } from '../model/id.ts'
import { hash64 } from '../text/hash.ts'

/** The id of the memory these parts name: kind first, then what tells it apart. */
export function deriveMemoryId(...parts: readonly string[]): MemoryId {
  const key = parts.join('\0')
  const [a, b] = hash64(key)
  const [c, d] = hash64(`${key}\0memory`)
  return memoryIdFromBits([a, b, c, d])
}
