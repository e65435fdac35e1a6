// A full screen of the terminal: drawn as lines, with keys, and restored however the process ends.
import type { ReadStream, WriteStream } from 'node:tty'

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
/** Before the text: after a full line it would erase the last character. */
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/** Signals that end the process. It ends with 128 and their number, as a shell expects. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

export interface TerminalScreen {
  readonly size: () => { readonly columns: number; readonly rows: number }
  draw(lines: readonly string[]): void
  /** Gives the terminal back. May be called several times. */
  close(): void
}

interface ScreenOptions {
  readonly onKeys: (keys: string) => void
  readonly onResize: () => void
}

/** Takes over the terminal of this process; undefined if stdin or stdout is none. */
export function openTerminalScreen({ onKeys, onResize }: ScreenOptions): TerminalScreen | undefined {
  const input: ReadStream = process.stdin
  const output: WriteStream = process.stdout
  if (!input.isTTY || !output.isTTY) return undefined
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    output.write(LEAVE)
    input.setRawMode(false)
    input.pause()
    input.off('data', read)
    output.off('resize', onResize)
    for (const [signal, end] of handlers) process.off(signal, end)
    process.off('exit', close)
    process.off('uncaughtExceptionMonitor', close)
  }
  const read = (data: Buffer): void => onKeys(data.toString('utf8'))
  const handlers = Object.entries(SIGNALS).map(([signal, status]) => {
    const end = (): void => {
      close()
      process.exit(status)
    }
    return [signal, end] as const
  })
  for (const [signal, end] of handlers) process.on(signal, end)
  process.on('exit', close)
  process.on('uncaughtExceptionMonitor', close)
  input.setRawMode(true)
  input.on('data', read)
  input.resume()
  output.on('resize', onResize)
  output.write(ENTER)
  return {
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    draw: (lines) => void output.write(`${HOME}${lines.map((line) => CLEAR_LINE + line).join('\r\n')}${CLEAR_BELOW}`),
    close,
  }
}
