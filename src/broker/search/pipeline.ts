// The one search pipeline: candidates → visibility filter → features → ranking → selection. The cue's moment chooses the stages.
//
//   moment        candidates                       features            weights (policy)     selection
//   a hook's      candidatesFor, of a prompt       of work             recall.weights,      recall(): thresholds, budget,
//                 also by related sessions                             of a prompt prompted what the session was shown
//   ask           questionCandidates: neighbours   of work + of        recall.asked         recall(), or the first so many
//                 and named speakers too           the answer                               that a caller wants
//
// The first two stages are one: an index reader hands out only what the viewer may see. A hook runs the same functions without this
// file, which also loads the stages for questions.
import type { Cue } from '../../model/cue.ts'
import type { Memory } from '../../model/memory.ts'
import type { Policy } from '../../model/policy.ts'
import { askedFeatures } from '../../recall/features/asked.ts'
import { type MoreFeatures, type Ranked, ranked } from '../../recall/rank.ts'
import type { SearchReader } from '../../store/shelf.ts'
import type { Store } from '../store.ts'
import { candidatesFor, type IndexedCandidate } from './candidates.ts'
import { questionCandidates } from './questionCandidates.ts'
import { relatedIn } from './relatedWork.ts'

/** The candidates of a cue, before ranking. */
export function gatherCandidates(
  cue: Cue,
  reader: SearchReader,
  policy: Policy,
  store: Store,
): readonly IndexedCandidate[] {
  return cue.moment === 'ask'
    ? questionCandidates(cue, reader, policy).candidates
    : candidatesFor(cue, reader, policy, relatedIn(store))
}

/** The features that only a question has. */
export const moreFeatures = (cue: Cue): MoreFeatures | undefined =>
  cue.moment === 'ask' ? askedFeatures(cue) : undefined

/** The candidates of a cue, best first, before any threshold and budget. */
export const rankCandidates = (cue: Cue, reader: SearchReader, policy: Policy, store: Store): Ranked[] =>
  ranked(gatherCandidates(cue, reader, policy, store), cue, policy, moreFeatures(cue))

interface SearchScope {
  /** How many are needed; more are given where more were ranked anyway. */
  readonly limit: number
  /** A caller's own filter; every memory where left out. What the viewer may not see is never a candidate. */
  readonly isWanted?: ((memory: Memory) => boolean) | undefined
  /** Which of the ranked count; all where left out. */
  readonly isHit?: ((match: Ranked) => boolean) | undefined
}

interface SearchRanking {
  /** Best first. */
  readonly hits: readonly Ranked[]
  /** Times `features.coverage`: the share of the question's words that a memory has at least once each. */
  readonly onceFactor: number
}

/** The memories for a question. Where too few of the usual candidates count, more are ranked. */
export function searchQuestion(cue: Cue, reader: SearchReader, policy: Policy, scope: SearchScope): SearchRanking {
  const { limit, isWanted, isHit } = scope
  for (let candidatesMax = policy.recall.candidatesMax; ; candidatesMax *= 4) {
    const wide = { ...policy, recall: { ...policy.recall, candidatesMax } }
    const { candidates, isComplete, onceFactor } = questionCandidates(cue, reader, wide, isWanted)
    const order = ranked(candidates, cue, wide, askedFeatures(cue))
    const hits = isHit ? order.filter(isHit) : order
    if (isComplete || hits.length >= limit) return { hits, onceFactor }
  }
}

/** Whether a memory shares a word with the question; a neighbour may be a candidate without one. */
export const sharesWords = ({ features }: Ranked): boolean => (features['coverage'] ?? 0) > 0
