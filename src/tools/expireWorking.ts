// Working memory ends with its session. Where nobody else tells of the session's end, the door that began it does.
import { listVisible } from '../broker/live/visibility.ts'
import type { ToolContext } from './definition/toolContext.ts'

/** Lets the working memories of the caller's session expire now; where nobody has asked for any memory, there are none. */
export function expireWorking(context: ToolContext): void {
  const { session } = context
  if (session === undefined || !context.isLiveStoreOpen) return
  const now = context.now()
  const own = listVisible(context.liveStore, { session, now }).filter((memory) => memory.retention === 'working')
  if (own.length === 0) return
  const expires = new Date(now).toISOString()
  context.commit({ kind: 'memory.batch', stored: [], changes: own.map(({ id }) => ({ memory: id, expires })) })
}
