// Catch up: folds what the log has past a loaded projection into it. The log is the truth; a projection that knows more is rebuilt.
import { isAfterLogEnd } from '../../store/log/eventLog.ts'
import { readLog } from '../../store/log/readLog.ts'
import type { Store } from '../open/openStore.ts'
import { DEFAULT_POLICY } from '../policy/activePolicy.ts'
import { applyEvent } from './applyEvent.ts'
import { findMissingLogFiles } from './missingLogFiles.ts'
import { emptyProjection } from './projection.ts'
import type { LoadedProjection } from './saveMemories.ts'

/** Folds what the log has past the projection. Returns whether there was anything. */
export function applyLogTail(store: Store, loaded: LoadedProjection): boolean {
  const { files, layout } = store
  if (isAfterLogEnd(files, layout.events, loaded.projection.cursor) && findMissingLogFiles(store).length === 0) {
    // The log was cut, or restored from a copy: what it no longer says must go.
    applyEntireLog(store, loaded)
    return true
  }
  const read = readLog(files, layout.events, loaded.projection.cursor)
  // With log files missing, folding everything would know less: then late events are folded where they are found.
  if (read.hasLateEvents && findMissingLogFiles(store).length === 0) {
    // Events came into a closed file: their place is before what was folded already, so all is folded again, in order.
    applyEntireLog(store, loaded)
    return true
  }
  for (const event of read.events) applyEvent(loaded.projection, event, DEFAULT_POLICY)
  loaded.projection.cursor = read.end
  return read.events.length > 0
}

/** Folds the whole log into an empty projection, which takes the place of the loaded one. */
export function applyEntireLog(store: Store, loaded: LoadedProjection): void {
  Object.assign(loaded.projection, emptyProjection())
  const read = readLog(store.files, store.layout.events)
  for (const event of read.events) applyEvent(loaded.projection, event, DEFAULT_POLICY)
  loaded.projection.cursor = read.end
}
