// What was deleted since the view was written: the log says so at once, the view's files only when the worker next writes them.

import type { MemoryId } from '../../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { bytesPast, type LogPosition, recentLines } from '../../store/log.ts'
import { recentEvent } from '../../store/logLine.ts'
import type { Store } from '../store.ts'

/** The memories that the log deletes behind `cursor`, by whomever. */
export function goneSince({ files, layout }: Store, cursor: LogPosition): ReadonlySet<MemoryId> {
  const gone = new Set<MemoryId>()
  const bytes = Math.min(SNAPSHOT_TAIL_BYTES, bytesPast(files, layout.events, cursor))
  if (bytes === 0) return gone
  for (const line of recentLines(files, layout.events, undefined, bytes, ['memory.deleted'])) {
    const event = recentEvent(line)
    if (event?.kind === 'memory.deleted') for (const id of event.memories) gone.add(id)
  }
  return gone
}
