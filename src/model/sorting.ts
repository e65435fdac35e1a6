// How lists are sorted and grouped, and what of a memory they do it by.
import { isOfPerson } from './knowledge.ts'
import { isUserRequested, type Memory } from './memory.ts'

/** For `sort`: the smaller first. Texts are compared by their UTF-16 units, so ISO times by their time. */
export const compareValues = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** The items by key: the keys in the order of their first items, the items of each in their order. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** What is known of a memory without its text, which is on disk. Lists filter and sort by it. */
export interface MemoryHead
  extends Pick<
    Memory,
    'id' | 'kind' | 'status' | 'privacy' | 'retention' | 'tier' | 'importance' | 'strength' | 'help' | 'expires'
  > {
  /** Milliseconds since 1970. */
  readonly updatedMs: number
  readonly createdMs: number
  /** The first 32 bits of its id. */
  readonly idStart: number
  readonly hasKnowledge: boolean
  /** Whether it is what a person wants. */
  readonly isOfPerson: boolean
  readonly isSuperseded: boolean
  /** `isUserRequested` */
  readonly isRequested: boolean
  /** The complete memory. */
  load(): Memory
}

export function headOfMemory(memory: Memory): MemoryHead {
  const { id, knowledge } = memory
  return {
    ...memory,
    updatedMs: Date.parse(memory.updated),
    createdMs: Date.parse(memory.created),
    idStart: Number.parseInt(id.slice(0, 8), 16) | 0,
    hasKnowledge: knowledge !== undefined,
    isOfPerson: knowledge !== undefined && isOfPerson(knowledge),
    isSuperseded: memory.supersededBy !== undefined,
    isRequested: isUserRequested(memory),
    load: () => memory,
  }
}
