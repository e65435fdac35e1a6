// MemoryRanker: the second stage of the agent-memory spec's search. One score from similarity, strength and recency,
// with its parts.
//
//   score = .50 × similarity + .30 × min(1, strength / 2) + .20 × recency
//
// With a perspective, the strength gained from it is added to the general strength. It begins at 0, so alone it would
// rank a memory used once from the perspective behind memories that were never used.
import { daysBetween, normalizeStrength, strengthFrom } from '../../model/strength.ts'
import { nowMs } from '../processDefaults.ts'
import type { AgentMemory } from './agentMemory.ts'
import type { SearchCandidate } from './agentStore.ts'
import { Phase1Config } from './phase1Config.ts'

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
    const similarityWeighted = weights.similarity * similarity
    const strengthWeighted = weights.strength * strengthNormalized
    const recencyWeighted = weights.recency * recencyRaw
    const total = similarityWeighted + strengthWeighted + recencyWeighted
    const scoreBreakdown: ScoreBreakdown = {
      similarityRaw: similarity,
      similarityWeighted,
      strengthRaw,
      strengthNormalized,
      strengthWeighted,
      recencyRaw,
      recencyWeighted,
      total,
    }
    return { memory, similarity, finalScore: total, scoreBreakdown }
  }
}
