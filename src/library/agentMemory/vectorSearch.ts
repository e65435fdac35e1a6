// VectorSearch: the first stage of the agent-memory spec's search. Memories accessible to an agent that are similar to
// the query.
import { type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { AMOUNT_MAX } from '../../model/strength.ts'
import { checkName, checkWhole, invalidValue } from '../checkInput.ts'
import type { AgentSearch, AgentStore, SearchCandidate } from './agentStore.ts'
import type { EmbeddingClient } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { Phase1Config } from './phase1Config.ts'
import { VectorSearchError } from './vectorErrors.ts'

/** A search for a task. */
export interface TaskSearch extends CallOptions {
  /** What the task is about; not blank. */
  readonly query: string
  /** The agent that searches, 1 to 200 characters. */
  readonly agentId: string
  /** The agent's perspective; it changes the ranking, not the similarity. */
  readonly perspective?: string | undefined
}

/** A search by a vector. */
export interface EmbeddingSearch extends CallOptions {
  /** The vector: as many numbers as the stored vectors have. */
  readonly queryEmbedding: readonly number[]
  /** The agent that searches, 1 to 200 characters. */
  readonly agentId: string
  /** The lowest similarity, 0 to 1; default: the configured one. */
  readonly similarityThreshold?: number | undefined
  /** The largest number of memories, from 0; default: the configured one. */
  readonly candidateLimit?: number | undefined
}

/** Finds the memories of an agent that are similar to a query. */
export class VectorSearch {
  readonly #db: DatabaseConnection
  readonly #client: EmbeddingClient | undefined
  readonly #config: Phase1Config

  /** Without a client the embedder in memctl's config is used; by default that is the built-in one. */
  constructor(db: DatabaseConnection, embeddingClient?: EmbeddingClient, config: Phase1Config = new Phase1Config()) {
    this.#db = db
    this.#client = embeddingClient
    this.#config = config
  }

  /** The memories similar to a query, most similar first. Throws VectorSearchError if it cannot be embedded. */
  async searchCandidates({ query, agentId, signal }: TaskSearch): Promise<SearchCandidate[]> {
    return this.#search({ query: checkQuery(query), agentId, signal, ...this.#defaults() })
  }

  /** The same for a vector. It is compared only with vectors of the same length. Throws VectorSearchError. */
  async searchByEmbedding(search: EmbeddingSearch): Promise<SearchCandidate[]> {
    const { threshold, limit } = this.#defaults()
    const { queryEmbedding, agentId, similarityThreshold = threshold, candidateLimit = limit } = search
    if (
      !Array.isArray(queryEmbedding) ||
      queryEmbedding.length === 0 ||
      !queryEmbedding.every((value) => typeof value === 'number' && Number.isFinite(Math.fround(value)))
    ) {
      throw new VectorSearchError('INPUT_INVALID', 'the query has no valid vector', { hint: 'Give a list of numbers.' })
    }
    const limits = { threshold: similarityThreshold, limit: candidateLimit }
    return this.#search({ query: queryEmbedding, agentId, signal: search.signal, ...limits })
  }

  /** How many memories reach the threshold, without the limit. */
  async countCandidates({ query, agentId, signal }: TaskSearch): Promise<number> {
    const search = { query: checkQuery(query), agentId, signal, ...this.#defaults() }
    return this.#run(search, (store, complete) => store.countSimilar(complete))
  }

  #search(search: SearchValues): Promise<SearchCandidate[]> {
    return this.#run(search, (store, complete) => store.search(complete))
  }

  #run<T>(search: SearchValues, use: (store: AgentStore, search: AgentSearch) => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => use(await this.#db.agentStore(), this.#complete(search))
    return wrapErrors(() => unlessCancelled(search.signal, run))
  }

  #complete(search: SearchValues): AgentSearch {
    checkName(search.agentId, 'agentId')
    checkWhole(search.limit, 'candidateLimit', { min: 0, max: AMOUNT_MAX })
    if (typeof search.threshold !== 'number' || Number.isNaN(search.threshold))
      throw invalidValue('similarityThreshold', search.threshold, 'a number from 0 to 1')
    return { ...search, client: this.#client, config: this.#config }
  }

  #defaults(): Pick<AgentSearch, 'threshold' | 'limit'> {
    return { threshold: this.#config.similarityThreshold, limit: this.#config.candidateLimit }
  }
}

type SearchValues = Omit<AgentSearch, 'client' | 'config'>

function checkQuery(query: string): string {
  if (typeof query === 'string' && query.trim() !== '') return query
  throw new VectorSearchError('INPUT_INVALID', 'the query is empty', { hint: 'Give at least one word.' })
}

/** Throws every error of `run` as a VectorSearchError. */
async function wrapErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (cause instanceof VectorSearchError) throw cause
    if (cause instanceof MemoryError && cause.code === 'CANCELLED') throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    const known = cause instanceof MemoryError ? cause : undefined
    throw new VectorSearchError(known?.code ?? 'EMBEDDER_UNAVAILABLE', `memories cannot be searched: ${message}`, {
      hint: known?.hint ?? 'Fix the embedding client, or leave it out to use the built-in embedder.',
      cause,
    })
  }
}
