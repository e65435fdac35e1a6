// Ratings: what a person said of single notes that were shown. The last word on a note counts.
import type { Event } from '../model/event.ts'
import type { EventId, MemoryId } from '../model/id.ts'

export type Rating = 'useful' | 'not useful'

/** The ratings of a recall's memories among these events. */
export function readRatings(events: readonly Event[], recall: EventId): ReadonlyMap<MemoryId, Rating> {
  const ratings = new Map<MemoryId, Rating>()
  for (const event of events) {
    if (event.kind !== 'recall.judged' || event.recall !== recall || event.by !== 'person') continue
    for (const id of event.helped) ratings.set(id, 'useful')
    for (const id of event.unhelped ?? []) ratings.set(id, 'not useful')
  }
  return ratings
}
