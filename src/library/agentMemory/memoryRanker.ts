// MemoryRanker: seed 000's second stage. How near, how strong, how lately used: one score, and why.
//
//   score = .50 × similarity + .30 × min(1, strength / 2) + .20 × recency
//
// From a perspective a memory's strength is what it has in general and what it has gained from there: that part begins at 0, so that alone it
// would put a memory used once from a perspective behind those never used at all.
import { daysBetween, normalizeStrength } from '../../model/strength.ts'
import { nowMs } from '../processDefaults.ts'
import type { AgentMemory } from './agentMemory.ts'
import { Phase1Config } from './phase1Config.ts'
import type { SearchCandidate } from './vectorSearch.ts'

/** Each part of a score as it is, and as it counts. */
export interface ScoreBreakdown {
  readonly similarityRaw: number
  readonly similarityWeighted: number
  readonly strengthRaw: number
  readonly strengthNormalized: number
  readonly strengthWeighted: number
  readonly recencyRaw: number
  readonly recencyWeighted: number
  readonly total: number
}

export interface ScoredMemory {
  readonly memory: AgentMemory
  /** 0 to 1, from the first stage. */
  readonly similarity: number
  readonly finalScore: number
  readonly scoreBreakdown: ScoreBreakdown
}

/** Days after which recency is one half; the document names no measure, this is the one of memctl's importance by access. */
const RECENCY_HALF_LIFE_DAYS = 30

export class MemoryRanker {
  readonly #config: Phase1Config
  readonly #now: () => number

  /** `now` in milliseconds since 1970. */
  constructor(config: Phase1Config = new Phase1Config(), now: () => number = nowMs) {
    this.#config = config
    this.#now = now
  }

  /** The best, at most as many as are configured. With a perspective, what a memory has gained from it counts too. */
  rank(candidates: readonly SearchCandidate[], perspective?: string): ScoredMemory[] {
    return candidates
      .map(([memory, similarity]) => this.#scored(memory, similarity, perspective))
      .sort((a, b) => b.finalScore - a.finalScore || b.similarity - a.similarity)
      .slice(0, this.#config.topKResults)
  }

  #scored(memory: AgentMemory, similarity: number, perspective: string | undefined): ScoredMemory {
    const { scoreWeights: weights } = this.#config
    const own = perspective === undefined ? undefined : memory.strengthByPerspective[perspective]
    const strengthRaw = memory.strength + (own ?? 0)
    const strengthNormalized = normalizeStrength(strengthRaw)
    const days = daysBetween((memory.lastAccessedAt ?? memory.createdAt).getTime(), this.#now())
    const recencyRaw = 0.5 ** (days / RECENCY_HALF_LIFE_DAYS)
    const similarityWeighted = weights.similarity * similarity
    const strengthWeighted = weights.strength * strengthNormalized
    const recencyWeighted = weights.recency * recencyRaw
    const total = similarityWeighted + strengthWeighted + recencyWeighted
    const scoreBreakdown: ScoreBreakdown = {
      ...{ similarityRaw: similarity, similarityWeighted, strengthRaw, strengthNormalized, strengthWeighted },
      ...{ recencyRaw, recencyWeighted, total },
    }
    return { memory, similarity, finalScore: total, scoreBreakdown }
  }
}
