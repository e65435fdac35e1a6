// Commits events to the log and applies them to the loaded projection.
import type { Event } from '../../model/event.ts'
import type { Store } from '../open/openStore.ts'
import { applyLogTail } from '../projection/applyLogTail.ts'
import type { LoadedProjection } from '../projection/saveMemories.ts'
import { commitEvents } from './commitEvents.ts'

/** Appends the events, then applies them and all events that other processes have appended before them. */
export function commitAndApply(store: Store, loaded: LoadedProjection, events: readonly Event[]): void {
  if (events.length === 0) return
  commitEvents(store, events)
  applyLogTail(store, loaded)
}
