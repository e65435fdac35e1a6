// What is injected at a session's start. There is no query but the project and the branch, so each kind gets a share.
import { exceedsBudget, hasBudgetForNote } from '../model/contextBudget.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory, MemoryKind } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import type { RecalledMemory, RecallQuery, RecallResult } from '../model/recallQuery.ts'
import { estimateTokens } from '../text/tokenCount.ts'
import { canRecall } from './canRecall.ts'
import { maxMatchScores, type RankedCandidate, rankByPolicy } from './rankByPolicy.ts'
import { listOthers } from './recall.ts'
import { renderContext } from './renderContext.ts'
import { isWorthShowing } from './selectWithinBudget.ts'
import type { FileProbe } from './staleness.ts'

/** Shares of the places, in the order of the notes: what the user said, where work stopped, what was learned. */
const SHARES: readonly { readonly kinds: readonly MemoryKind[]; readonly share: number }[] = [
  { kinds: ['preference', 'decision', 'entry'], share: 0.5 },
  { kinds: ['summary', 'consolidated'], share: 0.25 },
  { kinds: ['lesson'], share: 1 },
]

interface BriefingInput {
  readonly query: RecallQuery
  readonly memories: readonly Memory[]
  readonly policy: Policy
  /** The memories that this conversation contains. */
  readonly alreadyShown: ReadonlySet<MemoryId>
  readonly fileProbe?: FileProbe
}

/** Selects and renders the memories to show at a session's start. */
export function buildSessionBriefing(input: BriefingInput): RecallResult {
  const { query, policy } = input
  const limits = policy.recall.moments.start
  // Without a query nothing matches.
  const match = maxMatchScores([])
  const candidates = input.memories
    .filter((memory) => canRecall(query, memory) && !input.alreadyShown.has(memory.id) && isWorthShowing(memory))
    .map((memory) => ({ memory, match }))
  const ranked = rankByPolicy(candidates, query, policy)
  const shown = selectByShares(
    ranked.filter(({ score, memory }) => score >= limits.scoreMin && limits.kinds.includes(memory.kind)),
    limits,
  )
  return {
    shown,
    others: listOthers(ranked, shown),
    text: renderContext(shown, query, limits.budgetTokens, input.fileProbe),
  }
}

function selectByShares(
  ranked: readonly RankedCandidate[],
  { topK, budgetTokens }: { readonly topK: number; readonly budgetTokens: number },
): RecalledMemory[] {
  const shown: RecalledMemory[] = []
  let tokens = 0
  for (const { kinds, share } of SHARES) {
    const places = Math.min(topK - shown.length, Math.ceil(topK * share))
    for (const candidate of ranked.filter(({ memory }) => kinds.includes(memory.kind)).slice(0, places)) {
      if (!hasBudgetForNote(shown.length, budgetTokens)) return shown
      const { score, features, breakdown } = candidate
      const memory = candidate.load()
      const cost = Math.min(estimateTokens(memory.content), Math.ceil(budgetTokens / 3))
      if (exceedsBudget(cost, shown.length, tokens, budgetTokens)) continue
      tokens += cost
      shown.push({ memory, score, features, breakdown })
    }
  }
  return shown
}
