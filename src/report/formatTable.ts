// A table: aligned columns, as wide as their content, one of them giving way where the screen is narrow.
import { clipText, displayWidth, padText } from './fitText.ts'

export interface TableColumn {
  readonly head: string
  /** Numbers stand to the right. */
  readonly align?: 'left' | 'right'
  /** This one is cut where the screen is too narrow for all. */
  readonly canShrink?: boolean
}

/** Blanks between two columns. */
const GAP = 2

/** What a column that gives way keeps at least. */
const KEPT_MIN = 8

/** The table's lines, none wider than `columns` as long as the columns that do not give way leave room. A head that is empty in all columns is left out. */
export function formatTable(
  layout: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  columns: number,
  head: (text: string) => string = (text) => text,
): string[] {
  const widths = layout.map((column, i) =>
    Math.max(displayWidth(column.head), ...rows.map((row) => displayWidth(row[i] ?? ''))),
  )
  shrink(widths, layout, columns)
  const line = (cells: readonly string[]): string =>
    layout
      .map((column, i) => {
        const cell = cells[i] ?? ''
        const fits = displayWidth(cell) <= widths[i]! ? cell : clipText(cell, widths[i]!)
        return padText(fits, widths[i]!, column.align)
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const heads = layout.map((column) => column.head)
  return [...(heads.some(Boolean) ? [head(line(heads))] : []), ...rows.map(line)]
}

function shrink(widths: number[], layout: readonly TableColumn[], columns: number): void {
  const gives = layout.flatMap((column, i) => (column.canShrink ? [i] : []))
  let over = widths.reduce((sum, width) => sum + width, 0) + GAP * (layout.length - 1) - columns
  // The widest gives first, so that two columns that give way end alike.
  while (over > 0) {
    const widest = gives.filter((i) => widths[i]! > KEPT_MIN).sort((a, b) => widths[b]! - widths[a]!)[0]
    if (widest === undefined) return
    widths[widest]!--
    over--
  }
}
