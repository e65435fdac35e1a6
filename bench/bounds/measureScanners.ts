// Time of a scanner over texts of growing length: linear work doubles with the text, quadratic work has ratio 4.

import type { Scanner } from './exportedScanners.ts'
import { HOSTILE_PARTS, repeatPart } from './hostileTexts.ts'

export interface ScannerTime {
  readonly scanner: string
  readonly part: string
  /** Length of the longest text that was measured, in characters. */
  readonly chars: number
  /** Processor time for it, in milliseconds. */
  readonly ms: number
  /** That time by the time for half the text. */
  readonly ratio: number
}

/** Shorter times have too much noise for a ratio, in milliseconds. */
const MEASURED_MS_MIN = 20
/** A scanner that takes longer is not given a longer text, in milliseconds. */
const MEASURED_MS_MAX = 1_500
const CHARS_MIN = 8_000

/** Its time for each hostile text. */
export function measureScanner({ name, run }: Scanner, charsMax: number): ScannerTime[] {
  return HOSTILE_PARTS.map((part) => {
    let before = 0
    let last: ScannerTime = { scanner: name, part, chars: 0, ms: 0, ratio: 0 }
    for (let chars = CHARS_MIN; chars <= charsMax; chars *= 2) {
      const text = repeatPart(part, chars)
      const ms = timeOf(() => run(text))
      last = { scanner: name, part, chars, ms, ratio: before < MEASURED_MS_MIN / 4 ? 0 : ms / before }
      before = ms
      if (ms > MEASURED_MS_MAX) break
    }
    return last
  })
}

/** Processor time of the fastest of several runs, in milliseconds. */
function timeOf(run: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i += 1) {
    const start = process.cpuUsage().user
    try {
      run()
    } catch (error) {
      throw new Error(`A scanner throws: ${String(error).slice(0, 200)}`, { cause: error })
    }
    fastest = Math.min(fastest, (process.cpuUsage().user - start) / 1_000)
    if (fastest > MEASURED_MS_MAX || fastest < 1) break
  }
  return fastest
}
