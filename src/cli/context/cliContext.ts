// What a command touches of the world: two screens, the environment, a folder, stdin. Handed in, so that tests can be the world.
import { createPalette, type Palette } from '../../report/palette.ts'
import { outputColumns, type TextOutput } from '../../report/textOutput.ts'

export interface CliContext {
  readonly out: TextOutput
  readonly err: TextOutput
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** All of stdin as text; empty where there is none. */
  readonly stdin: () => string
}

/** How a result is written for a person. */
export interface Terminal {
  readonly palette: Palette
  readonly columns: number
}

/** Writes a command's result: as one line of JSON, or as the lines for a person. */
export function printResult<T>(
  io: CliContext,
  json: boolean | undefined,
  result: T,
  lines: (result: T, page: Terminal) => readonly string[],
): void {
  if (json) return void io.out.write(`${JSON.stringify(result)}\n`)
  const page = { palette: createPalette(io.out, io.env), columns: outputColumns(io.out) }
  io.out.write(
    lines(result, page)
      .map((line) => `${line}\n`)
      .join(''),
  )
}
