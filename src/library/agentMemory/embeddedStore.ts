// The AgentStore of a project's own store: every change is an event in its log, and on disk when the call returns.
import { asyncDispose } from '../../model/longCall.ts'
import type { Memory } from '../../model/memory.ts'
import { computeConsolidationLevel, LEVEL_MAX, type StrengthChange } from '../../model/strength.ts'
import { mapWithPauses, sortWithPauses } from '../processDefaults.ts'
import type { AgentMemory } from './agentMemory.ts'
import { agentIdOf, toAgentMemory, toStoredMemory } from './agentMemoryAdapter.ts'
import type {
  AgentChange,
  AgentQuery,
  AgentSearch,
  AgentStore,
  SearchCandidate,
  SleepRecord,
  StoreConnection,
} from './agentStore.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import { checkChange } from './changeStatement.ts'
import { createEmbeddedCursor } from './embeddedCursor.ts'
import { MemoryVectors, type SimilarityByMemory } from './memoryVectors.ts'
import type { ProjectMemories } from './projectMemories.ts'

/** Changes in one event: a line of about 16 KiB, the limit of hooks. */
const CHANGES_PER_EVENT = 200

export class EmbeddedStore implements AgentStore {
  readonly kind = 'embedded'
  readonly #project: ProjectMemories
  readonly #vectors = new Map<EmbeddingClient | undefined, MemoryVectors>()

  constructor(project: ProjectMemories) {
    this.#project = project
  }

  async insert(memory: AgentMemory, model: string): Promise<AgentMemory | undefined> {
    await this.#project.open()
    return this.#project.has(memory.id) ? undefined : this.#save(toStoredMemory(memory, model))
  }

  async get(ids: readonly string[]): Promise<AgentMemory[]> {
    await this.#project.open()
    return mapWithPauses(this.#project.find(...ids), toAgentMemory)
  }

  async list({ agentId, status, order, limit, strengthMax }: AgentQuery): Promise<AgentMemory[]> {
    const memories = (await this.#listByAgent(agentId, status)).filter(
      (memory) => strengthMax === undefined || memory.strength <= strengthMax,
    )
    const sorted =
      order === 'newest'
        ? await sortWithPauses(memories.reverse(), (a, b) => compareTexts(b.created, a.created))
        : await sortWithPauses(memories, (a, b) => a.strength - b.strength || compareTexts(a.created, b.created))
    return mapWithPauses(sorted.slice(0, limit), toAgentMemory)
  }

  async count(agentId: string, status: Memory['status']): Promise<number> {
    return (await this.#listByAgent(agentId, status)).length
  }

  async replace(memory: AgentMemory, model: string): Promise<AgentMemory | undefined> {
    await this.#project.open()
    const [before] = this.#project.find(memory.id)
    return before && this.#save(toStoredMemory(memory, model, before))
  }

  async change(ids: readonly string[], change: AgentChange): Promise<number> {
    checkChange(change)
    return this.#strengthen(ids, (memory) => toStrengthChange(memory, change))
  }

  async setStrengths(strengths: ReadonlyMap<string, number>): Promise<number> {
    return this.#strengthen([...strengths.keys()], ({ id, strength }) => ({
      memory: id,
      strengthTo: strengths.get(id) ?? strength,
    }))
  }

  async search(search: AgentSearch): Promise<SearchCandidate[]> {
    const similarities = await this.#compare(search)
    const found = await mapWithPauses(similarities, (entry) => (entry[1] >= search.threshold ? entry : undefined))
    const best = await sortWithPauses(found, ([a, x], [b, y]) => y - x || compareTexts(b.created, a.created))
    return mapWithPauses(
      best.slice(0, search.limit),
      ([memory, similarity]) => [toAgentMemory(memory), similarity] as const,
    )
  }

  async countSimilar(search: Omit<AgentSearch, 'limit'>): Promise<number> {
    const similarities = await this.#compare(search)
    return [...similarities.values()].filter((similarity) => similarity >= search.threshold).length
  }

  async logSleep({ agentId, ...counts }: SleepRecord): Promise<void> {
    await this.#project.open()
    this.#project.commit({ kind: 'agent.slept', agent: agentId, ...counts, errors: [...counts.errors] })
  }

  async connect<T>(use: (connection: StoreConnection) => Promise<T> | T): Promise<T> {
    const rows = async () => mapWithPauses(await this.#project.listVisible(), toAgentMemory)
    // Nothing to commit: a cursor of this store only reads.
    return use({ cursor: () => createEmbeddedCursor(rows), commit: async () => {}, rollback: async () => {} })
  }

  async healthCheck(): Promise<boolean> {
    try {
      await this.#project.open()
      this.#project.liveStore.memories()
      return true
    } catch {
      return false // Closed, damaged or of a later version: the next call throws the error with its hint.
    }
  }

  close(): Promise<void> {
    return this.#project.close()
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }

  async #compare({ query, client, config, agentId, signal }: Omit<AgentSearch, 'limit'>): Promise<SimilarityByMemory> {
    const vectors = this.#vectors.get(client) ?? new MemoryVectors(this.#project, client)
    this.#vectors.set(client, vectors)
    const accessible = await mapWithPauses(await this.#project.listVisible(), (memory) =>
      memory.status === 'active' && canAccess(memory, { agentId, config }) ? memory : undefined,
    )
    return typeof query === 'string'
      ? vectors.compareWithText({ query, model: config.embeddingModel, signal }, accessible)
      : vectors.compareWithVector({ query, model: config.embeddingModel, signal }, accessible)
  }

  /** Applies `decide` to each of these memories, in as few events as possible; returns how many changed. */
  async #strengthen(ids: readonly string[], decide: (memory: Memory) => StrengthChange | undefined): Promise<number> {
    const distinct = [...new Set(ids)]
    let changed = 0
    for (let from = 0; from < distinct.length; from += CHANGES_PER_EVENT) {
      await this.#project.open()
      const memories = this.#project.find(...distinct.slice(from, from + CHANGES_PER_EVENT))
      const changes = memories.flatMap((memory) => decide(memory) ?? [])
      if (changes.length > 0) this.#project.strengthen(changes)
      changed += changes.length
    }
    return changed
  }

  #save(memory: Memory): AgentMemory {
    this.#project.save(memory)
    return toAgentMemory(this.#project.find(memory.id)[0] ?? memory)
  }

  async #listByAgent(agentId: string, status: Memory['status']): Promise<Memory[]> {
    return mapWithPauses(await this.#project.listVisible(), (memory) =>
      agentIdOf(memory) === agentId && memory.status === status ? memory : undefined,
    )
  }
}

/** The change as an event has it, with what follows from the memory; undefined if it does not change the memory. */
function toStrengthChange(memory: Memory, { only, keptByLevel, levelUses, ...change }: AgentChange) {
  if (only !== undefined && memory.status !== only) return undefined
  const { consolidationLevel } = memory
  const kept = keptByLevel && (keptByLevel[consolidationLevel] ?? 1)
  const uses = memory.accessCount + (change.uses ?? 0)
  const level = levelUses && Math.min(LEVEL_MAX, computeConsolidationLevel(uses, levelUses))
  if (level === consolidationLevel && isLevelAlone(change) && kept === undefined) return undefined
  return { memory: memory.id, ...change, kept, level }
}

const isLevelAlone = (change: AgentChange): boolean => Object.values(change).every((value) => value === undefined)

function canAccess(memory: Memory, { agentId, config }: Pick<AgentSearch, 'agentId' | 'config'>): boolean {
  const own = agentIdOf(memory) === agentId
  switch (memory.scope) {
    case 'universal':
      return true
    case 'domain':
      return own || (memory.scopeDomain !== undefined && config.relatedDomains.includes(memory.scopeDomain))
    case 'project':
      return own && (memory.scopeProject === undefined || memory.scopeProject === config.currentProjectId)
  }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
