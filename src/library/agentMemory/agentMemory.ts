// AgentMemory: seed 000's memory of an agent, as its library knows it. A value: changed ones are new ones.
//
// In the store it is a memory like every other (see toAgentMemory.ts): what hooks, tools and this library keep is one and the same.
import type { MemoryId } from '../../model/id.ts'
import type { MemoryScope, MemorySource, MemoryStatus } from '../../model/memory.ts'
import { newUuid, nowMs } from '../processDefaults.ts'
import type { AgentFields } from './agentFields.ts'
import { AGENT_FIELDS, type AgentRow, assertAgentFields, fieldsFromRow, rowFromFields } from './agentRow.ts'
import { config } from './phase1Config.ts'

/** What a new one is made of; everything else begins as the document says. */
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

  /** Of all its fields; `create` and `fromRow` are the usual ways. Throws INPUT_INVALID. */
  constructor(fields: AgentFields) {
    const own = Object.fromEntries(AGENT_FIELDS.map((name) => [name, fields[name]]))
    Object.assign(this, own)
    assertAgentFields(this)
  }

  /** A new memory of an agent, at strength 1 and unused. */
  static create(given: NewAgentMemory): AgentMemory {
    const now = new Date(nowMs())
    return new AgentMemory({
      ...{ id: newUuid() as MemoryId, agentId: given.agentId, content: given.content },
      embedding: given.embedding ?? null,
      tags: given.tags ?? [],
      scopeLevel: given.scopeLevel ?? config.defaultScopeLevel,
      scopeDomain: given.scopeDomain ?? null,
      scopeProject: given.scopeProject ?? null,
      strength: given.strength ?? config.initialStrength,
      strengthByPerspective: given.strengthByPerspective ?? {},
      ...{ accessCount: 0, candidateCount: 0, lastAccessedAt: null, impactScore: 0, consolidationLevel: 0 },
      learnings: given.learnings ?? {},
      ...{ status: 'active', source: given.source ?? null, createdAt: now, updatedAt: now, lastDecayAt: null },
    })
  }

  /** One that was only read, not lived through: at half the strength. */
  static createFromEducation(given: NewAgentMemory): AgentMemory {
    return AgentMemory.create({ strength: config.initialStrengthEducation, source: 'education', ...given })
  }

  /** A row of a table: an object with the document's names (or this class's), or its columns in the document's order. */
  static fromRow(row: AgentRow | readonly unknown[]): AgentMemory {
    return new AgentMemory(fieldsFromRow(row))
  }

  /** The same with some fields changed. */
  copyWith(changes: Partial<AgentFields>): AgentMemory {
    return new AgentMemory({ ...(this as AgentFields), ...changes })
  }

  /** As plain JSON under the document's names (`agent_id`, …), times in ISO 8601; `fromRow` reads it. */
  toDict(): AgentRow {
    return rowFromFields(this)
  }
}
