// VectorSearch: the first stage of the agent-memory spec's search. Memories accessible to an agent that are similar to
// the query.
import type { Memory } from '../../model/memory.ts'
import { MemoryError } from '../../model/memoryError.ts'
import type { AgentMemory } from './agentMemory.ts'
import { agentIdOf, toAgentMemory } from './agentMemoryAdapter.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { MemoryVectors, type SimilarityByMemory } from './memoryVectors.ts'
import { Phase1Config } from './phase1Config.ts'
import { VectorSearchError } from './vectorErrors.ts'

/** A memory and its cosine similarity to the query, 0 to 1. */
export type SearchCandidate = readonly [memory: AgentMemory, similarity: number]

export interface TaskSearch {
  readonly query: string
  readonly agentId: string
  /** The agent's perspective; it changes the ranking, not the similarity. */
  readonly perspective?: string | undefined
}

export interface EmbeddingSearch {
  readonly queryEmbedding: readonly number[]
  readonly agentId: string
  /** Default: the configured one. */
  readonly similarityThreshold?: number | undefined
  readonly candidateLimit?: number | undefined
}

export class VectorSearch {
  readonly #db: DatabaseConnection
  readonly #config: Phase1Config
  readonly #vectors: MemoryVectors

  /** Without a client the embedder in memctl's config is used; by default that is the built-in one. */
  constructor(db: DatabaseConnection, embeddingClient?: EmbeddingClient, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#config = config
    this.#vectors = new MemoryVectors(db, embeddingClient, config.embeddingModel)
  }

  /** The memories similar to a query, most similar first. Throws VectorSearchError if it cannot be embedded. */
  async searchCandidates({ query, agentId }: TaskSearch): Promise<SearchCandidate[]> {
    const { similarityThreshold, candidateLimit } = this.#config
    return this.#select(await this.#findSimilar(query, agentId), similarityThreshold, candidateLimit)
  }

  /** The same for a vector. It is compared only with vectors of the same length. */
  async searchByEmbedding({
    queryEmbedding,
    agentId,
    similarityThreshold = this.#config.similarityThreshold,
    candidateLimit = this.#config.candidateLimit,
  }: EmbeddingSearch): Promise<SearchCandidate[]> {
    if (
      !Array.isArray(queryEmbedding) ||
      queryEmbedding.length === 0 ||
      !queryEmbedding.every((value) => typeof value === 'number' && Number.isFinite(Math.fround(value)))
    ) {
      throw new VectorSearchError('INPUT_INVALID', 'the query has no valid vector', { hint: 'Give a list of numbers.' })
    }
    const similarities = await wrapErrors(() =>
      this.#vectors.compareWithVector(queryEmbedding, this.#listAccessible(agentId)),
    )
    return this.#select(similarities, similarityThreshold, candidateLimit)
  }

  /** How many memories reach the threshold, without the limit. */
  async countCandidates({ query, agentId }: TaskSearch): Promise<number> {
    const similarities = await this.#findSimilar(query, agentId)
    return [...similarities.values()].filter((similarity) => similarity >= this.#config.similarityThreshold).length
  }

  #findSimilar(query: string, agentId: string): Promise<SimilarityByMemory> {
    if (typeof query !== 'string' || query.trim() === '') {
      throw new VectorSearchError('INPUT_INVALID', 'the query is empty', { hint: 'Give at least one word.' })
    }
    return wrapErrors(() => this.#vectors.compareWithText(query, this.#listAccessible(agentId)))
  }

  #select(similarities: SimilarityByMemory, threshold: number, limit: number): SearchCandidate[] {
    return [...similarities]
      .filter(([, similarity]) => similarity >= threshold)
      .sort(([a, x], [b, y]) => y - x || (a.created < b.created ? 1 : -1))
      .slice(0, limit)
      .map(([memory, similarity]) => [toAgentMemory(memory), similarity])
  }

  /** Active memories that the agent may use: its own, those of its domains, and universal ones. */
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

/** Throws every error of `run` as a VectorSearchError. */
async function wrapErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof VectorSearchError) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    const known = cause instanceof MemoryError ? cause : undefined
    throw new VectorSearchError(known?.code ?? 'EMBEDDER_UNAVAILABLE', `memories cannot be searched: ${message}`, {
      hint: known?.hint ?? 'Fix the embedding client, or leave it out to use the built-in embedder.',
      cause,
    })
  }
}
