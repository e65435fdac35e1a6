// What a session has been shown already, as its events say.
import type { Event } from '../../model/event.ts'
import type { MemoryId } from '../../model/id.ts'

/** The list after one more event: compaction and /clear take it out of the conversation, so it may be told again. */
export function toldAfter(told: readonly MemoryId[], event: Event): readonly MemoryId[] {
  if (event.kind === 'session.started' && (event.source === 'compact' || event.source === 'clear')) return []
  if (event.kind !== 'recalled' || event.withheld || event.shown.length === 0) return told
  return [...new Set([...told, ...event.shown.map((shown) => shown.memory)])]
}
