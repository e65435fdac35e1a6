// Timer wheel: when time may change a memory next, so that most memories are not checked each time.
//
//   set ──▶ unchecked ──unchanged──▶ postponed to an hour ──the hour comes──▶ checked again
//
// An unchanged memory stays so until the next time that matters for it, as long as the clock goes forward and the
// policy's numbers stay the same. Otherwise all memories are unchecked again.
import type { MemoryId } from '../model/id.ts'
import type { MemoryMap } from '../model/memory.ts'

const HOUR_MS = 3_600_000

export class TimerWheel {
  #unchecked: Set<MemoryId> | undefined
  #policyKey = ''
  /** The latest time at which memories were checked. */
  #latest = Number.NEGATIVE_INFINITY
  readonly #byHour = new Map<number, Set<MemoryId>>()
  readonly #hours = new Map<MemoryId, number>()

  /** The unchecked memories, and those postponed to an hour that has come. */
  listDue(now: number, policyKey: string, known: MemoryMap): MemoryId[] {
    if (!this.#unchecked || policyKey !== this.#policyKey || now < this.#latest) {
      this.#unchecked = new Set(known.keys())
      this.#byHour.clear()
      this.#hours.clear()
    }
    this.#policyKey = policyKey
    this.#latest = now
    const ids = [...this.#unchecked]
    for (const [hour, due] of this.#byHour) if (hour * HOUR_MS <= now) ids.push(...due)
    return ids
  }

  /** Postpones to the hour of `until`, in milliseconds since 1970; infinity means never. */
  postpone(id: MemoryId, until: number): void {
    this.#remove(id)
    const hour = Math.floor(until / HOUR_MS)
    const due = this.#byHour.get(hour)
    if (due) due.add(id)
    else this.#byHour.set(hour, new Set([id]))
    this.#hours.set(id, hour)
  }

  /** The memory was set (`exists`) or deleted. */
  markChanged(id: MemoryId, exists: boolean): void {
    this.#remove(id)
    if (exists) this.#unchecked?.add(id)
  }

  #remove(id: MemoryId): void {
    this.#unchecked?.delete(id)
    const hour = this.#hours.get(id)
    if (hour === undefined) return
    this.#hours.delete(id)
    const due = this.#byHour.get(hour)
    due?.delete(id)
    if (due?.size === 0) this.#byHour.delete(hour)
  }
}
