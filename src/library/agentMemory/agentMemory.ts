// AgentMemory of the agent-memory spec: an immutable value, its checks, and a row of the agent_memory table with the
// names and order of columns of the spec.
//
// In the store it is a memory like any other, into which it is converted: hooks, tools and the library share one model.
import { isEmptyText, sanitize } from '../../broker/commands/newMemory.ts'
import { VECTOR_LENGTH_MAX } from '../../model/checkMemory.ts'
import { isMemoryId, type MemoryId } from '../../model/id.ts'
import {
  MEMORY_SCOPES,
  MEMORY_SOURCES,
  MEMORY_STATUSES,
  type Memory,
  type MemoryScope,
  type MemorySource,
  type MemoryStatus,
  newMemory,
} from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isAmount, isCount, isLevel, LEVEL_MAX } from '../../model/strength.ts'
import { isObject } from '../../model/unknownJson.ts'
import { toWellFormed } from '../../text/excerpt.ts'
import { parseCalendarTime } from '../../text/isoTime.ts'
import { checkAmount, checkName, checkPerspective, invalidValue, isStorable } from '../checkInput.ts'
import { newUuid, nowMs } from '../processDefaults.ts'
import { config } from './phase1Config.ts'

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

/** The fields of a new memory; all others have the spec's initial values. */
export type NewAgentMemory = Pick<AgentFields, 'agentId' | 'content'> &
  Partial<Pick<AgentFields, 'embedding' | 'tags' | 'scopeLevel' | 'scopeDomain' | 'scopeProject' | 'strength'>> &
  Partial<Pick<AgentFields, 'strengthByPerspective' | 'learnings' | 'source'>>

/** A memory of an agent; immutable. */
export class AgentMemory extends AgentFields {
  /** From all fields; use `create` or `fromRow` instead. Throws INPUT_INVALID. */
  constructor(fields: AgentFields) {
    super()
    Object.assign(this, Object.fromEntries(AGENT_FIELDS.map((name) => [name, fields[name]])))
    checkAgentFields(this)
  }

  /** From a stored memory, without checks: what an earlier version accepted stays readable. */
  static fromStored(fields: AgentFields): AgentMemory {
    return Object.assign(Object.create(AgentMemory.prototype) as AgentMemory, fields)
  }

  /** A new memory of an agent: strength 1, unused. */
  static create(fields: NewAgentMemory): AgentMemory {
    const { agentId, content, embedding, tags, scopeDomain, scopeProject, strengthByPerspective, learnings } = fields
    const { scopeLevel = config.defaultScopeLevel, strength = config.initialStrength, source } = fields
    const row = { agentId, content, embedding, tags, scopeLevel, scopeDomain, scopeProject, strength, source }
    const createdAt = new Date(nowMs())
    return AgentMemory.fromRow({ ...row, id: newUuid(), strengthByPerspective, learnings, createdAt })
  }

  /** A new memory from education instead of own work: half the strength. */
  static createFromEducation(fields: NewAgentMemory): AgentMemory {
    return AgentMemory.create({ strength: config.initialStrengthEducation, source: 'education', ...fields })
  }

  /** From a row: an object with the spec's names or this class's, or a list of columns in the spec's order. */
  static fromRow(row: AgentRow | readonly unknown[]): AgentMemory {
    return new AgentMemory(fieldsFromRow(row))
  }

  /** A copy with some fields changed. With another content it has no vector unless `changes` has one. */
  copyWith(changes: Partial<AgentFields>): AgentMemory {
    const isSameText = changes.content === undefined || changes.content === this.content
    const embedding = isSameText ? this.embedding : null
    return new AgentMemory({ ...(this as AgentFields), embedding, ...changes })
  }

  /** As JSON with the spec's names (`agent_id`, …), times in ISO 8601; `fromRow` reads it. */
  toDict(): AgentRow {
    return Object.fromEntries(
      AGENT_FIELDS.map((name) => {
        const value = this[name]
        return [columnOf(name), value instanceof Date ? value.toISOString() : value]
      }),
    )
  }
}

/** Tags of one memory, and names of perspectives. */
const NAMES_MAX = 200

/** Years that ISO 8601 writes with four digits. */
const TIME_MS_MIN = Date.UTC(1, 0)
const TIME_MS_MAX = Date.UTC(9999, 11, 31)

/** Throws INPUT_INVALID if a field is not valid for its column. */
function checkAgentFields(fields: AgentFields): void {
  const { id, content, source } = fields
  if (typeof id !== 'string' || !isMemoryId(id)) throw invalidValue('id', id, 'a UUID')
  checkName(fields.agentId, 'agentId')
  if (typeof content !== 'string' || isEmptyText(content)) throw invalidValue('content', content, 'a text')
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
  if (!isObject(value)) throw invalidValue(name, value, `an object with ${wanted} by perspective`)
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

/** Length of a memory's content, the same limit as the tools have. */
const CONTENT_CHARS_MAX = 64_000

/** A memory of the store as an AgentMemory. */
export function toAgentMemory(memory: Memory): AgentMemory {
  const { embedding } = memory
  return AgentMemory.fromStored({
    id: memory.id,
    agentId: agentIdOf(memory),
    content: memory.content,
    embedding: embedding ? Array.from(decodeVector(embedding.vector)) : null,
    tags: memory.tags,
    scopeLevel: memory.scope,
    scopeDomain: memory.scopeDomain ?? null,
    scopeProject: memory.scopeProject ?? null,
    ...usageCounts(memory),
    lastAccessedAt: dateOf(memory.lastUsed),
    learnings: memory.learnings,
    status: memory.status,
    source: memory.source,
    createdAt: dateOf(memory.created) ?? new Date(0),
    updatedAt: dateOf(memory.updated) ?? new Date(0),
    lastDecayAt: dateOf(memory.lastDecayed),
  })
}

/** The agent that a memory belongs to; a memory without an agent id belongs to its role, such as main. */
export const agentIdOf = (memory: Memory): string => memory.agentId ?? memory.role

/**
 * A memory as every store keeps it: without secrets and private parts, and with U+FFFD for characters that a database
 * cannot store. The vector of a text with a secret is left out. Throws INPUT_INVALID for a field that is not valid,
 * however the memory was made, and if the content is too long.
 */
export function cleanMemory(memory: AgentMemory): AgentMemory {
  checkAgentFields(memory)
  const { agentId, content, learnings, scopeDomain, scopeProject } = memory
  const tags = [...new Set(memory.tags)]
  const given = toWellFormed(replaceNul({ agentId, content, tags, learnings, scopeDomain, scopeProject }))
  const texts = sanitize(given)
  const embedding = texts.content === given.content ? memory.embedding : null
  const { strengthByPerspective: strengths, source } = memory
  const strengthByPerspective = Object.fromEntries(
    Object.entries(strengths).map(([name, own]) => [sanitize(name), own]),
  )
  const stored = { ...memory, ...texts, strengthByPerspective, embedding, source: source ?? ('manual' as const) }
  const { length } = stored.content
  if (length <= CONTENT_CHARS_MAX) return AgentMemory.fromStored(stored)
  throw new MemoryError('INPUT_INVALID', `content has ${length} characters`, {
    hint: `Give at most ${CONTENT_CHARS_MAX}, or store it as several memories.`,
  })
}

/** U+0000, which PostgreSQL cannot store, becomes U+FFFD in all texts. */
function replaceNul<Value>(value: Value): Value {
  const json = JSON.stringify(value)
  if (!json.includes('\\u0000')) return value
  const replace = (_: string, item: unknown) => (typeof item === 'string' ? item.replaceAll('\0', '\ufffd') : item)
  return JSON.parse(json, replace)
}

/**
 * An AgentMemory for the project's own store. Fields of `before` that an AgentMemory does not have are kept. `model`
 * names the embedder of its vector. Throws INPUT_INVALID as `cleanMemory`.
 */
export function toStoredMemory(given: AgentMemory, model: string, before?: Memory): Memory {
  const memory = cleanMemory(given)
  const { content, tags, learnings } = memory
  const fields = {
    id: memory.id as MemoryId,
    content,
    tags,
    learnings,
    agentId: before && agentIdOf(before) === memory.agentId ? before.agentId : memory.agentId,
    // So that a recall finds and shows its learnings too.
    lessons: Object.values(learnings),
    scope: memory.scopeLevel,
    scopeProject: memory.scopeProject ?? undefined,
    scopeDomain: memory.scopeDomain ?? undefined,
    ...usageCounts(memory),
    lastUsed: isoOf(memory.lastAccessedAt),
    status: memory.status,
    source: memory.source ?? 'manual',
    created: memory.createdAt.toISOString(),
    updated: memory.updatedAt.toISOString(),
    lastDecayed: isoOf(memory.lastDecayAt),
    embedding: memory.embedding ? { model, vector: encodeVector(memory.embedding) } : undefined,
  }
  return before ? { ...before, ...fields } : newMemory({ kind: 'entry', ...fields }, memory.strength)
}

/** What use in any project changes, besides times. */
export const usageCounts = (memory: Memory | AgentMemory) => ({
  strength: memory.strength,
  strengthByPerspective: memory.strengthByPerspective,
  accessCount: memory.accessCount,
  candidateCount: memory.candidateCount,
  impactScore: memory.impactScore,
  consolidationLevel: memory.consolidationLevel,
})

const dateOf = (iso: string | undefined): Date | null =>
  iso === undefined || Number.isNaN(Date.parse(iso)) ? null : new Date(iso)
const isoOf = (date: Date | null): string | undefined => date?.toISOString()

/** 32-bit floats in base64, a fourth of their length as text. */
export const encodeVector = (numbers: readonly number[]): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64')

/** The numbers of a stored vector. */
export function decodeVector(vector: string): Float32Array {
  const { buffer, byteOffset, length } = Buffer.from(vector, 'base64')
  // A copy: the bytes of a buffer may begin anywhere.
  return new Float32Array(buffer.slice(byteOffset, byteOffset + length - (length % 4)))
}
