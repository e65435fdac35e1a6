// AgentMemory of the agent-memory spec: an immutable value.
//
// In the store it is a memory like any other (agentMemoryAdapter.ts): hooks, tools and the library share one model.
import { newUuid, nowMs } from '../processDefaults.ts'
import { AGENT_FIELDS, AgentFields, type AgentRow, fieldsFromRow, rowFromFields } from './agentRow.ts'
import { checkAgentFields } from './checkAgentFields.ts'
import { config } from './phase1Config.ts'

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
    return rowFromFields(this)
  }
}
