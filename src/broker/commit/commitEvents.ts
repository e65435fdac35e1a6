// Commits events: the only way into the log, for hooks, commands, tools and the worker.
//
// An event is committed once its newline is in the file. The snapshot that it changes may be written later.
import type { Event } from '../../model/event.ts'
import { appendEvents } from '../../store/log/eventLog.ts'
import { readSyncChoice } from '../open/hookConfig.ts'
import type { Store } from '../open/openStore.ts'

/** Events in one write: a few hundred kilobytes at most in practice, and a log file is closed soon after it is full. */
const EVENTS_PER_WRITE_MAX = 200

/**
 * Appends the events in order. Up to 200 are one write, so readers see all of them or none; a longer list is written
 * in parts. Waits for the disk if the config says so.
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
