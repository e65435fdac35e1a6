// Commit and fold: events go into the log, and the loaded projection follows it.
import type { Event } from '../../model/event.ts'
import { catchUp } from '../projection/catchUp.ts'
import type { Store } from '../store.ts'
import type { Loaded } from '../view/saveMemories.ts'
import { commitEvents } from './commitEvents.ts'

/** Appends the events and folds them, together with whatever other processes have appended before them. */
export function commitAndFold(store: Store, loaded: Loaded, events: readonly Event[]): void {
  if (events.length === 0) return
  commitEvents(store, events)
  catchUp(store, loaded)
}
