// Ranks earlier sessions for a prompt by their best memory: with the hook's own query, candidates and ranking, before threshold and
// budget.
import { cueOf } from '../../src/broker/hook/cue.ts'
import { eventOf, visitTo } from '../../src/broker/hook/visit.ts'
import { servingPolicy } from '../../src/broker/policy/served.ts'
import { candidatesFor } from '../../src/broker/search/candidates.ts'
import { closeReader, readerFor } from '../../src/broker/search/indexReaderCache.ts'
import { relatedIn } from '../../src/broker/search/relatedWork.ts'
import type { Store } from '../../src/broker/store.ts'
import type { Features } from '../../src/model/cue.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import type { Policy } from '../../src/model/policy.ts'
import { ranked } from '../../src/recall/rank.ts'
import { type Payload, textField } from '../../src/record/payload.ts'

export interface RankedSession {
  readonly session: SessionId
  /** Its best memory, with the score and features of that. */
  readonly memory: MemoryId
  readonly score: number
  readonly features: Features
}

/** Memories ranked: a session may have many, and only its best counts. */
const CANDIDATES_MAX = 500

/** The sessions for a prompt at `now` (milliseconds since 1970), best first. Nothing is recorded. */
export function rankSessions(store: Store, payload: Payload, now: number): RankedSession[] {
  const visit = visitTo(store, now)
  const event = eventOf(payload, visit)
  if (event?.kind !== 'prompt') return []
  const policy = withMoreCandidates(servingPolicy(store).policy)
  const cue = cueOf('prompt', event, now, textField(payload, 'git_branch'))
  const shelf = readerFor(store)
  try {
    const best = new Map<SessionId, RankedSession>()
    for (const { memory, score, features, whole } of ranked(
      candidatesFor(cue, shelf, policy, relatedIn(store)),
      cue,
      policy,
    )) {
      const { session } = whole()
      if (session !== undefined && !best.has(session))
        best.set(session, { session, memory: memory.id, score, features })
    }
    return [...best.values()]
  } finally {
    closeReader(shelf)
  }
}

const withMoreCandidates = (policy: Policy): Policy => ({
  ...policy,
  recall: { ...policy.recall, candidatesMax: CANDIDATES_MAX },
})
