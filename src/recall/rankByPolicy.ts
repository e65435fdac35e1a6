// Ranking: one linear model over named features. The policy chooses its weights.
import type { Memory, MemoryKind } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { computeBreakdown, computeScore, type RankingModel, selectRankingModel } from '../model/rankingScore.ts'
import type { Features, RecalledMemory, RecallQuery } from '../model/recallQuery.ts'
import { daysBetween, decayStrength, normalizeStrength } from '../model/strength.ts'
import { isTrunkBranch } from './indexTerms.ts'
import type { MatchScores, RankableMemory, RecallCandidate } from './recallCandidate.ts'

/** A candidate with its score, and what the score is made of. */
export interface RankedCandidate extends Omit<RecalledMemory, 'memory'> {
  readonly memory: RankableMemory
  /** How surely it is about the query, 0 to 1. */
  readonly relevance: number
  /** Reads the complete memory; `memory` has only the fields for ranking. */
  readonly load: () => Memory
}

/** The index scores that are divided by the best of the recall before they become features. */
const WORK_SCORES = ['words', 'window', 'session', 'files', 'command', 'error', 'branch', 'coverage'] as const
const SCALED_SCORES = [...WORK_SCORES, 'wide', 'before', 'after', 'asked'] as const
export type ScaledMatchScore = (typeof SCALED_SCORES)[number]

/** Additional features of a candidate; `share` gives a score of it divided by the best of the recall. */
export type ExtraFeatures = (candidate: RecallCandidate, share: (name: ScaledMatchScore) => number) => Features

/** How useful a kind is during work, 0 to 1. */
const KIND_WORTH: { readonly [Name in MemoryKind]: number } = {
  lesson: 1,
  preference: 0.9,
  decision: 0.9,
  entry: 0.9,
  consolidated: 0.7,
  fact: 0.9,
  summary: 0.5,
  experience: 0.3,
}

const RECENCY_HALF_LIFE_DAYS = 14

const RECENT_FAILURE_HOURS = 24

/** After this many showings the measured contribution counts half: with fewer it may be chance. */
const HELP_PRIOR = 4

/** What all candidates of one recall are ranked by. */
interface RankingContext {
  readonly best: Readonly<Record<ScaledMatchScore, number>>
  readonly query: RecallQuery
  readonly policy: Policy
  readonly extraFeatures: ExtraFeatures | undefined
}

/** The candidates, best first. Ties go to the newer one, then by id, so that the order is the same every time. */
export function rankByPolicy(
  candidates: readonly RecallCandidate[],
  query: RecallQuery,
  policy: Policy,
  extraFeatures?: ExtraFeatures,
): RankedCandidate[] {
  const context = { best: maxMatchScores(candidates), query, policy, extraFeatures }
  const model = selectRankingModel(policy.recall, query.moment)
  return candidates
    .map((candidate) => scoreCandidate(candidate, computeFeatures(candidate, context), model))
    .sort(
      (a, b) => b.score - a.score || compare(b.memory.updated, a.memory.updated) || compare(a.memory.id, b.memory.id),
    )
}

/** The greatest of each score among the candidates; zeros without candidates. */
export function maxMatchScores(candidates: readonly RecallCandidate[]): RankingContext['best'] {
  const best = Object.fromEntries(SCALED_SCORES.map((name) => [name, 0])) as Record<ScaledMatchScore, number>
  for (const { match } of candidates) {
    for (const name of SCALED_SCORES) best[name] = Math.max(best[name], match[name] ?? 0)
  }
  return best
}

/** The features of one candidate, each 0 to 1 (`helped` −1 to 1). */
function computeFeatures(candidate: RecallCandidate, { best, query, policy, extraFeatures }: RankingContext): Features {
  const { memory, match } = candidate
  const share = (name: ScaledMatchScore) => {
    const value = match[name] ?? 0
    return value > 0 ? value / best[name] : 0
  }
  const { outcome, help } = memory
  const isSameBranch = query.branch !== undefined && !isTrunkBranch(query.branch) && query.branch === memory.branch
  const ageDays = daysBetween(memory.updatedMs ?? Date.parse(memory.updated), query.now)
  return {
    words: share('words') * computeRelevance(match),
    window: share('window'),
    session: share('session'),
    files: share('files'),
    command: share('command'),
    error: share('error'),
    branch: isSameBranch ? 1 : 0,
    importance: memory.importance,
    recency: 0.5 ** (ageDays / RECENCY_HALF_LIFE_DAYS),
    role: query.viewer.role === memory.role ? 1 : memory.role === 'main' ? 0.5 : 0.25,
    outcome: outcome === 'success' ? 1 : outcome === 'failure' ? 0.6 : 0.4,
    strength: normalizeStrength(currentStrength(memory, query.now, policy)),
    kind: KIND_WORTH[memory.kind],
    // The boosts of the self-improving-cycle spec.
    sameTask: (query.taskId !== undefined && query.taskId === memory.taskId) || isSameBranch ? 1 : 0,
    recentFailure: outcome === 'failure' && ageDays * 24 <= RECENT_FAILURE_HOURS ? 1 : 0,
    successPattern: memory.kind === 'lesson' && outcome === 'success' ? 1 : 0,
    helped: help.contribution / (help.shown + HELP_PRIOR),
    ...candidate.work,
    ...extraFeatures?.(candidate, share),
  }
}

/**
 * How surely the memory is about the query, 0 to 1: the strongest single piece of evidence. A command alone says
 * little: the same `npm test` fails in a hundred ways.
 */
export function computeRelevance(match: MatchScores): number {
  const evidence = match.error > 0 ? 1 : match.files > 0 ? 0.6 : match.command > 0 ? 0.5 : 0
  return Math.min(1, Math.max(match.coverage, evidence))
}

function scoreCandidate(
  { memory, match, load }: RecallCandidate,
  features: Features,
  model: RankingModel,
): RankedCandidate {
  return {
    memory,
    score: computeScore(features, model),
    features,
    // Computed when it is read: of fifty candidates two are shown.
    get breakdown() {
      return computeBreakdown(features, model)
    },
    relevance: computeRelevance(match),
    load: load ?? (() => memory as Memory),
  }
}

function currentStrength(memory: RankableMemory, now: number, policy: Policy): number {
  const decayStart =
    memory.decayStartMs ?? Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created ?? memory.updated)
  return decayStrength(
    memory.strength,
    daysBetween(decayStart, now),
    policy.strength.dailyRetention[memory.consolidationLevel] ?? 1,
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
