// The cursor of a PostgreSQL connection. Parameters are `$1`, `$2`, … or, as in the agent-memory spec, `%s`.
import type { Queryable } from '../../database/database.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { AgentRow } from './agentRow.ts'
import type { Cursor } from './agentStore.ts'

export function createPostgresCursor(connection: Queryable): Cursor {
  let rows: readonly AgentRow[] = []
  let rowCount = 0
  let next = 0
  return {
    async execute(sql, parameters) {
      const result = await connection.query<AgentRow>(
        parameters ? numberPlaceholders(sql, parameters.length) : sql,
        parameters,
      )
      rows = result.rows
      rowCount = result.rowCount
      next = 0
    },
    async fetchAll() {
      const rest = rows.slice(next)
      next = rows.length
      return rest
    },
    async fetchOne() {
      return rows[next++] ?? null
    },
    get rowCount() {
      return rowCount
    },
  }
}

/** Texts, names and comments, in which nothing is a placeholder; then the placeholders. */
const TOKENS = new RegExp(
  [
    /\bE'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/,
    /--[^\n]*|\/\*[\s\S]*?\*\/|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$/,
    /%[s%]|\$\d+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/** The statement with `$1`, `$2`, … in place of `%s`, and `%` in place of `%%`. Throws INPUT_INVALID. */
function numberPlaceholders(sql: string, parameterCount: number): string {
  const tokens = sql.match(TOKENS) ?? []
  const count = tokens.filter((token) => token === '%s').length
  if (count === 0) return sql
  if (tokens.some((token) => /^\$\d/.test(token))) {
    throw new MemoryError('INPUT_INVALID', 'the statement has %s and $1 as placeholders', { hint: 'Use one of them.' })
  }
  if (count !== parameterCount) {
    throw new MemoryError('INPUT_INVALID', `the statement has ${count} times %s, and ${parameterCount} parameters`, {
      hint: 'Give one parameter for each %s, and write %% for a percent sign.',
    })
  }
  let number = 0
  return sql.replace(TOKENS, (token) => (token === '%s' ? `$${++number}` : token === '%%' ? '%' : token))
}
