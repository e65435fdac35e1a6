// Checks which sessions have events that are not organized yet, and why.
import { type CheckResult, checkPassed, checkProblem } from '../../model/checkResult.ts'
import { SESSION_SILENT_MS } from '../../model/limits.ts'
import { MemoryError } from '../../model/memoryError.ts'
import { isOwnerAlive } from '../../store/disk/lock.ts'
import { readLog } from '../../store/log/readLog.ts'
import { hasEnded } from '../maintenance/maintenance.ts'
import type { Store } from '../open/openStore.ts'
import { applyEvent } from '../projection/applyEvent.ts'
import type { Projection, SessionState } from '../projection/projection.ts'
import { loadProjection } from '../projection/projectionFiles.ts'

/** Sessions listed by name, at most. */
const LISTED_MAX = 5

/** A session that is not organized this long after its end was missed, in milliseconds. */
const LATE_MS = 3_600_000

export function checkSessions(store: Store, now: number): CheckResult[] {
  const projection = loadCurrentProjection(store)
  if (projection === 'newer') return [] // The checks of the log and the snapshot report it.
  if (!projection) {
    return [
      checkProblem('sessions', 'warn', 'Unknown while the snapshot is damaged', {
        hint: 'Repair the snapshot first: `memctl rebuild`.',
      }),
    ]
  }
  const waiting = [...projection.sessions.values()].filter((session) => session.pending.length > 0)
  const over = waiting.filter((session) => hasEnded(session, { now }))
  const late = over.filter((session) => now - Date.parse(session.lastAt) > LATE_MS)
  const open = waiting.length - over.length
  const checks: CheckResult[] = []
  if (late.length > 0) {
    checks.push(
      checkProblem('sessions', 'warn', `${late.length} ended and are not organized: ${formatSessions(late, now)}`, {
        where: store.layout.events,
        hint: 'The next session start does it in the background; `memctl organize` does it now.',
      }),
    )
  }
  const recent = over.length - late.length
  const parts = [
    ...(open > 0 ? [`${open} running or not known to be over`] : []),
    ...(recent > 0 ? [`${recent} ended within the hour, organized soon`] : []),
  ]
  if (checks.length === 0 || parts.length > 0) {
    checks.push(checkPassed('sessions', parts.length > 0 ? parts.join(', ') : 'All are organized'))
  }
  return checks
}

/**
 * The projection with every event of the log; `newer` if a newer memctl wrote the store, undefined if it cannot be
 * loaded. Nothing is written.
 */
function loadCurrentProjection(store: Store): Projection | 'newer' | undefined {
  try {
    const { projection } = loadProjection(store)
    for (const event of readLog(store.files, store.layout.events, projection.cursor).events)
      applyEvent(projection, event)
    return projection
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'STORE_NEWER') return 'newer'
    return undefined // The check of the snapshot reports the reason.
  }
}

function formatSessions(sessions: readonly SessionState[], now: number): string {
  const listed = sessions.slice(0, LISTED_MAX).map((session) => `${session.id} (${reasonOfEnd(session, now)})`)
  return listed.join(', ') + (sessions.length > LISTED_MAX ? ', …' : '')
}

function reasonOfEnd(session: SessionState, now: number): string {
  if (session.ended) return 'it ended'
  if (session.client && !isOwnerAlive(session.client)) return 'its client is gone'
  const silentMinutes = Math.floor((now - Date.parse(session.lastAt)) / 60_000)
  return `silent for ${silentMinutes} min, ${SESSION_SILENT_MS / 60_000} count as over`
}
