// MemoryRepository: seed 000's operations on single memories and on many. Every change is an event of the log.

import type { Memory, MemoryStatus } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { StrengthChange } from '../../model/strength.ts'
import type { AgentMemory } from './agentMemory.ts'
import { agentIdOf, toAgentMemory, toStoredMemory } from './agentMemoryAdapter.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { Phase1Config } from './phase1Config.ts'

/** Changes told in one event: a line of some 16 KiB, as a hook's are at most. */
const CHANGES_AT_ONCE = 200

/** What is done to a memory's strength, but for which memory. */
type Change = Omit<StrengthChange, 'memory'>

export class MemoryRepository {
  readonly #db: DatabaseConnection
  readonly #config: Phase1Config

  constructor(db: DatabaseConnection, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#config = config
  }

  /** Keeps a new memory and gives it as kept: without secrets. Throws INPUT_INVALID where its id is taken. */
  create(memory: AgentMemory): AgentMemory {
    if (this.#db.has(memory.id)) {
      throw new MemoryError('INPUT_INVALID', `there is a memory ${memory.id} already`, {
        hint: 'Call update for it, or create another with AgentMemory.create.',
      })
    }
    this.#db.save(toStoredMemory(memory, this.#config.embeddingModel))
    return this.getById(memory.id)!
  }

  /** The memory of this id, archived or not; null where there is none. */
  getById(memoryId: string): AgentMemory | null {
    const [memory] = this.#db.find(memoryId)
    return memory ? toAgentMemory(memory) : null
  }

  /** An agent's memories, the newest first. */
  getByAgentId(agentId: string, status: MemoryStatus = 'active'): AgentMemory[] {
    return this.#of(agentId, status)
      .reverse()
      .sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0))
      .map(toAgentMemory)
  }

  /** Puts this in the place of what is kept under its id. Throws NOT_FOUND where nothing is. */
  update(memory: AgentMemory): AgentMemory {
    const [before] = this.#db.find(memory.id)
    if (!before) {
      throw new MemoryError('NOT_FOUND', `there is no memory ${memory.id}`, { hint: 'Call create for a new one.' })
    }
    const now = memory.copyWith({ updatedAt: new Date(this.#db.now()) })
    this.#db.save(toStoredMemory(now, this.#config.embeddingModel, before))
    return this.getById(memory.id)!
  }

  /** Takes a memory out of every search, until it is reactivated. Whether there is such a memory. */
  archive(memoryId: string): boolean {
    return this.batchArchive([memoryId]) === 1
  }

  /** Counts a memory as found by a search, once more. */
  incrementCandidateCount(memoryId: string): void {
    this.change([memoryId], () => ({ candidates: 1 }))
  }

  /** Counts a memory as used, once more, and makes it stronger by so much. */
  incrementAccessCount(memoryId: string, strengthIncrement: number): void {
    this.change([memoryId], () => ({ uses: 1, strength: strengthIncrement }))
  }

  /** Makes a memory stronger from one perspective; one it has not had begins at 0. */
  updatePerspectiveStrength(memoryId: string, perspective: string, increment: number): void {
    this.change([memoryId], () => ({ perspectives: { [perspective]: increment } }))
  }

  /** Counts them as found by a search; how many there are. */
  batchIncrementCandidateCount(memoryIds: readonly string[]): number {
    return this.change(memoryIds, () => ({ candidates: 1 }))
  }

  /** Sets each one's strength; how many there are. */
  batchUpdateStrength(updates: readonly (readonly [memoryId: string, strength: number])[]): number {
    const strengths = new Map(updates.map(([id, strength]) => [id.toLowerCase(), strength]))
    for (const strength of strengths.values()) {
      if (Number.isFinite(strength) && strength >= 0) continue
      throw new MemoryError('INPUT_INVALID', `a strength is ${strength}`, { hint: 'Give a number from 0 up.' })
    }
    return this.change([...strengths.keys()], ({ id }) => ({ strengthTo: strengths.get(id)! }))
  }

  /** Archives them; how many there were to archive. */
  batchArchive(memoryIds: readonly string[]): number {
    return this.change(memoryIds, ({ status }) => (status === 'active' ? { status: 'archived' } : undefined))
  }

  /** An agent's weakest memories, the weakest first. */
  getMemoriesForDecay(agentId: string, batchSize = 100): AgentMemory[] {
    return this.getLowestStrengthMemories(agentId, batchSize)
  }

  /** How many active memories an agent has. */
  countActiveMemories(agentId: string): number {
    return this.#of(agentId, 'active').length
  }

  /** At most `limit` of an agent's active memories, the weakest first, of equals the oldest. */
  getLowestStrengthMemories(agentId: string, limit: number): AgentMemory[] {
    return this.#of(agentId, 'active')
      .sort((a, b) => a.strength - b.strength)
      .slice(0, limit)
      .map(toAgentMemory)
  }

  /** Does to each of these what `change` says, told in as few events as may be; how many were there and had something done to them. */
  change(memoryIds: readonly string[], change: (memory: Memory) => Change | undefined): number {
    const changes = this.#db.find(...new Set(memoryIds)).flatMap((memory): StrengthChange[] => {
      const done = change(memory)
      return done ? [{ memory: memory.id, ...done }] : []
    })
    for (let from = 0; from < changes.length; from += CHANGES_AT_ONCE) {
      this.#db.strengthen(changes.slice(from, from + CHANGES_AT_ONCE))
    }
    return changes.length
  }

  #of(agentId: string, status: MemoryStatus): Memory[] {
    return this.#db.listVisible().filter((memory) => agentIdOf(memory) === agentId && memory.status === status)
  }
}
