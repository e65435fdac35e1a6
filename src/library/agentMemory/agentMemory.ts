// AgentMemory of the agent-memory spec: an immutable value.
//
// In the store it is a memory like any other (agentMemoryAdapter.ts): hooks, tools and the library share one model.
import type { MemoryScope, MemorySource, MemoryStatus } from '../../model/memory.ts'
import { newUuid, nowMs } from '../processDefaults.ts'
import type { AgentFields } from './agentRow.ts'
import { AGENT_FIELDS, type AgentRow, fieldsFromRow, rowFromFields } from './agentRow.ts'
import { checkAgentFields } from './checkAgentFields.ts'
import { config } from './phase1Config.ts'

/** The fields of a new memory; all others have the spec's initial values. */
export type NewAgentMemory = Pick<AgentFields, 'agentId' | 'content'> &
  Partial<
    Pick<
      AgentFields,
      'embedding' | 'tags' | 'scopeLevel' | 'scopeDomain' | 'scopeProject' | 'strength' | 'strengthByPerspective'
    > &
      Pick<AgentFields, 'learnings' | 'source'>
  >

/** A memory of an agent; immutable. */
export class AgentMemory implements AgentFields {
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

  /** From all fields; use `create` or `fromRow` instead. Throws INPUT_INVALID. */
  constructor(fields: AgentFields) {
    const own = Object.fromEntries(AGENT_FIELDS.map((name) => [name, fields[name]]))
    Object.assign(this, own)
    checkAgentFields(this)
  }

  /** From a stored memory, without checks: what an earlier version accepted stays readable. */
  static fromStored(fields: AgentFields): AgentMemory {
    return Object.assign(Object.create(AgentMemory.prototype) as AgentMemory, fields)
  }

  /** A new memory of an agent: strength 1, unused. */
  static create(fields: NewAgentMemory): AgentMemory {
    const now = new Date(nowMs())
    return new AgentMemory({
      id: newUuid(),
      agentId: fields.agentId,
      content: fields.content,
      embedding: fields.embedding ?? null,
      tags: fields.tags ?? [],
      scopeLevel: fields.scopeLevel ?? config.defaultScopeLevel,
      scopeDomain: fields.scopeDomain ?? null,
      scopeProject: fields.scopeProject ?? null,
      strength: fields.strength ?? config.initialStrength,
      strengthByPerspective: fields.strengthByPerspective ?? {},
      accessCount: 0,
      candidateCount: 0,
      lastAccessedAt: null,
      impactScore: 0,
      consolidationLevel: 0,
      learnings: fields.learnings ?? {},
      status: 'active',
      source: fields.source ?? null,
      createdAt: now,
      updatedAt: now,
      lastDecayAt: null,
    })
  }

  /** A new memory from education instead of own work: half the strength. */
  static createFromEducation(fields: NewAgentMemory): AgentMemory {
    return AgentMemory.create({ strength: config.initialStrengthEducation, source: 'education', ...fields })
  }

  /** From a row: an object with the spec's names or this class's, or a list of columns in the spec's order. */
  static fromRow(row: AgentRow | readonly unknown[]): AgentMemory {
    return new AgentMemory(fieldsFromRow(row))
  }

  /** A copy with some fields changed. */
  copyWith(changes: Partial<AgentFields>): AgentMemory {
    return new AgentMemory({ ...(this as AgentFields), ...changes })
  }

  /** As JSON with the spec's names (`agent_id`, …), times in ISO 8601; `fromRow` reads it. */
  toDict(): AgentRow {
    return rowFromFields(this)
  }
}
