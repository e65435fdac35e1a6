// A figure: a title that says what was found, the chart, how it is counted, and the numbers as a table.
import { type DrawChart, renderChart } from './chart.ts'
import { type Html, html, withCode } from './html.ts'

export interface TableSpec {
  readonly caption: string
  readonly heads: readonly string[]
  /** The first cell of a row is its head. */
  readonly rows: readonly (readonly (Html | string | number)[])[]
  /** Columns that are aligned right, by position. */
  readonly numeric?: readonly number[]
}

export interface FigureSpec {
  readonly id: string
  /** One sentence: what the chart shows. */
  readonly finding: string
  readonly draw: DrawChart
  /** The text alternative: the numbers that matter. */
  readonly alternative: string
  /** How it is counted. */
  readonly counted: string
  readonly table: TableSpec
  /** Explains colours in words; absent where the chart has only one. */
  readonly legend?: Html
  /** The table is part of the figure: it has links. */
  readonly isTableOpen?: boolean
}

export const renderFigure = ({ id, finding, draw, alternative, counted, table, ...spec }: FigureSpec): Html => html`
<figure id="${id}" aria-labelledby="${id}-title">
<figcaption id="${id}-title">${finding}</figcaption>
${spec.legend}${renderChart(draw, alternative)}
<p class="counted"><strong>How this is counted:</strong> ${counted}</p>
<details${spec.isTableOpen && html` open`}><summary>Numbers as a table<span class="sr">:
${table.caption}</span></summary>
${renderTable(table)}</details>
</figure>`

/** A table in its own scroll container, which the keyboard can scroll. */
export function renderTable({ caption, heads, rows, numeric = [] }: TableSpec): Html {
  const align = (column: number): Html => (numeric.includes(column) ? html` class="number"` : html``)
  const broad = heads.length > 3 && html` class="broad"`
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table${broad}>
<caption>${caption}</caption>
<thead><tr>${heads.map((head, column) => html`<th scope="col"${align(column)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([head = '', ...cells]) =>
      html`<tr><th scope="row">${head}</th>${cells.map((cell, i) => html`<td${align(i + 1)}>${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`
}

/** Rows of a long table that are shown at once. */
const ROWS_SHOWN = 10

/** A table of which the rest is shown on demand. */
export function renderLongTable(table: TableSpec): Html {
  const rest = table.rows.slice(ROWS_SHOWN)
  if (rest.length < 3) return renderTable(table)
  const caption = `${table.caption}, continued`
  return html`${renderTable({ ...table, rows: table.rows.slice(0, ROWS_SHOWN) })}
<details><summary>${rest.length} more rows<span class="sr"> of ${table.caption}</span></summary>
${renderTable({ ...table, caption, rows: rest })}</details>`
}

/** Colours of a chart with their meaning; the pattern repeats the difference. */
export const renderLegend = (entries: readonly (readonly [className: string, label: string])[]): Html =>
  html`<ul class="legend">${entries.map(
    ([className, label]) => html`<li><span class="swatch ${className}" aria-hidden="true"></span>${label}</li>`,
  )}</ul>`

/** What will appear in a part that has nothing yet. */
export const renderEmpty = (text: string): Html => html`<p class="empty">${withCode(text)}</p>`
