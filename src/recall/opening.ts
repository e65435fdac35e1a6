// Opening: what a session is told at its start. No cue but the project and the branch, so each kind gets its share.
import type { Cue, Recall, Scored } from '../model/cue.ts'
import type { MemoryId } from '../model/id.ts'
import type { Kind, Memory } from '../model/memory.ts'
import type { Policy } from '../model/policy.ts'
import { hasRoom, isTooLong } from '../model/room.ts'
import { tokensOf } from '../text/tokens.ts'
import { admits } from './admit.ts'
import type { Match } from './candidate.ts'
import { worthSaying } from './fit.ts'
import { type Ranked, ranked } from './rank.ts'
import { rendered } from './render.ts'
import type { FileAt } from './stale.ts'

const NO_MATCH: Match = { words: 0, window: 0, session: 0, files: 0, command: 0, error: 0, branch: 0, coverage: 0 }

/** Shares of the places, in the order in which they are told: what the person said, where work stopped, what was learnt. */
const SHARES: readonly { readonly kinds: readonly Kind[]; readonly share: number }[] = [
  { kinds: ['preference', 'decision', 'entry'], share: 0.5 },
  { kinds: ['summary', 'consolidated'], share: 0.25 },
  { kinds: ['lesson'], share: 1 },
]

/** `told` are the memories this conversation holds already. */
export function opening(
  cue: Cue,
  standing: readonly Memory[],
  policy: Policy,
  told: ReadonlySet<MemoryId>,
  fileAt?: FileAt,
): Recall {
  const visible = standing.filter((memory) => admits(cue, memory) && !told.has(memory.id) && worthSaying(memory))
  const order = ranked(
    visible.map((memory) => ({ memory, match: NO_MATCH })),
    cue,
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
    text: rendered(shown, cue, limits.budgetTokens, fileAt),
  }
}

function shared(order: readonly Ranked[], limits: { readonly topK: number; readonly budgetTokens: number }): Scored[] {
  const shown: Scored[] = []
  let tokens = 0
  for (const { kinds, share } of SHARES) {
    const places = Math.min(limits.topK - shown.length, Math.ceil(limits.topK * share))
    for (const one of order.filter((scored) => kinds.includes(scored.memory.kind)).slice(0, places)) {
      if (!hasRoom(shown.length, limits.budgetTokens)) return shown
      const { score, features, breakdown } = one
      const memory = one.whole()
      const cost = Math.min(tokensOf(memory.content), Math.ceil(limits.budgetTokens / 3))
      if (isTooLong(cost, shown.length, tokens, limits.budgetTokens)) continue
      tokens += cost
      shown.push({ memory, score, features, breakdown })
    }
  }
  return shown
}
