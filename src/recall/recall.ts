// Recall: admitted candidates are ranked, boosted, fitted to the moment's budget and rendered. Pure.
import type { Cue, Recall, Scored } from '../model/cue.ts'
import type { MemoryId } from '../model/id.ts'
import type { Policy } from '../model/policy.ts'
import { admits } from './admit.ts'
import { fitted, mayBeShown } from './fit.ts'
import { type Candidate, type Ranked, ranked, relevanceOf } from './rank.ts'
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
  const limits = policy.recall.moments[cue.moment]
  if (!visible.some(({ memory, match }) => mayBeShown(memory, relevanceOf(match), cue, limits))) {
    return {
      shown: [],
      // Silence is what a hook mostly answers, and asks for none of them: ranking fifty takes it a millisecond.
      get others() {
        return leftOut(ranked(visible, cue, policy), [])
      },
      text: '',
    }
  }
  const order = ranked(visible, cue, policy)
  const shown = fitted(order, cue, limits, told)
  return { shown, others: leftOut(order, shown), text: rendered(shown, cue, limits.budgetTokens) }
}

function leftOut(order: readonly Ranked[], shown: readonly Scored[]): Recall['others'] {
  const ids = new Set(shown.map((scored) => scored.memory.id))
  return order.filter((one) => !ids.has(one.memory.id)).map((one) => ({ id: one.memory.id, score: one.score }))
}
