// The fields of an AgentMemory, and a row of the agent_memory table with the names and order of columns of the
// agent-memory spec.
import type { MemoryScope, MemorySource, MemoryStatus } from '../../model/memory.ts'
import { parseCalendarTime } from '../../text/calendarTime.ts'
import { invalidValue } from '../checkInput.ts'

/** The attributes of an AgentMemory. */
export abstract class AgentFields {
  /** A UUID. */
  readonly id!: string
  /** The agent whose memory it is, 1 to 200 characters. */
  readonly agentId!: string
  /** Its text. */
  readonly content!: string
  /** The vector of the text: `embeddingDimension` numbers, kept with 32 bits each; null for none. */
  readonly embedding!: readonly number[] | null
  /** Words to filter by. */
  readonly tags!: readonly string[]
  /** Where it is valid: in its project, in projects of its domain, everywhere. */
  readonly scopeLevel!: MemoryScope
  /** The domain of a memory of the scope domain; null for none. */
  readonly scopeDomain!: string | null
  /** The project of a memory of the scope project; null for the one it is stored in. */
  readonly scopeProject!: string | null
  /** How well it is consolidated, 0 to 1,000,000,000; a new one has 1. */
  readonly strength!: number
  /** The strength gained from each perspective, 0 to 1,000,000,000. */
  readonly strengthByPerspective!: Readonly<Record<string, number>>
  /** How often it was used, from 0. */
  readonly accessCount!: number
  /** How often a search found it, from 0. */
  readonly candidateCount!: number
  /** When it was used last; null for never. */
  readonly lastAccessedAt!: Date | null
  /** The sum of its impacts, 0 to 1,000,000,000. */
  readonly impactScore!: number
  /** How slowly it decays, 0 to 5. */
  readonly consolidationLevel!: number
  /** What was learned, by perspective. */
  readonly learnings!: Readonly<Record<string, string>>
  /** An archived memory is kept and not searched. */
  readonly status!: MemoryStatus
  /** How it came into the store; null if unknown. */
  readonly source!: MemorySource | null
  /** When it was created. */
  readonly createdAt!: Date
  /** When it changed last. */
  readonly updatedAt!: Date
  /** When it decayed last; null for never. */
  readonly lastDecayAt!: Date | null
}

/** A row by column name. */
export type AgentRow = Readonly<Record<string, unknown>>

/** The fields in the spec's order of columns, with the values of columns that a row lacks. */
const COLUMNS: Readonly<Record<keyof AgentFields, unknown>> = {
  id: undefined,
  agentId: undefined,
  content: undefined,
  embedding: null,
  tags: [],
  scopeLevel: 'project',
  scopeDomain: null,
  scopeProject: null,
  strength: 1,
  strengthByPerspective: {},
  accessCount: 0,
  candidateCount: 0,
  lastAccessedAt: null,
  impactScore: 0,
  consolidationLevel: 0,
  learnings: {},
  status: 'active',
  source: null,
  createdAt: undefined,
  updatedAt: undefined,
  lastDecayAt: null,
}

/** The fields in the spec's order of columns. */
export const AGENT_FIELDS = Object.keys(COLUMNS) as readonly (keyof AgentFields)[]

/** The fields of a row; columns may have the spec's names or this library's. Not checked: see `checkAgentFields`. */
export function fieldsFromRow(row: AgentRow | readonly unknown[]): AgentFields {
  const columns = isList(row) ? Object.fromEntries(AGENT_FIELDS.map((name, i) => [name, row[i]])) : row
  if (typeof columns !== 'object' || columns === null) throw invalidValue('row', row, 'an object or a list')
  const fields = AGENT_FIELDS.map((name) => {
    const value = columns[name] ?? columns[columnOf(name)] ?? COLUMNS[name]
    return [name, name.endsWith('At') ? parseDate(value, name) : name === 'embedding' ? parseVector(value) : value]
  })
  const own = Object.fromEntries(fields) as unknown as AgentFields
  const createdAt = own.createdAt ?? own.updatedAt ?? undefined
  return { ...own, createdAt, updatedAt: own.updatedAt ?? createdAt }
}

/** The fields as a row with the spec's names. */
export function rowFromFields(fields: AgentFields): AgentRow {
  return Object.fromEntries(
    AGENT_FIELDS.map((name) => {
      const value = fields[name]
      return [columnOf(name), value instanceof Date ? value.toISOString() : value]
    }),
  )
}

/** `lastDecayAt` is the column `last_decay_at`. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function parseDate(value: unknown, name: string): Date | null {
  // PostgreSQL has times without end, which its constraints do not refuse.
  if (value === null || value === undefined || Math.abs(Number(value)) === Number.POSITIVE_INFINITY) return null
  if (value instanceof Date) return value
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? parseCalendarTime(value) : undefined
  if (ms === undefined || Number.isNaN(new Date(ms).getTime()))
    throw invalidValue(name, value, 'a time, such as 2026-03-05T09:10:11Z')
  return new Date(ms)
}

/** pgvector returns a vector as text: `[0.1,0.2]`. */
function parseVector(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    throw invalidValue('embedding', value, 'a list of numbers')
  }
}

const isList = (row: AgentRow | readonly unknown[]): row is readonly unknown[] => Array.isArray(row)
