// An AgentChange: what it may hold, and as one UPDATE. Increments are computed by the server from the row's latest
// values, so that changes at the same time all count.
import { MEMORY_STATUSES } from '../../model/memory.ts'
import { AMOUNT_MAX, isAmount, isCount, LEVEL_MAX } from '../../model/strength.ts'
import { checkAmount, checkPerspective, invalidValue } from '../checkInput.ts'
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

/** A change of strength and counts. Throws INPUT_INVALID. */
export function checkChange(change: AgentChange): void {
  const { candidates = 0, uses = 0, keptByLevel = [], levelUses = [0], perspectives = {}, status, only } = change
  const unknown = Object.keys(change).find((name) => !CHANGE_FIELDS.includes(name))
  if (unknown !== undefined) throw invalidValue('a field of the change', unknown, `one of ${CHANGE_FIELDS.join(', ')}`)
  for (const name of ['strength', 'strengthTo', 'impact'] as const)
    if (change[name] !== undefined) checkAmount(change[name], name)
  if (!isCount(candidates)) throw invalidValue('candidates', candidates, 'a whole number from 0 up')
  if (!isCount(uses)) throw invalidValue('uses', uses, 'a whole number from 0 up')
  const isShare = (kept: unknown): boolean => isAmount(kept) && kept <= 1
  if (!isListOfLevels(keptByLevel) || !keptByLevel.every(isShare))
    throw invalidValue('keptByLevel', keptByLevel, `a list of at most ${LEVEL_MAX + 1} numbers from 0 to 1`)
  const isRising = (count: number, i: number): boolean => isCount(count) && !(count < (levelUses[i - 1] ?? 0))
  if (!isListOfLevels(levelUses) || levelUses.length === 0 || !levelUses.every(isRising))
    throw invalidValue('levelUses', levelUses, `a rising list of 1 to ${LEVEL_MAX + 1} whole numbers from 0 up`)
  for (const [name, value] of Object.entries({ status, only }))
    if (value !== undefined && !MEMORY_STATUSES.includes(value))
      throw invalidValue(name, value, MEMORY_STATUSES.join(' or '))
  if (typeof perspectives !== 'object' || perspectives === null)
    throw invalidValue('perspectives', perspectives, 'an object with an increment by perspective')
  for (const [name, increment] of Object.entries(perspectives))
    checkAmount(increment, `the increment of ${checkPerspective(name)}`)
}

const CHANGE_FIELDS = 'candidates uses strengthTo keptByLevel strength perspectives impact levelUses status only'.split(
  ' ',
)

const isListOfLevels = (list: unknown): list is readonly unknown[] =>
  Array.isArray(list) && list.length <= LEVEL_MAX + 1

/** The statement that applies a change; its row count is the number of changed memories. Undefined for no change. */
export function changeStatement(change: AgentChange, { projects, ids, now }: ChangeTarget): Statement | undefined {
  const parameters: unknown[] = [projects, ids]
  const add = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`
  let time: string | undefined
  const at = (): string => (time ??= add(new Date(now), 'timestamptz'))
  const { candidates = 0, uses = 0, impact = 0, strengthTo, strength = 0 } = change
  const { keptByLevel, levelUses, status, only } = change
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
