// A table: aligned columns, as wide as their content, one of them giving way where the screen is narrow.
import { clipped, padded, widthOf } from './width.ts'

export interface Column {
  readonly head: string
  /** Numbers stand to the right. */
  readonly side?: 'left' | 'right'
  /** This one is cut where the screen is too narrow for all. */
  readonly gives?: boolean
}

/** Blanks between two columns. */
const GAP = 2

/** What a column that gives way keeps at least. */
const KEPT_MIN = 8

/** The table's lines, none wider than `columns` as long as the columns that do not give way leave room. A head that is empty in all columns is left out. */
export function table(
  layout: readonly Column[],
  rows: readonly (readonly string[])[],
  columns: number,
  head: (text: string) => string = (text) => text,
): string[] {
  const widths = layout.map((column, i) => Math.max(widthOf(column.head), ...rows.map((row) => widthOf(row[i] ?? ''))))
  shrink(widths, layout, columns)
  const line = (cells: readonly string[]): string =>
    layout
      .map((column, i) => {
        const cell = cells[i] ?? ''
        const fits = widthOf(cell) <= widths[i]! ? cell : clipped(cell, widths[i]!)
        return padded(fits, widths[i]!, column.side)
      })
      .join(' '.repeat(GAP))
      .trimEnd()
  const heads = layout.map((column) => column.head)
  return [...(heads.some(Boolean) ? [head(line(heads))] : []), ...rows.map(line)]
}

function shrink(widths: number[], layout: readonly Column[], columns: number): void {
  const gives = layout.flatMap((column, i) => (column.gives ? [i] : []))
  let over = widths.reduce((sum, width) => sum + width, 0) + GAP * (layout.length - 1) - columns
  // The widest gives first, so that two columns that give way end alike.
  while (over > 0) {
    const widest = gives.filter((i) => widths[i]! > KEPT_MIN).sort((a, b) => widths[b]! - widths[a]!)[0]
    if (widest === undefined) return
    widths[widest]!--
    over--
  }
}
