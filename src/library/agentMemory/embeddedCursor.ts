// The cursor of the embedded store. It runs the queries of the agent-memory spec, not SQL in general:
//
//   SELECT *|columns FROM agent_memory [WHERE column = value [AND …]] [ORDER BY column [ASC|DESC]] [LIMIT n]
import { MemoryError } from '../../model/memoryError.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { AgentRow } from './agentRow.ts'
import { AGENT_FIELDS, columnOf } from './agentRow.ts'
import type { Cursor } from './agentStore.ts'

const QUERY = new RegExp(
  [
    /^\s*SELECT\s+([\w\s,*]+?)\s+FROM\s+agent_memory(?:\s+WHERE\s+(.+?))?/,
    /(?:\s+ORDER\s+BY\s+(\w+)(\s+ASC|\s+DESC)?)?(?:\s+LIMIT\s+(\d+))?\s*;?\s*$/,
  ]
    .map(({ source }) => source)
    .join(''),
  'is',
)

const CONDITION = /^(\w+)\s*=\s*(%s|\$\d+|'(?:[^']|'')*'|-?\d+(?:\.\d+)?)$/is

const COLUMNS: readonly string[] = AGENT_FIELDS.map(columnOf)

/** A cursor over the rows of the table agent_memory. Every `execute` reads them again. */
export function createEmbeddedCursor(listMemories: () => readonly AgentMemory[]): Cursor {
  let rows: readonly AgentRow[] = []
  let next = 0
  return {
    async execute(sql, parameters = []) {
      rows = select(sql, parameters, listMemories)
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
      return rows.length
    },
  }
}

function select(sql: string, parameters: readonly unknown[], listMemories: () => readonly AgentMemory[]): AgentRow[] {
  const match = QUERY.exec(sql)
  if (!match) throw unsupported(sql)
  const [, columns = '*', where, orderBy, direction = '', limit] = match
  const names = columns.trim() === '*' ? COLUMNS : columns.split(',').map((name) => knownColumn(name, sql))
  const orderColumn = orderBy === undefined ? undefined : knownColumn(orderBy, sql)
  const conditions = readConditions(sql, where, parameters)
  const rows = listMemories()
    .map((memory) => toTypedRow(memory))
    .filter((row) => conditions.every(({ column, value }) => row[column] !== null && equals(row[column], value)))
  if (orderColumn !== undefined) {
    const sign = direction.trim().toUpperCase() === 'DESC' ? -1 : 1
    rows.sort((a, b) => sign * compare(a[orderColumn], b[orderColumn]))
  }
  return rows
    .slice(0, limit === undefined ? undefined : Number(limit))
    .map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
}

function readConditions(sql: string, where: string | undefined, parameters: readonly unknown[]) {
  let used = 0
  return (where?.split(/\s+AND\s+/i) ?? []).map((text) => {
    const [, name = '', given = ''] = CONDITION.exec(text.trim()) ?? []
    const column = knownColumn(name, sql)
    if (given === '%s') return { column, value: parameters[used++] }
    if (given.startsWith('$')) return { column, value: parameters[Number(given.slice(1)) - 1] }
    return { column, value: given.startsWith("'") ? given.slice(1, -1).replaceAll("''", "'") : Number(given) }
  })
}

function knownColumn(name: string, sql: string): string {
  const column = name.trim().toLowerCase()
  if (COLUMNS.includes(column)) return column
  throw unsupported(sql)
}

/** The columns of a memory, times as dates, as PostgreSQL returns them. */
const toTypedRow = (memory: AgentMemory): AgentRow =>
  Object.fromEntries(AGENT_FIELDS.map((name) => [columnOf(name), memory[name]]))

const plainValue = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value)

const equals = (a: unknown, b: unknown): boolean => plainValue(a) === plainValue(b)

/** Null comes last, as in PostgreSQL. */
function compare(a: unknown, b: unknown): number {
  const [x, y] = [plainValue(a), plainValue(b)]
  if (x === y) return 0
  if (x === null || y === null) return x === null ? 1 : -1
  return (x as string) < (y as string) ? -1 : 1
}

const unsupported = (sql: string): MemoryError =>
  new MemoryError('INPUT_INVALID', `the embedded store cannot run: ${sql.trim().slice(0, 200)}`, {
    hint:
      'It runs SELECT … FROM agent_memory with conditions of the form column = value, ORDER BY one column and LIMIT. ' +
      'Give a databaseUrl to run SQL on PostgreSQL.',
  })
