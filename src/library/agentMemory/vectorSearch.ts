// VectorSearch: seed 000's first stage. What of all that an agent may use means something like the question.

import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { AgentMemory } from './agentMemory.ts'
import { agentIdOf, toAgentMemory } from './agentMemoryAdapter.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { MemoryVectors, type SimilarityByMemory } from './memoryVectors.ts'
import { Phase1Config } from './phase1Config.ts'
import { VectorSearchError } from './vectorErrors.ts'

/** A memory, and its cosine with what was asked, 0 to 1. */
export type SearchCandidate = readonly [memory: AgentMemory, similarity: number]

export interface TaskSearch {
  readonly query: string
  readonly agentId: string
  /** From where the agent looks; it does not change which memories are near. */
  readonly perspective?: string | undefined
}

export interface EmbeddingSearch {
  readonly queryEmbedding: readonly number[]
  readonly agentId: string
  /** The configured one where left out. */
  readonly similarityThreshold?: number | undefined
  readonly candidateLimit?: number | undefined
}

export class VectorSearch {
  readonly #db: DatabaseConnection
  readonly #config: Phase1Config
  readonly #vectors: MemoryVectors

  /** Without a client the embedder in memctl's config serves, as shipped the built-in one. */
  constructor(db: DatabaseConnection, embeddingClient?: EmbeddingClient, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#config = config
    this.#vectors = new MemoryVectors(db, embeddingClient, config.embeddingModel)
  }

  /** The memories near a question, the nearest first. Throws VectorSearchError where it cannot be embedded. */
  async searchCandidates({ query, agentId }: TaskSearch): Promise<SearchCandidate[]> {
    const { similarityThreshold, candidateLimit } = this.#config
    return this.#select(await this.#findSimilar(query, agentId), similarityThreshold, candidateLimit)
  }

  /** The same for a vector made before. It is compared with vectors of its own length alone. */
  async searchByEmbedding({
    queryEmbedding,
    agentId,
    similarityThreshold = this.#config.similarityThreshold,
    candidateLimit = this.#config.candidateLimit,
  }: EmbeddingSearch): Promise<SearchCandidate[]> {
    if (queryEmbedding.length === 0 || queryEmbedding.some((value) => !Number.isFinite(value))) {
      throw new VectorSearchError('INPUT_INVALID', 'the question has no vector', { hint: 'Give a list of numbers.' })
    }
    const near = await told(() => this.#vectors.compareWithVector(queryEmbedding, this.#listAccessible(agentId)))
    return this.#select(near, similarityThreshold, candidateLimit)
  }

  /** How many memories are as near as the threshold asks, whatever the limit. */
  async countCandidates({ query, agentId }: TaskSearch): Promise<number> {
    const near = await this.#findSimilar(query, agentId)
    return [...near.values()].filter((similarity) => similarity >= this.#config.similarityThreshold).length
  }

  #findSimilar(query: string, agentId: string): Promise<SimilarityByMemory> {
    if (query.trim() === '') {
      throw new VectorSearchError('INPUT_INVALID', 'the question is empty', { hint: 'Ask with at least one word.' })
    }
    return told(() => this.#vectors.compareWithText(query, this.#listAccessible(agentId)))
  }

  #select(near: SimilarityByMemory, threshold: number, limit: number): SearchCandidate[] {
    return [...near]
      .filter(([, similarity]) => similarity >= threshold)
      .sort(([a, x], [b, y]) => y - x || (a.created < b.created ? 1 : -1))
      .slice(0, limit)
      .map(([memory, similarity]) => [toAgentMemory(memory), similarity])
  }

  /** Active memories that the agent may use: its own, those of its domains, and what is for everyone. */
  #listAccessible(agentId: string): Memory[] {
    return this.#db.listVisible().filter((memory) => memory.status === 'active' && this.#canAccess(memory, agentId))
  }

  #canAccess(memory: Memory, agentId: string): boolean {
    const own = agentIdOf(memory) === agentId
    const { relatedDomains, currentProjectId } = this.#config
    switch (memory.scope) {
      case 'universal':
        return true
      case 'domain':
        return own || (memory.scopeDomain !== undefined && relatedDomains.includes(memory.scopeDomain))
      case 'project':
        return own && (memory.scopeProject === undefined || memory.scopeProject === currentProjectId)
    }
  }
}

/** Whatever goes wrong behind a search, under its own name. */
async function told<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof VectorSearchError) throw cause
    const what = cause instanceof Error ? cause.message : String(cause)
    const known = cause instanceof MemoryError ? cause : undefined
    throw new VectorSearchError(known?.code ?? 'EMBEDDER_UNAVAILABLE', `memories cannot be searched: ${what}`, {
      hint: known?.hint ?? 'Mend the embedding client, or leave it out for the built-in embedder.',
      cause,
    })
  }
}
