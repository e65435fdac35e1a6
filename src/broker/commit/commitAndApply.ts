// Commit and fold: events go into the log, and the loaded projection follows it.
import type { Event } from '../../model/event.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/applyLogTail.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'
import { commitEvents } from './commitEvents.ts'

/** Appends the events and folds them, together with whatever other processes have appended before them. */
export function commitAndApply(store: Store, loaded: LoadedProjection, events: readonly Event[]): void {
  if (events.length === 0) return
  commitEvents(store, events)
  applyLogTail(store, loaded)
}
