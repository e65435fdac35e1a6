// A person rates notes that a session was shown. Improve reads it when the session ends: it outweighs every trace.
import type { Rating } from '../../improve/ratings.ts'
import type { EventBody } from '../../model/event.ts'
import type { EventId, MemoryId } from '../../model/id.ts'
import type { ShownNote } from '../queries/shownNotes.ts'

/** Commits one event for each recall that showed some of these notes. */
export function rateNotes(
  commit: (body: EventBody) => void,
  notes: readonly Pick<ShownNote, 'recall' | 'memory'>[],
  rating: Rating,
): void {
  const byRecall = new Map<EventId, MemoryId[]>()
  for (const { recall, memory } of notes) byRecall.set(recall, [...(byRecall.get(recall) ?? []), memory])
  for (const [recall, memories] of byRecall) {
    const isUseful = rating === 'useful'
    const rated = isUseful ? { helped: memories } : { helped: [], unhelped: memories }
    commit({ kind: 'recall.judged', recall, by: 'person', ...rated })
  }
}
