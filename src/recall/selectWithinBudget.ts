// Fit: what of the ranked memories is said. Nothing twice, nothing under the threshold, no more than the budget.

import { exceedsBudget, isBudgetFull } from '../model/contextBudget.ts'
import type { MemoryId } from '../model/id.ts'
import { CONTEXT_CHARS_MAX } from '../model/limits.ts'
import { isUserRequested, type Memory, type MemoryKind } from '../model/memory.ts'
import type { MomentPolicy } from '../model/policy.ts'
import type { RecalledMemory, RecallQuery } from '../model/recallQuery.ts'
import { estimateTokens } from '../text/tokenCount.ts'
import type { RankedCandidate } from './rankByPolicy.ts'

/** What is said, and what would have been next. */
interface Fitted {
  readonly shown: readonly RecalledMemory[]
  /** The best that only the limits left out, so that what one place more would give can be told. */
  readonly next?: RankedCandidate | undefined
}

/** The memories that are shown, best first; of the kinds in `leftOut` only what somebody asked for. Silence is a good answer. */
export function selectWithinBudget(
  chances: readonly RankedCandidate[],
  query: RecallQuery,
  limits: MomentPolicy,
  told: () => ReadonlySet<MemoryId>,
  leftOut: ReadonlySet<MemoryKind>,
): Fitted {
  const shown: RecalledMemory[] = []
  let next: RankedCandidate | undefined
  let known: ReadonlySet<MemoryId> | undefined
  let tokens = 0
  for (const chance of chances) {
    const full = isBudgetFull(shown.length, limits)
    if (full && next) break
    if (chance.score < limits.scoreMin || !isEligible(chance.memory, chance.relevance, query, limits)) continue
    // Asked last, and once: it reads the log, and most recalls have nothing to say anyway.
    if (query.moment !== 'failure') known ??= told()
    if (known?.has(chance.memory.id)) continue
    if (full) {
      // Its text is not read: whether somebody asked for it, which a rule would heed, is not known.
      if (!leftOut.has(chance.memory.kind)) next = chance
      continue
    }
    const { score, features, breakdown } = chance
    const memory = chance.load()
    if (leftOut.has(memory.kind) && !isUserRequested(memory)) continue
    const cost = estimateTokens(memory.content)
    if (exceedsBudget(cost, shown.length, tokens, limits.budgetTokens)) {
      next ??= chance
      continue
    }
    tokens += cost
    shown.push({ memory, score, features, breakdown })
  }
  return { shown, next }
}

/** Whether a memory of this relevance may be said at this moment, wherever it stands among the others. */
export const isEligible = (
  memory: Pick<Memory, 'kind' | 'outcome'>,
  relevance: number,
  query: RecallQuery,
  limits: MomentPolicy,
): boolean =>
  relevance >= limits.relevanceMin &&
  limits.kinds.includes(memory.kind) &&
  (query.moment === 'ask' || isWorthShowing(memory))

/** A failure nobody has mended stands in its session's summary as left open; told alone it would only discourage. */
export const isWorthShowing = (memory: Pick<Memory, 'kind' | 'outcome'>): boolean =>
  memory.kind !== 'lesson' || memory.outcome !== 'failure'

/** A context cut so that the client passes it on whole. */
export const truncateToContext = (text: string): string =>
  text.length <= CONTEXT_CHARS_MAX ? text : `${text.slice(0, CONTEXT_CHARS_MAX - 2).replace(/[\ud800-\udbff]$/, '')}\n…`
