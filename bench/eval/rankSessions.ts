// Ranks earlier sessions for a prompt by their best memory, with the hook's own query, candidates and ranking, before
// threshold and budget.

import { eventFromPayload, openHookContext } from '../../src/broker/handlers/hookContext.ts'
import { buildHookQuery } from '../../src/broker/handlers/hookQuery.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import { readActivePolicy } from '../../src/broker/policy/activePolicy.ts'
import { findCandidates, relatedIn } from '../../src/broker/search/candidates.ts'
import type { SessionId } from '../../src/model/id.ts'
import type { Policy } from '../../src/model/policy.ts'
import { rankByPolicy } from '../../src/recall/rankByPolicy.ts'
import { getTextField, type HookPayload } from '../../src/record/hookPayload.ts'
import { openSnapshotReader } from '../../src/store/snapshot/snapshotReader.ts'

interface RankedSession {
  readonly session: SessionId
  /** Of the session's best memory. */
  readonly score: number
}

/** The number of memories ranked: a session may have many, and only its best counts. */
const CANDIDATES_MAX = 500

/** The sessions for a prompt at `now` (milliseconds since 1970), best first. Nothing is recorded. */
export function rankSessions(store: Store, payload: HookPayload, now: number): RankedSession[] {
  const context = openHookContext(store, now)
  const event = eventFromPayload(payload, context)
  if (event?.kind !== 'prompt') return []
  const policy = withMoreCandidates(readActivePolicy(store).policy)
  const query = buildHookQuery('prompt', event, now, getTextField(payload, 'git_branch'))
  const reader = openSnapshotReader(store.files, store.layout)
  try {
    const best = new Map<SessionId, number>()
    for (const { score, load } of rankByPolicy(
      findCandidates(query, reader, policy, { findSessions: relatedIn(store) }),
      query,
      policy,
    )) {
      const { session } = load()
      if (session !== undefined && !best.has(session)) best.set(session, score)
    }
    return [...best].map(([session, score]) => ({ session, score }))
  } finally {
    reader.close()
  }
}

const withMoreCandidates = (policy: Policy): Policy => ({
  ...policy,
  recall: { ...policy.recall, candidatesMax: CANDIDATES_MAX },
})
