// Recall: admitted candidates are ranked, boosted, fitted to the moment's budget and rendered. Pure.
import type { Cue, Recall } from '../model/cue.ts'
import type { MemoryId } from '../model/id.ts'
import type { Policy } from '../model/policy.ts'
import { admits } from './admit.ts'
import { fitted } from './fit.ts'
import { type Candidate, ranked } from './rank.ts'
import { rendered } from './render.ts'

/** `told` gives the memories this session has been shown already; asked only when there is something to show. */
export function recall(
  cue: Cue,
  found: readonly Candidate[],
  policy: Policy,
  told: () => ReadonlySet<MemoryId>,
): Recall {
  // Before ranking, not after: a hidden memory must not take a place or sway the order.
  const visible = found.filter((candidate) => admits(cue, candidate.memory))
  const order = ranked(visible, cue, policy)
  const limits = policy.recall.moments[cue.moment]
  const shown = fitted(order, cue, limits, told)
  const shownIds = new Set(shown.map((scored) => scored.memory.id))
  return {
    shown,
    others: order.filter((one) => !shownIds.has(one.memory.id)).map((one) => ({ id: one.memory.id, score: one.score })),
    text: rendered(shown, cue, limits.budgetTokens),
  }
}
