// The output of a command: `process.stdout`, or anything else that accepts text.

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
