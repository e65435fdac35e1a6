// Formats a table: columns as wide as their content; columns that can shrink do so on a narrow screen.
import { clipText, displayWidth, padText } from './fitText.ts'
import type { Palette } from './textOutput.ts'
import { isolate, translate } from './translation.ts'

interface TableColumn {
  readonly head: string
  /** Numbers are aligned right. */
  readonly align?: 'left' | 'right'
  /** Its cells are clipped if the screen is too narrow. */
  readonly canShrink?: boolean
}

/** Spaces between two columns. */
const GAP = 2

const SHRUNK_WIDTH_MIN = 8

/**
 * The lines of the table, with its texts translated, none wider than `columns` if shrinking suffices. A head that is
 * empty is omitted.
 */
export function formatTable(
  heads: readonly (string | TableColumn)[],
  rows: readonly (readonly string[])[],
  columns: number,
  styleHead: (text: string) => string = (text) => text,
): string[] {
  const layout = heads.map((column): TableColumn => (typeof column === 'string' ? { head: column } : column))
  const [head = [], ...cells] = [layout.map((column) => column.head), ...rows].map((row) => row.map(translate))
  const contentWidths = layout.map((_, i) => Math.max(...[head, ...cells].map((row) => displayWidth(row[i] ?? ''))))
  const widths = shrinkWidths(contentWidths, layout, columns)
  const formatRow = (row: readonly string[]): string =>
    isolate(
      layout
        .map(({ align }, i) => {
          const cell = row[i] ?? ''
          const width = widths[i] ?? 0
          return padText(displayWidth(cell) <= width ? cell : clipText(cell, width), width, align)
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    )
  return [...(head.some(Boolean) ? [styleHead(formatRow(head))] : []), ...cells.map(formatRow)]
}

interface ItemColumn<Item> extends TableColumn {
  readonly cell: (item: Item, index: number) => string
}

/** A table with a line for each item, with a dimmed head. A column that is not there is left out. */
export function formatItems<Item>(
  items: readonly Item[],
  { palette, columns: width }: FieldsTerminal,
  columns: readonly (ItemColumn<Item> | false | undefined)[],
): string[] {
  const shown = columns.filter((column) => column !== false && column !== undefined)
  const rows = items.map((item, i) => shown.map(({ cell }) => cell(item, i)))
  return formatTable(shown, rows, width, palette.dim)
}

/** Shrinks the widest column first, so that columns that can shrink become equally wide. */
function shrinkWidths(widths: readonly number[], layout: readonly TableColumn[], columns: number): readonly number[] {
  let shrunk = widths
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP * (layout.length - 1) - columns
  for (; excess > 0; excess--) {
    const widest = Math.max(...shrunk.filter((_, i) => layout[i]?.canShrink))
    if (widest <= SHRUNK_WIDTH_MIN) break
    const index = shrunk.findIndex((width, i) => width === widest && layout[i]?.canShrink)
    shrunk = shrunk.map((width, i) => (i === index ? width - 1 : width))
  }
  return shrunk
}

interface FieldsTerminal {
  readonly palette: Pick<Palette, 'dim'>
  readonly columns: number
}

/** Two columns without a head: a dimmed name and its value, which is clipped to the terminal. */
export const formatFields = (fields: readonly (readonly [string, string])[], terminal: FieldsTerminal): string[] =>
  formatTable(
    ['', textColumn('')],
    fields.map(([name, value]) => [terminal.palette.dim(name), value]),
    terminal.columns,
  )

/** A column with cells that are cut if the screen is too narrow. */
export const textColumn = (head: string): TableColumn => ({ head, canShrink: true })

export const numberColumns = (...heads: readonly string[]): TableColumn[] =>
  heads.map((head) => ({ head, align: 'right' }))
