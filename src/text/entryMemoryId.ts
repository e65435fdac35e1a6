// The id of an entry's memory: a hash of layer, session and key, so that it is the same on every machine.
import { type MemoryId, memoryIdFromBits } from '../model/id.ts'
import { hash64 } from './hash.ts'

export function entryMemoryId(layer: string, session: string | undefined, key: string): MemoryId {
  const name = ['entry', layer, session ?? '', key].join('\0')
  return memoryIdFromBits([...hash64(name), ...hash64(`${name}\0memory`)])
}
