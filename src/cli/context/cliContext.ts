// What a command uses of its process: output streams, environment, folder and stdin. Tests replace them.
import { hideSecrets } from '../../broker/commands/newMemory.ts'
import { shortIdChars } from '../../model/id.ts'
import { sanitizeLine } from '../../report/fitText.ts'
import { createPalette, layOutLine, outputColumns, type Palette, type TextOutput } from '../../report/textOutput.ts'

export interface CliContext {
  readonly out: TextOutput
  readonly err: TextOutput
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** All of stdin as text; empty if it is a terminal. */
  readonly stdin: () => string
  /** Asks the person at the terminal for a line: undefined at the end of the input, a no. Absent if nobody is there. */
  readonly ask?: (question: string) => Promise<string | undefined>
  /** Ids that a shortened id must not be confused with. */
  readonly knownIds?: Iterable<string>
  /** Whether a slash command of the client runs it: then other commands are called `/memctl:NAME`. */
  readonly isSlashCommand?: true
  /** Whether the hook has recorded that the person typed just this. */
  readonly isTyped?: boolean
}

/** The same context with outputs that lose secrets: what a command shows may come from files and older logs. */
export const withoutSecrets = (io: CliContext): CliContext => ({ ...io, out: hiding(io.out), err: hiding(io.err) })

const hiding = (output: TextOutput): TextOutput => ({
  write: (text) => output.write(hideSecrets(text)),
  isTTY: output.isTTY,
  get columns() {
    return output.columns
  },
})

/** How a person calls a command from where this one was called. */
export const commandText = ({ isSlashCommand }: CliContext, words: string): string =>
  isSlashCommand ? `/memctl:${words}` : `memctl ${words}`

/** What the lines for a person depend on. */
export interface Terminal {
  readonly palette: Palette
  readonly columns: number
  /** The beginning of an id that no other known id has. */
  readonly shortId: (id: string) => string
}

/** The same context for a command that prints ids of these items: shortened as far as they stay different. */
export const withKnownIds = (io: CliContext, items: Iterable<{ readonly id: string }>): CliContext => ({
  ...io,
  knownIds: Array.from(items, ({ id }) => id),
})

/** Writes a command's result: as one line of JSON, or as the lines for a person, in their language. */
export function printResult<T>(
  io: CliContext,
  json: boolean | undefined,
  result: T,
  format: (result: T, terminal: Terminal) => readonly string[],
): void {
  if (json) return void io.out.write(`${JSON.stringify(result)}\n`)
  const chars = shortIdChars(io.knownIds ?? [])
  const shortId = (id: string): string => id.slice(0, chars)
  const terminal = { palette: createPalette(io.out, io.env), columns: outputColumns(io.out), shortId }
  // Each by itself: a line that speaks of a password does not hide the id with which the next one begins.
  const lines = format(result, terminal).flatMap((line) => layOutLine(line, io.out))
  for (const line of lines) io.out.write(`${sanitizeLine(line, io.out.isTTY)}\n`)
}

/** Thrown by a command that has printed its result and ends with an exit status other than 0. */
export class ExitStatus extends Error {
  readonly status: number

  constructor(status: number) {
    super(`exit status ${status}`)
    this.name = 'ExitStatus'
    this.status = status
  }
}
