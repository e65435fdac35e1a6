// A derived memory's id is made from what it is about, so that organising the same thing twice gives the same memory.
import { type MemoryId, memoryIdOf } from '../model/id.ts'
import { hashPair } from '../text/hash.ts'

/** The id of the memory these parts name: kind first, then what tells it apart. */
export function derivedId(...parts: readonly string[]): MemoryId {
  const key = parts.join('\0')
  const [a, b] = hashPair(key)
  const [c, d] = hashPair(`${key}\0memory`)
  return memoryIdOf([a, b, c, d])
}
