// Rows of the table agent_memory: memories as parameters of a statement, and rows as memories.
import { AgentMemory } from './agentMemory.ts'
import { AGENT_FIELDS, type AgentFields, type AgentRow, columnOf, fieldsFromRow } from './agentRow.ts'

/** The project of the memories that all projects share: those of scope universal or domain. */
export const SHARED_PROJECT = '*'

/** The columns of the spec, in its order. */
const COLUMNS = AGENT_FIELDS.map(columnOf)

/** The list of columns of a SELECT. Without vectors they are null: they are most of a row. */
export const selectList = (withoutVectors = false): string =>
  COLUMNS.map((name) => (withoutVectors && name === 'embedding' ? 'null as embedding' : name)).join(', ')

/** `INSERT` of one memory with its project as $1 and its columns as $2, … */
export const INSERT =
  `insert into agent_memory (project_id, ${COLUMNS.join(', ')}) values ($1, ` +
  `${COLUMNS.map((name, i) => castOf(name, i + 2)).join(', ')}) on conflict do nothing returning ${selectList()}`

/** `UPDATE` of all columns but the id, with the same parameters. */
export const REPLACE = `update agent_memory set ${COLUMNS.filter((name) => name !== 'id')
  .map((name) => `${name} = ${castOf(name, COLUMNS.indexOf(name) + 2)}`)
  .join(', ')} where project_id = $1 and id = $2 returning ${selectList()}`

function castOf(name: string, position: number): string {
  const type = name === 'embedding' ? 'vector' : /^(?:learnings|strength_by_)/.test(name) ? 'jsonb' : undefined
  return type ? `$${position}::${type}` : `$${position}`
}

/** The project that a memory is stored under. */
export const projectOf = ({ scopeLevel }: Pick<AgentFields, 'scopeLevel'>, project: string): string =>
  scopeLevel === 'project' ? project : SHARED_PROJECT

/** The parameters of INSERT and REPLACE. */
export const toParameters = (memory: AgentMemory, project: string): unknown[] => [
  projectOf(memory, project),
  ...AGENT_FIELDS.map((name) => toParameter(name, memory[name])),
]

function toParameter(name: keyof AgentFields, value: unknown): unknown {
  switch (name) {
    case 'embedding':
      return value === null ? null : toVectorText(value as readonly number[])
    case 'learnings':
    case 'strengthByPerspective':
      return JSON.stringify(value)
    case 'source':
      return value ?? 'manual'
    case 'accessCount':
    case 'candidateCount':
      return Math.min(value as number, COUNT_MAX)
    default:
      return value
  }
}

const COUNT_MAX = 1_000_000_000

/** A vector as pgvector reads it. */
export const toVectorText = (vector: ArrayLike<number>): string => `[${Array.from(vector).join(',')}]`

/** A row as a memory, without checks: the table's constraints have made them. */
export function memoryFromRow(row: AgentRow): AgentMemory {
  const fields = fieldsFromRow(row)
  // pgvector prints 32-bit numbers with the fewest digits; the same numbers as 64 bits have more.
  const embedding = fields.embedding?.map(Math.fround) ?? null
  const { createdAt = UNKNOWN_TIME, updatedAt = UNKNOWN_TIME } = fields
  return AgentMemory.fromStored({ ...fields, embedding, createdAt, updatedAt })
}

const UNKNOWN_TIME = new Date(0)
