// Groups: ids by what their memory belongs to, kept up to date with each change.
import type { MemoryId } from '../model/id.ts'
import type { Memory } from '../model/memory.ts'

const NONE: ReadonlySet<MemoryId> = new Set()

export class SecondaryIndex {
  readonly #groupsOf: (memory: Memory) => readonly string[]
  readonly #ids = new Map<string, Set<MemoryId>>()

  constructor(groupsOf: (memory: Memory) => readonly string[], memories: Iterable<Memory>) {
    this.#groupsOf = groupsOf
    for (const memory of memories) this.update(undefined, memory)
  }

  idsIn(group: string): ReadonlySet<MemoryId> {
    return this.#ids.get(group) ?? NONE
  }

  update(before: Memory | undefined, after: Memory | undefined): void {
    const left = before ? this.#groupsOf(before) : []
    const entered = after ? this.#groupsOf(after) : []
    for (const group of left) if (!entered.includes(group)) this.#remove(group, before!.id)
    for (const group of entered) if (!left.includes(group)) this.#add(group, after!.id)
  }

  #add(group: string, id: MemoryId): void {
    const ids = this.#ids.get(group)
    if (ids) ids.add(id)
    else this.#ids.set(group, new Set([id]))
  }

  #remove(group: string, id: MemoryId): void {
    const ids = this.#ids.get(group)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(group)
  }
}
