// Replays recorded sessions in parallel, as they happened; `dev replay` runs them one after the other.
import { runMaintenance } from '../../src/broker/maintenance/maintenance.ts'
import type { Store } from '../../src/broker/open/openStore.ts'
import { loadProjection } from '../../src/broker/projection/projectionFiles.ts'
import type { SessionId } from '../../src/model/id.ts'
import { type RecordedPayload, replayPayload } from '../fixture/replaySessions.ts'

interface ReplayObserver {
  /** Called before each payload is recorded. */
  readonly before: (recorded: RecordedPayload) => void
}

/**
 * Runs all payloads in chronological order (stable for equal times) and organizes each session after its last
 * payload.
 */
export function replayInTime(
  store: Store,
  sessions: readonly (readonly RecordedPayload[])[],
  { before }: ReplayObserver,
): void {
  const order = sessions.flat().sort((a, b) => a.at - b.at)
  const last = new Map(order.map((recorded) => [recorded.payload.session_id, recorded]))
  const loaded = loadProjection(store)
  for (const recorded of order) {
    before(recorded)
    const answer = replayPayload(store, recorded)
    if (answer.needsMaintenance) runMaintenance(store, { now: recorded.at }, loaded)
    const session = recorded.payload.session_id as SessionId
    if (last.get(session) === recorded) runMaintenance(store, { now: recorded.at, sessions: [session] }, loaded)
  }
}
