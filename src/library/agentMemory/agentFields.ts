// What an AgentMemory holds: seed 000's table of attributes.
import type { MemoryId } from '../../model/id.ts'
import type { MemoryScope, MemorySource, MemoryStatus } from '../../model/memory.ts'

/** Everything an AgentMemory holds. */
export interface AgentFields {
  readonly id: MemoryId
  readonly agentId: string
  readonly content: string
  readonly embedding: readonly number[] | null
  readonly tags: readonly string[]
  readonly scopeLevel: MemoryScope
  readonly scopeDomain: string | null
  readonly scopeProject: string | null
  readonly strength: number
  readonly strengthByPerspective: Readonly<Record<string, number>>
  /** How often it was really used. */
  readonly accessCount: number
  /** How often a search found it. */
  readonly candidateCount: number
  readonly lastAccessedAt: Date | null
  readonly impactScore: number
  /** 0 to 5. */
  readonly consolidationLevel: number
  /** What was learnt, by perspective. */
  readonly learnings: Readonly<Record<string, string>>
  readonly status: MemoryStatus
  readonly source: MemorySource | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastDecayAt: Date | null
}
