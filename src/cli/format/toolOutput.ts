// A tool's output for a person: lists as tables, everything else as names and values.
import { isMemoryId } from '../../model/id.ts'
import { sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTable } from '../../report/formatTable.ts'
import { formatTimestamp } from '../../report/formatTime.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { ToolOutput } from '../../tools/definition/tool.ts'
import type { Terminal } from '../context/cliContext.ts'
import { formatFields } from './fieldTable.ts'

/** Characters of a value in a table, at most. */
const CELL_CHARS_MAX = 400

export function formatToolOutput(output: ToolOutput, terminal: Terminal): string[] {
  // A single object (an entry, a summary) is printed as the output itself, and success is not mentioned.
  const { content, success, ...rest } = Object.fromEntries(
    Object.entries(output).flatMap(([name, value]) => (isObject(value) ? Object.entries(value) : [[name, value]])),
  )
  const fields = Object.entries(success === false ? { success, ...rest } : rest)
    .filter(([, value]) => !isTable(value) && !isEmpty(value))
    .map(([name, value]) => [name, sanitizeForTerminal(cellText(value))] as const)
  return [
    ...(typeof content === 'string' ? content.split('\n').map(sanitizeForTerminal) : []),
    ...Object.values(rest).flatMap((value) => (isTable(value) ? formatRows(value, terminal) : [])),
    ...formatFields(fields, terminal),
  ]
}

function formatRows(rows: readonly ToolOutput[], { columns, palette, shortId }: Terminal): string[] {
  const names = [...new Set(rows.flatMap(Object.keys))].sort((a, b) => Number(isLong(a)) - Number(isLong(b)))
  const layout = names.map((head) => ({ head, canShrink: isLong(head) }))
  const textOf = (value: unknown): string =>
    typeof value !== 'string' ? cellText(value) : isMemoryId(value) ? shortId(value) : shortTime(cellText(value))
  const cells = rows.map((row) => names.map((name) => sanitizeForTerminal(textOf(row[name]))))
  return formatTable(layout, cells, columns, palette.dim)
}

/** A column that takes what the others leave: it is the last. */
const isLong = (name: string): boolean => name === 'content' || name === 'message'

const shortTime = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z$/.test(text) ? formatTimestamp(text) : text

function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return firstLine(value, CELL_CHARS_MAX)
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  if (!isObject(value)) return String(value)
  const fields = Object.entries(value).map(
    ([name, inner]) => `${name} ${isObject(inner) ? JSON.stringify(inner) : cellText(inner)}`,
  )
  return firstLine(fields.join(', '), CELL_CHARS_MAX)
}

const isObject = (value: unknown): value is ToolOutput =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTable = (value: unknown): value is readonly ToolOutput[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object' && row !== null)

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)
