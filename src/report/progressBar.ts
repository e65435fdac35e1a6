// A progress bar on a terminal, one line drawn over itself. Where nobody watches (a pipe, a file) nothing is written.

import { clipText } from './fitText.ts'
import type { Palette } from './palette.ts'
import { outputColumns, type TextOutput } from './textOutput.ts'

export interface ProgressBar {
  /** One more is done; `what` says what is at hand. */
  advance(what: string): void
  /** So many are done now. */
  setDone(count: number, what: string): void
  /** Takes the bar away. */
  clear(): void
}

const BAR_COLUMNS = 28

/** Pictures of one bar at most: each costs a system call, and nobody sees more. */
const PICTURES_MAX = 400

const SILENT: ProgressBar = { advance: () => {}, setDone: () => {}, clear: () => {} }

/** A bar for `total` steps; `quiet` draws nothing. */
export function createProgressBar(screen: TextOutput, palette: Palette, total: number, quiet = false): ProgressBar {
  if (quiet || screen.isTTY !== true) return SILENT
  const every = Math.ceil(total / PICTURES_MAX)
  let done = 0
  const draw = (what: string): void => {
    const full = total > 0 ? Math.round((BAR_COLUMNS * done) / total) : BAR_COLUMNS
    const bar = palette.cyan('━'.repeat(full)) + palette.dim('─'.repeat(Math.max(0, BAR_COLUMNS - full)))
    const room = outputColumns(screen) - BAR_COLUMNS - 14
    screen.write(`\r\u001b[2K${bar} ${done}/${total} ${palette.dim(clipText(what, room))}`)
  }
  return {
    setDone(count, what) {
      done = count
      draw(what)
    },
    advance(what) {
      done++
      if (done === total || done % every === 0) draw(what)
    },
    clear: () => void screen.write('\r\u001b[2K'),
  }
}
