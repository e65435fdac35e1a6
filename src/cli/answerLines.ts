// A tool's answer for a person: its lists as tables, everything else as names and values.
import { table } from '../report/table.ts'
import { plain } from '../report/width.ts'
import { firstLine } from '../text/excerpt.ts'
import type { Answer } from '../tools/tool.ts'
import type { Page } from './io.ts'

/** Characters of a value in a table. */
const CELL_CHARS_MAX = 400

export function answerLines(answer: Answer, page: Page): string[] {
  const { content, ...rest } = answer
  const fields = Object.entries(rest).filter(([, value]) => !isTable(value) && !isEmpty(value))
  const layout = [{ head: '' }, { head: '', gives: true }]
  const rows = fields.map(([name, value]) => [page.palette.dim(name), plain(cell(value))])
  return [
    ...(typeof content === 'string' ? content.split('\n').map(plain) : []),
    ...Object.values(rest).flatMap((value) => (isTable(value) ? tableOf(value, page) : [])),
    ...table(layout, rows, page.columns),
  ]
}

function tableOf(rows: readonly Answer[], { columns, palette }: Page): string[] {
  const names = [...new Set(rows.flatMap(Object.keys))]
  const layout = names.map((head) => ({ head, gives: head === 'content' || head === 'message' }))
  const cells = rows.map((row) => names.map((name) => plain(cell(row[name]))))
  return table(layout, cells, columns, palette.dim)
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return firstLine(value, CELL_CHARS_MAX)
  if (Array.isArray(value)) return value.map(cell).join(', ')
  return typeof value === 'object' ? firstLine(JSON.stringify(value), CELL_CHARS_MAX) : String(value)
}

const isTable = (value: unknown): value is readonly Answer[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null)

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
