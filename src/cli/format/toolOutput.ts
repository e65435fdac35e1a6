// A tool's answer for a person: its lists as tables, everything else as names and values.

import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { ToolOutput } from '../../tools/definition/tool.ts'
import type { Terminal } from '../context/cliContext.ts'

/** Characters of a value in a table. */
const CELL_CHARS_MAX = 400

export function formatToolOutput(answer: ToolOutput, page: Terminal): string[] {
  // What an answer holds as one thing (an entry, a summary) is the answer; that it is one, nobody needs to be told.
  const { content, success, ...rest } = Object.fromEntries(
    Object.entries(answer).flatMap(([name, value]) => (isTree(value) ? Object.entries(value) : [[name, value]])),
  )
  const fields = Object.entries(success === false ? { success, ...rest } : rest).filter(
    ([, value]) => !isTable(value) && !isEmpty(value),
  )
  const layout = [{ head: '' }, { head: '', canShrink: true }]
  const rows = fields.map(([name, value]) => [page.palette.dim(name), sanitizeForTerminal(cell(value))])
  return [
    ...(typeof content === 'string' ? content.split('\n').map(sanitizeForTerminal) : []),
    ...Object.values(rest).flatMap((value) => (isTable(value) ? tableOf(value, page) : [])),
    ...formatTable(layout, rows, page.columns),
  ]
}

function tableOf(rows: readonly ToolOutput[], { columns, palette }: Terminal): string[] {
  const names = [...new Set(rows.flatMap(Object.keys))]
  const layout = names.map((head) => ({ head, canShrink: head === 'content' || head === 'message' }))
  const cells = rows.map((row) => names.map((name) => sanitizeForTerminal(cell(row[name]))))
  return formatTable(layout, cells, columns, palette.dim)
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return firstLine(value, CELL_CHARS_MAX)
  if (Array.isArray(value)) return value.map(cell).join(', ')
  if (!isTree(value)) return String(value)
  const named = Object.entries(value).map(([name, one]) => `${name} ${isTree(one) ? JSON.stringify(one) : cell(one)}`)
  return firstLine(named.join(', '), CELL_CHARS_MAX)
}

const isTree = (value: unknown): value is ToolOutput =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTable = (value: unknown): value is readonly ToolOutput[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null)

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)
