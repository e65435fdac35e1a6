// SleepPhaseProcessor of the agent-memory spec: memories decay, weak ones are archived, duplicates are merged.
import type { AgentMemory } from './agentMemory.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { findDuplicateGroups } from './findDuplicates.ts'
import { MemoryRepository } from './memoryRepository.ts'
import { Phase1Config } from './phase1Config.ts'

export interface SleepPhaseResult {
  readonly agentId: string
  readonly decayedCount: number
  readonly archivedCount: number
  /** Memories whose consolidation level changed, and those that became part of another. */
  readonly consolidatedCount: number
  readonly processedAt: Date
  readonly errors: readonly string[]
}

export class SleepPhaseProcessor {
  readonly #db: DatabaseConnection
  readonly #config: Phase1Config
  readonly #repository: MemoryRepository

  constructor(db: DatabaseConnection, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#config = config
    this.#repository = new MemoryRepository(db, config)
  }

  /** All steps, in the spec's order. A step that fails is reported in `errors`, and the others go on. */
  processAll(agentId: string): SleepPhaseResult {
    const errors: string[] = []
    const step = (name: string, run: () => number): number => {
      try {
        return run()
      } catch (error) {
        errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return 0
      }
    }
    // Steps 1 and 2: active memories decay. Step 3: those too weak or beyond the limit are archived.
    const decayedCount = step('decay', () => this.applyDecayAll(agentId))
    const archivedCount = step('archive', () => this.archiveWeakMemories(agentId))
    // Step 4: duplicates are merged. Step 5: consolidation levels are updated.
    const mergedCount = step('consolidate', () => this.consolidateSimilar(agentId))
    const changedLevels = step('levels', () => this.updateConsolidationLevels(agentId))
    const consolidatedCount = mergedCount + changedLevels
    // Step 6: the result is logged.
    step('log', () => {
      const counts = { decayed: decayedCount, archived: archivedCount, consolidated: consolidatedCount }
      this.#db.commit({ kind: 'agent.slept', agent: agentId, ...counts, errors: [...errors] })
      return 0
    })
    return { agentId, decayedCount, archivedCount, consolidatedCount, errors, processedAt: this.now() }
  }

  now(): Date {
    return new Date(this.#db.now())
  }

  /** The decay of one task for the agent's active memories, by consolidation level; returns their number. */
  applyDecayAll(agentId: string, batchSize = 100): number {
    const ids = this.#active(agentId).map((memory) => memory.id)
    let decayed = 0
    for (let from = 0; from < ids.length; from += Math.max(1, batchSize)) {
      decayed += this.#repository.change(ids.slice(from, from + Math.max(1, batchSize)), ({ consolidationLevel }) => ({
        kept: this.#config.getDecayRate(consolidationLevel),
      }))
    }
    return decayed
  }

  /** Archives memories at the threshold or below, then the weakest beyond the limit; returns their number. */
  archiveWeakMemories(agentId: string): number {
    const { archiveThreshold, maxActiveMemories } = this.#config
    const active = this.#active(agentId)
    const weak = active.filter((memory) => memory.strength <= archiveThreshold)
    const over = active.length - weak.length - maxActiveMemories
    const weakest = active.filter((memory) => memory.strength > archiveThreshold).slice(0, Math.max(0, over))
    return this.#repository.batchArchive([...weak, ...weakest].map((memory) => memory.id))
  }

  /**
   * Of duplicates the strongest stays, with the uses, impact, tags and learnings of all; the others are archived.
   * Returns the number of archived ones. The spec leaves this to its next phase.
   */
  consolidateSimilar(agentId: string): number {
    const active = this.#active(agentId).reverse()
    const byId = new Map<string, AgentMemory>(active.map((memory) => [memory.id, memory]))
    const candidates = active.map(({ id, content, scopeLevel, scopeDomain, scopeProject }) => ({
      id,
      content,
      scope: [scopeLevel, scopeDomain, scopeProject].join('\0'),
    }))
    let archived = 0
    for (const group of findDuplicateGroups(candidates)) {
      const [strongest, ...others] = group.flatMap((id) => byId.get(id) ?? [])
      if (strongest) this.#merge(strongest, others)
      archived += this.#repository.batchArchive(others.map((memory) => memory.id))
    }
    return archived
  }

  /** Sets the consolidation level of the active memories by their number of uses; returns how many changed. */
  updateConsolidationLevels(agentId: string): number {
    return this.#repository.change(
      this.#active(agentId).map((memory) => memory.id),
      ({ accessCount, consolidationLevel }) => {
        const level = this.#config.getConsolidationLevel(accessCount)
        return level === consolidationLevel ? undefined : { level }
      },
    )
  }

  #merge(strongest: AgentMemory, others: readonly AgentMemory[]): void {
    const all = [strongest, ...others]
    const accessCount = sum(all, (memory) => memory.accessCount)
    const used = all.flatMap((memory) => memory.lastAccessedAt ?? []).sort((a, b) => b.getTime() - a.getTime())
    this.#repository.update(
      strongest.copyWith({
        accessCount,
        tags: [...new Set(all.flatMap((memory) => memory.tags))],
        learnings: Object.assign({}, ...others.map((memory) => memory.learnings), strongest.learnings),
        candidateCount: sum(all, (memory) => memory.candidateCount),
        impactScore: sum(all, (memory) => memory.impactScore),
        lastAccessedAt: used[0] ?? null,
        consolidationLevel: this.#config.getConsolidationLevel(accessCount),
      }),
    )
  }

  /** The weakest first. */
  #active(agentId: string): AgentMemory[] {
    return this.#repository.getLowestStrengthMemories(agentId, Number.POSITIVE_INFINITY)
  }
}

const sum = (memories: readonly AgentMemory[], of: (memory: AgentMemory) => number): number =>
  memories.reduce((total, memory) => total + of(memory), 0)
