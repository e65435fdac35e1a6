// The search of the agent-memory spec in two stages. VectorSearch: memories accessible to an agent that are similar to
// the query. MemoryRanker: one score from similarity, strength and recency, with its parts.
//
//   score = .50 × similarity + .30 × min(1, strength / 2) + .20 × recency
//
// With a perspective, the strength gained from it is added to the general strength. It begins at 0, so alone it would
// rank a memory used once from the perspective behind memories that were never used.
import { type CallOptions, unlessCancelled } from '../../model/longCall.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { AMOUNT_MAX, daysBetween, normalizeStrength, strengthFrom } from '../../model/strength.ts'
import { checkName, checkWhole, invalidValue } from '../checkInput.ts'
import { nowMs } from '../processDefaults.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { AgentSearch, AgentStore, SearchCandidate } from './agentStore.ts'
import { type EmbeddingClient, VectorSearchError } from './azureEmbeddingClient.ts'
import type { DatabaseConnection } from './databaseConnection.ts'
import { Phase1Config } from './phase1Config.ts'

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
    return this.#run({ query: checkQuery(query), agentId, signal }, (store, search) => store.search(search))
  }

  /** The same for a vector. It is compared only with vectors of the same length. Throws VectorSearchError. */
  async searchByEmbedding(search: EmbeddingSearch): Promise<SearchCandidate[]> {
    const { queryEmbedding, agentId, signal, similarityThreshold: threshold, candidateLimit: limit } = search
    if (
      !Array.isArray(queryEmbedding) ||
      queryEmbedding.length === 0 ||
      !queryEmbedding.every((value) => typeof value === 'number' && Number.isFinite(Math.fround(value)))
    ) {
      throw new VectorSearchError('INPUT_INVALID', 'the query has no valid vector', { hint: 'Give a list of numbers.' })
    }
    const request = { query: queryEmbedding, agentId, signal, threshold, limit }
    return this.#run(request, (store, complete) => store.search(complete))
  }

  /** How many memories reach the threshold, without the limit. */
  async countCandidates({ query, agentId, signal }: TaskSearch): Promise<number> {
    return this.#run({ query: checkQuery(query), agentId, signal }, (store, search) => store.countSimilar(search))
  }

  /** Checks a search, completes it with what is configured, and runs it. Throws VectorSearchError. */
  #run<T>(given: SearchRequest, use: (store: AgentStore, search: AgentSearch) => Promise<T>): Promise<T> {
    const { query, signal } = given
    const { similarityThreshold, candidateLimit } = this.#config
    const { threshold = similarityThreshold, limit = candidateLimit } = given
    const run = async (): Promise<T> => {
      const store = await this.#db.agentStore()
      const agentId = checkName(given.agentId, 'agentId')
      checkWhole(limit, 'candidateLimit', { min: 0, max: AMOUNT_MAX })
      if (typeof threshold !== 'number' || Number.isNaN(threshold))
        throw invalidValue('similarityThreshold', threshold, 'a number from 0 to 1')
      return use(store, { query, agentId, signal, threshold, limit, client: this.#client, config: this.#config })
    }
    return wrapErrors(() => unlessCancelled(signal, run))
  }
}

/** What a caller gives; the rest is configured. */
type SearchRequest = Pick<AgentSearch, 'query' | 'agentId' | 'signal'> &
  Readonly<Partial<Record<'threshold' | 'limit', number | undefined>>>

function checkQuery(query: string): string {
  if (typeof query === 'string' && query.trim() !== '') return query
  throw new VectorSearchError('INPUT_INVALID', 'the query is empty', { hint: 'Give at least one word.' })
}

/** Throws every error of `run` as a VectorSearchError. */
async function wrapErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    const known = cause instanceof MemoryError ? cause : undefined
    if (cause instanceof VectorSearchError || known?.code === 'CANCELLED') throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new VectorSearchError(known?.code ?? 'EMBEDDER_UNAVAILABLE', `memories cannot be searched: ${message}`, {
      hint: known?.hint ?? 'Fix the embedding client, or leave it out to use the built-in embedder.',
      cause,
    })
  }
}

/** Each part of a score, raw and weighted. */
export interface ScoreBreakdown {
  /** The cosine similarity, 0 to 1. */
  readonly similarityRaw: number
  /** The similarity × its weight, 0 to 0.5 by default. */
  readonly similarityWeighted: number
  /** The strength, with that of the perspective, from 0. */
  readonly strengthRaw: number
  /** The strength divided by 2, at most 1. */
  readonly strengthNormalized: number
  /** The normalized strength × its weight, 0 to 0.3 by default. */
  readonly strengthWeighted: number
  /** 1 for a use now, half as much every 30 days. */
  readonly recencyRaw: number
  /** The recency × its weight, 0 to 0.2 by default. */
  readonly recencyWeighted: number
  /** The sum of the weighted parts, 0 to 1 by default. */
  readonly total: number
}

/** A memory with its score. */
export interface ScoredMemory {
  /** The memory. */
  readonly memory: AgentMemory
  /** 0 to 1, from the first stage. */
  readonly similarity: number
  /** The total of the breakdown, 0 to 1 by default. */
  readonly finalScore: number
  /** The parts of the score. */
  readonly scoreBreakdown: ScoreBreakdown
}

/** Days after which recency is one half. The spec defines none; memctl's importance by access uses the same. */
const RECENCY_HALF_LIFE_DAYS = 30

/** Orders the candidates of a search by similarity, strength and recency. */
export class MemoryRanker {
  readonly #config: Phase1Config
  readonly #now: () => number

  /** `now` in milliseconds since 1970. */
  constructor(config: Phase1Config = new Phase1Config(), now: () => number = nowMs) {
    this.#config = config
    this.#now = now
  }

  /** The best candidates, at most `topKResults`. With a perspective, the strength gained from it counts too. */
  rank(candidates: readonly SearchCandidate[], perspective?: string): ScoredMemory[] {
    return candidates
      .map(([memory, similarity]) => this.#score(memory, similarity, perspective))
      .sort((a, b) => b.finalScore - a.finalScore || b.similarity - a.similarity)
      .slice(0, this.#config.topKResults)
  }

  #score(memory: AgentMemory, similarity: number, perspective: string | undefined): ScoredMemory {
    const { scoreWeights: weights } = this.#config
    const own = perspective === undefined ? 0 : strengthFrom(memory.strengthByPerspective, perspective)
    const strengthRaw = memory.strength + own
    const strengthNormalized = normalizeStrength(strengthRaw)
    const days = daysBetween((memory.lastAccessedAt ?? memory.createdAt).getTime(), this.#now())
    const recencyRaw = 0.5 ** (days / RECENCY_HALF_LIFE_DAYS)
    const parts = {
      similarityRaw: similarity,
      similarityWeighted: weights.similarity * similarity,
      strengthRaw,
      strengthNormalized,
      strengthWeighted: weights.strength * strengthNormalized,
      recencyRaw,
      recencyWeighted: weights.recency * recencyRaw,
    }
    const total = parts.similarityWeighted + parts.strengthWeighted + parts.recencyWeighted
    return { memory, similarity, finalScore: total, scoreBreakdown: { ...parts, total } }
  }
}
