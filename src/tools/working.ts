// Working memory ends with its session. Where nobody else tells of the session's end, the door that began it does.
import { seenBy } from '../broker/eyes.ts'
import type { World } from './world.ts'

/** Lets the working memories of the caller's session expire now; where nobody has asked for any memory, there are none. */
export function endWorking(world: World): void {
  const { session } = world
  if (session === undefined || !world.isOpen) return
  const now = world.now()
  const own = seenBy(world.desk, { session, now }).filter((memory) => memory.retention === 'working')
  if (own.length === 0) return
  const expires = new Date(now).toISOString()
  world.tell({ kind: 'memory.batch', stored: [], changes: own.map(({ id }) => ({ memory: id, expires })) })
}
