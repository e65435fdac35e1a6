// What a tool says, for a person: its output as tables, names and values, and its messages in the words of a command,
// because a tool says `memory_ids` and `top_k` where a person types IDS and --top-k.
import { isMemoryId } from '../../model/id.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { removeControls, sanitizeForTerminal } from '../../report/fitText.ts'
import { formatTimestamp } from '../../report/formatNumber.ts'
import { formatFields, formatTable } from '../../report/formatTable.ts'
import { firstLine } from '../../text/excerpt.ts'
import type { Tool, ToolOutput } from '../../tools/definition/tool.ts'
import { TOOLS } from '../../tools/toolRegistry.ts'
import type { Terminal } from '../context/cliContext.ts'

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
  // What is wrong, and what to do about it, are texts of memctl.
  const cleanOf = (name: string) => (/^(?:message|what|hint)$/.test(name) ? removeControls : sanitizeForTerminal)
  const cells = rows.map((row) => names.map((name) => cleanOf(name)(textOf(row[name]))))
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

/** The name of an argument in the help: the last word of the field, `ids` for `memory_ids`. */
export const argumentLabel = (field: string): string => field.split('_').at(-1) ?? field

/** The option of a field. `--role` is the role of the caller, for every tool. */
export const optionFlag = (field: string): string =>
  `--${(field === 'role' ? 'agent_role' : field).replaceAll('_', '-')}`

/** The error of a tool, for a person who typed its command. */
export function inWordsOfCommand(tool: Tool, error: MemoryError): MemoryError {
  const { code, message, hint } = error
  const missing = Object.keys(tool.input).find((field) => message.toLowerCase() === `${field} is missing`)
  if (missing !== undefined)
    return new MemoryError(code, `Nothing was given for ${labelOf(tool, missing)}`, {
      hint: `Run \`memctl ${tool.command.words} --help\` for its arguments and options.`,
      cause: error,
    })
  return new MemoryError(code, translate(tool, message), { hint: translate(tool, hint), cause: error })
}

const labelOf = ({ command }: Tool, field: string): string =>
  command.args?.includes(field) ? argumentLabel(field) : optionFlag(field)

/** Names of tools and fields with an underscore are no words of a sentence; all others stay. */
const translate = (tool: Tool, text: string): string =>
  text.replace(/\b[A-Za-z]+(?:_[a-z]+)+\b/g, (name) => {
    const field = name.charAt(0).toLowerCase() + name.slice(1)
    if (field in tool.input) return labelOf(tool, field)
    const named = TOOLS.find((other) => other.name === name)
    if (!named) return name
    const flags = (named.command.flags ?? []).map((flag) => ` --${flag}`).join('')
    return `\`memctl ${named.command.words}${flags}\``
  })
