// A figure: a title that says what was found, the chart, how it is counted, and the numbers as a table.
import { type DrawChart, renderChart } from './chart.ts'
import { type Html, html } from './html.ts'

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
}

export const renderFigure = ({ id, finding, draw, alternative, counted, table, legend }: FigureSpec): Html => html`
<figure id="${id}" aria-labelledby="${id}-title">
<figcaption id="${id}-title">${finding}</figcaption>
${legend}${renderChart(draw, alternative)}
<p class="counted"><strong>How this is counted:</strong> ${counted}</p>
<details><summary>Numbers as a table<span class="sr">: ${table.caption}</span></summary>${renderTable(table)}</details>
</figure>`

/** A table in its own scroll container, which the keyboard can scroll. */
export function renderTable({ caption, heads, rows, numeric = [] }: TableSpec): Html {
  const align = (column: number): Html => (numeric.includes(column) ? html` class="number"` : html``)
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${heads.map((head, column) => html`<th scope="col"${align(column)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([head = '', ...cells]) =>
      html`<tr><th scope="row">${head}</th>${cells.map((cell, i) => html`<td${align(i + 1)}>${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`
}

/** Colours of a chart with their meaning; the pattern repeats the difference. */
export const renderLegend = (entries: readonly (readonly [className: string, label: string])[]): Html =>
  html`<ul class="legend">${entries.map(
    ([className, label]) =>
      html`<li><span class="swatch ${className}" aria-hidden="true"></span>${label}</li>`,
  )}</ul>`

/** What will appear in a part that has nothing yet. */
export const renderEmpty = (text: string): Html => html`<p class="empty">${text}</p>`
