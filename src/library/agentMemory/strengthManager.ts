// StrengthManager: reinforcement in the two stages of the agent-memory spec. Found: counted. Used: stronger and better
// consolidated.
import { MemoryError } from '../../model/memoryError.ts'
import { impactChange } from '../../model/strength.ts'
import { checkPerspective } from '../checkInput.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { AgentChange } from './agentStore.ts'
import type { MemoryRepository } from './memoryRepository.ts'
import { Phase1Config, parseImpactKind, toStrengthPolicy } from './phase1Config.ts'

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
