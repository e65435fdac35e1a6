// StrengthManager: seed 000's reinforcement in two stages. Found: counted. Used: stronger, and better consolidated.
import { MemoryError } from '../../model/memoryError.ts'
import { impactChange, useChange } from '../../model/strengthReducer.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { MemoryRepository } from './memoryRepository.ts'
import { impactNamed, Phase1Config, strengthPolicyOf } from './phase1Config.ts'

export class StrengthManager {
  readonly #repository: MemoryRepository
  readonly #config: Phase1Config

  constructor(repository: MemoryRepository, config: Phase1Config = new Phase1Config()) {
    this.#repository = repository
    this.#config = config
  }

  /** First stage: a search has found these. Their strength stays; how many there are. */
  markAsCandidate(memoryIds: readonly string[]): number {
    return this.#repository.batchIncrementCandidateCount(memoryIds)
  }

  /** Second stage: it was really used, perhaps from a perspective. Null where there is no such memory. */
  markAsUsed(memoryId: string, perspective?: string): AgentMemory | null {
    const policy = strengthPolicyOf(this.#config)
    return this.#changed(memoryId, (memory) => useChange(memory, policy, perspective))
  }

  /**
   * It had this effect: `user_positive`, `task_success` or `prevented_error`. The impact score grows by its value, the strength by the
   * configured part of that. Null where there is no such memory; throws INPUT_INVALID for another effect.
   */
  applyImpact(memoryId: string, impactType: string): AgentMemory | null {
    const change = impactChange(impactNamed(impactType), strengthPolicyOf(this.#config))
    return this.#changed(memoryId, () => change)
  }

  /** Brings the consolidation level in line with how often it was used. */
  updateConsolidationLevel(memoryId: string): AgentMemory | null {
    return this.#changed(memoryId, ({ accessCount, consolidationLevel }) => {
      const level = this.#config.getConsolidationLevel(accessCount)
      return level === consolidationLevel ? undefined : { level }
    })
  }

  /** Takes it back from the archive, at the strength of a reactivated memory. Throws INPUT_INVALID where it is active. */
  reactivate(memoryId: string): AgentMemory | null {
    return this.#changed(memoryId, ({ status }) => {
      if (status === 'archived') return { status: 'active', strengthTo: this.#config.reactivationStrength }
      throw new MemoryError('INPUT_INVALID', `memory ${memoryId} is active`, {
        hint: 'Only archived memories can be reactivated.',
      })
    })
  }

  /** What an impact of this kind adds to the impact score. Throws INPUT_INVALID for another kind. */
  getImpactValue(impactType: string): number {
    return this.#config.impactValue(impactType)
  }

  #changed(memoryId: string, change: Parameters<MemoryRepository['change']>[1]): AgentMemory | null {
    this.#repository.change([memoryId], change)
    return this.#repository.getById(memoryId)
  }
}
