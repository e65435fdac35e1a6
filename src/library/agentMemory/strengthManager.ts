// StrengthManager: reinforcement in the two stages of the agent-memory spec. Found: counted. Used: stronger and better
// consolidated.
import { MemoryError } from '../../model/memoryError.ts'
import { impactChange, useChange } from '../../model/strengthReducer.ts'
import { checkPerspective } from '../checkInput.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { MemoryRepository } from './memoryRepository.ts'
import { Phase1Config, parseImpactKind, toStrengthPolicy } from './phase1Config.ts'

export class StrengthManager {
  readonly #repository: MemoryRepository
  readonly #config: Phase1Config

  constructor(repository: MemoryRepository, config: Phase1Config = new Phase1Config()) {
    this.#repository = repository
    this.#config = config
  }

  /** First stage: a search found these memories. Their strength stays. Returns how many exist. */
  markAsCandidate(memoryIds: readonly string[]): number {
    return this.#repository.batchIncrementCandidateCount(memoryIds)
  }

  /** Second stage: it was used, from a perspective if one is given. Null if there is no such memory. */
  markAsUsed(memoryId: string, perspective?: string): AgentMemory | null {
    const policy = toStrengthPolicy(this.#config)
    const name = perspective === undefined ? undefined : checkPerspective(perspective)
    return this.#change(memoryId, (memory) => useChange(memory, policy, name))
  }

  /**
   * Records an impact: `user_positive`, `task_success` or `prevented_error`. The impact score grows by its value, the
   * strength by the configured share of that. Null if there is no such memory. Throws INPUT_INVALID for another impact.
   */
  applyImpact(memoryId: string, impactType: string): AgentMemory | null {
    const change = impactChange(parseImpactKind(impactType), toStrengthPolicy(this.#config))
    return this.#change(memoryId, () => change)
  }

  /** Sets the consolidation level by the number of uses. */
  updateConsolidationLevel(memoryId: string): AgentMemory | null {
    return this.#change(memoryId, ({ accessCount, consolidationLevel }) => {
      const level = this.#config.getConsolidationLevel(accessCount)
      return level === consolidationLevel ? undefined : { level }
    })
  }

  /** Restores it from the archive, at the strength of a reactivated memory. Throws INPUT_INVALID if it is active. */
  reactivate(memoryId: string): AgentMemory | null {
    return this.#change(memoryId, ({ status }) => {
      if (status === 'archived') return { status: 'active', strengthTo: this.#config.reactivationStrength }
      throw new MemoryError('INPUT_INVALID', `memory ${memoryId} is active`, {
        hint: 'Only archived memories can be reactivated.',
      })
    })
  }

  /** The increment of the impact score for an impact. Throws INPUT_INVALID for another impact. */
  getImpactValue(impactType: string): number {
    return this.#config.impactValue(impactType)
  }

  #change(memoryId: string, change: Parameters<MemoryRepository['change']>[1]): AgentMemory | null {
    this.#repository.change([memoryId], change)
    return this.#repository.getById(memoryId)
  }
}
