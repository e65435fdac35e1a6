// Checks the fields of an AgentMemory, before it is stored.

import { VECTOR_LENGTH_MAX } from '../../model/checkMemory.ts'
import { isMemoryId } from '../../model/id.ts'
import { MEMORY_SCOPES, MEMORY_SOURCES, MEMORY_STATUSES } from '../../model/memory.ts'
import { isAmount, isCount, isLevel, LEVEL_MAX } from '../../model/strength.ts'
import { checkAmount, checkName, checkPerspective, invalidValue, isStorable } from '../checkInput.ts'
import type { AgentFields } from './agentRow.ts'

/** Tags of one memory, and names of perspectives. */
const NAMES_MAX = 200

/** Years that ISO 8601 writes with four digits. */
const TIME_MS_MIN = Date.UTC(1, 0)
const TIME_MS_MAX = Date.UTC(9999, 11, 31)

/** Throws INPUT_INVALID if a field is not valid for its column. */
export function checkAgentFields(fields: AgentFields): void {
  const { id, content, source } = fields
  if (typeof id !== 'string' || !isMemoryId(id)) throw invalidValue('id', id, 'a UUID')
  checkName(fields.agentId, 'agentId')
  if (typeof content !== 'string' || content.trim() === '') throw invalidValue('content', content, 'a text')
  checkChoice('scopeLevel', fields.scopeLevel, MEMORY_SCOPES)
  checkChoice('status', fields.status, MEMORY_STATUSES)
  if (source !== null) checkChoice('source', source, MEMORY_SOURCES)
  for (const name of ['scopeDomain', 'scopeProject'] as const)
    if (!(fields[name] === null || (typeof fields[name] === 'string' && isStorable(fields[name]))))
      throw invalidValue(name, fields[name], 'a text or null')
  for (const name of ['strength', 'impactScore'] as const) checkAmount(fields[name], name)
  for (const name of ['accessCount', 'candidateCount'] as const)
    if (!isCount(fields[name])) throw invalidValue(name, fields[name], 'a whole number from 0 up')
  if (!isLevel(fields.consolidationLevel))
    throw invalidValue('consolidationLevel', fields.consolidationLevel, `a whole number from 0 to ${LEVEL_MAX}`)
  if (!isListOf(fields.tags, (tag) => typeof tag === 'string', NAMES_MAX))
    throw invalidValue('tags', fields.tags, `a list of at most ${NAMES_MAX} texts`)
  checkVector(fields.embedding)
  checkByPerspective('strengthByPerspective', fields.strengthByPerspective, isAmount, 'a strength')
  checkByPerspective('learnings', fields.learnings, (value) => typeof value === 'string', 'a text')
  for (const name of ['createdAt', 'updatedAt'] as const) checkTime(name, fields[name])
  for (const name of ['lastAccessedAt', 'lastDecayAt'] as const)
    if (fields[name] !== null) checkTime(name, fields[name])
}

function checkChoice(name: string, value: unknown, choices: readonly string[]): void {
  if (typeof value !== 'string' || !choices.includes(value))
    throw invalidValue(name, value, `one of ${choices.join(', ')}`)
}

/** A vector is stored as 32-bit floats, in which larger numbers are infinite. */
function checkVector(vector: unknown): void {
  const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value))
  if (vector === null || isListOf(vector, isNumber, VECTOR_LENGTH_MAX)) return
  throw invalidValue('embedding', vector, `a list of at most ${VECTOR_LENGTH_MAX} numbers that fit into 32-bit floats`)
}

function checkByPerspective(name: string, value: unknown, isValid: (value: unknown) => boolean, wanted: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidValue(name, value, `an object with ${wanted} by perspective`)
  const entries = Object.entries(value)
  if (entries.length > NAMES_MAX) throw invalidValue(name, `${entries.length} perspectives`, `at most ${NAMES_MAX}`)
  for (const [perspective, own] of entries) {
    checkPerspective(perspective)
    if (!isValid(own)) throw invalidValue(`${name}.${perspective}`, own, wanted)
  }
}

function checkTime(name: string, value: unknown): void {
  const ms = value instanceof Date ? value.getTime() : Number.NaN
  if (!(ms >= TIME_MS_MIN && ms <= TIME_MS_MAX)) throw invalidValue(name, value, 'a time from year 1 to 9999')
}

const isListOf = (value: unknown, isItem: (item: unknown) => boolean, max: number): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= max && Array.from(value).every(isItem)
