// Brings a loaded projection up to date with the log.
import { isAfterLogEnd, LOG_START, type LogPosition } from '../../store/log/eventLog.ts'
import { findLogGaps } from '../../store/log/logFiles.ts'
import { readLog } from '../../store/log/readLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { applyEvent } from './applyEvent.ts'
import { emptyProjection, type Projection } from './projection.ts'
import type { LoadedProjection } from './saveMemories.ts'

/** Applies the events after the projection's cursor. Returns whether the projection may have changed. */
export function applyLogTail(store: Store, { projection }: LoadedProjection): boolean {
  const { files, layout } = store
  // The log was truncated or exchanged. Its owner's memories stay, and the next maintenance moves it away: guardLog.ts.
  if (isAfterLogEnd(files, layout.events, projection.cursor)) return false
  const tail = readLog(files, layout.events, projection.cursor)
  // Events were added to a closed file, before events that were applied already: all must be applied again, in order.
  if (tail.hasLateEvents && isLogComplete(store)) {
    applyEntireLog(store, projection)
    return true
  }
  return applyLog(projection, tail)
}

/** Replaces a projection by that of the entire log. */
export function applyEntireLog(store: Store, projection: Projection): void {
  Object.assign(projection, emptyProjection())
  applyLog(projection, readLog(store.files, store.layout.events))
}

function applyLog(projection: Projection, { events, end }: ReturnType<typeof readLog>): boolean {
  for (const event of events) applyEvent(projection, event)
  projection.cursor = end
  return events.length > 0
}

/** With files missing, the entire log would give less than the projection has. */
const isLogComplete = (store: Store): boolean => findMissingLogFiles(store).length === 0

/** Numbers of missing log files: files that the snapshot has read, or that come before existing ones. */
export const findMissingLogFiles = (store: Store): number[] =>
  findLogGaps(store.files, store.layout.events, snapshotCursor(store))

function snapshotCursor({ files, layout }: Store): Pick<LogPosition, 'file'> {
  try {
    return readManifest(files, layout).cursor ?? LOG_START
  } catch {
    return LOG_START // A corrupt or newer manifest says nothing about the log.
  }
}
