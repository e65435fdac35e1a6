// The cursor of the embedded store. It runs the two queries of the agent-memory specification, not SQL in general:
//
//   SELECT * FROM agent_memory
//   SELECT * FROM agent_memory WHERE column = %s      (or $1)
import { MemoryError } from '../../model/memoryError.ts'
import { mapWithPauses } from '../processDefaults.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { AgentRow } from './agentRow.ts'
import { AGENT_FIELDS, columnOf } from './agentRow.ts'
import type { Cursor } from './agentStore.ts'

const QUERY = /^\s*SELECT\s+\*\s+FROM\s+agent_memory(?:\s+WHERE\s+(\w+)\s*=\s*(?:%s|\$1))?\s*;?\s*$/i

/** A cursor over the rows of the table agent_memory. Every `execute` reads them again. */
export function createEmbeddedCursor(listMemories: () => Promise<readonly AgentMemory[]>): Cursor {
  let rows: readonly AgentRow[] = []
  let next = 0
  return {
    async execute(sql, [value] = []) {
      const column = readCondition(sql)
      rows = await mapWithPauses(await listMemories(), (memory) => {
        const row = toTypedRow(memory)
        return column === undefined || row[column] === value ? row : undefined
      })
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

/** The column that a query compares with its parameter; undefined for all rows. Throws INPUT_INVALID. */
function readCondition(sql: string): string | undefined {
  const match = QUERY.exec(sql)
  const column = match?.[1]?.toLowerCase()
  if (match && (column === undefined || AGENT_FIELDS.some((name) => columnOf(name) === column))) return column
  throw new MemoryError('INPUT_INVALID', `the embedded store cannot run: ${sql.trim().slice(0, 200)}`, {
    hint:
      'It runs `SELECT * FROM agent_memory`, with one condition `WHERE column = %s` if needed. ' +
      'Give a databaseUrl to run SQL on PostgreSQL.',
  })
}

/** The columns of a memory, times as dates, as PostgreSQL returns them. */
const toTypedRow = (memory: AgentMemory): AgentRow =>
  Object.fromEntries(AGENT_FIELDS.map((name) => [columnOf(name), memory[name]]))
