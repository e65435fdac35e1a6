// Brings a loaded projection up to date with the log.
import { runToEnd, type Steps } from '../../model/longCall.ts'
import { isAfterLogEnd, LOG_START, type LogPosition } from '../../store/log/eventLog.ts'
import { findLogGaps, type LogReadResult, readLogFiles, readLogInSteps } from '../../store/log/readLog.ts'
import { readManifest } from '../../store/snapshot/snapshotReader.ts'
import type { Store } from '../open/openStore.ts'
import { applyEvent } from './applyEvent.ts'
import { emptyProjection, type LoadedProjection, type Projection } from './projection.ts'

/** Asked after each file of the log: whether the rest is left for later. */
export type IsOverdue = (() => boolean) | undefined

/**
 * Applies the events after the projection's cursor. Returns whether the projection may have changed. If it is overdue
 * after a file of the log, the cursor says how far it has come.
 */
export const applyLogTail = (store: Store, loaded: LoadedProjection, isOverdue?: IsOverdue): boolean =>
  runToEnd(applyLogTailInSteps(store, loaded, isOverdue))

/** The same in steps. Until its end nobody else may use the projection. */
export function* applyLogTailInSteps(
  store: Store,
  { projection }: LoadedProjection,
  isOverdue?: IsOverdue,
): Steps<boolean> {
  const { files, layout } = store
  // The log was truncated or exchanged. Its owner's memories stay, and the next maintenance moves it away: guardLog.ts.
  if (isAfterLogEnd(files, layout.events, projection.cursor)) return false
  let isChanged = false
  for (const part of readLogInSteps(files, layout.events, projection.cursor)) {
    yield
    if (!part) continue
    // Events were added to a closed file, before events that were applied already: all must be applied again, in order.
    if (part.hasLateEvents && isLogComplete(store)) {
      applyEntireLog(store, projection, isOverdue)
      return true
    }
    for (const event of part.events) {
      applyEvent(projection, event)
      yield
    }
    projection.cursor = part.end
    const hasMore = part.events.length > 0
    isChanged ||= hasMore
    // A run that finds the rest of a file has come no further.
    if (hasMore && isOverdue?.()) break
  }
  return isChanged
}

/** Replaces a projection by that of the entire log, or of its first files if it is overdue. */
export function applyEntireLog(store: Store, projection: Projection, isOverdue?: IsOverdue): void {
  Object.assign(projection, emptyProjection())
  for (const part of readLogFiles(store.files, store.layout.events)) {
    applyPart(projection, part)
    if (isOverdue?.()) return
  }
}

function applyPart(projection: Projection, { events, end }: LogReadResult): void {
  for (const event of events) applyEvent(projection, event)
  projection.cursor = end
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
