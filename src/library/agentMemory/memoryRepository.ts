// MemoryRepository: the agent-memory spec's operations on memories. Every change is an event in the log.
import type { Memory, MemoryStatus } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { StrengthChange } from '../../model/strength.ts'
import { checkAmount, checkChange, checkPerspective, checkText } from '../checkInput.ts'
import type { AgentMemory } from './agentMemory.ts'
import { agentIdOf, toAgentMemory, toStoredMemory } from './agentMemoryAdapter.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { Phase1Config } from './phase1Config.ts'

/** Changes in one event: a line of about 16 KiB, the limit of hooks. */
const CHANGES_PER_EVENT = 200

/** A change without the id of its memory. */
type Change = Omit<StrengthChange, 'memory'>

export class MemoryRepository {
  readonly #db: DatabaseConnection
  readonly #config: Phase1Config

  constructor(db: DatabaseConnection, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#config = config
  }

  /** Stores a new memory; returns it as stored, without secrets. Throws INPUT_INVALID if its id exists. */
  create(memory: AgentMemory): AgentMemory {
    if (this.#db.has(memory.id)) {
      throw new MemoryError('INPUT_INVALID', `memory ${memory.id} exists already`, {
        hint: 'Call update to change it, or create another one with AgentMemory.create.',
      })
    }
    return this.#save(toStoredMemory(memory, this.#config.embeddingModel))
  }

  /** The memory with this id, archived or not; null if there is none. */
  getById(memoryId: string): AgentMemory | null {
    const [memory] = this.#db.find(memoryId)
    return memory ? toAgentMemory(memory) : null
  }

  /** An agent's memories, newest first. */
  getByAgentId(agentId: string, status: MemoryStatus = 'active'): AgentMemory[] {
    return this.#listByAgent(agentId, status)
      .reverse()
      .sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0))
      .map(toAgentMemory)
  }

  /** Replaces the stored memory with this id. Throws NOT_FOUND if there is none. */
  update(memory: AgentMemory): AgentMemory {
    const [before] = this.#db.find(memory.id)
    if (!before) {
      throw new MemoryError('NOT_FOUND', `there is no memory ${memory.id}`, { hint: 'Call create for a new memory.' })
    }
    const updated = memory.copyWith({ updatedAt: new Date(this.#db.now()) })
    return this.#save(toStoredMemory(updated, this.#config.embeddingModel, before))
  }

  /** Leaves a memory out of searches until it is reactivated; returns whether there was an active one. */
  archive(memoryId: string): boolean {
    return this.batchArchive([memoryId]) === 1
  }

  /** Counts a memory as found by a search. */
  incrementCandidateCount(memoryId: string): void {
    this.change([memoryId], () => ({ candidates: 1 }))
  }

  /** Counts a memory as used, and increases its strength. Throws INPUT_INVALID for a negative increment. */
  incrementAccessCount(memoryId: string, strengthIncrement: number): void {
    const change = checkChange({ uses: 1, strength: strengthIncrement })
    this.change([memoryId], () => change)
  }

  /** Increases the strength from one perspective; a new perspective begins at 0. Throws INPUT_INVALID. */
  updatePerspectiveStrength(memoryId: string, perspective: string, increment: number): void {
    const change = { perspectives: { [checkPerspective(perspective)]: checkAmount(increment, 'increment') } }
    this.change([memoryId], () => change)
  }

  /** Counts memories as found by a search; returns how many exist. */
  batchIncrementCandidateCount(memoryIds: readonly string[]): number {
    return this.change(memoryIds, () => ({ candidates: 1 }))
  }

  /** Sets the strength of each memory; returns how many exist. Throws INPUT_INVALID for a negative strength. */
  batchUpdateStrength(updates: readonly (readonly [memoryId: string, strength: number])[]): number {
    const strengths = new Map(updates.map(([id, strength]) => [checkText(id, 'memoryId').toLowerCase(), strength]))
    for (const strength of strengths.values()) checkAmount(strength, 'a strength')
    return this.change([...strengths.keys()], ({ id, strength }) => ({ strengthTo: strengths.get(id) ?? strength }))
  }

  /** Archives memories; returns how many were active. */
  batchArchive(memoryIds: readonly string[]): number {
    return this.change(memoryIds, ({ status }) => (status === 'active' ? { status: 'archived' } : undefined))
  }

  /** An agent's weakest memories, weakest first. */
  getMemoriesForDecay(agentId: string, batchSize = 100): AgentMemory[] {
    return this.getLowestStrengthMemories(agentId, batchSize)
  }

  /** The number of an agent's active memories. */
  countActiveMemories(agentId: string): number {
    return this.#listByAgent(agentId, 'active').length
  }

  /** At most `limit` of an agent's active memories, weakest first; of equally weak ones the oldest first. */
  getLowestStrengthMemories(agentId: string, limit: number): AgentMemory[] {
    return this.#listByAgent(agentId, 'active')
      .sort((a, b) => a.strength - b.strength)
      .slice(0, limit)
      .map(toAgentMemory)
  }

  /** Applies `decide` to each of these memories, in as few events as possible; returns how many changed. */
  change(memoryIds: readonly string[], decide: (memory: Memory) => Change | undefined): number {
    const changes = this.#db.find(...new Set(memoryIds)).flatMap((memory): StrengthChange[] => {
      const change = decide(memory)
      return change ? [{ memory: memory.id, ...checkChange(change) }] : []
    })
    for (let from = 0; from < changes.length; from += CHANGES_PER_EVENT) {
      this.#db.strengthen(changes.slice(from, from + CHANGES_PER_EVENT))
    }
    return changes.length
  }

  #save(memory: Memory): AgentMemory {
    this.#db.save(memory)
    return this.getById(memory.id) ?? toAgentMemory(memory)
  }

  #listByAgent(agentId: string, status: MemoryStatus): Memory[] {
    return this.#db.listVisible().filter((memory) => agentIdOf(memory) === agentId && memory.status === status)
  }
}
