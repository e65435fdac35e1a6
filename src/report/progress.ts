// A progress bar on a terminal, one line drawn over itself. Where nobody watches (a pipe, a file) nothing is written.
import type { Palette } from './colour.ts'
import { columnsOf, type Screen } from './screen.ts'
import { clipped } from './width.ts'

export interface Progress {
  /** One more is done; `what` says what is at hand. */
  step(what: string): void
  /** So many are done now. */
  reach(count: number, what: string): void
  /** Takes the bar away. */
  end(): void
}

const BAR_COLUMNS = 28

/** Pictures of one bar at most: each costs a system call, and nobody sees more. */
const PICTURES_MAX = 400

const SILENT: Progress = { step: () => {}, reach: () => {}, end: () => {} }

/** A bar for `total` steps; `quiet` draws nothing. */
export function progressOn(screen: Screen, palette: Palette, total: number, quiet = false): Progress {
  if (quiet || screen.isTTY !== true) return SILENT
  const every = Math.ceil(total / PICTURES_MAX)
  let done = 0
  const draw = (what: string): void => {
    const full = total > 0 ? Math.round((BAR_COLUMNS * done) / total) : BAR_COLUMNS
    const bar = palette.cyan('━'.repeat(full)) + palette.dim('─'.repeat(Math.max(0, BAR_COLUMNS - full)))
    const room = columnsOf(screen) - BAR_COLUMNS - 14
    screen.write(`\r\u001b[2K${bar} ${done}/${total} ${palette.dim(clipped(what, room))}`)
  }
  return {
    reach(count, what) {
      done = count
      draw(what)
    },
    step(what) {
      done++
      if (done === total || done % every === 0) draw(what)
    },
    end: () => void screen.write('\r\u001b[2K'),
  }
}
