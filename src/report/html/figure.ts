// Tables, numbers and column charts of the report. Colours are classes of the style sheet, so that a chart follows
// light and dark. Each chart is drawn for wide and for narrow screens: its text stays readable on both.
import type { PeriodFigures } from '../../broker/queries/reportFigures.ts'
import type { PeriodUnit } from '../../text/dates.ts'
import { isEnglish } from '../translation.ts'
import { type Html, html, withCode } from './html.ts'

export interface TableSpec {
  readonly caption: string
  readonly heads: readonly string[]
  /** The first cell of a row is its head. */
  readonly rows: readonly (readonly (Html | string | number)[])[]
  /** Columns that are aligned right, by position. */
  readonly numeric?: readonly number[]
}

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

/** What will appear in a part that has nothing yet. */
export const renderEmpty = (text: string): Html => html`<p class="empty">${withCode(text)}</p>`

/** How the figures above are counted. */
export const renderMethod = (text: string): Html =>
  html`<p class="counted"><strong>How this is counted:</strong> ${withCode(text)}</p>`

interface Column {
  /** The first day of its period, as 2026-03-02. */
  readonly start: string
  readonly value: number
  /** A part of `value`, drawn solid below an outline; absent where there is nothing to tell apart. */
  readonly part?: number
}

interface FigureSpec {
  readonly id: string
  /** One sentence: what the chart shows. */
  readonly finding: string
  readonly unit: PeriodUnit
  /** What a column counts. */
  readonly label: string
  readonly columns: readonly Column[]
  /** The meanings of a part and of the rest of a column. */
  readonly parts?: readonly [string, string]
  readonly counted: string
  readonly table: TableSpec
}

/** A figure: a title that says what was found, a column for each period, how it is counted, and the numbers. */
export function renderFigure(figure: FigureSpec): Html {
  const { id, finding, parts, counted, table } = figure
  return html`
<figure id="${id}" aria-labelledby="${id}-title">
<figcaption id="${id}-title">${finding}</figcaption>
${
  parts &&
  html`<ul class="legend"><li><span class="swatch" aria-hidden="true"></span>${parts[0]}</li>
<li><span class="swatch rest" aria-hidden="true"></span>${parts[1]}</li></ul>`
}<div class="chart wide">${drawColumns(figure, 720)}</div>
<div class="chart narrow">${drawColumns(figure, 320)}</div>
${renderMethod(counted)}
<details><summary>Numbers as a table<span class="sr">: ${table.caption}</span></summary>
${renderTable(table)}</details>
</figure>`
}

/** Few columns stay as narrow as some, with space on both sides. */
const COLUMNS_MIN = 7
const LABEL_PIXELS = 62
const EDGE = { left: 46, right: 28, top: 26, bottom: 42 }

const AXIS_LABELS: Readonly<Record<PeriodUnit, string>> = {
  day: 'day (UTC)',
  week: 'week, by its Monday (UTC)',
  month: 'month (UTC)',
}

function drawColumns({ finding, unit, label, columns }: FigureSpec, width: number): Html {
  const height = width < 400 ? 200 : 236
  const [bottom, plotWidth] = [height - EDGE.bottom, width - EDGE.left - EDGE.right]
  const most = roundUp(Math.max(...columns.map(({ value }) => value)))
  const step = plotWidth / Math.max(columns.length, COLUMNS_MIN)
  const first = EDGE.left + (plotWidth - step * columns.length) / 2
  const heightOf = (value: number): number => round(((bottom - EDGE.top) * value) / most)
  const bar = (i: number, value: number, name: string): Html =>
    html`<rect class="${name}" x="${round(first + i * step + 1)}" y="${bottom - heightOf(value)}"
 width="${round(step - 2)}" height="${heightOf(value)}"/>`
  const every = Math.ceil(LABEL_PIXELS / step)
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Columns: ${label} per ${unit}. ${finding}.">
${[0, most / 2, most].map((value) => {
  const y = bottom - heightOf(value)
  return html`<path class="grid" d="M${EDGE.left} ${y}H${width - EDGE.right}"/><text x="${EDGE.left - 8}"
 y="${y + 4}" text-anchor="end">${formatInteger(value)}</text>`
})}
${columns.map(({ value, part }, i) =>
  part === undefined ? bar(i, value, 'bar') : html`${bar(i, value, 'bar rest')}${bar(i, part, 'bar')}`,
)}
${columns.map(
  ({ start }, i) =>
    i % every === 0 &&
    html`<text x="${round(first + (i + 0.5) * step)}" y="${bottom + 17}" text-anchor="middle">${tickLabel(
      start,
      unit,
    )}</text>`,
)}
<text x="0" y="12">${label}</text>
<text x="${EDGE.left + plotWidth / 2}" y="${height - 4}" text-anchor="middle">${AXIS_LABELS[unit]}</text>
</svg>`
}

const round = (pixels: number): number => Math.round(pixels * 100) / 100

/** The end of the axis: an even number, so that half of it is a whole one too. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 2)))
  return [1, 2, 4, 6, 10].map((factor) => factor * power).find((end) => end >= value && end % 2 === 0) ?? 10 * power
}

function tickLabel(start: string, unit: PeriodUnit): string {
  const label = formatDay(start)
  if (unit === 'month') return formatPeriod({ start }, unit).replace(/\s\d\d(\d\d)$/, ' ’$1')
  return label.replace(/\s\d+$|^\d+年/, '')
}

/** 12,345 */
export const formatInteger = (value: number): string => Math.round(value).toLocaleString('en-US')

/** A share as a percentage: 34 %; below 10 % with one decimal. A no-break space keeps it and its unit together. */
export function formatShare(share: number): string {
  const percent = 100 * share
  const isExact = percent === 0 || percent === 100 || percent >= 10
  return `${isExact ? Math.round(percent) : percent.toFixed(1)}\u00a0%`
}

/** 2 of 20 (10 %, 95 % interval 3–30 %) */
export function formatProportion(hits: number, n: number, interval: readonly [number, number] | null): string {
  const count = `${formatInteger(hits)} of ${formatInteger(n)}`
  if (n === 0 || interval === null) return count
  const [low, high] = interval.map(formatShare) as [string, string]
  return `${count} (${formatShare(hits / n)}, 95\u00a0% interval ${low.replace('\u00a0%', '')}–${high})`
}

/** One decimal, and two for what is small: 12.3, 0.45. */
export const formatDecimal = (value: number): string =>
  Math.abs(value) >= 1 || value === 0 ? String(Math.round(value * 10) / 10) : String(Math.round(value * 100) / 100)

/** +0.4, −1.2, 0 */
export const formatChange = (value: number): string =>
  value > 0 ? `+${formatDecimal(value)}` : formatDecimal(value).replace('-', '−')

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 2 Mar 2026, or 2026年3月2日, in UTC. */
export function formatDay(iso: string): string {
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-')
  return isEnglish()
    ? `${Number(day)}\u00a0${MONTHS[Number(month) - 1] ?? ''}\u00a0${year}`
    : `${year}年${Number(month)}月${Number(day)}日`
}

/** The period as a row's head: 2 Mar 2026, or Mar 2026. */
export const formatPeriod = ({ start }: Pick<PeriodFigures, 'start'>, unit: PeriodUnit): string =>
  unit === 'month' ? formatDay(start).replace(/^\d+\s|\d+日$/, '') : formatDay(start)
