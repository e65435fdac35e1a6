// The latest memories of each kind by creation time. Not by insertion order: that is another one after a rebuild.
import type { Memory, MemoryKind, MemoryMap } from '../model/memory.ts'

/** Memories kept of a kind: several times what is requested, so that exclusions seldom force a scan of all memories. */
const KEPT_MAX = 256

interface RecentMemories {
  /** Ascending by time and id, without gaps up to the latest of the kind. */
  readonly memories: Memory[]
  /** Whether there are earlier ones that are not kept. */
  isTruncated: boolean
}

export class RecentByKind {
  readonly #known: MemoryMap
  #recent: Map<MemoryKind, RecentMemories>

  constructor(known: MemoryMap) {
    this.#known = known
    this.#recent = collectRecent(known, KEPT_MAX)
  }

  /** At most `limit` of a kind, without those in `except`, latest first. */
  list(kind: MemoryKind, limit: number, except: ReadonlySet<string>): Memory[] {
    const found = this.#collect(kind, limit, except)
    if (found.length === limit || !this.#recent.get(kind)?.isTruncated) return found
    this.#recent = collectRecent(this.#known, KEPT_MAX + limit + except.size)
    return this.#collect(kind, limit, except)
  }

  /** Call this before the change is made. */
  update(before: Memory | undefined, after: Memory | undefined): void {
    if (before && after && before.kind === after.kind && before.created === after.created) return
    const recent = before && this.#recent.get(before.kind)
    if (recent) {
      const index = recent.memories.findLastIndex((memory) => memory.id === before.id)
      if (index !== -1) recent.memories.splice(index, 1)
    }
    if (after) insert(this.#recent, after, KEPT_MAX)
  }

  #collect(kind: MemoryKind, limit: number, except: ReadonlySet<string>): Memory[] {
    const found: Memory[] = []
    for (const { id } of this.#recent.get(kind)?.memories.toReversed() ?? []) {
      if (found.length === limit) break
      // Looked up again: a change that keeps kind and creation time does not reach this list.
      const memory = except.has(id) ? undefined : this.#known.get(id)
      if (memory) found.push(memory)
    }
    return found
  }
}

function collectRecent(known: MemoryMap, keptMax: number): Map<MemoryKind, RecentMemories> {
  const recent = new Map<MemoryKind, RecentMemories>()
  for (const memory of known.values()) insert(recent, memory, keptMax)
  return recent
}

function insert(recentByKind: Map<MemoryKind, RecentMemories>, memory: Memory, keptMax: number): void {
  const recent = recentByKind.get(memory.kind)
  if (!recent) return void recentByKind.set(memory.kind, { memories: [memory], isTruncated: false })
  const { memories } = recent
  const index = memories.findLastIndex((other) => !isLater(other, memory)) + 1
  // None of those not kept is later than the earliest kept, so no memory before that may be inserted.
  if (recent.isTruncated && index === 0) return
  memories.splice(index, 0, memory)
  if (memories.length <= keptMax) return
  memories.shift()
  recent.isTruncated = true
}

const isLater = (a: Memory, b: Memory): boolean => a.created > b.created || (a.created === b.created && a.id > b.id)
