// Recall: admitted candidates are ranked, boosted, fitted to the moment's budget and rendered. Pure.
import type { Cue, Recall, Scored } from '../model/cue.ts'
import { kindsLeftOut, rulesFor } from '../model/exclusion.ts'
import type { MemoryId } from '../model/id.ts'
import type { Policy } from '../model/policy.ts'
import { admits } from './admit.ts'
import type { Candidate } from './candidate.ts'
import { fitted, mayBeShown } from './fit.ts'
import { type MoreFeatures, type Ranked, ranked, relevanceOf } from './rank.ts'
import { rendered } from './render.ts'
import type { FileAt } from './stale.ts'

/**
 * `told` gives the memories this session has been shown already; asked only when there is something to show; `more` features where
 * there are any; `fileAt` tells of the files that what is shown is about.
 */
export function recall(
  cue: Cue,
  found: readonly Candidate[],
  policy: Policy,
  told: () => ReadonlySet<MemoryId>,
  more?: MoreFeatures,
  fileAt?: FileAt,
): Recall {
  // Before ranking, not after: a hidden memory must not take a place or sway the order.
  const visible = found.filter((candidate) => admits(cue, candidate.memory))
  const limits = policy.recall.moments[cue.moment]
  // Silence is what a hook mostly answers, and ranking fifty takes it a millisecond: then only who asks for the others has it done.
  const silent = !visible.some(({ memory, match }) => mayBeShown(memory, relevanceOf(match), cue, limits))
  const order = silent ? [] : ranked(visible, cue, policy, more)
  const rules = rulesFor(policy.recall.exclusions, cue)
  const { shown, next } = fitted(order, cue, limits, told, kindsLeftOut(rules))
  return {
    shown,
    ...(next && { next: { id: next.memory.id, score: next.score, features: next.features } }),
    ...(rules.length > 0 && { rules }),
    get others() {
      return leftOut(silent ? ranked(visible, cue, policy, more) : order, shown)
    },
    text: rendered(shown, cue, limits.budgetTokens, fileAt),
  }
}

function leftOut(order: readonly Ranked[], shown: readonly Scored[]): Recall['others'] {
  const ids = new Set(shown.map((scored) => scored.memory.id))
  return order.flatMap(({ memory: { id }, score }) => (ids.has(id) ? [] : [{ id, score }]))
}
