// Due: when time may change a memory next, so that most are not looked at each time.
//
//   set ──▶ fresh ──looked at, unchanged──▶ put off to an hour ──that hour has come──▶ looked at again
//
// What was found unchanged stays so until the next moment that counts for it, if the clock goes on and the numbers that time goes by stay
// the same. Where either does not hold, all are fresh again.
import type { MemoryId } from '../model/id.ts'
import type { Known } from './part.ts'

const HOUR_MS = 3_600_000

export class Due {
  #fresh: Set<MemoryId> | undefined
  #under = ''
  /** The latest moment that memories were found unchanged at. */
  #latest = Number.NEGATIVE_INFINITY
  readonly #byHour = new Map<number, Set<MemoryId>>()
  readonly #hours = new Map<MemoryId, number>()

  /** Those to look at: fresh ones, and those whose hour has come. */
  at(now: number, under: string, known: Known): MemoryId[] {
    if (!this.#fresh || under !== this.#under || now < this.#latest) {
      this.#fresh = new Set(known.keys())
      this.#byHour.clear()
      this.#hours.clear()
    }
    this.#under = under
    this.#latest = now
    const ids = [...this.#fresh]
    for (const [hour, due] of this.#byHour) if (hour * HOUR_MS <= now) ids.push(...due)
    return ids
  }

  /** Its hour is that of `until`, in milliseconds since 1970; never, for infinity. */
  putOff(id: MemoryId, until: number): void {
    this.#forget(id)
    const hour = Math.floor(until / HOUR_MS)
    const due = this.#byHour.get(hour)
    if (due) due.add(id)
    else this.#byHour.set(hour, new Set([id]))
    this.#hours.set(id, hour)
  }

  changed(id: MemoryId, isThere: boolean): void {
    this.#forget(id)
    if (isThere) this.#fresh?.add(id)
  }

  #forget(id: MemoryId): void {
    this.#fresh?.delete(id)
    const hour = this.#hours.get(id)
    if (hour === undefined) return
    this.#hours.delete(id)
    const due = this.#byHour.get(hour)!
    due.delete(id)
    if (due.size === 0) this.#byHour.delete(hour)
  }
}
