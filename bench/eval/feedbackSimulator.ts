// Simulates feedback in a replay: at a session's end, each earlier session that was ranked for its prompt counts as
// helpful in proportion to the overlap of edited files. Only later sessions learn from it. Shuffled or flipped
// feedback measures the effect of noise.
import { eventFromPayload, openHookContext } from '../../src/broker/handlers/hookContext.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import type { RecordedPayload } from '../../src/broker/replay/replaySessions.ts'
import { type Random, seededRandom } from '../../src/cli/bench/seededRandom.ts'
import type { MemoryId, SessionId } from '../../src/model/id.ts'
import { logFeedback, logShadowRecall, overlapByMemory, type ShadowRecall } from './logFeedback.ts'
import type { RankedSession } from './rankSessions.ts'

/** Real feedback, the feedback of a random ended session, none, or real feedback of which a share is inverted. */
export type Feedback =
  | { readonly kind: 'real' | 'shuffled' | 'none' }
  | { readonly kind: 'flipped'; readonly share: number }

interface FeedbackSimulator {
  /** Called when earlier sessions were ranked for a session's prompt. The ranking is not shown. */
  onRanking(session: SessionId, ranked: readonly RankedSession[], now: number): void
  /** Called for every payload. */
  onPayload(recorded: RecordedPayload): void
  /** Called after the last payload of a session. */
  onSessionEnd(session: SessionId, now: number): void
}

const EDITING_TOOLS = new Set(['Edit', 'MultiEdit', 'Write'])

export function simulateFeedback(store: Store, feedback: Feedback, seed: number): FeedbackSimulator {
  const chance = seededRandom(seed)
  const recalls = new Map<
    SessionId,
    { recall: ShadowRecall; ranked: readonly RankedSession[]; earlier: readonly SessionId[] }
  >()
  const edits = new Map<SessionId, Set<string>>()
  const ended: SessionId[] = []
  return {
    onRanking(session, ranked, now) {
      if (feedback.kind === 'none' || ranked.length === 0) return
      recalls.set(session, { recall: logShadowRecall(store, session, ranked, now), ranked, earlier: [...ended] })
    },
    onPayload({ at, payload }) {
      const tool = payload['tool_name']
      if (payload.hook_event_name !== 'PostToolUse' || typeof tool !== 'string' || !EDITING_TOOLS.has(tool)) return
      const event = eventFromPayload(payload, openHookContext(store, at))
      if (event?.kind !== 'call.succeeded') return
      const known = edits.get(event.session) ?? new Set()
      for (const file of event.files) known.add(file)
      edits.set(event.session, known)
    },
    onSessionEnd(session, now) {
      ended.push(session)
      const logged = recalls.get(session)
      if (!logged) return
      const source = feedback.kind === 'shuffled' ? chance.pick(ended) : session
      const earlier = new Map(logged.earlier.map((id) => [id, edits.get(id) ?? new Set<string>()]))
      const help = new Map<MemoryId, number>()
      for (const [memory, overlap] of overlapByMemory(logged.ranked, edits.get(source) ?? new Set(), earlier)) {
        const share = flipped(overlap, feedback, chance)
        if (share > 0) help.set(memory, share)
      }
      logFeedback(store, logged.recall, help, now)
    },
  }
}

function flipped(share: number, feedback: Feedback, chance: Random): number {
  return feedback.kind === 'flipped' && chance.next() < feedback.share ? 1 - share : share
}
