// Latest: the latest memories of each kind, by the time they were made and not by their place: a rebuild holds them in another order.
import type { Kind, Memory } from '../model/memory.ts'
import type { Known } from './part.ts'

/** Kept of a kind: several times what is asked for, so that who is left out seldom makes all be gone through again. */
const KEPT_MAX = 256

interface Line {
  /** Ascending: the very latest of the kind, none left out. */
  readonly latest: Memory[]
  /** There are earlier ones beside them. */
  cut: boolean
}

export class Latest {
  readonly #known: Known
  #lines: Map<Kind, Line>

  constructor(known: Known) {
    this.#known = known
    this.#lines = linesOf(known, KEPT_MAX)
  }

  /** At most `most` of a kind, none of `except`, latest first. */
  of(kind: Kind, most: number, except: ReadonlySet<string>): Memory[] {
    const found = this.#taken(kind, most, except)
    if (found.length === most || !this.#lines.get(kind)?.cut) return found
    this.#lines = linesOf(this.#known, KEPT_MAX + most + except.size)
    return this.#taken(kind, most, except)
  }

  /** To be told before the change is made. */
  changed(before: Memory | undefined, after: Memory | undefined): void {
    if (before && after && before.kind === after.kind && before.created === after.created) return
    const line = before && this.#lines.get(before.kind)
    if (line) {
      const at = line.latest.findLastIndex((one) => one.id === before.id)
      if (at !== -1) line.latest.splice(at, 1)
    }
    if (after) entered(this.#lines, after, KEPT_MAX)
  }

  #taken(kind: Kind, most: number, except: ReadonlySet<string>): Memory[] {
    const latest = this.#lines.get(kind)?.latest ?? []
    const found: Memory[] = []
    for (let at = latest.length - 1; at >= 0 && found.length < most; at--) {
      const { id } = latest[at]!
      // As it is now: what else of it changed since was not told here.
      if (!except.has(id)) found.push(this.#known.get(id)!)
    }
    return found
  }
}

function linesOf(known: Known, most: number): Map<Kind, Line> {
  const lines = new Map<Kind, Line>()
  for (const memory of known.values()) entered(lines, memory, most)
  return lines
}

function entered(lines: Map<Kind, Line>, memory: Memory, most: number): void {
  const line = lines.get(memory.kind)
  if (!line) return void lines.set(memory.kind, { latest: [memory], cut: false })
  const { latest } = line
  // Of those that were cut off none is later than the earliest kept, so none may come in before it.
  if (line.cut && (latest.length === 0 || !isLater(memory, latest[0]!))) return
  let at = latest.length
  while (at > 0 && isLater(latest[at - 1]!, memory)) at--
  latest.splice(at, 0, memory)
  if (latest.length <= most) return
  latest.shift()
  line.cut = true
}

const isLater = (a: Memory, b: Memory): boolean => a.created > b.created || (a.created === b.created && a.id > b.id)
