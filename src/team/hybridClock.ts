// Hybrid times: when a change was made, and after what. Clocks of machines may be days apart: a change is always later
// than the version that it was made of, whatever its machine's clock says.
//
//   1764800000000-00003-7f3c…   13 digits of milliseconds, 5 of a counter, the replica; as text they sort by time
//
// There is no clock of the machine that received times could move. A time far in the future orders the changes of its
// own memory, in the same way on all machines, and of nothing else: the next change of that memory comes after it.
import type { HybridTime } from './operation.ts'

/** The year 2200, in milliseconds: a machine's clock that says more counts as this. */
const CLOCK_MS_MAX = 7_258_118_400_000
const MS_DIGITS = 13
const COUNTER_DIGITS = 5
const COUNTER_MAX = 10 ** COUNTER_DIGITS - 1
const FORM = /^\d{13}-\d{5}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isHybridTime = (text: string): text is HybridTime => FORM.test(text)

interface Change {
  /** When the change was made by the machine's clock, in milliseconds since 1970; NaN counts as 0. */
  readonly ms: number
  /** The version that was changed; absent if there was none. */
  readonly after: HybridTime | undefined
  readonly replica: string
}

/** The time of a change: that of the clock, or the next one after the version that was changed if that is later. */
export function nextHybridTime({ ms, after, replica }: Change): HybridTime {
  const clock = Math.floor(Math.min(CLOCK_MS_MAX, Math.max(0, ms || 0)))
  if (after === undefined) return format(clock, 0, replica)
  const before = hybridMs(after)
  if (clock > before) return format(clock, 0, replica)
  const counter = Number(after.slice(MS_DIGITS + 1, MS_DIGITS + 1 + COUNTER_DIGITS)) + 1
  if (counter <= COUNTER_MAX) return format(before, counter, replica)
  const isLast = before >= 10 ** MS_DIGITS - 1
  return isLast ? format(before, COUNTER_MAX, replica) : format(before + 1, 0, replica)
}

/** Its milliseconds since 1970. */
const hybridMs = (time: HybridTime): number => Number(time.slice(0, MS_DIGITS))

const format = (ms: number, counter: number, replica: string): HybridTime =>
  `${String(ms).padStart(MS_DIGITS, '0')}-${String(counter).padStart(COUNTER_DIGITS, '0')}-${replica}`
