// Due: when time may change a memory next, so that most are not looked at each time.
//
//   set ──▶ fresh ──looked at, unchanged──▶ put off to an hour ──that hour has come──▶ looked at again
//
// What was found unchanged stays so until the next moment that counts for it, if the clock goes on and the numbers that time goes by stay
// the same. Where either does not hold, all are fresh again.
import type { MemoryId } from '../model/id.ts'
import type { MemoryMap } from './sessionSlice.ts'

const HOUR_MS = 3_600_000

export class TimerWheel {
  #fresh: Set<MemoryId> | undefined
  #policyKey = ''
  /** The latest moment that memories were found unchanged at. */
  #latest = Number.NEGATIVE_INFINITY
  readonly #byHour = new Map<number, Set<MemoryId>>()
  readonly #hours = new Map<MemoryId, number>()

  /** Those to look at: fresh ones, and those whose hour has come. */
  listDue(now: number, under: string, known: MemoryMap): MemoryId[] {
    if (!this.#fresh || under !== this.#policyKey || now < this.#latest) {
      this.#fresh = new Set(known.keys())
      this.#byHour.clear()
      this.#hours.clear()
    }
    this.#policyKey = under
    this.#latest = now
    const ids = [...this.#fresh]
    for (const [hour, due] of this.#byHour) if (hour * HOUR_MS <= now) ids.push(...due)
    return ids
  }

  /** Its hour is that of `until`, in milliseconds since 1970; never, for infinity. */
  postpone(id: MemoryId, until: number): void {
    this.#remove(id)
    const hour = Math.floor(until / HOUR_MS)
    const due = this.#byHour.get(hour)
    if (due) due.add(id)
    else this.#byHour.set(hour, new Set([id]))
    this.#hours.set(id, hour)
  }

  markChanged(id: MemoryId, isThere: boolean): void {
    this.#remove(id)
    if (isThere) this.#fresh?.add(id)
  }

  #remove(id: MemoryId): void {
    this.#fresh?.delete(id)
    const hour = this.#hours.get(id)
    if (hour === undefined) return
    this.#hours.delete(id)
    const due = this.#byHour.get(hour)!
    due.delete(id)
    if (due.size === 0) this.#byHour.delete(hour)
  }
}
