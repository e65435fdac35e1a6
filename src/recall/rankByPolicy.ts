// Rank: one linear model over named features, whose weights live in the policy. Then the cycle's boosts.

import type { Memory, MemoryKind } from '../model/memory.ts'
import { type Policy, type RankingModel, selectRankingModel } from '../model/policy.ts'
import { type BOOST_FEATURES, computeBreakdown, computeScore } from '../model/rankingScore.ts'
import type { Features, RecallQuery } from '../model/recallQuery.ts'
import { daysBetween, decayStrength, normalizeStrength } from '../model/strength.ts'
import { isTrunkBranch } from './indexTerms.ts'
import type { MatchScores, RankableMemory, RecallCandidate } from './recallCandidate.ts'

/** A candidate with where it stands, and why. */
export interface RankedCandidate {
  readonly memory: RankableMemory
  readonly score: number
  readonly features: Features
  readonly breakdown: Features
  /** How surely it is about the cue, 0 to 1. */
  readonly relevance: number
  readonly load: () => Memory
}

/** Features beyond those of work, made from a candidate and from what share of the best each of its raw scores is. */
export type ExtraFeatures = (candidate: RecallCandidate, share: (name: keyof MatchScores) => number) => Features

/** How much a kind says to somebody at work, 0 to 1: a lesson more than a diary. */
const KIND_WORTH: { readonly [Name in MemoryKind]: number } = {
  lesson: 1,
  preference: 0.9,
  decision: 0.9,
  entry: 0.9,
  consolidated: 0.7,
  summary: 0.5,
  experience: 0.3,
}

/** Showings after which a record of helping counts half: before that it may be chance. */
const HELP_PRIOR = 4

/** The candidates, best first. Ties go to the newer one, then by id, so that one cue has one answer. */
export function rankByPolicy(
  candidates: readonly RecallCandidate[],
  query: RecallQuery,
  policy: Policy,
  more?: ExtraFeatures,
): RankedCandidate[] {
  const best = maxMatchScores(candidates)
  const weights = selectRankingModel(policy.recall, query.moment)
  return candidates
    .map((candidate) => rankedOne(candidate, computeFeatures(candidate, best, query, policy, more), weights))
    .sort(
      (a, b) => b.score - a.score || compare(b.memory.updated, a.memory.updated) || compare(a.memory.id, b.memory.id),
    )
}

/** The features of one candidate, each 0 to 1 (`helped` −1 to 1). Index scores are divided by the best of this recall. */
function computeFeatures(
  candidate: RecallCandidate,
  best: MatchScores,
  query: RecallQuery,
  policy: Policy,
  more?: ExtraFeatures,
): Features {
  const { memory, match } = candidate
  const share = (name: keyof MatchScores) => ((match[name] ?? 0) > 0 ? match[name]! / best[name]! : 0)
  const { outcome, help } = memory
  const sameBranch = query.branch !== undefined && !isTrunkBranch(query.branch) && query.branch === memory.branch
  const ageDays = daysBetween(memory.updatedMs ?? Date.parse(memory.updated), query.now)
  const { sameTask, recentFailure, successPattern } = boostsOf(memory, sameBranch, ageDays, query, policy)
  return {
    words: share('words') * computeRelevance(match),
    window: share('window'),
    session: share('session'),
    files: share('files'),
    command: share('command'),
    error: share('error'),
    branch: sameBranch ? 1 : 0,
    importance: memory.importance,
    recency: 0.5 ** (ageDays / policy.recall.recencyHalfLifeDays),
    role: query.viewer.role === memory.role ? 1 : memory.role === 'main' ? 0.5 : 0.25,
    outcome: outcome === 'success' ? 1 : outcome === 'failure' ? 0.6 : 0.4,
    strength: normalizeStrength(strengthNow(memory, query.now, policy)),
    kind: KIND_WORTH[memory.kind],
    sameTask,
    recentFailure,
    successPattern,
    helped: help.contribution / (help.shown + HELP_PRIOR),
    ...candidate.work,
    ...more?.(candidate, share),
  }
}

/**
 * How surely the memory is about the cue, 0 to 1: the strongest single piece of evidence. A command alone says little: the
 * same `npm test` fails in a hundred ways.
 */
export function computeRelevance(match: MatchScores): number {
  const named = match.error > 0 ? 1 : match.files > 0 ? 0.6 : match.command > 0 ? 0.5 : 0
  return Math.min(1, Math.max(match.coverage, named))
}

function rankedOne(candidate: RecallCandidate, features: Features, weights: RankingModel): RankedCandidate {
  const whole = candidate.load ?? (() => candidate.memory as Memory)
  const { memory, match } = candidate
  return {
    memory,
    score: computeScore(features, weights),
    features,
    // When it is asked for: of fifty candidates two are shown.
    get breakdown() {
      return computeBreakdown(features, weights)
    },
    relevance: computeRelevance(match),
    load: whole,
  }
}

/** Seed 003's rule-based boosts: the same task, a recent failure, a success pattern. Each 0 or 1. */
function boostsOf(
  memory: RankableMemory,
  sameBranch: boolean,
  ageDays: number,
  query: RecallQuery,
  policy: Policy,
): { readonly [Name in (typeof BOOST_FEATURES)[number]]: number } {
  const yes = (holds: boolean) => (holds ? 1 : 0)
  return {
    sameTask: yes((query.taskId !== undefined && query.taskId === memory.taskId) || sameBranch),
    recentFailure: yes(memory.outcome === 'failure' && ageDays * 24 <= policy.recall.recentFailureHours),
    successPattern: yes(memory.kind === 'lesson' && memory.outcome === 'success'),
  }
}

function strengthNow(memory: RankableMemory, now: number, policy: Policy): number {
  const since =
    memory.decayStartMs ?? Date.parse(memory.lastDecayed ?? memory.lastUsed ?? memory.created ?? memory.updated)
  return decayStrength(
    memory.strength,
    daysBetween(since, now),
    policy.strength.dailyRetention[memory.consolidationLevel] ?? 1,
  )
}

const MATCHES = [
  ...(['words', 'window', 'session', 'files', 'command', 'error', 'branch', 'coverage'] as const),
  ...(['wide', 'before', 'after', 'asked'] as const),
]

/** The greatest of each raw score among the candidates. */
function maxMatchScores(candidates: readonly RecallCandidate[]): MatchScores {
  const best: { -readonly [Name in keyof MatchScores]: number } = {
    ...{ words: 0, window: 0, session: 0, files: 0, command: 0, error: 0, branch: 0, coverage: 0 },
    ...{ wide: 0, before: 0, after: 0, asked: 0 },
  }
  for (const { match } of candidates) {
    for (let i = 0; i < MATCHES.length; i++) best[MATCHES[i]!] = Math.max(best[MATCHES[i]!]!, match[MATCHES[i]!] ?? 0)
  }
  return best
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
