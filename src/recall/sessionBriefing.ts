// Opening: what a session is told at its start. No cue but the project and the branch, so each kind gets its share.

import { exceedsBudget, hasBudgetForNote } from '../model/contextBudget.ts'
import type { MemoryId } from '../model/id.ts'
import type { Memory, MemoryKind } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import type { RecalledMemory, RecallQuery, RecallResult } from '../model/recallQuery.ts'
import { estimateTokens } from '../text/tokenCount.ts'
import { canRecall } from './canRecall.ts'
import { type RankedCandidate, rankByPolicy } from './rankByPolicy.ts'
import type { MatchScores } from './recallCandidate.ts'
import { renderContext } from './renderContext.ts'
import { isWorthShowing } from './selectWithinBudget.ts'
import type { FileProbe } from './staleness.ts'

const NO_MATCH: MatchScores = {
  words: 0,
  window: 0,
  session: 0,
  files: 0,
  command: 0,
  error: 0,
  branch: 0,
  coverage: 0,
}

/** Shares of the places, in the order in which they are told: what the person said, where work stopped, what was learnt. */
const SHARES: readonly { readonly kinds: readonly MemoryKind[]; readonly share: number }[] = [
  { kinds: ['preference', 'decision', 'entry'], share: 0.5 },
  { kinds: ['summary', 'consolidated'], share: 0.25 },
  { kinds: ['lesson'], share: 1 },
]

/** `told` are the memories this conversation holds already. */
export function buildSessionBriefing(
  query: RecallQuery,
  standing: readonly Memory[],
  policy: Policy,
  told: ReadonlySet<MemoryId>,
  fileAt?: FileProbe,
): RecallResult {
  const visible = standing.filter(
    (memory) => canRecall(query, memory) && !told.has(memory.id) && isWorthShowing(memory),
  )
  const order = rankByPolicy(
    visible.map((memory) => ({ memory, match: NO_MATCH })),
    query,
    policy,
  )
  const limits = policy.recall.moments.start
  const shown = shared(
    order.filter((one) => one.score >= limits.scoreMin && limits.kinds.includes(one.memory.kind)),
    limits,
  )
  const ids = new Set(shown.map((one) => one.memory.id))
  return {
    shown,
    others: order.filter((one) => !ids.has(one.memory.id)).map((one) => ({ id: one.memory.id, score: one.score })),
    text: renderContext(shown, query, limits.budgetTokens, fileAt),
  }
}

function shared(
  order: readonly RankedCandidate[],
  limits: { readonly topK: number; readonly budgetTokens: number },
): RecalledMemory[] {
  const shown: RecalledMemory[] = []
  let tokens = 0
  for (const { kinds, share } of SHARES) {
    const places = Math.min(limits.topK - shown.length, Math.ceil(limits.topK * share))
    for (const one of order.filter((scored) => kinds.includes(scored.memory.kind)).slice(0, places)) {
      if (!hasBudgetForNote(shown.length, limits.budgetTokens)) return shown
      const { score, features, breakdown } = one
      const memory = one.load()
      const cost = Math.min(estimateTokens(memory.content), Math.ceil(limits.budgetTokens / 3))
      if (exceedsBudget(cost, shown.length, tokens, limits.budgetTokens)) continue
      tokens += cost
      shown.push({ memory, score, features, breakdown })
    }
  }
  return shown
}
