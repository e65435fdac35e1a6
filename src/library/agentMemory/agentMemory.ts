// AgentMemory of the agent-memory spec: an immutable value.
//
// In the store it is a memory like any other (agentMemoryAdapter.ts): hooks, tools and the library share one model.
import type { MemoryId } from '../../model/id.ts'
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

export class AgentMemory implements AgentFields {
  readonly id!: MemoryId
  readonly agentId!: string
  readonly content!: string
  readonly embedding!: readonly number[] | null
  readonly tags!: readonly string[]
  readonly scopeLevel!: MemoryScope
  readonly scopeDomain!: string | null
  readonly scopeProject!: string | null
  readonly strength!: number
  readonly strengthByPerspective!: Readonly<Record<string, number>>
  readonly accessCount!: number
  readonly candidateCount!: number
  readonly lastAccessedAt!: Date | null
  readonly impactScore!: number
  readonly consolidationLevel!: number
  readonly learnings!: Readonly<Record<string, string>>
  readonly status!: MemoryStatus
  readonly source!: MemorySource | null
  readonly createdAt!: Date
  readonly updatedAt!: Date
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
      id: newUuid() as MemoryId,
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
