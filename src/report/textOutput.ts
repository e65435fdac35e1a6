// A screen: where words go. `process.stdout` is one; so is anything that takes text.

export interface TextOutput {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Columns where nobody tells: a pipe has no width, and a file is read on some screen later. */
const COLUMNS_UNKNOWN = 120

/** Wider lines are hard to read; tables stop here. */
const COLUMNS_MAX = 160

/** Narrower, a table is no table any more; the terminal may wrap it. */
const COLUMNS_MIN = 40

/** Columns to write in, 40 to 160. */
export const outputColumns = (screen: TextOutput): number =>
  Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, (screen.isTTY && screen.columns) || COLUMNS_UNKNOWN))
