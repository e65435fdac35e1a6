// What a command touches of the world: two screens, the environment, a folder, stdin. Handed in, so that tests can be the world.
import { type Palette, paletteFor } from '../report/colour.ts'
import { columnsOf, type Screen } from '../report/screen.ts'

export interface Io {
  readonly out: Screen
  readonly err: Screen
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** All of stdin as text; empty where there is none. */
  readonly stdin: () => string
}

/** How a result is written for a person. */
export interface Page {
  readonly palette: Palette
  readonly columns: number
}

/** Writes a command's result: as one line of JSON, or as the lines for a person. */
export function tell<T>(
  io: Io,
  json: boolean | undefined,
  result: T,
  lines: (result: T, page: Page) => readonly string[],
): void {
  if (json) return void io.out.write(`${JSON.stringify(result)}\n`)
  const page = { palette: paletteFor(io.out, io.env), columns: columnsOf(io.out) }
  io.out.write(
    lines(result, page)
      .map((line) => `${line}\n`)
      .join(''),
  )
}
