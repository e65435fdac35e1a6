// Tables and numbers of the report.
import { formatCount, formatInteger } from '../formatNumber.ts'
import { isEnglish } from '../translation.ts'
import { type Html, html, withCode } from './html.ts'

export interface TableSpec {
  readonly caption: string
  readonly heads: readonly string[]
  /** The first cell of a row is its head. A number that is not known is undefined. */
  readonly rows: readonly (readonly (Html | string | number | undefined)[])[]
}

/** A table in its own scroll container, which the keyboard can scroll; nothing without rows. */
export function renderTable({ caption, heads, rows }: TableSpec): Html {
  if (rows.length === 0) return html``
  const isOfNumbers = (column: number): boolean =>
    rows.every((row) => row[column] === undefined || typeof row[column] === 'number')
  const align = (column: number): Html | false => isOfNumbers(column) && html` class="number"`
  const textOf = (cell: Html | string | number | undefined): Html | string =>
    cell === undefined ? '–' : typeof cell === 'number' ? formatInteger(cell) : cell
  const broad = heads.length > 3 && html` class="broad"`
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table${broad}>
<caption>${caption}</caption>
<thead><tr>${heads.map((head, column) => html`<th scope="col"${align(column)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([head = '', ...cells]) =>
      html`<tr><th scope="row">${head}</th>${cells.map((cell, i) => html`<td${align(i + 1)}>${textOf(cell)}</td>`)}</tr>
`,
  )}</tbody></table></div>`
}

const ROWS_SHOWN = 10

/** Rows of a table; the rest is counted. */
const ROWS_MAX = 500

/** A table of which the rest is shown on demand. */
export function renderLongTable(table: TableSpec): Html {
  const rest = table.rows.slice(ROWS_SHOWN, ROWS_MAX)
  if (rest.length < 3) return renderTable(table)
  const caption = `${table.caption}, continued`
  return html`${renderTable({ ...table, rows: table.rows.slice(0, ROWS_SHOWN) })}
<details><summary>${rest.length} more rows<span class="sr"> of ${table.caption}</span></summary>
${renderTable({ ...table, caption, rows: rest })}</details>
${renderRest(table.rows.length - ROWS_MAX, 'memctl list')}`
}

/** How many a list leaves out, and the command that prints them. */
export const renderRest = (left: number, command: string): Html | false =>
  left > 0 && html`<p class="rest">${formatCount(left, 'more entry', 'more entries')}: <code>${command}</code>.</p>`

/** What will appear in a part that has nothing yet. */
export const renderEmpty = (text: string): Html => html`<p class="empty">${withCode(text)}</p>`

/** How the figures above are counted. */
export const renderMethod = (text: string): Html =>
  html`<p class="counted"><strong>How this is counted:</strong> ${withCode(text)}</p>`

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** 2 Mar 2026, or 2026年3月2日, in UTC. */
export function formatDay(iso: string): string {
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-')
  return isEnglish()
    ? `${Number(day)}\u00a0${MONTHS[Number(month) - 1] ?? ''}\u00a0${year}`
    : `${year}年${Number(month)}月${Number(day)}日`
}

/** 2 Mar 2026, 15:04, in UTC; 15:04 alone on the day of another time. */
export const formatTime = (iso: string, other = ''): string =>
  `${iso.slice(0, 10) === other.slice(0, 10) ? '' : `${formatDay(iso)}, `}${iso.slice(11, 16)}`
