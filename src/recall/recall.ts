// Recall: admitted candidates are ranked, boosted, fitted to the moment's budget and rendered. Pure.

import { findExclusionRules, listExcludedKinds } from '../model/exclusion.ts'
import type { MemoryId } from '../model/id.ts'
import type { Policy } from '../model/policy.ts'
import type { RecalledMemory, RecallQuery, RecallResult } from '../model/recallQuery.ts'
import { canRecall } from './canRecall.ts'
import { computeRelevance, type ExtraFeatures, type RankedCandidate, rankByPolicy } from './rankByPolicy.ts'
import type { RecallCandidate } from './recallCandidate.ts'
import { renderContext } from './renderContext.ts'
import { isEligible, selectWithinBudget } from './selectWithinBudget.ts'
import type { FileProbe } from './staleness.ts'

/**
 * `told` gives the memories this session has been shown already; asked only when there is something to show; `more` features where
 * there are any; `fileAt` tells of the files that what is shown is about.
 */
export function recall(
  query: RecallQuery,
  found: readonly RecallCandidate[],
  policy: Policy,
  told: () => ReadonlySet<MemoryId>,
  more?: ExtraFeatures,
  fileAt?: FileProbe,
): RecallResult {
  // Before ranking, not after: a hidden memory must not take a place or sway the order.
  const visible = found.filter((candidate) => canRecall(query, candidate.memory))
  const limits = policy.recall.moments[query.moment]
  // Silence is what a hook mostly answers, and ranking fifty takes it a millisecond: then only who asks for the others has it done.
  const silent = !visible.some(({ memory, match }) => isEligible(memory, computeRelevance(match), query, limits))
  const order = silent ? [] : rankByPolicy(visible, query, policy, more)
  const rules = findExclusionRules(policy.recall.exclusions, query)
  const { shown, next } = selectWithinBudget(order, query, limits, told, listExcludedKinds(rules))
  return {
    shown,
    ...(next && { next: { id: next.memory.id, score: next.score, features: next.features } }),
    ...(rules.length > 0 && { rules }),
    get others() {
      return leftOut(silent ? rankByPolicy(visible, query, policy, more) : order, shown)
    },
    text: renderContext(shown, query, limits.budgetTokens, fileAt),
  }
}

function leftOut(order: readonly RankedCandidate[], shown: readonly RecalledMemory[]): RecallResult['others'] {
  const ids = new Set(shown.map((scored) => scored.memory.id))
  return order.flatMap(({ memory: { id }, score }) => (ids.has(id) ? [] : [{ id, score }]))
}
