// What was deleted since the view was written: the log says so at once, the view's files only when the worker next writes them.

import type { MemoryId } from '../../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { countBytesAfter, type LogPosition, readTailLines } from '../../store/log/eventLog.ts'
import { decodeUnverified } from '../../store/log/logLine.ts'
import type { Store } from '../open/openStore.ts'

/** The memories that the log deletes behind `cursor`, by whomever. */
export function findDeletedSince({ files, layout }: Store, cursor: LogPosition): ReadonlySet<MemoryId> {
  const gone = new Set<MemoryId>()
  const bytesMax = Math.min(SNAPSHOT_TAIL_BYTES, countBytesAfter(files, layout.events, cursor))
  if (bytesMax === 0) return gone
  for (const line of readTailLines(files, layout.events, { session: undefined, bytesMax, kinds: ['memory.deleted'] })) {
    const event = decodeUnverified(line)
    if (event?.kind === 'memory.deleted') for (const id of event.memories) gone.add(id)
  }
  return gone
}
