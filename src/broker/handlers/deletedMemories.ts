// Memories that the log has deleted since the snapshot was written.
import type { MemoryId } from '../../model/id.ts'
import { SNAPSHOT_TAIL_BYTES } from '../../model/limits.ts'
import { countBytesAfter, decodeUnverified, type LogPosition, readTailLines } from '../../store/log/eventLog.ts'
import type { Store } from '../open/openStore.ts'

/** The memories that the log deletes after `cursor`, in any session. */
export function findDeletedSince({ files, layout }: Store, cursor: LogPosition): ReadonlySet<MemoryId> {
  const deleted = new Set<MemoryId>()
  const bytesMax = Math.min(SNAPSHOT_TAIL_BYTES, countBytesAfter(files, layout.events, cursor))
  if (bytesMax === 0) return deleted
  for (const line of readTailLines(files, layout.events, { session: undefined, bytesMax, kinds: ['memory.deleted'] })) {
    const event = decodeUnverified(line)
    if (event?.kind === 'memory.deleted') for (const id of event.memories) deleted.add(id)
  }
  return deleted
}
