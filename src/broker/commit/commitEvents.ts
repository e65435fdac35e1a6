// Commit: the one way for events into the log. Hooks, commands, tools and the worker all append through here.
//
// An event is committed once its newline is in the file. What is made of it (the projection) may be written later.
import type { Event } from '../../model/event.ts'
import { appendEvents } from '../../store/log/eventLog.ts'
import { readSyncChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** Events in one write: a few hundred kilobytes at most in practice, and a log file is closed soon after it is full. */
const EVENTS_PER_WRITE_MAX = 200

/**
 * Appends the events in order. Up to 200 are one write, so readers see all of them or none; a longer list is written
 * in parts. Waits for the disk where the config says so.
 *
 * Throws the system's error when a write fails: what was written before it stays committed.
 */
export function commitEvents(store: Store, events: readonly Event[]): void {
  if (events.length === 0) return
  const { files, layout } = store
  const sync = readSyncChoice(store) === 'always'
  for (let start = 0; start < events.length; start += EVENTS_PER_WRITE_MAX) {
    appendEvents(files, layout.events, events.slice(start, start + EVENTS_PER_WRITE_MAX), sync)
  }
}
