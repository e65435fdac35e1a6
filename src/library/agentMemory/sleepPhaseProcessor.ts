// SleepPhaseProcessor of the agent-memory spec: memories decay, weak ones are archived, those with an equal text become
// one. Similar texts may contradict each other, so what they have in common is for a person or a model to say.
import { inBatches } from '../../broker/commit/commitEvents.ts'
import { assertNotCancelled, type CallOptions } from '../../model/longCall.ts'
import { AMOUNT_MAX } from '../../model/strength.ts'
import { checkName, checkWhole } from '../checkInput.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { AgentQuery } from './agentStore.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { MemoryRepository } from './memoryRepository.ts'
import { Phase1Config } from './phase1Config.ts'

/** What a sleep phase did. */
export interface SleepPhaseResult {
  /** The agent whose memories slept. */
  readonly agentId: string
  /** How many memories decayed. */
  readonly decayedCount: number
  /** How many memories were archived. */
  readonly archivedCount: number
  /** How many memories changed their consolidation level, or became part of another. */
  readonly consolidatedCount: number
  /** When it ended. */
  readonly processedAt: Date
  /** What failed, one text for each step. */
  readonly errors: readonly string[]
}

/** Lets the memories of an agent decay, archives weak ones and merges those with an equal text. */
export class SleepPhaseProcessor {
  readonly #db: DatabaseConnection
  readonly #config: Phase1Config
  readonly #repository: MemoryRepository

  /** A processor on a connection; by default with the specification's numbers. */
  constructor(db: DatabaseConnection, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#config = config
    this.#repository = new MemoryRepository(db, config)
  }

  /**
   * All steps, in the spec's order. A step that fails is reported in `errors`, and the others go on. A signal ends it
   * between two steps. Throws if the store cannot be opened.
   */
  async processAll(agentId: string, { signal }: CallOptions = {}): Promise<SleepPhaseResult> {
    const agent = checkName(agentId, 'agentId')
    const store = await this.#db.agentStore()
    const errors: string[] = []
    const step = async (name: string, run: () => Promise<number>): Promise<number> => {
      assertNotCancelled(signal)
      try {
        return await run()
      } catch (error) {
        errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        return 0
      }
    }
    // Steps 1 and 2: active memories decay. Step 3: those too weak or beyond the limit are archived.
    const decayed = await step('decay', () => this.applyDecayAll(agentId))
    const archived = await step('archive', () => this.archiveWeakMemories(agentId))
    // Step 4: memories with an equal text are merged. Step 5: consolidation levels are updated.
    const merged = await step('consolidate', () => this.consolidateSimilar(agentId))
    const changedLevels = await step('levels', () => this.updateConsolidationLevels(agentId))
    const consolidated = merged + changedLevels
    // Step 6: the result is logged.
    await step('log', () => store.logSleep({ agent, decayed, archived, consolidated, errors }).then(() => 0))
    return {
      agentId,
      decayedCount: decayed,
      archivedCount: archived,
      consolidatedCount: consolidated,
      errors,
      processedAt: this.now(),
    }
  }

  /** The time of the connection's clock. */
  now(): Date {
    return new Date(this.#db.now())
  }

  /** The decay of one task for the agent's active memories, by consolidation level; returns their number. */
  async applyDecayAll(agentId: string, batchSize = 100): Promise<number> {
    const size = checkWhole(batchSize, 'batchSize', { min: 1, max: AMOUNT_MAX })
    const keptByLevel = this.#config.consolidationThresholds.map((_, level) => this.#config.getDecayRate(level))
    let decayed = 0
    for (const batch of inBatches(await this.#activeIds(agentId), size))
      decayed += await this.#repository.change(batch, { keptByLevel, only: 'active' })
    return decayed
  }

  /** Archives memories at the threshold or below, then the weakest beyond the limit; returns their number. */
  async archiveWeakMemories(agentId: string): Promise<number> {
    const { archiveThreshold: strengthMax, maxActiveMemories } = this.#config
    const weak = await this.#activeIds(agentId, { strengthMax })
    const archived = await this.#repository.batchArchive(weak)
    const over = (await this.#repository.countActiveMemories(agentId)) - maxActiveMemories
    if (over <= 0) return archived
    return archived + (await this.#repository.batchArchive(await this.#activeIds(agentId, { limit: over })))
  }

  /**
   * Of memories with an equal text and scope the strongest stays, with the uses, impact, tags and learnings of all; the
   * others are archived. Returns the number of archived ones. The spec leaves this to its next phase.
   */
  async consolidateSimilar(agentId: string): Promise<number> {
    // The strongest first.
    const active = (await this.#repository.listWeakest(agentId, { withoutVectors: true })).reverse()
    let archived = 0
    for (const [strongest, ...others] of groupEqualTexts(active)) {
      if (strongest === undefined || others.length === 0) continue
      await this.#merge(strongest.id, others)
      archived += await this.#repository.batchArchive(others.map(({ id }) => id))
    }
    return archived
  }

  /** Sets the consolidation level of the active memories by their number of uses; returns how many changed. */
  async updateConsolidationLevels(agentId: string): Promise<number> {
    const levelUses = this.#config.consolidationThresholds
    return this.#repository.change(await this.#activeIds(agentId), { levelUses, only: 'active' })
  }

  async #merge(id: string, others: readonly AgentMemory[]): Promise<void> {
    const strongest = await this.#repository.getById(id)
    if (!strongest) return
    const all = [strongest, ...others]
    const accessCount = sum(all, (memory) => memory.accessCount)
    const used = all.flatMap((memory) => memory.lastAccessedAt ?? []).sort((a, b) => b.getTime() - a.getTime())
    await this.#repository.update(
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
  async #activeIds(agentId: string, selection: Pick<AgentQuery, 'limit' | 'strengthMax'> = {}): Promise<string[]> {
    const memories = await this.#repository.listWeakest(agentId, { ...selection, withoutVectors: true })
    return memories.map((memory) => memory.id)
  }
}

/** Memories with an equal text and scope, each group in the given order. */
function groupEqualTexts(memories: readonly AgentMemory[]): Iterable<readonly AgentMemory[]> {
  const groups = new Map<string, AgentMemory[]>()
  for (const memory of memories) {
    const { content, learnings, scopeLevel, scopeDomain, scopeProject } = memory
    const key = JSON.stringify([normalizeText(content), scopeLevel, scopeDomain, scopeProject])
    const group = groups.get(key)
    // Two learnings from one perspective may contradict each other too.
    const agrees = (other: AgentMemory): boolean =>
      Object.entries(learnings).every(([name, text]) => (other.learnings[name] ?? text) === text)
    if (!group) groups.set(key, [memory])
    else if (group.every(agrees)) group.push(memory)
  }
  return groups.values()
}

/**
 * Equal means equal to a reader: how a character is composed and blanks at the end of a line make no difference. Case,
 * width and indentation can: `us` and `US`, `x²` and `x2`, YAML.
 */
const normalizeText = (text: string): string => text.normalize('NFC').replace(/[^\S\n]+(?=\n|$)|^\s*\n|\s+$/g, '')

const sum = (memories: readonly AgentMemory[], of: (memory: AgentMemory) => number): number =>
  memories.reduce((total, memory) => Math.min(AMOUNT_MAX, total + of(memory)), 0)
