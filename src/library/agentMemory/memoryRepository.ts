// MemoryRepository: the agent-memory spec's operations on memories. StrengthManager: reinforcement in its two stages.
// Found: counted. Used: stronger and better consolidated.
import { MEMORY_STATUSES, type MemoryStatus } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { AMOUNT_MAX, impactChange } from '../../model/strength.ts'
import { checkAmount, checkName, checkPerspective, checkText, checkWhole, invalidValue } from '../checkInput.ts'
import { AgentMemory } from './agentMemory.ts'
import type { AgentChange, AgentQuery } from './agentStore.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { Phase1Config, parseImpactKind, toStrengthPolicy } from './phase1Config.ts'

/** Stores, changes and lists the memories of agents. */
export class MemoryRepository {
  readonly #db: DatabaseConnection
  readonly #config: Phase1Config

  /** A repository on a connection; by default with the specification's numbers. */
  constructor(db: DatabaseConnection, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#config = config
  }

  /** Stores a new memory; returns it as stored, without secrets. Throws INPUT_INVALID if its id exists. */
  async create(memory: AgentMemory): Promise<AgentMemory> {
    const created = await (await this.#db.agentStore()).insert(memory, this.#config.embeddingModel)
    if (created) return created
    throw new MemoryError('INPUT_INVALID', `memory ${memory.id} exists already`, {
      hint: 'Call update to change it, or create another one with AgentMemory.create.',
    })
  }

  /** The memory with this id, archived or not; null if there is none. */
  async getById(memoryId: string): Promise<AgentMemory | null> {
    const [memory] = await (await this.#db.agentStore()).get([checkText(memoryId, 'memoryId')])
    return memory ?? null
  }

  /** An agent's memories, newest first. */
  async getByAgentId(agentId: string, status: MemoryStatus = 'active'): Promise<AgentMemory[]> {
    if (!MEMORY_STATUSES.includes(status)) throw invalidValue('status', status, MEMORY_STATUSES.join(' or '))
    return (await this.#db.agentStore()).list({ agentId: checkName(agentId, 'agentId'), status, order: 'newest' })
  }

  /**
   * Replaces the stored memory with this id. A new text without a new vector has none: the old vector is not its own.
   * Throws NOT_FOUND if there is no such memory.
   */
  async update(memory: AgentMemory): Promise<AgentMemory> {
    const store = await this.#db.agentStore()
    const [before] = await store.get([checkText(memory.id, 'id')])
    const isStale = before?.embedding && before.content !== memory.content && isEqual(before.embedding, memory)
    const embedding = isStale ? null : memory.embedding
    const changed = new AgentMemory({ ...memory, embedding, updatedAt: new Date(this.#db.now()) })
    const updated = before && (await store.replace(changed, this.#config.embeddingModel))
    if (updated) return updated
    throw new MemoryError('NOT_FOUND', `there is no memory ${memory.id}`, { hint: 'Call create for a new memory.' })
  }

  /** Leaves a memory out of searches until it is reactivated; returns whether there was an active one. */
  async archive(memoryId: string): Promise<boolean> {
    return (await this.batchArchive([memoryId])) === 1
  }

  /** Counts a memory as found by a search. */
  async incrementCandidateCount(memoryId: string): Promise<void> {
    await this.change([memoryId], { candidates: 1 })
  }

  /** Counts a memory as used, and increases its strength. Throws INPUT_INVALID for a negative increment. */
  async incrementAccessCount(memoryId: string, strengthIncrement: number): Promise<void> {
    await this.change([memoryId], { uses: 1, strength: checkAmount(strengthIncrement, 'strengthIncrement') })
  }

  /** Increases the strength from one perspective; a new perspective begins at 0. Throws INPUT_INVALID. */
  async updatePerspectiveStrength(memoryId: string, perspective: string, increment: number): Promise<void> {
    const perspectives = { [checkPerspective(perspective)]: checkAmount(increment, 'increment') }
    await this.change([memoryId], { perspectives })
  }

  /** Counts memories as found by a search; returns how many exist. */
  async batchIncrementCandidateCount(memoryIds: readonly string[]): Promise<number> {
    return this.change(memoryIds, { candidates: 1 })
  }

  /** Sets the strength of each memory; returns how many exist. Throws INPUT_INVALID for a negative strength. */
  async batchUpdateStrength(updates: readonly (readonly [memoryId: string, strength: number])[]): Promise<number> {
    const strengths = new Map(
      updates.map(([id, strength]) => [checkId(id), checkAmount(strength, 'a strength')] as const),
    )
    return this.change([...strengths.keys()], { strengthTo: strengths })
  }

  /** Archives memories; returns how many were active. */
  async batchArchive(memoryIds: readonly string[]): Promise<number> {
    return this.change(memoryIds, { status: 'archived', only: 'active' })
  }

  /** At most `batchSize` of an agent's active memories, weakest first. */
  async getMemoriesForDecay(agentId: string, batchSize = 100): Promise<AgentMemory[]> {
    return this.getLowestStrengthMemories(agentId, checkWhole(batchSize, 'batchSize', { min: 0, max: AMOUNT_MAX }))
  }

  /** The number of an agent's active memories. */
  async countActiveMemories(agentId: string): Promise<number> {
    return (await this.#db.agentStore()).count(checkName(agentId, 'agentId'), 'active')
  }

  /** At most `limit` of an agent's active memories, weakest first; of equally weak ones the oldest first. */
  async getLowestStrengthMemories(agentId: string, limit: number): Promise<AgentMemory[]> {
    return this.listWeakest(agentId, { limit: checkWhole(limit, 'limit', { min: 0, max: AMOUNT_MAX }) })
  }

  /** An agent's active memories, weakest first. @internal */
  async listWeakest(
    agentId: string,
    selection: Pick<AgentQuery, 'limit' | 'strengthMax' | 'withoutVectors'> = {},
  ): Promise<AgentMemory[]> {
    const query = { agentId: checkName(agentId, 'agentId'), status: 'active', order: 'weakest' } as const
    return (await this.#db.agentStore()).list({ ...query, ...selection })
  }

  /** Applies one change to each of these memories; returns how many it changed. @internal */
  async change(memoryIds: readonly string[], change: AgentChange): Promise<number> {
    const ids = [...new Set(memoryIds.map(checkId))]
    return ids.length === 0 ? 0 : (await this.#db.agentStore()).change(ids, change)
  }
}

const checkId = (id: string): string => checkText(id, 'memoryId').toLowerCase()

const isEqual = (vector: readonly number[], { embedding }: AgentMemory): boolean =>
  embedding?.length === vector.length && vector.every((value, i) => Math.fround(embedding[i] ?? Number.NaN) === value)

/** Counts that memories were found or used, and strengthens them. */
export class StrengthManager {
  readonly #repository: MemoryRepository
  readonly #config: Phase1Config

  /** A manager on a repository; by default with the specification's numbers. */
  constructor(repository: MemoryRepository, config: Phase1Config = new Phase1Config()) {
    this.#repository = repository
    this.#config = config
  }

  /** First stage: a search found these memories. Their strength stays. Returns how many exist. */
  async markAsCandidate(memoryIds: readonly string[]): Promise<number> {
    return this.#repository.batchIncrementCandidateCount(memoryIds)
  }

  /** Second stage: it was used, from a perspective if one is given. Null if there is no such memory. */
  async markAsUsed(memoryId: string, perspective?: string): Promise<AgentMemory | null> {
    const { strengthIncrementOnUse, perspectiveStrengthIncrement, consolidationThresholds } = this.#config
    const perspectives =
      perspective === undefined ? undefined : { [checkPerspective(perspective)]: perspectiveStrengthIncrement }
    const change = { uses: 1, strength: strengthIncrementOnUse, perspectives, levelUses: consolidationThresholds }
    return this.#change(memoryId, change)
  }

  /**
   * Records an impact: `user_positive`, `task_success` or `prevented_error`. The impact score grows by its value, the
   * strength by the configured share of that. Null if there is no such memory. Throws INPUT_INVALID for another impact.
   */
  async applyImpact(memoryId: string, impactType: string): Promise<AgentMemory | null> {
    const { impact, strength } = impactChange(parseImpactKind(impactType), toStrengthPolicy(this.#config))
    return this.#change(memoryId, { impact, strength })
  }

  /** Sets the consolidation level by the number of uses. Null if there is no such memory. */
  async updateConsolidationLevel(memoryId: string): Promise<AgentMemory | null> {
    return this.#change(memoryId, { levelUses: this.#config.consolidationThresholds })
  }

  /**
   * Restores it from the archive, at the strength of a reactivated memory. Null if there is no such memory. Throws
   * INPUT_INVALID if it is active.
   */
  async reactivate(memoryId: string): Promise<AgentMemory | null> {
    const { reactivationStrength } = this.#config
    const change = { status: 'active', only: 'archived', strengthTo: reactivationStrength } as const
    const count = await this.#repository.change([memoryId], change)
    const memory = await this.#repository.getById(memoryId)
    if (count === 1 || memory === null) return memory
    throw new MemoryError('INPUT_INVALID', `memory ${memoryId} is active`, {
      hint: 'Only archived memories can be reactivated.',
    })
  }

  /** The increment of the impact score for an impact. Throws INPUT_INVALID for another impact. */
  getImpactValue(impactType: string): number {
    return this.#config.impactValue(impactType)
  }

  async #change(memoryId: string, change: AgentChange): Promise<AgentMemory | null> {
    await this.#repository.change([memoryId], change)
    return this.#repository.getById(memoryId)
  }
}
