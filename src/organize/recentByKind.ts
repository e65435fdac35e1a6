// Latest: the latest memories of each kind, by the time they were made and not by their place: a rebuild holds them in another order.
import type { Memory, MemoryKind } from '../model/memory.ts'
import type { MemoryMap } from './sessionSlice.ts'

/** Kept of a kind: several times what is asked for, so that who is left out seldom makes all be gone through again. */
const KEPT_MAX = 256

interface Line {
  /** Ascending: the very latest of the kind, none left out. */
  readonly latest: Memory[]
  /** There are earlier ones beside them. */
  isTruncated: boolean
}

export class RecentByKind {
  readonly #memories: MemoryMap
  #lists: Map<MemoryKind, Line>

  constructor(known: MemoryMap) {
    this.#memories = known
    this.#lists = linesOf(known, KEPT_MAX)
  }

  /** At most `most` of a kind, none of `except`, latest first. */
  list(kind: MemoryKind, most: number, except: ReadonlySet<string>): Memory[] {
    const found = this.#collect(kind, most, except)
    if (found.length === most || !this.#lists.get(kind)?.isTruncated) return found
    this.#lists = linesOf(this.#memories, KEPT_MAX + most + except.size)
    return this.#collect(kind, most, except)
  }

  /** To be told before the change is made. */
  update(before: Memory | undefined, after: Memory | undefined): void {
    if (before && after && before.kind === after.kind && before.created === after.created) return
    const line = before && this.#lists.get(before.kind)
    if (line) {
      const at = line.latest.findLastIndex((one) => one.id === before.id)
      if (at !== -1) line.latest.splice(at, 1)
    }
    if (after) entered(this.#lists, after, KEPT_MAX)
  }

  #collect(kind: MemoryKind, most: number, except: ReadonlySet<string>): Memory[] {
    const latest = this.#lists.get(kind)?.latest ?? []
    const found: Memory[] = []
    for (let at = latest.length - 1; at >= 0 && found.length < most; at--) {
      const { id } = latest[at]!
      // As it is now: what else of it changed since was not told here.
      if (!except.has(id)) found.push(this.#memories.get(id)!)
    }
    return found
  }
}

function linesOf(known: MemoryMap, most: number): Map<MemoryKind, Line> {
  const lines = new Map<MemoryKind, Line>()
  for (const memory of known.values()) entered(lines, memory, most)
  return lines
}

function entered(lines: Map<MemoryKind, Line>, memory: Memory, most: number): void {
  const line = lines.get(memory.kind)
  if (!line) return void lines.set(memory.kind, { latest: [memory], isTruncated: false })
  const { latest } = line
  // Of those that were cut off none is later than the earliest kept, so none may come in before it.
  if (line.isTruncated && (latest.length === 0 || !isLater(memory, latest[0]!))) return
  let at = latest.length
  while (at > 0 && isLater(latest[at - 1]!, memory)) at--
  latest.splice(at, 0, memory)
  if (latest.length <= most) return
  latest.shift()
  line.isTruncated = true
}

const isLater = (a: Memory, b: Memory): boolean => a.created > b.created || (a.created === b.created && a.id > b.id)
