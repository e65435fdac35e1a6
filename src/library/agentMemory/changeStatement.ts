// An AgentChange as one UPDATE: increments are computed by the server from the row's latest values, so that changes at
// the same time all count.
import { AMOUNT_MAX, LEVEL_MAX } from '../../model/memoryNumbers.ts'
import type { AgentChange } from './agentStore.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface ChangeTarget {
  readonly projects: readonly string[]
  readonly ids: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The statement that applies a change; its row count is the number of changed memories. Undefined for no change. */
export function changeStatement(change: AgentChange, { projects, ids, now }: ChangeTarget): Statement | undefined {
  const parameters: unknown[] = [projects, ids]
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`
  let time: string | undefined
  const at = (): string => (time ??= add(new Date(now), 'timestamptz'))
  const {
    candidates = 0,
    uses = 0,
    impact = 0,
    keptByLevel,
    strengthTo,
    strength = 0,
    levelUses,
    status,
    only,
  } = change
  const sets: string[] = []
  const conditions: string[] = []
  if (candidates > 0)
    sets.push(`candidate_count = least(${COUNT_MAX}, candidate_count + ${add(candidates, 'integer')})`)
  if (uses > 0) sets.push(`access_count = ${usesAfter(add(uses, 'integer'))}`, `last_accessed_at = ${at()}`)
  if (strengthTo !== undefined || keptByLevel || strength > 0) {
    const start = strengthTo === undefined ? 'strength' : add(strengthTo, 'float8')
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

/** The strength of each memory: the third parameter has them in the order of the ids. */
export function strengthStatement(strengths: ReadonlyMap<string, number>, { projects, ids }: ChangeTarget): Statement {
  const sets = ['strength = ($3::float8[])[array_position($2::uuid[], id)]']
  const parameters = [projects, ids, ids.map((id) => strengths.get(id))]
  return { sql: updateStatement(sets, [], ids.length > 1), parameters }
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

const COUNT_MAX = AMOUNT_MAX
const AMOUNT_LIMIT = `${AMOUNT_MAX}::float8`

const usesAfter = (uses: string): string => `least(${COUNT_MAX}, access_count + ${uses})`

/** The number of thresholds that the uses have reached, counted from 0. */
const levelOf = (uses: string, levelUses: string): string =>
  `least(${LEVEL_MAX}, greatest(0, width_bucket(${uses}, ${levelUses}) - 1))`
