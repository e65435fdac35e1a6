// VectorSearch: seed 000's first stage. What of all that an agent may use means something like the question.
import { MemoryError } from '../../model/errors.ts'
import type { Memory } from '../../model/memory.ts'
import type { AgentMemory } from './agentMemory.ts'
import { agentOf, agentView } from './agentView.ts'
import type { EmbeddingClient } from './azureEmbedding.ts'
import { Phase1Config } from './config.ts'
import type { DatabaseConnection } from './connection.ts'
import { VectorSearchError } from './errors.ts'
import { MemoryVectors, type Nearness } from './memoryVectors.ts'

/** A memory, and its cosine with what was asked, 0 to 1. */
export type Candidate = readonly [memory: AgentMemory, similarity: number]

export interface SearchFor {
  readonly query: string
  readonly agentId: string
  /** From where the agent looks; it does not change which memories are near. */
  readonly perspective?: string | undefined
}

export interface SearchByEmbedding {
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
  async searchCandidates({ query, agentId }: SearchFor): Promise<Candidate[]> {
    const { similarityThreshold, candidateLimit } = this.#config
    return this.#chosen(await this.#near(query, agentId), similarityThreshold, candidateLimit)
  }

  /** The same for a vector made before. It is compared with vectors of its own length alone. */
  async searchByEmbedding({
    queryEmbedding,
    agentId,
    similarityThreshold = this.#config.similarityThreshold,
    candidateLimit = this.#config.candidateLimit,
  }: SearchByEmbedding): Promise<Candidate[]> {
    if (queryEmbedding.length === 0 || queryEmbedding.some((value) => !Number.isFinite(value))) {
      throw new VectorSearchError('INPUT_INVALID', 'the question has no vector', { mend: 'Give a list of numbers.' })
    }
    const near = await told(() => this.#vectors.toVector(queryEmbedding, this.#reached(agentId)))
    return this.#chosen(near, similarityThreshold, candidateLimit)
  }

  /** How many memories are as near as the threshold asks, whatever the limit. */
  async countCandidates({ query, agentId }: SearchFor): Promise<number> {
    const near = await this.#near(query, agentId)
    return [...near.values()].filter((similarity) => similarity >= this.#config.similarityThreshold).length
  }

  #near(query: string, agentId: string): Promise<Nearness> {
    if (query.trim() === '') {
      throw new VectorSearchError('INPUT_INVALID', 'the question is empty', { mend: 'Ask with at least one word.' })
    }
    return told(() => this.#vectors.toQuestion(query, this.#reached(agentId)))
  }

  #chosen(near: Nearness, threshold: number, limit: number): Candidate[] {
    return [...near]
      .filter(([, similarity]) => similarity >= threshold)
      .sort(([a, x], [b, y]) => y - x || (a.created < b.created ? 1 : -1))
      .slice(0, limit)
      .map(([memory, similarity]) => [agentView(memory), similarity])
  }

  /** Active memories that the agent may use: its own, those of its domains, and what is for everyone. */
  #reached(agentId: string): Memory[] {
    return this.#db.visible().filter((memory) => memory.status === 'active' && this.#reaches(memory, agentId))
  }

  #reaches(memory: Memory, agentId: string): boolean {
    const own = agentOf(memory) === agentId
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
      mend: known?.mend ?? 'Mend the embedding client, or leave it out for the built-in embedder.',
      cause,
    })
  }
}
