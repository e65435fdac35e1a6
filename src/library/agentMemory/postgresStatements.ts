// The SQL of the table agent_memory: memories as parameters, rows as memories, and an AgentChange as one UPDATE.
// Increments are computed by the server from the row's latest values, so that changes at the same time all count.
//
// And its cursor: parameters are `$1`, `$2`, … or, as in the agent-memory spec, `%s`.
import { weightedTerms } from '../../broker/search/semanticScorer.ts'
import type { Queryable } from '../../database/connectionPool.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { AMOUNT_MAX, LEVEL_MAX } from '../../model/strength.ts'
import { AGENT_FIELDS, type AgentFields, AgentMemory, type AgentRow, columnOf, fieldsFromRow } from './agentMemory.ts'
import { type AgentChange, type Cursor, createCursor } from './agentStore.ts'

/** The project of the memories that all projects share: those of scope universal or domain. */
export const SHARED_PROJECT = '*'

/** The columns of the spec, in its order. */
const COLUMNS = AGENT_FIELDS.map(columnOf)

/** The list of columns of a SELECT. Without vectors they are null: they are most of a row. */
export const selectList = (withoutVectors = false): string =>
  COLUMNS.map((name) => (withoutVectors && name === 'embedding' ? 'null as embedding' : name)).join(', ')

/** What is written: also the words for a search. */
const WRITTEN = [...COLUMNS, 'terms']

/** `INSERT` of one memory with its project as $1 and its columns as $2, … */
export const INSERT =
  `insert into agent_memory (project_id, ${WRITTEN.join(', ')}) values ($1, ` +
  `${WRITTEN.map((name, i) => castOf(name, i + 2)).join(', ')}) on conflict do nothing returning ${selectList()}`

/** `UPDATE` of all columns but the id, with the same parameters. */
export const REPLACE = `update agent_memory set ${WRITTEN.filter((name) => name !== 'id')
  .map((name) => `${name} = ${castOf(name, WRITTEN.indexOf(name) + 2)}`)
  .join(', ')} where project_id = $1 and id = $2 returning ${selectList()}`

function castOf(name: string, position: number): string {
  const type = name === 'embedding' ? 'vector' : /^(?:learnings|terms|strength_by_)/.test(name) ? 'jsonb' : undefined
  return type ? `$${position}::${type}` : `$${position}`
}

/** The project that a memory is stored under. */
export const projectOf = ({ scopeLevel }: Pick<AgentFields, 'scopeLevel'>, project: string): string =>
  scopeLevel === 'project' ? project : SHARED_PROJECT

/** The parameters of INSERT and REPLACE. */
export const toParameters = (memory: AgentMemory, project: string): unknown[] => [
  projectOf(memory, project),
  ...AGENT_FIELDS.map((name) => toParameter(name, memory[name])),
  toTermsText(memory),
]

/** The text that is embedded, and that a search by words compares, as in the embedded store. */
export const embeddedText = ({ content, learnings, tags }: AgentMemory): string =>
  [content, ...Object.values(learnings), ...tags].join('\n')

/** The words of a memory with their weights, as in the column `terms`: as many digits as a 32-bit number has. */
export function toTermsText(memory: AgentMemory): string {
  const { weights, length } = weightedTerms(embeddedText(memory))
  return JSON.stringify(
    Object.fromEntries([...weights].map(([term, weight]) => [term, Number((weight / length).toPrecision(7))])),
  )
}

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
      return Math.min(value as number, AMOUNT_MAX)
    default:
      return value
  }
}

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

interface ChangeTarget {
  readonly projects: readonly string[]
  readonly ids: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The statement that applies a change; its row count is the number of changed memories. Undefined for no change. */
export function changeStatement(change: AgentChange, { projects, ids, now }: ChangeTarget) {
  const parameters: unknown[] = [projects, ids]
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`
  let time: string | undefined
  const at = (): string => (time ??= add(new Date(now), 'timestamptz'))
  const { candidates = 0, uses = 0, impact = 0, strengthTo, strength = 0 } = change
  const { keptByLevel, levelUses, status, only } = change
  const sets: string[] = []
  const conditions: string[] = []
  if (candidates > 0)
    sets.push(`candidate_count = least(${AMOUNT_MAX}, candidate_count + ${add(candidates, 'integer')})`)
  if (uses > 0) sets.push(`access_count = ${usesAfter(add(uses, 'integer'))}`, `last_accessed_at = ${at()}`)
  if (strengthTo !== undefined || keptByLevel || strength > 0) {
    let start = 'strength'
    if (typeof strengthTo === 'number') start = add(strengthTo, 'float8')
    else if (strengthTo) {
      const inOrder = ids.map((id) => strengthTo.get(id))
      start = `(${add(inOrder, 'float8[]')})[array_position($2::uuid[], id)]`
    }
    const kept = keptByLevel ? ` * coalesce((${add(keptByLevel, 'float8[]')})[consolidation_level + 1], 1)` : ''
    sets.push(`strength = least(${AMOUNT_LIMIT}, ${start}${kept} + ${add(strength, 'float8')})`)
  }
  if (keptByLevel) sets.push(`last_decay_at = ${at()}`)
  if (impact > 0) sets.push(`impact_score = least(${AMOUNT_LIMIT}, impact_score + ${add(impact, 'float8')})`)
  let strengths = 'strength_by_perspective'
  for (const [name, gain] of Object.entries(change.perspectives ?? {})) {
    const key = add(name, 'text')
    const after = `coalesce((${strengths} ->> ${key})::float8, 0) + ${add(gain, 'float8')}`
    strengths = `jsonb_set(${strengths}, array[${key}], to_jsonb(least(${AMOUNT_LIMIT}, ${after})))`
  }
  if (strengths !== 'strength_by_perspective') sets.push(`strength_by_perspective = ${strengths}`)
  if (levelUses) {
    const level = levelOf(usesAfter(add(uses, 'integer')), add(levelUses, 'integer[]'))
    if (sets.length === 0 && status === undefined) conditions.push(`consolidation_level <> ${level}`)
    sets.push(`consolidation_level = ${level}`)
  }
  if (status !== undefined) sets.push(`status = ${add(status, 'text')}`, `updated_at = ${at()}`)
  if (only !== undefined) conditions.push(`status = ${add(only, 'text')}`)
  if (sets.length === 0) return undefined
  return { sql: updateStatement(sets, conditions, ids.length > 1), parameters }
}

/**
 * An `UPDATE` of the memories of the projects $1 with the ids $2. Several are locked in the order of their ids, so that
 * two clients with the same memories never wait for each other.
 */
function updateStatement(sets: readonly string[], conditions: readonly string[], hasSeveral: boolean): string {
  const projects = 'project_id = any($1::text[])'
  const ids = 'id = any($2::uuid[])'
  const update = `update agent_memory set ${sets.join(', ')}`
  if (!hasSeveral) return `${update} where ${[projects, ids, ...conditions].join(' and ')}`
  const locked = `select id as locked_id from agent_memory where ${projects} and ${ids} order by id for update`
  const where = [projects, 'id = locked_id', ...conditions].join(' and ')
  return `with locked as (${locked}) ${update} from locked where ${where}`
}

const AMOUNT_LIMIT = `${AMOUNT_MAX}::float8`

const usesAfter = (uses: string): string => `least(${AMOUNT_MAX}, access_count + ${uses})`

/** The number of thresholds that the uses have reached, counted from 0. */
const levelOf = (uses: string, levelUses: string): string =>
  `least(${LEVEL_MAX}, greatest(0, width_bucket(${uses}, ${levelUses}) - 1))`

export const createPostgresCursor = (connection: Queryable): Cursor =>
  createCursor(async (sql, parameters) =>
    connection.query(parameters ? numberPlaceholders(sql, parameters.length) : sql, parameters),
  )

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
