// The id of an entry's memory: made from the entry's name, so that it is the same on every machine.
import { type MemoryId, memoryIdOf } from '../model/id.ts'
import { hashPair } from './hash.ts'

export function entryId(layer: string, session: string | undefined, key: string): MemoryId {
  const name = ['entry', layer, session ?? '', key].join('\0')
  return memoryIdOf([...hashPair(name), ...hashPair(`${name}\0memory`)])
}
