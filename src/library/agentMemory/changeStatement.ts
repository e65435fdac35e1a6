// An AgentChange as one UPDATE: increments are computed by the server from the row's latest values, so that changes at
// the same time all count.
import { AMOUNT_MAX, LEVEL_MAX } from '../../model/memoryNumbers.ts'
import type { AgentChange } from './agentStore.ts'

interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

interface ChangeTarget {
  readonly projects: readonly string[]
  readonly ids: readonly string[]
  readonly now: Date
}

/** The statement that applies a change; its row count is the number of changed memories. Undefined for no change. */
export function changeStatement(change: AgentChange, { projects, ids, now }: ChangeTarget): Statement | undefined {
  const parameters: unknown[] = [projects, ids]
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`
  let time: string | undefined
  const at = (): string => (time ??= add(now, 'timestamptz'))
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
  const where = ['project_id = any($1::text[])', 'id = any($2::uuid[])', ...conditions].join(' and ')
  return { sql: `update agent_memory set ${sets.join(', ')} where ${where}`, parameters }
}

const COUNT_MAX = AMOUNT_MAX
const AMOUNT_LIMIT = `${AMOUNT_MAX}::float8`

const usesAfter = (uses: string): string => `least(${COUNT_MAX}, access_count + ${uses})`

/** The number of thresholds that the uses have reached, counted from 0. */
const levelOf = (uses: string, levelUses: string): string =>
  `least(${LEVEL_MAX}, greatest(0, width_bucket(${uses}, ${levelUses}) - 1))`
