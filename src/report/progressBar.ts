// A progress bar on a terminal, one line that is redrawn. A pipe or a file gets nothing.
import { clipText } from './fitText.ts'
import type { Palette } from './palette.ts'
import { outputColumns, type TextOutput } from './textOutput.ts'

export interface ProgressBar {
  /** One more step is done; `what` names the current step. */
  advance(what: string): void
  /** Sets the number of steps done. */
  setDone(count: number, what: string): void
  /** Removes the bar. */
  clear(): void
}

const BAR_COLUMNS = 28

/** How often a bar is drawn at most: each drawing is a system call. */
const DRAWINGS_MAX = 400

const HIDDEN: ProgressBar = { advance: () => {}, setDone: () => {}, clear: () => {} }

/** A bar for `total` steps; `quiet` draws nothing. */
export function createProgressBar(output: TextOutput, palette: Palette, total: number, quiet = false): ProgressBar {
  if (quiet || output.isTTY !== true) return HIDDEN
  const every = Math.ceil(total / DRAWINGS_MAX)
  let done = 0
  const draw = (what: string): void => {
    const full = total > 0 ? Math.round((BAR_COLUMNS * done) / total) : BAR_COLUMNS
    const bar = palette.cyan('━'.repeat(full)) + palette.dim('─'.repeat(Math.max(0, BAR_COLUMNS - full)))
    const available = outputColumns(output) - BAR_COLUMNS - 14
    output.write(`\r\u001b[2K${bar} ${done}/${total} ${palette.dim(clipText(what, available))}`)
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
    clear: () => void output.write('\r\u001b[2K'),
  }
}
