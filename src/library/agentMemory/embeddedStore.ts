// The AgentStore of a project's own store: every change is an event in its log, and on disk when the call returns.
import { asyncDispose } from '../../model/disposal.ts'
import type { Memory } from '../../model/memory.ts'
import { LEVEL_MAX } from '../../model/memoryNumbers.ts'
import { computeConsolidationLevel, type StrengthChange } from '../../model/strength.ts'
import { checkChange } from '../checkInput.ts'
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
    return this.#project.has(memory.id) ? undefined : this.#save(toStoredMemory(memory, model))
  }

  async get(ids: readonly string[]): Promise<AgentMemory[]> {
    return this.#project.find(...ids).map(toAgentMemory)
  }

  async list({ agentId, status, order, limit, strengthMax }: AgentQuery): Promise<AgentMemory[]> {
    const memories = this.#listByAgent(agentId, status).filter(
      (memory) => strengthMax === undefined || memory.strength <= strengthMax,
    )
    if (order === 'newest') memories.reverse().sort((a, b) => compareTexts(b.created, a.created))
    else memories.sort((a, b) => a.strength - b.strength || compareTexts(a.created, b.created))
    return memories.slice(0, limit).map(toAgentMemory)
  }

  async count(agentId: string, status: Memory['status']): Promise<number> {
    return this.#listByAgent(agentId, status).length
  }

  async replace(memory: AgentMemory, model: string): Promise<AgentMemory | undefined> {
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
    return [...(await this.#compare(search))]
      .filter(([, similarity]) => similarity >= search.threshold)
      .sort(([a, x], [b, y]) => y - x || compareTexts(b.created, a.created))
      .slice(0, search.limit)
      .map(([memory, similarity]) => [toAgentMemory(memory), similarity])
  }

  async countSimilar(search: Omit<AgentSearch, 'limit'>): Promise<number> {
    const similarities = await this.#compare(search)
    return [...similarities.values()].filter((similarity) => similarity >= search.threshold).length
  }

  async logSleep({ agentId, ...counts }: SleepRecord): Promise<void> {
    this.#project.commit({ kind: 'agent.slept', agent: agentId, ...counts, errors: [...counts.errors] })
  }

  async connect<T>(use: (connection: StoreConnection) => Promise<T> | T): Promise<T> {
    const rows = () => this.#project.listVisible().map(toAgentMemory)
    // Nothing to commit: a cursor of this store only reads.
    return use({ cursor: () => createEmbeddedCursor(rows), commit: async () => {}, rollback: async () => {} })
  }

  async healthCheck(): Promise<boolean> {
    try {
      this.#project.liveStore.memories()
      return true
    } catch {
      return false // Closed, damaged or of a later version: the next call throws the error with its hint.
    }
  }

  async close(): Promise<void> {
    this.#project.close()
  }

  [asyncDispose](): Promise<void> {
    return this.close()
  }

  #compare({ query, client, config, agentId, signal }: Omit<AgentSearch, 'limit'>): Promise<SimilarityByMemory> {
    const vectors = this.#vectors.get(client) ?? new MemoryVectors(this.#project, client)
    this.#vectors.set(client, vectors)
    const accessible = this.#project
      .listVisible()
      .filter((memory) => memory.status === 'active' && canAccess(memory, { agentId, config }))
    return typeof query === 'string'
      ? vectors.compareWithText({ query, model: config.embeddingModel, signal }, accessible)
      : vectors.compareWithVector({ query, model: config.embeddingModel, signal }, accessible)
  }

  /** Applies `decide` to each of these memories, in as few events as possible; returns how many changed. */
  #strengthen(ids: readonly string[], decide: (memory: Memory) => StrengthChange | undefined): number {
    const changes = this.#project.find(...new Set(ids)).flatMap((memory) => decide(memory) ?? [])
    for (let from = 0; from < changes.length; from += CHANGES_PER_EVENT) {
      this.#project.strengthen(changes.slice(from, from + CHANGES_PER_EVENT))
    }
    return changes.length
  }

  #save(memory: Memory): AgentMemory {
    this.#project.save(memory)
    return toAgentMemory(this.#project.find(memory.id)[0] ?? memory)
  }

  #listByAgent(agentId: string, status: Memory['status']): Memory[] {
    return this.#project.listVisible().filter((memory) => agentIdOf(memory) === agentId && memory.status === status)
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
