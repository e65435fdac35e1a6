// The output of a command: its width, colours for words, and a progress bar. A pipe or a file gets plain text.
import util from 'node:util'
import { clipText, displayWidth, wrapText } from './fitText.ts'
import { isolate, translate } from './translation.ts'

export interface TextOutput {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Columns of a pipe or a file. */
const COLUMNS_UNKNOWN = 120

/** Wider lines are hard to read. */
const COLUMNS_MAX = 160

/** Narrower tables are unreadable; the terminal may wrap lines. */
const COLUMNS_MIN = 40

/** The width of an output in columns, 40 to 160. */
export const outputColumns = (output: TextOutput): number =>
  Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, (output.isTTY && output.columns) || COLUMNS_UNKNOWN))

/** A path, a URL or an id, which is copied, stays in one piece. */
const COPIED = /[!-~]{20}/

/** A line in the language of the terminal, and there as several lines if it is too wide. */
export function layOutLine(line: string, output: TextOutput): string[] {
  const text = translate(line)
  const columns = outputColumns(output)
  const isTooWide = output.isTTY === true && displayWidth(text) > columns && !COPIED.test(text)
  // Translated once more, they lose the marks that keep them as they are.
  return isTooWide ? wrapText(isolate(text), columns).map(translate) : [text]
}

type Environment = Readonly<Record<string, string | undefined>>

type Style = (text: string) => string

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const

/** One function per style. Without colour each returns its text unchanged. */
export type Palette = { readonly [S in (typeof STYLES)[number]]: Style }

/** The styles for an output. `NO_COLOR` counts if it is not empty (no-color.org). */
export function createPalette(output: TextOutput, env: Environment): Palette {
  // Node has styleText from 20.12 on; older versions print without colour.
  const hasColour = output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb' && 'styleText' in util
  const styleFor = (name: keyof Palette): Style =>
    hasColour ? (text) => (text === '' ? text : util.styleText(name, text, { validateStream: false })) : (text) => text
  return Object.fromEntries(STYLES.map((name) => [name, styleFor(name)])) as Palette
}

export interface ProgressBar {
  /** One more step is done; `what` names the current step. */
  advance(what: string): void
  setDone(count: number, what: string): void
  /** Removes the bar. */
  clear(): void
}

const BAR_COLUMNS = 28

/** How often a bar is drawn at most: each drawing is a system call. */
const DRAWINGS_MAX = 400

const HIDDEN: ProgressBar = { advance: () => {}, setDone: () => {}, clear: () => {} }

/** A bar for `total` steps on `err`; `quiet` draws nothing. */
export function createProgressBar(
  { err: output, env }: { readonly err: TextOutput; readonly env: Environment },
  total: number,
  quiet = false,
): ProgressBar {
  if (quiet || output.isTTY !== true) return HIDDEN
  const palette = createPalette(output, env)
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
