// Tables that many commands print: names with values, and columns of numbers.
import { formatTable, type TableColumn } from '../../report/formatTable.ts'
import type { Terminal } from '../context/cliContext.ts'

/** Two columns without a head: a dimmed name and its value, which is clipped to the terminal. */
export const formatFields = (fields: readonly (readonly [string, string])[], terminal: Terminal): string[] =>
  formatTable(
    [{ head: '' }, { head: '', canShrink: true }],
    fields.map(([name, value]) => [terminal.palette.dim(name), value]),
    terminal.columns,
  )

/** Right-aligned columns, for numbers. */
export const numberColumns = (...heads: readonly string[]): TableColumn[] =>
  heads.map((head) => ({ head, align: 'right' }))
